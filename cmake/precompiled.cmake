# precompile_headers(TARGET...): reads headers of the standard library and fmt once for all of the
# targets, which have the same options. A file still includes what it uses: a Debug build reads each
# file by itself.
set(CMAKE_PCH_INSTANTIATE_TEMPLATES OFF)

# Half of the compiler's time goes into templates that each file instantiates again. Files that are
# compiled together share them: 32 files take 55 % of the time of four times eight. Many processors need
# many batches.
cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(size 1)
elseif(processors LESS_EQUAL 4)
  set(size 32)
else()
  set(size 8)
endif()
set(WARPVIEW_BATCH_SIZE ${size} CACHE STRING "How many host files are compiled at a time, at most")

# compile_together(TARGET...): the host files of a target, in batches.
function(compile_together)
  if(WARPVIEW_BATCH_SIZE GREATER 1)
    set_target_properties(${ARGN} PROPERTIES
        UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${WARPVIEW_BATCH_SIZE})
  endif()
endfunction()

# compile_alone(FILE...): files that share internal names with others. They, and all files with
# separate options, are left out of the batches.
function(compile_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

set(WARPVIEW_PRECOMPILED
    <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <condition_variable> <cstddef>
    <cstdint> <cstring> <exception> <filesystem> <functional> <limits> <map> <memory> <mutex>
    <numeric> <optional> <span> <string> <string_view> <thread> <tuple> <type_traits> <utility>
    <variant> <vector> <fmt/format.h>)

# For targets whose options no others have.
function(precompile_headers_alone)
  foreach(target ${ARGN})
    target_precompile_headers(${target} PRIVATE ${WARPVIEW_PRECOMPILED})
  endforeach()
endfunction()

function(precompile_headers)
  if(NOT TARGET warpview_precompiled)
    set(source ${CMAKE_BINARY_DIR}/precompiled.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "// What precompiled headers are made with.\n")
    set_source_files_properties(${source} PROPERTIES SKIP_LINTING ON)
    add_library(warpview_precompiled OBJECT ${source})
    target_link_libraries(warpview_precompiled PRIVATE warpview_options)
    precompile_headers_alone(warpview_precompiled)
  endif()
  foreach(target ${ARGN})
    target_precompile_headers(${target} REUSE_FROM warpview_precompiled)
    compile_together(${target})
  endforeach()
endfunction()

# compile_waiting_code(): for the folder that calls it. What takes time in app/ waits for a device, a file
# or the picture; what -O3 adds to -O1 is a quarter of the time to compile it.
macro(compile_waiting_code)
  add_compile_options($<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
endmacro()
