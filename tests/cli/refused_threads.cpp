// Refuses a program's threads as a system does that has a limit on them (ulimit -u). With
// REFUSE_THREAD=N, std::thread gets its first N - 1 threads and none after them. Threads that
// libraries of C start, such as those of the driver, are not counted.
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <pthread.h>

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*run)(void*), void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
  static const char* const refused = std::getenv("REFUSE_THREAD");
  static std::atomic<long> begun = 0;
  Dl_info caller{};
  const bool ours = ::dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname &&
                    std::strstr(caller.dli_fname, "libstdc++") != nullptr;
  if (ours && refused && ++begun >= std::atol(refused)) return EAGAIN;
  return create(thread, attributes, run, argument);
}
