# Target `headers`: every header of gpu/, scenes/ and app/ compiles alone, so files may include them
# in any order. One source of one line for each; nothing links them, and only .ci/run builds them.
#
# Left out are headers that some source file includes first, as most do with their own: they are
# compiled alone there. Also left out is what only a vendor's compiler can read: gpu/runtime/cuda,
# gpu/runtime/hip, gpu/runtime/vendor_*.h, the managed memory of gpu/primitives/memory, the
# asynchronous copy of gpu/primitives/staging and the code that launches kernels from kernels in
# gpu/primitives/schedule. Headers for kernels, those that name WARPVIEW_BACKEND, are compiled as
# for the CPU device.
set(folders gpu scenes app)
list(TRANSFORM folders APPEND "/*.h" OUTPUT_VARIABLE patterns)
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${patterns})
set(of_one_vendor "^gpu/runtime/(cuda/|hip/|vendor_)|/memory/managed\\.h$|/staging/copy_async\\.h$")
string(APPEND of_one_vendor "|/schedule/(dynamic|from_kernels|hybrid|launching_schedulers)\\.h$")
list(FILTER headers EXCLUDE REGEX "${of_one_vendor}")

list(TRANSFORM folders APPEND "/*.c*" OUTPUT_VARIABLE patterns)
file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
list(FILTER files INCLUDE REGEX "\\.(cpp|cu)$")
foreach(file ${files})
  file(STRINGS ${file} first LIMIT_COUNT 1 REGEX "^ *#")
  if(first MATCHES "^#include \"(.*)\"$")
    list(REMOVE_ITEM headers ${CMAKE_MATCH_1})
  endif()
endforeach()

set(sources "")
foreach(header ${headers})
  set(source ${CMAKE_BINARY_DIR}/headers/${header}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n" @ONLY)
  file(STRINGS ${header} for_kernels LIMIT_COUNT 1 REGEX "WARPVIEW_BACKEND")
  if(for_kernels)
    set_source_files_properties(${source} PROPERTIES
        COMPILE_DEFINITIONS WARPVIEW_BACKEND_CPU
        COMPILE_OPTIONS "-Wno-unknown-pragmas;-Wno-unused-function")
  endif()
  list(APPEND sources ${source})
endforeach()

# Panels and the model know neither OpenGL nor the threads that draw and compute. glad/gl.h is an
# error where its guard against another gl.h is defined, and the compiler then names the includes.
file(GLOB plain RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS app/common/*.h app/panels/*.h)
list(APPEND plain app/model.h app/options.h app/report.h app/snapshot.h app/undo.h
     app/render/options.h)
list(TRANSFORM plain REPLACE "(.+)" "#include \"\\1\"\n")
list(JOIN plain "" plain)
set(source ${CMAKE_BINARY_DIR}/headers/plain.cpp)
file(CONFIGURE OUTPUT ${source} CONTENT "#define __gl_h_\n${plain}" @ONLY)
list(APPEND sources ${source})

add_library(headers OBJECT EXCLUDE_FROM_ALL ${sources})
target_link_libraries(headers PRIVATE warpview_app warpview_panels warpview_window)
# They are only checked, not run.
target_compile_options(headers PRIVATE -O0)
