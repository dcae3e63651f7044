# How Glint's targets are made: warnings, sanitizers, and include roots that keep the folders apart.

add_library(glint_options INTERFACE)
target_compile_options(glint_options INTERFACE -Wall -Wextra -Wconversion -Wshadow)
if(GLINT_WERROR)
  target_compile_options(glint_options INTERFACE -Werror)
endif()
if(GLINT_SANITIZE)
  target_compile_options(glint_options INTERFACE -fsanitize=address,undefined
                                                 -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(glint_options INTERFACE -fsanitize=address,undefined)
endif()

# glint_library(FOLDER sources...): the folder as the static library glint_FOLDER.
# Its headers are included as "FOLDER/name.h" through an include root that holds this folder alone,
# so a folder can include only those that its target links: a wrong direction does not compile.
function(glint_library folder)
  set(root ${CMAKE_BINARY_DIR}/include/${folder})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${root}/${folder} SYMBOLIC)
  add_library(glint_${folder} STATIC ${ARGN})
  target_include_directories(glint_${folder} PUBLIC ${root})
  target_link_libraries(glint_${folder} PRIVATE glint_options)
endfunction()
