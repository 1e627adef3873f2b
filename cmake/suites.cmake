# discover_suites(TARGET ROOM [PROPERTY VALUE]...): tests of ctest from a program of GoogleTest,
# each a process that runs several: a suite without parameters as a whole, "ROOM.Suite"; of a suite
# with parameters each test with all of them, "ROOM.Suite.Test", or, where they are many, with those
# whose names begin with the same word, "ROOM.Suite.Test/word". (One process for each test, as by
# gtest_discover_tests, takes half again as long: each opens its devices, fonts and OpenGL again.)
# ctest asks the program for its tests when it runs.
function(discover_suites target room)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
  set(properties LABELS ${room} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} ${ARGN})
  file(GENERATE OUTPUT ${script} CONTENT
"set(program [==[$<TARGET_FILE:${target}>]==])
set(room ${room})
set(properties [==[${properties}]==])
include([==[${PROJECT_SOURCE_DIR}/cmake/list_suites.cmake]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()
