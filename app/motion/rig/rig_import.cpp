#include "app/motion/rig/rig_import.h"

#include <filesystem>

#include "app/base/suffix.h"
#include "app/motion/rig/toml_file.h"
#include "config/error.h"

namespace glint::motion {

RigFile readRig(const std::string& path) {
  constexpr std::array<std::string_view, 3> kFileStorage{".yml", ".yaml", ".json"};
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    const auto text = [&](const char* name) {
      const std::filesystem::path file = std::filesystem::path(path) / name;
      if (!std::filesystem::exists(file, ignored))
        throw Error("'{}' is a folder without {}, so it is no text model of COLMAP", path, name);
      return readTomlFile(file.string(), "rig");
    };
    const std::string cameras = text("cameras.txt");
    return readColmapRig(cameras, text("images.txt"), path);
  }
  const std::string text = readTomlFile(path, "rig");
  const std::string start = text.substr(0, text.find_first_not_of(" \t\r\n") + 512);
  if (start.find("<opencv_storage") != start.npos ||
      !base::longestSuffix(path, kFileStorage).empty())
    return readOpenCvRig(text, path);
  if (start.find("<calibration") != start.npos) return readQualisysRig(text, path);
  return readRigText(text, path);
}

}  // namespace glint::motion
