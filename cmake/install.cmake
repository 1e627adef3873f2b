# `cmake --install` and the Debian package (cpack -G DEB). The program looks for the backends that
# it loads beside itself, so all lie in one separate folder, and bin/ has a link. Icon and .desktop
# file let a file manager open OBJ and PLY files with it.
include(GNUInstallDirs)
set(folder ${CMAKE_INSTALL_LIBDIR}/warpview)
set(documents ${CMAKE_INSTALL_DATADIR}/doc/warpview)  # GNUInstallDirs uses the project's name, with
                                                      # a capital
set(CMAKE_INSTALL_MESSAGE LAZY)

install(TARGETS warpview RUNTIME DESTINATION ${folder})
if(TARGET warpview_counted)
  # The program's build leaves them out (app/CMakeLists.txt), and an installed program cannot build
  # them.
  install(CODE "execute_process(
      COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target warpview_counted warpview_recorded
      COMMAND_ERROR_IS_FATAL ANY)")
  install(TARGETS warpview_counted LIBRARY DESTINATION ${folder})
  # As a file, since targets are stripped: it finds shared memory by symbols, and lines of the
  # sources by debug information.
  install(PROGRAMS $<TARGET_FILE:warpview_recorded> DESTINATION ${folder})
endif()
if(WARPVIEW_BUILD_HIP)
  install(PROGRAMS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/libwarpview_hip.so DESTINATION ${folder})
endif()
file(RELATIVE_PATH from_bin /${CMAKE_INSTALL_BINDIR} /${folder}/warpview)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/link)
file(CREATE_LINK ${from_bin} ${CMAKE_CURRENT_BINARY_DIR}/link/warpview SYMBOLIC)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/link/warpview DESTINATION ${CMAKE_INSTALL_BINDIR})

install(FILES packaging/warpview.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES packaging/warpview.svg
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES packaging/warpview-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
        RENAME warpview.xml)
install(DIRECTORY assets/ DESTINATION ${CMAKE_INSTALL_DATADIR}/warpview)
# Sources that the laboratory's Code tab opens in an editor.
install(DIRECTORY gpu DESTINATION ${CMAKE_INSTALL_DATADIR}/warpview
        FILES_MATCHING PATTERN "*.cu" PATTERN "*.h" PATTERN "*.def" PATTERN "*.cpp")
install(FILES README.md DESTINATION ${documents})
# Files that Debian's packages have: the licence, and the authors of everything in the program.
file(READ LICENSE licence)
file(READ packaging/parts.txt parts)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS LICENSE packaging/parts.txt)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/copyright CONTENT
"${licence}
Warpview is made with these parts of other projects: name, licence, use. Their authors and licences stand
in the copyright files of the Debian packages that they come from.

${parts}" @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/copyright DESTINATION ${documents})
install(DIRECTORY docs DESTINATION ${documents} PATTERN "*.py" EXCLUDE)

# A package is for other machines: it has each backend whose compiler is found, whatever was built
# before.
set(CPACK_INSTALL_COMMANDS
    "${CMAKE_COMMAND} -DWARPVIEW_ALL=ON -S ${CMAKE_SOURCE_DIR} -B ${CMAKE_BINARY_DIR}"
    "${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target warpview")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME warpview)
set(CPACK_PACKAGE_CONTACT "The developers of Warpview <warpview@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Viewer that makes GPU programming primitives visible")
set(CPACK_PACKAGE_DESCRIPTION
"Living scenes that are computed by scans, reductions, radix sorts, hash tables, a linear BVH and a
spatial hash, with the time of each beside the picture and a laboratory for all variants of each.
Runs on the CPU, and on GPUs where it was built with CUDA or HIP.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libegl1, libopengl0")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libgl1-mesa-dri)
# Dependencies: the libraries that the program links, with the packages that contain them, if the
# tools to find them are installed.
find_program(WARPVIEW_SHLIBDEPS dpkg-shlibdeps)
find_program(WARPVIEW_FILE file)
mark_as_advanced(WARPVIEW_SHLIBDEPS WARPVIEW_FILE)
if(WARPVIEW_SHLIBDEPS AND WARPVIEW_FILE)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
