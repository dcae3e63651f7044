# Makes and installs the files through which desktops and shells know the program. The program itself prints its manual and the
# completions, so that they list what it takes.
set(glint_made ${CMAKE_BINARY_DIR}/desktop)
configure_file(packaging/org.glint.Glint.metainfo.xml.in ${glint_made}/org.glint.Glint.metainfo.xml @ONLY)

# glint_print(FILE arguments...): makes FILE of what glint prints with these arguments.
function(glint_print file)
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:glint> ${ARGN} > ${file}
    DEPENDS glint
    VERBATIM)
endfunction()

glint_print(${glint_made}/glint.1 manual)
foreach(shell bash zsh fish)
  glint_print(${glint_made}/glint.${shell} completion ${shell})
endforeach()
add_custom_target(glint_desktop_files ALL
  DEPENDS ${glint_made}/glint.1 ${glint_made}/glint.bash ${glint_made}/glint.zsh ${glint_made}/glint.fish)

# One entry, in the menu, opens the clip that comes with Glint; the other one opens the files that a file manager hands to it.
install(FILES packaging/org.glint.Glint.desktop packaging/org.glint.Glint.Open.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES packaging/org.glint.Glint.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES ${glint_made}/org.glint.Glint.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${glint_made}/glint.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${glint_made}/glint.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME glint)
install(FILES ${glint_made}/glint.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# These are the folders in which zsh itself looks, and in which Debian's zsh looks for completions of packages.
foreach(folder site-functions vendor-completions)
  install(FILES ${glint_made}/glint.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${folder} RENAME _glint)
endforeach()
