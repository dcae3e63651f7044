#include "python/unlocked.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <pthread.h>

namespace glint::python {
namespace {

std::atomic<bool> ending = false;
std::atomic<int> within = 0;
thread_local bool endsPython = false;  // true in the thread that ends Python, which may go on

/// Resets the count after a fork, because the child does not have the other threads.
[[maybe_unused]] const int atFork = ::pthread_atfork(nullptr, nullptr, [] { within = 0; });

}  // namespace

Unlocked::Unlocked() : release_(std::in_place) {
  ++within;
  if (!ending || endsPython) return;
  --within;
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

Unlocked::~Unlocked() {
  release_.reset();
  --within;
}

bool isEnding() {
  return ending;
}

void waitForOthers() {
  endsPython = true;
  ending = true;
  while (within > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace glint::python
