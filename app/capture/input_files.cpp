#include "app/capture/input_files.h"

#include "app/capture/image_source.h"
#include "config/error.h"

namespace glint {

std::vector<std::string> inputFiles(std::span<const std::string> sources) {
  std::vector<std::string> files;
  for (const std::string& source : sources) {
    files.push_back(source);
    constexpr std::string_view kFileUrl = "file:";
    if (source.starts_with(kFileUrl)) {
      std::string path = source.substr(kFileUrl.size());
      if (path.starts_with("///")) path.erase(0, 2);
      files.push_back(path);
    }
    if (!isImageSpec(source)) continue;
    try {
      for (std::string& image : imageFiles(source)) files.push_back(std::move(image));
    } catch (const Error&) {
      // openSource() will say it better.
    }
  }
  return files;
}

}  // namespace glint
