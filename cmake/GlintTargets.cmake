# Defines how Glint's targets are made: warnings, sanitizers, and include roots that keep the folders apart.

add_library(glint_options INTERFACE)
target_compile_options(glint_options INTERFACE -Wall -Wextra -Wconversion -Wshadow -fno-semantic-interposition)
if(GLINT_WERROR)
  target_compile_options(glint_options INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC looks for unused memory once it has taken this much, in KiB. By default it does so from 128 MiB on, which takes 7 % of
  # the build.
  target_compile_options(glint_options INTERFACE --param=ggc-min-heapsize=524288)
endif()
if(CMAKE_UNITY_BUILD)
  # In a unity build GCC takes the included files for headers, and warns that their unnamed namespaces differ from file to file.
  target_compile_options(glint_options INTERFACE -Wno-subobject-linkage)
endif()
if(GLINT_SANITIZE OR GLINT_SANITIZE_THREADS)
  # GCC takes the code that sanitizers add for paths of the program, and warns of variables that are not set on them.
  target_compile_options(glint_options INTERFACE -Wno-maybe-uninitialized)
endif()
if(GLINT_SANITIZE)
  # `null` and `object-size` take a quarter of the build, and the address sanitizer finds the same errors.
  target_compile_options(glint_options INTERFACE -fsanitize=address,undefined -fno-sanitize=null,object-size
                                                 -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(glint_options INTERFACE -fsanitize=address,undefined)
endif()
if(GLINT_SANITIZE_THREADS)
  target_compile_options(glint_options INTERFACE -fsanitize=thread)
  target_link_options(glint_options INTERFACE -fsanitize=thread)
endif()

# This is the number of files that are compiled together, unless a target says otherwise. Each compilation costs about two seconds
# for headers, and repeats the templates of the others. With more files, single compilations would take more than 40 seconds.
set(GLINT_GROUP 20)

# glint_library(FOLDER sources...): makes the folder the static library glint_FOLDER.
# Its headers are included as "FOLDER/name.h" through an include root that holds only this folder,
# so a folder can include only headers of folders that its target links: a wrong direction does not compile.
function(glint_library folder)
  set(root ${CMAKE_BINARY_DIR}/include/${folder})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${root}/${folder} SYMBOLIC)
  add_library(glint_${folder} STATIC ${ARGN})
  target_include_directories(glint_${folder} PUBLIC ${root})
  target_link_libraries(glint_${folder} PRIVATE glint_options)
  set_target_properties(glint_${folder} PROPERTIES UNITY_BUILD_BATCH_SIZE ${GLINT_GROUP})
endfunction()

# glint_subsystem(NAME PARTS folders... GROUP size LINK targets... PRIVATE targets... PRECOMPILE headers... REUSE target):
# makes app/NAME the static library glint_NAME, with the sources of the folder and of its PARTS; a new file need not be listed.
# In each folder, up to GROUP files are compiled together.
# Its headers are included as "app/NAME/..." through an include root that holds only this subsystem, so a subsystem can include
# only headers of subsystems that its target links. PRECOMPILE names headers that take seconds to parse; REUSE names a target
# that has precompiled such headers already, as glint_gpu has those of Vulkan.
function(glint_subsystem name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "GROUP;REUSE" "PARTS;LINK;PRIVATE;PRECOMPILE")
  if(NOT arg_GROUP)
    set(arg_GROUP ${GLINT_GROUP})
  endif()
  set(root ${CMAKE_BINARY_DIR}/include/app_${name})
  file(MAKE_DIRECTORY ${root}/app)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/app/${name} ${root}/app/${name} SYMBOLIC)
  set(target glint_${name})
  add_library(${target} STATIC)
  foreach(part . ${arg_PARTS})
    file(GLOB sources CONFIGURE_DEPENDS ${part}/*.cpp)
    target_sources(${target} PRIVATE ${sources})
    glint_group(${part} ${arg_GROUP} ${sources})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  target_include_directories(${target} PUBLIC ${root})
  target_link_libraries(${target} PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE} glint_options)
  if(arg_REUSE)
    target_precompile_headers(${target} REUSE_FROM ${arg_REUSE})
  elseif(arg_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${arg_PRECOMPILE})
  endif()
endfunction()

# glint_group(NAME SIZE sources...): lets the files of one folder be compiled together, in groups of equal size of up to SIZE
# files, if CMAKE_UNITY_BUILD is set. Files of different folders are never compiled together.
function(glint_group name size)
  list(LENGTH ARGN count)
  math(EXPR groups "(${count} + ${size} - 1) / ${size}")
  set(index 0)
  foreach(source IN LISTS ARGN)
    math(EXPR group "${index} * ${groups} / ${count}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${name}_${group}")
    math(EXPR index "${index} + 1")
  endforeach()
endfunction()

# glint_without(NAME files...): leaves files of app/NAME out of the build.
function(glint_without name)
  foreach(file IN LISTS ARGN)
    set_source_files_properties(${file} PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()
endfunction()
