#include "app/output/sinks/file_claim.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/base/paths.h"
#include "app/base/waiting.h"
#include "config/error.h"

namespace glint::output {
namespace {

/// Appends the contents of one file to another. Returns false, and sets errno, if that fails.
bool copyAll(int from, int to) {
  constexpr size_t kPart = 1 << 20;  // bytes
  ssize_t copied = 0;
  while ((copied = ::sendfile(to, from, nullptr, kPart)) > 0) {
  }
  return copied == 0;
}

/// The files that this process has claimed. A claim waits for a file that a recording is about to
/// release.
class OwnClaims {
 public:
  static OwnClaims& get() {
    static OwnClaims claims;
    return claims;
  }

  void add(const struct stat& file) {
    const std::lock_guard lock(mutex_);
    files_.insert(keyOf(file));
  }

  void drop(const struct stat& file) {
    {
      const std::lock_guard lock(mutex_);
      const auto found = files_.find(keyOf(file));
      if (found != files_.end()) files_.erase(found);
    }
    fewer_.notify_all();
  }

  bool has(const struct stat& file) const {
    const std::lock_guard lock(mutex_);
    return files_.contains(keyOf(file));
  }

  /// Waits until a file is released, for at most a second. Returns true if it was.
  bool waitWithout(const struct stat& file) {
    std::unique_lock lock(mutex_);
    return fewer_.wait_for(lock, std::chrono::seconds(1),
                           [&] { return !files_.contains(keyOf(file)); });
  }

 private:
  using Key = std::pair<dev_t, ino_t>;
  static Key keyOf(const struct stat& file) { return {file.st_dev, file.st_ino}; }

  mutable std::mutex mutex_;
  std::condition_variable fewer_;
  std::multiset<Key> files_;
};

/// Files and rules that wait for later claims of their paths.
struct Offers {
  static Offers& get() {
    static Offers offers;
    return offers;
  }
  std::mutex mutex;
  std::map<std::string, int> files;     ///< descriptors of files that were created for them
  std::multiset<std::string> replaced;  ///< see WholeClaims

  bool isReplaced(const std::string& path) {
    const std::lock_guard lock(mutex);
    return replaced.contains(path);
  }
};

}  // namespace

void FileClaim::offer(const std::string& path, int file) {
  const std::lock_guard lock(Offers::get().mutex);
  Offers::get().files[path] = file;
}

int FileClaim::withdraw(const std::string& path) {
  const std::lock_guard lock(Offers::get().mutex);
  const auto offered = Offers::get().files.extract(path);
  return offered ? offered.mapped() : -1;
}

FileClaim::FileClaim(const std::string& path) : path_(path) {
  if (Offers::get().isReplaced(path)) {
    beside_ = std::make_unique<base::FileBeside>(path);
    file_ = ::fcntl(beside_->handle(), F_DUPFD_CLOEXEC, 0);
    kept_ = true;
  } else if (const int offered = withdraw(path); offered >= 0) {
    file_ = offered;
  } else if (const auto stream = base::standardStream(path)) {
    file_ = ::fcntl(*stream, F_DUPFD_CLOEXEC, 0);
    kept_ = shared_ = true;
  } else {
    open();
  }
  if (file_ < 0) throw Error("cannot write '{}': {}", path, std::strerror(errno));
  struct stat info {};
  regular_ = ::fstat(file_, &info) == 0 && S_ISREG(info.st_mode);
  if (regular_ && !shared_) lock();
}

FileClaim::~FileClaim() {
  if (!kept_) ::unlink(path_.c_str());
  struct stat info {};
  const bool known = ::fstat(file_, &info) == 0;
  ::close(file_);
  if (known) OwnClaims::get().drop(info);
}

void FileClaim::open() {
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CLOEXEC;
  file_ = ::open(path_.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
  if (file_ >= 0 || errno != EEXIST) return;
  kept_ = true;
  // Opening a pipe waits for a reader.
  const base::Waiting waiting("a reader of", path_);
  file_ = ::open(path_.c_str(), kFlags | O_CREAT, 0666);
}

off_t FileClaim::begin() {
  kept_ = true;
  if (!regular_) return 0;
  if (!shared_) {
    if (::ftruncate(file_, 0) == 0) return 0;
    throw Error("cannot write '{}': {}", path_, std::strerror(errno));
  }
  const bool appends = (::fcntl(file_, F_GETFL) & O_APPEND) != 0;
  return std::max<off_t>(::lseek(file_, 0, appends ? SEEK_END : SEEK_CUR), 0);
}

// Locks the file. Some file systems have no locks; there, two runs do not notice each other.
void FileClaim::lock() const {
  struct stat info {};
  if (::fstat(file_, &info) != 0) return;
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
    OwnClaims::get().add(info);
    return;
  }
  const bool own = OwnClaims::get().has(info);
  if (OwnClaims::get().waitWithout(info) && ::flock(file_, LOCK_EX | LOCK_NB) == 0) {
    OwnClaims::get().add(info);
    return;
  }
  ::close(file_);
  throw Error("'{}' is being written by {} run; name another output", path_,
              own ? "this" : "another");
}

void FileClaim::confirm() {
  if (beside_) return beside_->replace();
  struct stat mine {
  }, there{};
  if (shared_ || !regular_ || ::fstat(file_, &mine) != 0) return;
  const bool found = ::stat(path_.c_str(), &there) == 0;
  if (found && mine.st_dev == there.st_dev && mine.st_ino == there.st_ino) return;
  if (mine.st_nlink == 0) saveAgain();
  throw Error("'{}' was moved while it was being written; all that was written is in its new place",
              path_);
}

void FileClaim::saveAgain() const {
  const std::string removed = fmt::format("'{}' was removed while it was being written", path_);
  const int from = ::open(fmt::format("/proc/self/fd/{}", file_).c_str(), O_RDONLY | O_CLOEXEC);
  int to = -1;
  std::string name = path_;
  constexpr int kMostNames = 1000;
  for (int i = 0; from >= 0 && to < 0 && i < kMostNames; ++i) {
    if (i > 0) name = fmt::format("{}.{}", path_, i);  // another file has taken the name
    to = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (to < 0 && errno != EEXIST) break;
  }
  const bool saved = to >= 0 && copyAll(from, to);
  const int error = errno;
  const bool closed = to < 0 || ::close(to) == 0;
  if (from >= 0) ::close(from);
  if (saved && closed) throw Error("{}; all of it was written again, to '{}'", removed, name);
  throw Error("{}, and is lost: {}", removed, std::strerror(closed ? error : errno));
}

WholeClaims::WholeClaims(const std::vector<std::string>& paths) {
  for (const std::string& path : paths)
    if (!base::isDevice(path) && !base::standardStream(path)) paths_.push_back(path);
  const std::lock_guard lock(Offers::get().mutex);
  Offers::get().replaced.insert(paths_.begin(), paths_.end());
}

WholeClaims::~WholeClaims() {
  const std::lock_guard lock(Offers::get().mutex);
  std::multiset<std::string>& replaced = Offers::get().replaced;
  for (const std::string& path : paths_) replaced.erase(replaced.find(path));
}

}  // namespace glint::output
