#include "app/commands/stop_signal.h"

#include <csignal>

namespace glint {
namespace {

std::atomic<bool> stopWanted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

void onSignal(int signal) {
  stopWanted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& stopOnSignal() {
  std::signal(SIGINT, onSignal);
  std::signal(SIGTERM, onSignal);
  return stopWanted;
}

}  // namespace glint
