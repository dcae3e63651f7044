#include "app/shell/control/control_access.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/base/waiting.h"

namespace glint::shell {
namespace {

/// Returns the first line of a file, up to one byte more than a token may have.
std::string firstLine(int file) {
  std::string text;
  char bytes[ControlToken::kMost + 2];
  for (ssize_t n = 1;
       n > 0 && text.size() < sizeof bytes && text.find('\n') == std::string::npos;) {
    n = ::read(file, bytes, sizeof bytes);
    text.append(bytes, static_cast<size_t>(std::max<ssize_t>(n, 0)));
  }
  text.resize(std::min(text.find('\n'), text.size()));
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

}  // namespace

ControlToken::ControlToken(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError("--control-token '{}' {}", path, why);
  };
  const base::Waiting waiting("the token in", path);
  // Opens without waiting, because opening a named pipe that nobody writes would wait for ever.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
  ::fcntl(file, F_SETFL, 0);
  struct stat info {};
  const bool known = ::fstat(file, &info) == 0 && !S_ISDIR(info.st_mode);
  const bool isPrivate = (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  if (known && isPrivate) token_ = firstLine(file);
  ::close(file);
  if (!known) refuse("is not a file");
  if (!isPrivate) refuse("can be read by users other than its owner; run `chmod 600` on it");
  const auto plain = [](char c) { return c > ' ' && c <= '~'; };
  if (token_.size() < kLeast || token_.size() > kMost || !std::ranges::all_of(token_, plain))
    refuse(
        fmt::format("must begin with a line of {} to {} letters, digits or signs without spaces, "
                    "such as `openssl rand -hex 16` prints",
                    kLeast, kMost));
}

void ControlToken::check(std::string_view given) const {
  size_t different = given.size() ^ token_.size();
  for (size_t i = 0; i < given.size(); ++i)
    different |= static_cast<unsigned char>(given[i] ^ token_[i % token_.size()]);
  if (different != 0) throw WrongToken("this needs the token of --control-token");
}

}  // namespace glint::shell
