# warpview_options: the compiler options of every target of this project.
add_library(warpview_options INTERFACE)
target_include_directories(warpview_options INTERFACE ${PROJECT_SOURCE_DIR})
find_package(fmt REQUIRED)
target_link_libraries(warpview_options INTERFACE fmt::fmt)
target_compile_options(warpview_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow>)
# A product and a sum round twice, as the source says, on machines with a fused instruction for both
# too: results have the same bits everywhere.
target_compile_options(warpview_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # -fpch-preprocess: precompiled headers that ccache can use. -Wno-restrict: GCC 12 warns falsely
  # of every `"text" + std::string` (GCC bug 105651), and the other two warn falsely of the same
  # where the standard library is precompiled.
  target_compile_options(warpview_options INTERFACE
      $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess -Wno-restrict -Wno-stringop-overflow
                                -Wno-array-bounds>)
  # The compiler collects no garbage before it has 1 GB. With its default of 128 MB, a batch of host
  # files takes about a tenth longer (.ci/times.md) and a fifth less memory. The code is the same.
  target_compile_options(warpview_options INTERFACE
      $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1000000>)
endif()

# Sanitizers apply to everything, third-party sources included: ASan must see every stack.
if(WARPVIEW_SANITIZE)
  add_compile_options(-fsanitize=${WARPVIEW_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WARPVIEW_SANITIZE})
  # AddressSanitizer sees both, and they take much of the compiler's time (.ci/times.md).
  if(WARPVIEW_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize=null,object-size)
  endif()
  add_compile_definitions(WARPVIEW_SANITIZE="${WARPVIEW_SANITIZE}" WARPVIEW_SMALL_TILES)
  if(WARPVIEW_SANITIZE MATCHES "thread")
    add_compile_definitions(WARPVIEW_SANITIZE_THREAD)
  endif()
endif()
