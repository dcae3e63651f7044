# OpenCV's modules one by one, as Debian packages them: libopencv-dev, which brings OpenCV's own
# CMake files, would install every module there is and VTK with them.
# Defines the imported target opencv_NAME for every component asked for.

find_path(OpenCV_INCLUDE_DIR opencv2/core.hpp PATH_SUFFIXES opencv4)
set(needed OpenCV_INCLUDE_DIR)
foreach(component IN LISTS OpenCV_FIND_COMPONENTS)
  find_library(OpenCV_${component}_LIBRARY opencv_${component})
  list(APPEND needed OpenCV_${component}_LIBRARY)
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCV REQUIRED_VARS ${needed})

if(OpenCV_FOUND)
  foreach(component IN LISTS OpenCV_FIND_COMPONENTS)
    if(NOT TARGET opencv_${component})
      add_library(opencv_${component} UNKNOWN IMPORTED)
      set_target_properties(opencv_${component} PROPERTIES
        IMPORTED_LOCATION ${OpenCV_${component}_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${OpenCV_INCLUDE_DIR})
    endif()
  endforeach()
endif()
mark_as_advanced(${needed})
