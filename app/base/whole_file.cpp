#include "app/base/whole_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "config/error.h"

namespace glint {

void writeWholeFile(const std::string& path, std::span<const std::byte> bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  const bool replaced = !fs::exists(path, error) || fs::is_regular_file(path, error);
  const std::string target = replaced ? path + ".part" : path;  // a device is written itself
  errno = 0;
  std::ofstream file(target, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  int reason = file ? 0 : errno;
  if (reason == 0 && replaced) {
    fs::rename(target, path, error);
    reason = error.value();
  }
  if (file && reason == 0) return;
  if (replaced) fs::remove(target, error);
  throw Error(fmt::format("cannot write '{}': {}", path, std::strerror(reason)));
}

}  // namespace glint
