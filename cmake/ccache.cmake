# Compiles through ccache where it is installed.
find_program(WARPVIEW_CCACHE ccache)
mark_as_advanced(WARPVIEW_CCACHE)
if(WARPVIEW_CCACHE)
  # ccache needs this sloppiness to cache files that use a precompiled header.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
               ${WARPVIEW_CCACHE})
  foreach(language C CXX CUDA)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${launcher})
    endif()
  endforeach()
endif()
