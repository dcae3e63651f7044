# What app/ builds on, all of it in Debian 12. Included at the top so that the tests see it, too.
find_package(OpenCV REQUIRED COMPONENTS core imgproc imgcodecs OPTIONAL_COMPONENTS features2d)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(FFMPEG REQUIRED IMPORTED_TARGET libavformat libavcodec libavutil libswscale)
