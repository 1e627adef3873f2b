# Read by ctest (cmake/suites.cmake): add_test for the suites of `program`, of a room, with
# properties. WARPVIEW_TEST_LEFT_OUT, patterns of GoogleTest, names tests that are not run.
if(NOT EXISTS ${program})
  return()  # its tests must not run: only some targets were built
endif()
execute_process(COMMAND ${program} --gtest_list_tests
                OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE " *#[^\n]*" "" lines "${lines}")  # the bytes of the parameters
string(REPLACE "\n" ";" lines "${lines}")

# A suite's line ends in a dot, those of its tests are indented. `tests`: Suite.Test without
# parameters; parameters_of_TEST: the parameters of each.
set(tests "")
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ ]+)\\.$")
    set(suite ${CMAKE_MATCH_1})
  elseif(line MATCHES "^  ([^/]+)/(.+)$")
    list(APPEND tests ${suite}.${CMAKE_MATCH_1})
    list(APPEND parameters_of_${suite}.${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
  elseif(line MATCHES "^  (.+)$")
    list(APPEND tests ${suite})
  endif()
endforeach()
list(REMOVE_DUPLICATES tests)

set(left_out "")
if(DEFINED ENV{WARPVIEW_TEST_LEFT_OUT})
  set(left_out -$ENV{WARPVIEW_TEST_LEFT_OUT})
endif()
set(most_parameters 24)
foreach(test IN LISTS tests)
  list(LENGTH parameters_of_${test} count)
  if(NOT test MATCHES "\\.")
    set(names ${test})
    set(filters ${test}.*)
  elseif(count LESS_EQUAL most_parameters)
    set(names ${test})
    set(filters ${test}/*)
  else()
    set(words ${parameters_of_${test}})
    list(TRANSFORM words REPLACE "_.*" "")
    list(REMOVE_DUPLICATES words)
    set(names ${words})
    list(TRANSFORM names PREPEND ${test}/)
    # `sort` and `sort_merge`, not `sorted`.
    set(filters ${names})
    list(TRANSFORM filters REPLACE "(.+)" "\\1:\\1_*")
  endif()
  foreach(name filter IN ZIP_LISTS names filters)
    add_test(${room}.${name} ${program} --gtest_filter=${filter}${left_out})
    set_tests_properties(${room}.${name} PROPERTIES ${properties})
  endforeach()
endforeach()
