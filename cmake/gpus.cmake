# find_gpus(CUDA_RESULT HIP_RESULT): asks the drivers which GPUs this machine has. CUDA_RESULT is the
# list of their compute capabilities, times ten and each once; HIP_RESULT whether HIP lists a device.
# Both are asked anew at each configuration, of a small program that is compiled here.
function(find_gpus cuda_result hip_result)
  set(source ${PROJECT_SOURCE_DIR}/cmake/find_gpus.c)
  set(program ${CMAKE_BINARY_DIR}/find_gpus)
  if(NOT EXISTS ${program} OR ${source} IS_NEWER_THAN ${program})
    execute_process(COMMAND ${CMAKE_C_COMPILER} -o ${program} ${source} -ldl
                    COMMAND_ERROR_IS_FATAL ANY)
  endif()
  # A driver that hangs or ends the program has no device that could be used.
  execute_process(COMMAND ${program} TIMEOUT 60 OUTPUT_VARIABLE answer ERROR_QUIET
                  RESULT_VARIABLE ignored)
  string(REGEX MATCHALL "cuda [0-9]+" capabilities "${answer}")
  list(REMOVE_DUPLICATES capabilities)
  list(TRANSFORM capabilities REPLACE "cuda " "")
  set(${cuda_result} "${capabilities}" PARENT_SCOPE)
  set(${hip_result} OFF PARENT_SCOPE)
  if(answer MATCHES "hip")
    set(${hip_result} ON PARENT_SCOPE)
  endif()
endfunction()

# Where the drivers are not asked there is none.
set(WARPVIEW_CUDA_GPUS "")
set(WARPVIEW_HIP_GPUS OFF)
if(NOT WARPVIEW_CUDA STREQUAL "OFF" OR NOT WARPVIEW_HIP STREQUAL "OFF")
  find_gpus(WARPVIEW_CUDA_GPUS WARPVIEW_HIP_GPUS)
endif()
