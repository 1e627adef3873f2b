# Builds of the CPU device that watch what kernels do, as modules that the program loads
# (gpu/runtime/source_module.h).
#
# Kernel files are instrumented by the compiler's sanitizer pass, without the sanitizer:
# gpu/simt/instrumented/calls.cpp defines the functions that the code then calls. The executor, the
# device and the recorder are not instrumented.

# One place of the program is one instruction: inlined as a GPU's compiler would, but neither copied
# for speed (threaded jumps, from -O2 on) nor merged into wider ones. Loops turned into library calls
# would not be seen.
set(WARPVIEW_INSTRUMENTED
    -fsanitize=thread -Wno-tsan -O1 -finline-functions -finline-small-functions
    -findirect-inlining -fno-tree-vectorize -fno-tree-slp-vectorize
    -fno-tree-loop-distribute-patterns
    # Needed by the kernels' files anywhere, as in gpu/runtime/cpu.
    -Wno-unknown-pragmas)

# add_cpu_module(counted OPTIONS -f... LIBRARIES ...): the module warpview_counted, of the sources in the
# folder that calls this. Kernels are compiled with the options too. The sources see WARPVIEW_COUNTED.
# warpview_counted_build has what all its files are compiled with, warpview_counted_core all but kernels.
function(add_cpu_module name)
  cmake_parse_arguments(PARSE_ARGV 1 module "" "" "OPTIONS;LIBRARIES")
  find_package(Threads REQUIRED)
  find_package(TBB REQUIRED)
  find_package(Boost CONFIG REQUIRED COMPONENTS context)
  set(build warpview_${name}_build)
  set(core warpview_${name}_core)
  set(kernels warpview_${name}_kernels)

  # Only the module's entry is exported, and no symbol is resolved from outside: the program contains
  # the same functions in their ordinary build.
  string(TOUPPER ${name} definition)
  add_library(${build} INTERFACE)
  target_compile_definitions(${build} INTERFACE WARPVIEW_BACKEND_CPU WARPVIEW_${definition})
  target_compile_options(${build} INTERFACE
      -fvisibility=hidden -fvisibility-inlines-hidden -fno-gnu-unique)
  target_link_options(${build} INTERFACE -Wl,-Bsymbolic -Wl,-z,defs)
  target_link_libraries(${build} INTERFACE
      warpview_options Boost::context TBB::tbb Threads::Threads warpview_embree
      ${module_LIBRARIES})

  file(GLOB core_files CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/gpu/simt/*.cpp ${PROJECT_SOURCE_DIR}/gpu/simt/instrumented/*.cpp
       ${PROJECT_SOURCE_DIR}/gpu/runtime/cpu/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${core} OBJECT ${core_files} ${WARPVIEW_MODULE_SOURCES})
  add_dependencies(${core} module_sources)
  set_source_files_properties(${WARPVIEW_MODULE_SOURCES} PROPERTIES
      GENERATED ON SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  target_link_libraries(${core} PUBLIC ${build})
  compile_together(${core})

  add_library(${kernels} OBJECT ${WARPVIEW_KERNEL_BATCHES})
  set_source_files_properties(${WARPVIEW_KERNEL_BATCHES} PROPERTIES LANGUAGE CXX)
  target_compile_options(${kernels} PRIVATE ${WARPVIEW_INSTRUMENTED} ${module_OPTIONS})
  target_link_libraries(${kernels} PUBLIC ${build})
  precompile_headers_alone(${core} ${kernels})

  add_library(warpview_${name} MODULE)
  target_link_libraries(warpview_${name} PRIVATE ${core} ${kernels})
endfunction()
