// Words beside every buffer that nothing may write, where a test asks for them.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace glint::gpu {

/// Called with one sentence that says what was written outside a buffer.
using GuardReport = std::function<void(const std::string&)>;

/// The guard words of a device's buffers. Any thread.
class Guards {
 public:
  /// On either side of a buffer. Those behind it lie within what kernels are given, as drivers that
  /// drop writes outside would hide them.
  static constexpr size_t kBytes = 1024;

  /// With `everyPass` recorders run passes one by one and check the words after each.
  explicit Guards(GuardReport report, bool everyPass = false)
      : report_(std::move(report)), everyPass_(everyPass) {}

  bool everyPass() const { return everyPass_; }

  /// Sets the words at both ends of `memory`, and watches them for as long as what is returned
  /// lives; which the memory must outlive.
  std::shared_ptr<const void> watch(std::span<std::byte> memory, const std::string& name);

  /// Reports the buffers beside which something was written since it was last asked; by the pass
  /// `by`, where that is known.
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
