# batch_kernel_files(RESULT FILE...): one source for the kernel files of each folder, which includes
# them, in place of those files. Most of a GPU compiler's time goes into headers that are the same for
# all kernel files, which are so read once for each folder. Unnamed namespaces of a folder's files
# are then one, so their names differ.
#
# Files that are compiled alone stay as they are: those that include a vendor's library, those with
# options of their own, and those of `matrix`, whose variants share their names as they share the
# figure that the names come from.
set(WARPVIEW_BATCHES_FOLDER ${CMAKE_BINARY_DIR}/batches)

function(batch_kernel_files result)
  set(alone "")
  set(folders "")
  foreach(file ${ARGN})
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
    cmake_path(GET name PARENT_PATH folder)
    get_source_file_property(own_options ${file} WARPVIEW_OWN_OPTIONS)
    if(own_options OR folder STREQUAL "gpu" OR folder MATCHES "/matrix$" OR name MATCHES "/library\\.cu$")
      list(APPEND alone ${file})
    else()
      list(APPEND folders ${folder})
      string(APPEND includes_of_${folder} "#include \"${name}\"\n")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(batches "")
  foreach(folder ${folders})
    set(batch ${WARPVIEW_BATCHES_FOLDER}/${folder}.cu)
    file(CONFIGURE OUTPUT ${batch} CONTENT "${includes_of_${folder}}" @ONLY)
    list(APPEND batches ${batch})
  endforeach()
  set(${result} ${alone} ${batches} PARENT_SCOPE)
endfunction()
