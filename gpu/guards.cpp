#include "gpu/guards.h"

#include <algorithm>

namespace glint::gpu {
namespace {

constexpr std::byte kGuard{0xc5};

}  // namespace

std::shared_ptr<const void> Guards::watch(std::span<std::byte> memory, const std::string& name) {
  const Watched watched{memory.first(kBytes), memory.last(kBytes), name};
  std::ranges::fill(watched.before, kGuard);
  std::ranges::fill(watched.behind, kGuard);
  const std::lock_guard lock(mutex_);
  const auto at = watched_.insert(watched_.end(), watched);
  return {&*at, [this, at](const void*) {
            const std::lock_guard last(mutex_);
            check(*at, "");
            watched_.erase(at);
          }};
}

void Guards::check(const std::string& by) {
  const std::lock_guard lock(mutex_);
  for (Watched& watched : watched_) check(watched, by);
}

void Guards::check(Watched& watched, const std::string& by) {
  const auto isWhole = [](std::byte byte) { return byte == kGuard; };
  for (const auto& [words, where] :
       {std::pair(watched.before, "before"), std::pair(watched.behind, "behind")}) {
    const auto first = std::ranges::find_if_not(words, isWhole);
    if (first == words.end()) continue;
    report_("something was written " + std::string(where) + " the buffer '" + watched.name +
            "', first at byte " + std::to_string(first - words.begin()) + " of the " +
            std::to_string(kBytes) + " there" + (by.empty() ? "" : ", by the pass '" + by + "'"));
    std::ranges::fill(words, kGuard);
  }
}

}  // namespace glint::gpu
