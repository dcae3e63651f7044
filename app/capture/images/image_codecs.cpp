#include "app/capture/images/image_codecs.h"

#include <filesystem>

#include <dlfcn.h>
#include <opencv2/imgcodecs.hpp>

#include "config/error.h"

namespace glint::capture {
namespace {

/// Returns a function of OpenCV's library. `name`: its mangled name.
void* find(const char* name) {
  static void* const library = dlopen(GLINT_IMAGE_CODECS, RTLD_NOW | RTLD_LOCAL);
  void* const function = library != nullptr ? dlsym(library, name) : nullptr;
  if (function == nullptr)
    throw Error(
        "this image needs OpenCV's library '{}', which cannot be loaded; "
        "install it again",
        GLINT_IMAGE_CODECS);
  return function;
}

}  // namespace

bool encodeImage(const std::string& extension, const cv::Mat& image, std::vector<uchar>& bytes) {
  static const auto encode = reinterpret_cast<decltype(&cv::imencode)>(
      find("_ZN2cv8imencodeERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKNS_11_"
           "InputArrayERSt6vectorIhSaIhEERKSB_IiSaIiEE"));
  return encode(extension, image, bytes, {});
}

cv::Mat decodeImage(const cv::Mat& bytes, int flags) {
  using Decode = cv::Mat (*)(cv::InputArray, int);
  static const auto decode = reinterpret_cast<Decode>(find("_ZN2cv8imdecodeERKNS_11_InputArrayEi"));
  return decode(bytes, flags);
}

bool writesImages(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".png" || extension == ".jpg") return true;
  static const auto writes = reinterpret_cast<decltype(&cv::haveImageWriter)>(
      find("_ZN2cv15haveImageWriterERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"));
  return writes(path);
}

}  // namespace glint::capture
