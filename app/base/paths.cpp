#include "app/base/paths.h"

#include <fmt/format.h>

namespace glint {

namespace fs = std::filesystem;

fs::path cameraPath(const fs::path& path, int camera, int cameras) {
  if (cameras == 1) return path;
  const fs::path clean = path.has_filename() ? path : path.parent_path();
  return clean.parent_path() /
         fmt::format("{}_cam{}{}", clean.stem().string(), camera, clean.extension().string());
}

bool isDevice(const std::string& path) {
  std::error_code error;
  const auto type = fs::status(path, error).type();
  return type == fs::file_type::character || type == fs::file_type::fifo;
}

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  const auto place = [&](fs::path path) {
    // weakly_canonical() follows no link to a file that is not there yet.
    for (int links = 0; fs::is_symlink(path, error) && links < 40; ++links)
      path = path.parent_path() / fs::read_symlink(path, error);
    return fs::weakly_canonical(fs::absolute(path, error), error);
  };
  return place(a) == place(b) && !place(a).empty();
}

}  // namespace glint
