# Finds the libraries on which app/ builds; all of them are in Debian 12. This file is included at the top, so that the tests see
# them, too.
find_package(OpenCV REQUIRED COMPONENTS core imgproc imgcodecs calib3d aruco OPTIONAL_COMPONENTS features2d)
# The program loads this library when it needs it, by its name with the version.
file(READ_SYMLINK ${OpenCV_imgcodecs_LIBRARY} GLINT_IMAGE_CODECS)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(fmt REQUIRED)
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(spdlog REQUIRED)
find_package(Threads REQUIRED)
find_package(TIFF REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(FFMPEG REQUIRED IMPORTED_TARGET libavformat libavcodec libavutil libswscale)
pkg_check_modules(ARAVIS IMPORTED_TARGET aravis-0.8)
if(ARAVIS_FOUND)
  # Aravis' option -pthread would define _REENTRANT, without which the precompiled headers were made; threads are linked anyway.
  set_property(TARGET PkgConfig::ARAVIS PROPERTY INTERFACE_COMPILE_OPTIONS "")
endif()
pkg_check_modules(LIBLO REQUIRED IMPORTED_TARGET liblo)
pkg_check_modules(FONTCONFIG REQUIRED IMPORTED_TARGET fontconfig)
