// Refuses a program's memory as a system does that has none left. With REFUSE_MEMORY=N, the program
// itself gets its first N - 1 blocks of operator new after the beginning of main(), and none after
// them. Blocks that libraries ask for, such as the graphics driver, are not counted, because
// libraries may end the process then. Before main(), nobody could report the failure.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include <dlfcn.h>

namespace {

std::atomic<bool> isInMain = false;
int (*realMain)(int, char**, char**) = nullptr;

int beginMain(int count, char** arguments, char** environment) {
  isInMain = true;
  const int status = realMain(count, arguments, environment);
  isInMain = false;
  return status;
}

/// Returns true if an address is in the program itself, which is called glint.
bool isProgram(void* caller) {
  Dl_info info{};
  if (::dladdr(caller, &info) == 0 || !info.dli_fname) return false;
  const char* const slash = std::strrchr(info.dli_fname, '/');
  return std::strcmp(slash ? slash + 1 : info.dli_fname, "glint") == 0;
}

void* take(std::size_t size, void* caller) {
  static const char* const refused = std::getenv("REFUSE_MEMORY");
  static std::atomic<long> taken = 0;
  // dladdr() takes no memory, so this does not call itself.
  if (refused && isInMain && isProgram(caller) && ++taken >= std::atol(refused))
    throw std::bad_alloc();
  if (void* const block = std::malloc(size > 0 ? size : 1)) return block;
  throw std::bad_alloc();
}

}  // namespace

// The C library calls this before main().
extern "C" int __libc_start_main(int (*main)(int, char**, char**), int count, char** arguments,
                                 void (*begin)(), void (*end)(), void (*unload)(), void* stack) {
  using Start =
      int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  realMain = main;
  const auto start = reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(beginMain, count, arguments, begin, end, unload, stack);
}

void* operator new(std::size_t size) {
  return take(size, __builtin_return_address(0));
}

void* operator new[](std::size_t size) {
  return take(size, __builtin_return_address(0));
}
