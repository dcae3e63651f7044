#include "app/desk/detached.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config/error.h"

namespace glint {
namespace {

/// What the child of a child does; only what may be done after fork() in a process with threads.
[[noreturn]] void become(const char* program, char* const* arguments, int report) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  ::execv(program, arguments);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &error, sizeof error);
  ::_exit(1);
}

}  // namespace

void startDetached(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<char*> texts{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments)
    texts.push_back(const_cast<char*>(argument.c_str()));
  texts.push_back(nullptr);
  int ends[2];
  int error = ::pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
  if (error == 0) {
    const pid_t child = ::fork();
    if (child == 0) {  // its own child belongs to nobody
      ::setsid();
      const pid_t grandchild = ::fork();
      if (grandchild == 0) become(program.c_str(), texts.data(), ends[1]);
      ::_exit(0);
    }
    if (child < 0) error = errno;
    ::close(ends[1]);
    if (child > 0) {
      int status = 0;
      while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      ssize_t got = 0;  // nothing comes where the program took its place
      while ((got = ::read(ends[0], &error, sizeof error)) < 0 && errno == EINTR) {
      }
    }
    ::close(ends[0]);
  }
  if (error != 0) throw Error(fmt::format("cannot start '{}': {}", program, std::strerror(error)));
}

std::string ownProgram() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string("glint") : path.string();
}

}  // namespace glint
