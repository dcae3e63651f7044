#include "app/base/isolated.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <string_view>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config/error.h"

namespace glint::base {
namespace {

constexpr char kResult = 'r', kRefusal = 'e';  // the first byte of the child's answer

void sendAll(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(to, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the parent then lacks an answer
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

std::string receiveAll(int from) {
  std::string all;
  std::array<char, 65536> block;
  for (;;) {
    const ssize_t count = ::read(from, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return all;
    all.append(block.data(), static_cast<size_t>(count));
  }
}

/// Does the work of the child, and ends it without running what the parent has registered for its
/// own end.
[[noreturn]] void answer(int to, const std::function<std::string()>& work) {
  constexpr rlim_t kSeconds = 300;
  const rlimit time{kSeconds, kSeconds}, none{0, 0};
  ::setrlimit(RLIMIT_CPU, &time);
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // A signal to all programs of a terminal is answered by the parent, with which the child ends.
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_IGN);
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE}) std::signal(signal, SIG_DFL);
  try {
    sendAll(to, kResult + work());
  } catch (const Error& error) {
    sendAll(to, kRefusal + std::string(error.what()));
  } catch (const std::exception&) {  // such as a lack of memory: no answer
  }
  ::_exit(0);
}

}  // namespace

std::string runIsolated(const std::function<std::string()>& work, const std::string& broken) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(broken);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    answer(ends[1], work);
  }
  ::close(ends[1]);
  const std::string all = child > 0 ? receiveAll(ends[0]) : std::string();
  ::close(ends[0]);
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child < 0 || !WIFEXITED(status) || all.empty()) throw Error(broken);
  if (all.front() == kRefusal) throw Error(all.substr(1));
  return all.substr(1);
}

}  // namespace glint::base
