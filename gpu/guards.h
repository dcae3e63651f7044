// Guard words on both sides of every buffer, which tests use to detect writes outside of buffers.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace glint::gpu {

/// The function that is called with one sentence about each write outside of a buffer.
using GuardReport = std::function<void(const std::string&)>;

/// The guard words of a device's buffers. Any thread may use them.
class Guards {
 public:
  /// Bytes of guard words on either side of a buffer. Those behind the buffer lie within the range
  /// that kernels may access. Otherwise drivers that discard writes outside of that range would
  /// hide such writes.
  static constexpr size_t kBytes = 1024;

  /// If `everyPass` is true, recorders run passes one by one and check the words after each.
  explicit Guards(GuardReport report, bool everyPass = false)
      : report_(std::move(report)), everyPass_(everyPass) {}

  bool everyPass() const { return everyPass_; }

  /// Sets the words at both ends of `memory`, and watches them until the returned object is
  /// destroyed. The memory must outlive that object.
  std::shared_ptr<const void> watch(std::span<std::byte> memory, const std::string& name);

  /// Reports all buffers beside which something was written since the last check. `by` is the name
  /// of the pass that did it, if known.
  void check(const std::string& by = "");

 private:
  struct Watched {
    std::span<std::byte> before, behind;
    std::string name;
  };
  void check(Watched& watched, const std::string& by);

  GuardReport report_;
  bool everyPass_;
  std::mutex mutex_;
  std::list<Watched> watched_;
};

}  // namespace glint::gpu
