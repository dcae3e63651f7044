// A store of kernels, found by shader and constants. Each is made when it is first needed.
#pragma once

#include <array>
#include <atomic>
#include <compare>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/device.h"
#include "gpu/kernel.h"

namespace glint::gpu {

/// A shader with values for its specialisation constants, from which a kernel is made.
class KernelPlan {
 public:
  /// `name` appears in time stamps and captures. `spirv` must exist as long as the program, since
  /// its address identifies the shader. `constants` is a struct of uint32_t members in the order of
  /// the shader's `constant_id`s, which count from 0.
  template <class Constants>
  KernelPlan(const char* name, std::span<const uint32_t> spirv, const Constants& constants)
      : name_(name), spirv_(spirv), count_(sizeof(Constants) / sizeof(uint32_t)) {
    static_assert(std::is_trivially_copyable_v<Constants>);
    static_assert(sizeof(Constants) <= sizeof(constants_));
    std::memcpy(constants_.data(), &constants, sizeof(Constants));
  }

  /// Throws Error as the constructor of Kernel does.
  Kernel make(const Device& device) const {
    return {device, name_, spirv_, std::span(constants_).first(count_)};
  }

  /// Orders plans so that those of equal kernels are equal.
  bool operator<(const KernelPlan& other) const {
    return std::pair(spirv_.data(), constants_) < std::pair(other.spirv_.data(), other.constants_);
  }

 private:
  const char* name_;
  std::span<const uint32_t> spirv_;
  size_t count_;
  std::array<uint32_t, 8> constants_{};
};

/// The kernels made so far on one device. Any thread may use the store.
class KernelStore {
 public:
  /// `device` must outlive it.
  explicit KernelStore(const Device& device) : device_(device) {}

  /// Returns the kernel of a plan, which exists as long as the store. Makes it if necessary. If
  /// another thread is making it, waits for that thread. Throws Error as Kernel does.
  const Kernel& get(const KernelPlan& plan) const;

  /// Starts to make kernels in the order of `plans`, on the given number of threads. Errors are
  /// ignored here, and get() reports them later. It must be called only once.
  void makeAhead(std::vector<KernelPlan> plans, unsigned threads);

 private:
  struct Entry {
    std::once_flag once;
    std::optional<Kernel> kernel;
  };
  void makePlanned(const std::stop_token& stop);

  const Device& device_;
  mutable std::mutex mutex_;  // guards the map, not its entries
  mutable std::map<KernelPlan, Entry> entries_;
  std::vector<KernelPlan> planned_;
  std::atomic<size_t> begun_ = 0;     // number of plans that a thread has begun
  std::vector<std::jthread> makers_;  // destroyed first, because they use the members above
};

}  // namespace glint::gpu
