#include "app/base/waiting.h"

#include <list>
#include <mutex>

#include <fmt/format.h>

namespace glint::base {
namespace {

struct Wait {
  const Waiting* owner;
  const char* what;
  const std::string* name;
  std::chrono::steady_clock::time_point since;
};

// This is made at the first use and never destroyed, because threads may wait until the very end.
struct Waits {
  std::mutex mutex;
  std::list<Wait> all;
};

Waits& waits() {
  static Waits* const waits = new Waits;
  return *waits;
}

}  // namespace

Waiting::Waiting(const char* what, const std::string& name) {
  const std::lock_guard lock(waits().mutex);
  waits().all.push_back({this, what, &name, std::chrono::steady_clock::now()});
}

Waiting::~Waiting() {
  const std::lock_guard lock(waits().mutex);
  waits().all.remove_if([this](const Wait& wait) { return wait.owner == this; });
}

std::string waitedFor(std::chrono::milliseconds least) {
  const std::lock_guard lock(waits().mutex);
  if (waits().all.empty()) return {};
  const Wait& longest = waits().all.front();
  if (std::chrono::steady_clock::now() - longest.since < least) return {};
  return fmt::format("{} '{}'", longest.what, *longest.name);
}

}  // namespace glint::base
