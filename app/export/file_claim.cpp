#include "app/export/file_claim.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "config/error.h"

namespace glint {

FileClaim::FileClaim(const std::string& path) : path_(path) {
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CLOEXEC;
  file_ = ::open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
  if (file_ < 0 && errno == EEXIST) {
    kept_ = true;
    file_ = ::open(path.c_str(), kFlags | O_CREAT, 0666);
  }
  if (file_ < 0) throw Error(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
}

FileClaim::~FileClaim() {
  if (!kept_) ::unlink(path_.c_str());
  ::close(file_);
}

}  // namespace glint
