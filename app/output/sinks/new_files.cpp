#include "app/output/sinks/new_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "app/output/sinks/file_claim.h"
#include "config/error.h"

namespace glint::output {
namespace {

/// Creates a file below a folder with openat2(2), for which glibc 2.36 has no function. Returns -1,
/// and sets errno, if that is not possible.
int makeBelow(int folder, const std::string& name) {
  open_how how{};
  how.flags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC;
  how.mode = 0666;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(::syscall(SYS_openat2, folder, name.c_str(), &how, sizeof how));
}

}  // namespace

NewFiles::~NewFiles() {
  for (const std::string& path : paths_) {
    const int file = FileClaim::withdraw(path);
    if (file < 0) continue;
    ::close(file);
    ::unlink(path.c_str());
  }
}

NewFileFolder::NewFileFolder(const std::string& path, const std::string& option)
    : folder_(::open(path.empty() ? "." : path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ < 0)
    throw UsageError("{}: cannot write into the folder '{}': {}", option, path,
                     std::strerror(errno));
  std::error_code ignored;
  if (!path.empty()) path_ = (std::filesystem::canonical(path, ignored) / "").string();
}

NewFileFolder::~NewFileFolder() {
  ::close(folder_);
}

std::string NewFileFolder::path(const std::string& name) const {
  const std::filesystem::path below(name);
  if (below.is_absolute() || std::ranges::find(below, "..") != below.end())
    throw UsageError(
        "'{}' leads out of the folder for recordings; give a name below it, without '..'", name);
  return path_ + name;
}

NewFiles NewFileFolder::make(const std::vector<std::string>& paths) const {
  NewFiles files;
  for (const std::string& path : paths) {
    const std::string name = path.substr(path_.size());
    const int file = makeBelow(folder_, name);
    if (file < 0 && errno == EEXIST) throw UsageError("'{}' already exists; name a new file", name);
    if (file < 0 && errno == EXDEV)
      throw UsageError("'{}' leads out of the folder for recordings", name);
    if (file < 0) throw Error("cannot write '{}': {}", name, std::strerror(errno));
    FileClaim::offer(path, file);
    files.paths_.push_back(path);
  }
  return files;
}

}  // namespace glint::output
