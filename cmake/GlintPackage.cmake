# cmake --install and, through CPack, a Debian package: cpack --config build/release/CPackConfig.cmake
include(GNUInstallDirs)

install(TARGETS glint_bench_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(GLINT_APP)
  install(TARGETS glint RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES assets/dancer.mp4 assets/dancer.truth.csv DESTINATION ${CMAKE_INSTALL_DATADIR}/glint)
  install(FILES README.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN *.md PATTERN *.png PATTERN *.svg
    PATTERN plots EXCLUDE PATTERN speed EXCLUDE)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
  include(GlintDesktopFiles)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME glint)
set(CPACK_PACKAGE_CONTACT "The Glint authors <glint@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION video)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# libvulkan is loaded at run time, so shlibdeps does not see it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libvulkan1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mesa-vulkan-drivers")
include(CPack)
