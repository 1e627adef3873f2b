# warpview_embree: Embree 3, where it is found, for the variant `library` of ray tracing on the CPU
# device. Without it that variant says what is missing.
option(WARPVIEW_EMBREE "Build the variant of ray tracing by Embree, where Embree 3 is found" ON)

add_library(warpview_embree INTERFACE)
if(WARPVIEW_EMBREE)
  find_package(embree 3 QUIET)
endif()
if(embree_FOUND)
  target_link_libraries(warpview_embree INTERFACE embree)
  target_compile_definitions(warpview_embree INTERFACE WARPVIEW_EMBREE)
  message(STATUS "Embree: ${embree_VERSION}")
else()
  message(STATUS "Embree: skipped (apt install libembree-dev)")
endif()
