# How Glint's targets are made: warnings, sanitizers, and include roots that keep the folders apart.

add_library(glint_options INTERFACE)
target_compile_options(glint_options INTERFACE -Wall -Wextra -Wconversion -Wshadow -fno-semantic-interposition)
if(GLINT_WERROR)
  target_compile_options(glint_options INTERFACE -Werror)
endif()
if(CMAKE_UNITY_BUILD)
  # GCC takes files that another one includes for headers, whose unnamed namespaces differ by file.
  target_compile_options(glint_options INTERFACE -Wno-subobject-linkage)
endif()
if(GLINT_SANITIZE OR GLINT_SANITIZE_THREADS)
  # GCC takes what sanitizers add for paths of the program.
  target_compile_options(glint_options INTERFACE -Wno-maybe-uninitialized)
endif()
if(GLINT_SANITIZE)
  # What `null` and `object-size` find, the address sanitizer finds, too; they take a quarter of the build.
  target_compile_options(glint_options INTERFACE -fsanitize=address,undefined -fno-sanitize=null,object-size
                                                 -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(glint_options INTERFACE -fsanitize=address,undefined)
endif()
if(GLINT_SANITIZE_THREADS)
  target_compile_options(glint_options INTERFACE -fsanitize=thread)
  target_link_options(glint_options INTERFACE -fsanitize=thread)
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

# glint_part(NAME sources... LINK targets... PRIVATE targets...): app/NAME as glint_app_NAME.
# Its headers are "app/NAME/file.h", through an include root that holds this part alone, so that a
# part can include only those that its target links, and none runs in a circle. VULKAN: most of its
# sources see the Vulkan headers, which take seconds to parse, and shall have them precompiled.
function(glint_part name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "VULKAN" "" "LINK;PRIVATE")
  set(root ${CMAKE_BINARY_DIR}/include/app_${name})
  file(MAKE_DIRECTORY ${root}/app)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/app/${name} ${root}/app/${name} SYMBOLIC)
  set(target glint_app_${name})
  if(arg_UNPARSED_ARGUMENTS)
    add_library(${target} STATIC ${arg_UNPARSED_ARGUMENTS})
    target_include_directories(${target} PUBLIC ${root})
    target_link_libraries(${target} PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE} glint_options)
    if(arg_VULKAN)
      target_precompile_headers(${target} REUSE_FROM glint_gpu)
    endif()
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${root})
    target_link_libraries(${target} INTERFACE ${arg_LINK})
  endif()
  set_property(GLOBAL APPEND PROPERTY GLINT_PARTS ${target})
endfunction()
