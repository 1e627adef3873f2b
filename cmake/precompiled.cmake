# precompile_headers(TARGET...): reads headers of the standard library and fmt once for all of the
# targets, which have the same options. A file still includes what it uses: clang-tidy, which has no
# part in this, reads it, too.
set(CMAKE_PCH_INSTANTIATE_TEMPLATES OFF)

function(precompile_headers)
  if(NOT TARGET warpview_precompiled)
    set(source ${CMAKE_BINARY_DIR}/precompiled.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "// What precompiled headers are made with.\n")
    set_source_files_properties(${source} PROPERTIES SKIP_LINTING ON)
    add_library(warpview_precompiled OBJECT ${source})
    target_link_libraries(warpview_precompiled PRIVATE warpview_options)
    target_precompile_headers(warpview_precompiled PRIVATE
        <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <condition_variable>
        <cstddef> <cstdint> <cstring> <exception> <filesystem> <functional> <limits> <map> <memory>
        <mutex> <numeric> <optional> <span> <string> <string_view> <thread> <tuple> <type_traits>
        <utility> <variant> <vector> <fmt/format.h>)
  endif()
  foreach(target ${ARGN})
    target_precompile_headers(${target} REUSE_FROM warpview_precompiled)
  endforeach()
endfunction()
