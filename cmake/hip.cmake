# Decides whether the HIP backend is built, as cmake/cuda.cmake does: WARPVIEW_BUILD_HIP, or
# WARPVIEW_HIP_ABSENT and WARPVIEW_HIP_REMEDY. CMake's own HIP language wants a ROCm layout that Debian does not have, so hipcc
# is run by custom commands (gpu/runtime/hip/CMakeLists.txt).
set(WARPVIEW_BUILD_HIP OFF)
set(WARPVIEW_HIP_ARCHITECTURES "gfx90a;gfx1010;gfx1030" CACHE STRING
    "GPU architectures that the HIP backend is compiled for")

if(WARPVIEW_HIP STREQUAL "OFF")
  set(WARPVIEW_HIP_ABSENT "built with WARPVIEW_HIP=OFF")
  set(WARPVIEW_HIP_REMEDY "Build it with ./run --hip")
elseif(WARPVIEW_HIP STREQUAL "AUTO" AND NOT WARPVIEW_ALL AND NOT WARPVIEW_HIP_GPUS)
  set(WARPVIEW_HIP_ABSENT "built where no AMD GPU was found")
  set(WARPVIEW_HIP_REMEDY "./run --hip builds it all the same")
else()
  find_program(WARPVIEW_HIPCC hipcc HINTS $ENV{ROCM_PATH}/bin PATHS /opt/rocm/bin)
  mark_as_advanced(WARPVIEW_HIPCC)
  if(WARPVIEW_HIPCC)
    set(WARPVIEW_BUILD_HIP ON)
  elseif(WARPVIEW_HIP STREQUAL "ON")
    message(FATAL_ERROR "WARPVIEW_HIP=ON, but hipcc was not found. Install the package hipcc, "
                        "name it with -DWARPVIEW_HIPCC=..., or build without: ./run --auto")
  else()
    set(WARPVIEW_HIP_ABSENT "built where no hipcc was found")
    set(WARPVIEW_HIP_REMEDY "./run --hip installs hipcc and builds it")
  endif()
endif()

if(WARPVIEW_BUILD_HIP)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  # Those that the module then has code for.
  set(WARPVIEW_AMD_FAMILY ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/amd_family.py)
  execute_process(
      COMMAND ${WARPVIEW_AMD_FAMILY} --with-siblings ${WARPVIEW_HIP_ARCHITECTURES}
      OUTPUT_VARIABLE WARPVIEW_HIP_CODE COMMAND_ERROR_IS_FATAL ANY)
  message(STATUS "HIP backend: ${WARPVIEW_HIPCC}, architectures ${WARPVIEW_HIP_CODE}")
else()
  message(STATUS "HIP backend: skipped (${WARPVIEW_HIP_ABSENT})")
endif()
