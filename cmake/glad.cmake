# Target `warpview_glad`: the loader of OpenGL 4.5 core, generated into the build tree by the glad
# generator of Debian's package python3-glad. Nothing is fetched: --reproducible uses the
# specification that comes with the package.

find_program(GLAD_EXECUTABLE glad)
if(NOT GLAD_EXECUTABLE)
  message(FATAL_ERROR "glad (the OpenGL loader generator) was not found. "
                      "Install it: apt install python3-glad")
endif()

set(glad_dir "${CMAKE_BINARY_DIR}/glad")
add_custom_command(
  OUTPUT "${glad_dir}/src/gl.c" "${glad_dir}/include/glad/gl.h"
         "${glad_dir}/include/KHR/khrplatform.h"
  COMMAND "${GLAD_EXECUTABLE}" --quiet --api gl:core=4.5 --extensions "" --out-path "${glad_dir}"
          --reproducible c --loader
  COMMENT "Generating the OpenGL loader"
  VERBATIM)

add_library(warpview_glad STATIC "${glad_dir}/src/gl.c" "${glad_dir}/include/glad/gl.h")
target_include_directories(warpview_glad SYSTEM PUBLIC "${glad_dir}/include")
target_link_libraries(warpview_glad PUBLIC ${CMAKE_DL_LIBS})
set_target_properties(warpview_glad PROPERTIES CXX_CLANG_TIDY "" C_CLANG_TIDY ""
                                               POSITION_INDEPENDENT_CODE ON)
