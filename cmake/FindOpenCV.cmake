# Finds OpenCV's modules one by one, as Debian packages them: libopencv-dev, which brings OpenCV's own
# CMake files, would install all modules, and VTK with them.
# Defines the imported target opencv_NAME for every required component, and for every optional
# component that is installed.

foreach(component IN LISTS OpenCV_FIND_COMPONENTS)
  find_library(OpenCV_${component}_LIBRARY opencv_${component})
  find_path(OpenCV_${component}_INCLUDE_DIR opencv2/${component}.hpp PATH_SUFFIXES opencv4)
  list(APPEND variables OpenCV_${component}_LIBRARY OpenCV_${component}_INCLUDE_DIR)
  if(OpenCV_FIND_REQUIRED_${component})
    list(APPEND needed OpenCV_${component}_LIBRARY OpenCV_${component}_INCLUDE_DIR)
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCV REQUIRED_VARS ${needed})

if(OpenCV_FOUND)
  foreach(component IN LISTS OpenCV_FIND_COMPONENTS)
    if(OpenCV_${component}_LIBRARY AND OpenCV_${component}_INCLUDE_DIR
       AND NOT TARGET opencv_${component})
      add_library(opencv_${component} UNKNOWN IMPORTED)
      set_target_properties(opencv_${component} PROPERTIES
        IMPORTED_LOCATION ${OpenCV_${component}_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${OpenCV_${component}_INCLUDE_DIR})
    endif()
  endforeach()
endif()
mark_as_advanced(${variables})
