# Decides whether the CUDA backend is built: WARPVIEW_BUILD_CUDA, and if not the reason in words,
# WARPVIEW_CUDA_ABSENT, and what helps, WARPVIEW_CUDA_REMEDY. Where no GPU is found nvcc is called only
# if it was asked for: by WARPVIEW_CUDA=ON or WARPVIEW_ALL=ON, which need neither GPU nor driver.
set(WARPVIEW_BUILD_CUDA OFF)

if(WARPVIEW_CUDA STREQUAL "OFF")
  set(WARPVIEW_CUDA_ABSENT "built with WARPVIEW_CUDA=OFF")
  set(WARPVIEW_CUDA_REMEDY "Build it with ./run --cuda")
elseif(WARPVIEW_CUDA STREQUAL "AUTO" AND NOT WARPVIEW_ALL AND NOT WARPVIEW_CUDA_GPUS)
  set(WARPVIEW_CUDA_ABSENT "built where no NVIDIA GPU was found")
  set(WARPVIEW_CUDA_REMEDY "./run --cuda builds it all the same")
else()
  set(WARPVIEW_CUDA_REMEDY "Install the CUDA toolkit 12.0 or newer and build with ./run --cuda")
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    # The toolkit's installer leaves PATH alone.
    find_program(WARPVIEW_NVCC nvcc HINTS $ENV{CUDA_PATH}/bin $ENV{CUDA_HOME}/bin
                 PATHS /usr/local/cuda/bin /opt/cuda/bin)
    mark_as_advanced(WARPVIEW_NVCC)
    if(WARPVIEW_NVCC)
      set(ENV{CUDACXX} ${WARPVIEW_NVCC})
    endif()
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    # Machine code and PTX for 7.5 run on every GPU from Turing on, by the driver's compiler on newer
    # ones; variants that need more are then not offered.
    set(architectures 75)
    if(WARPVIEW_CUDA_GPUS)
      set(architectures ${WARPVIEW_CUDA_GPUS})
    endif()
    set(CMAKE_CUDA_ARCHITECTURES "${architectures}" CACHE STRING
        "GPU architectures that the CUDA backend is compiled for")
  endif()
  if(DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(ENV{CUDAARCHS} "${CMAKE_CUDA_ARCHITECTURES}")  # for the test inside check_language
  endif()

  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0)
      set(WARPVIEW_CUDA_ABSENT "built where nvcc is ${CMAKE_CUDA_COMPILER_VERSION}, too old for C++20")
    else()
      set(WARPVIEW_BUILD_CUDA ON)
    endif()
  else()
    set(WARPVIEW_CUDA_ABSENT "built where no working nvcc was found")
  endif()
  if(WARPVIEW_CUDA STREQUAL "ON" AND NOT WARPVIEW_BUILD_CUDA)
    message(FATAL_ERROR "WARPVIEW_CUDA=ON, but this would be ${WARPVIEW_CUDA_ABSENT}. Install the CUDA "
                        "toolkit 12.0 or newer, name its nvcc with -DCMAKE_CUDA_COMPILER=..., or build "
                        "without: ./run --auto")
  endif()
endif()

if(WARPVIEW_BUILD_CUDA)
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has it
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  # Static: the program starts where no CUDA is installed.
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  message(STATUS "CUDA backend: ${CMAKE_CUDA_COMPILER} ${CMAKE_CUDA_COMPILER_VERSION}, "
                 "architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "CUDA backend: skipped (${WARPVIEW_CUDA_ABSENT})")
endif()
