#include "app/base/paths.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/error.h"

namespace glint::base {

namespace fs = std::filesystem;

fs::path cameraPath(const fs::path& path, int camera, int cameras) {
  if (cameras == 1) return path;
  const fs::path clean = path.has_filename() ? path : path.parent_path();
  return clean.parent_path() /
         fmt::format("{}_cam{}{}", clean.stem().string(), camera, clean.extension().string());
}

void makeFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error("cannot make the folder '{}': {}", folder.string(), error.message());
}

namespace {

[[noreturn]] void refuseToWrite(const std::string& path, int error) {
  throw Error("cannot write '{}': {}", path, std::strerror(error));
}

}  // namespace

void checkWritable(const std::string& path, bool inPlace) {
  if (isDevice(path)) return;
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (!exists && errno != ENOENT) refuseToWrite(path, errno);
  if (exists && S_ISDIR(info.st_mode)) throw Error("cannot write '{}': it is a folder", path);
  if (exists && ::access(path.c_str(), W_OK) != 0) refuseToWrite(path, errno);
  if (exists && inPlace) return;
  fs::path folder = followLinks(path).parent_path();
  if (folder.empty()) folder = ".";
  if (::stat(folder.c_str(), &info) != 0)
    throw Error("cannot write '{}': there is no folder '{}' ({})", path, folder.string(),
                std::strerror(errno));
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw Error("cannot write '{}': the folder '{}' is not writable ({})", path, folder.string(),
                std::strerror(errno));
}

void checkFolder(const fs::path& folder) {
  struct stat info {};
  fs::path there = folder.has_filename() ? folder : folder.parent_path();
  while (::stat(there.empty() ? "." : there.c_str(), &info) != 0) {
    if (errno != ENOENT || there.empty()) refuseToWrite(folder.string(), errno);
    there = there.parent_path();
  }
  if (!S_ISDIR(info.st_mode)) refuseToWrite(folder.string(), ENOTDIR);
  if (::access(there.empty() ? "." : there.c_str(), W_OK | X_OK) != 0)
    refuseToWrite(folder.string(), errno);
}

bool isDevice(const std::string& path) {
  std::error_code error;
  const auto type = fs::status(path, error).type();
  return type == fs::file_type::character || type == fs::file_type::fifo ||
         type == fs::file_type::socket;
}

fs::path followLinks(const std::string& path) {
  // weakly_canonical() would not follow a link to a file that does not exist yet.
  std::error_code error;
  fs::path place = path;
  for (int links = 0; fs::is_symlink(place, error) && links < 40; ++links)
    place = place.parent_path() / fs::read_symlink(place, error);
  return place;
}

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  const auto place = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(followLinks(path), error), error);
  };
  return place(a) == place(b) && !place(a).empty();
}

std::optional<int> standardStream(const std::string& path) {
  struct stat wanted {};
  if (::stat(path.c_str(), &wanted) != 0) return {};
  for (const int file : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat open {};
    const int flags = ::fcntl(file, F_GETFL);
    const bool writable = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
    if (writable && ::fstat(file, &open) == 0 && open.st_dev == wanted.st_dev &&
        open.st_ino == wanted.st_ino)
      return file;
  }
  return {};
}

bool anyStandardOutput(std::span<const std::string> paths) {
  return std::ranges::any_of(paths, [](const std::string& path) {
    return !path.empty() && standardStream(path) == STDOUT_FILENO;
  });
}

}  // namespace glint::base
