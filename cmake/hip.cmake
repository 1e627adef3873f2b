# Decides whether the HIP backend is built: WARPVIEW_BUILD_HIP, and if not WARPVIEW_HIP_ABSENT, the
# reason in words. CMake's own HIP language wants a ROCm layout that Debian does not have, so hipcc
# is run by custom commands (gpu/runtime/hip/CMakeLists.txt).
set(WARPVIEW_BUILD_HIP OFF)
set(WARPVIEW_HIP_ARCHITECTURES "gfx1030;gfx90a" CACHE STRING
    "GPU architectures that the HIP backend is compiled for")

if(WARPVIEW_HIP STREQUAL "OFF")
  set(WARPVIEW_HIP_ABSENT "built with WARPVIEW_HIP=OFF")
else()
  find_program(WARPVIEW_HIPCC hipcc HINTS $ENV{ROCM_PATH}/bin PATHS /opt/rocm/bin)
  mark_as_advanced(WARPVIEW_HIPCC)
  if(WARPVIEW_HIPCC)
    set(WARPVIEW_BUILD_HIP ON)
  elseif(WARPVIEW_HIP STREQUAL "ON")
    message(FATAL_ERROR "WARPVIEW_HIP=ON, but hipcc was not found. Install the package hipcc, or "
                        "name it with -DWARPVIEW_HIPCC=...")
  else()
    set(WARPVIEW_HIP_ABSENT "built where no hipcc was found")
  endif()
endif()

# Those that the module then has code for: cmake/amd_family.py copies.
set(WARPVIEW_HIP_CODE ${WARPVIEW_HIP_ARCHITECTURES})
if("gfx1030" IN_LIST WARPVIEW_HIP_ARCHITECTURES)
  list(APPEND WARPVIEW_HIP_CODE gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036)
  list(REMOVE_DUPLICATES WARPVIEW_HIP_CODE)
endif()

if(WARPVIEW_BUILD_HIP)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  message(STATUS "HIP backend: ${WARPVIEW_HIPCC}, architectures ${WARPVIEW_HIP_CODE}")
else()
  message(STATUS "HIP backend: skipped (${WARPVIEW_HIP_ABSENT})")
endif()
