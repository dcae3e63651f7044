// The responses `blur` and `dog`. docs/detection.md defines every bit of both.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "config/settings.h"
#include "gpu/passes.h"

namespace glint::gpu {

/// Returns true if the kind of `settings` is blur or dog.
inline bool isBlurred(const Settings::Response& settings) {
  return settings.kind == ResponseKind::blur || settings.kind == ResponseKind::dog;
}

/// The two kernels for Gaussians of certain reaches.
struct BlurKernels {
  Kernel columns, rows;
};

/// The blur for one marker radius: its kernels and the intermediate plane, which other blurs may
/// share, and its weights.
class Blur {
 public:
  /// The kind of `settings` must be blur or dog.
  Blur(const Device& device, uint32_t bits, const Settings::Response& settings,
       std::shared_ptr<const BlurKernels> kernels, std::shared_ptr<const Buffer> middle);

  /// Records two passes, down the columns and along the rows. `gain` is response.gain; only `dog`
  /// uses it.
  void record(Recorder& recorder, const Plane& from, const Plane& response, int gain) const;

  /// Returns true if this blur has the kind and the radius of `settings`.
  bool fits(const Settings::Response& settings) const;

 private:
  uint32_t bits_;
  Settings::Response made_;
  std::shared_ptr<const BlurKernels> kernels_;
  std::shared_ptr<const Buffer> middle_;  // blurred down the columns, one word per pixel
  Buffer taps_;
};

/// Makes blurs for planes of one shape. Keeps the last few blurs, and all kernels. Thread-safe.
class BlurCache {
 public:
  BlurCache(const Device& device, const shared::PlaneShape& shape, uint32_t bits, uint32_t layers);

  /// Returns the blur for `settings`, whose kind is blur or dog, or null if it is not made yet.
  std::shared_ptr<const Blur> find(const Settings::Response& settings) const;

  /// Returns the blur for `settings`, and makes it if necessary. This takes tens of milliseconds or
  /// more for a new radius. Throws Error if the device has no room. Only one thread at a time may
  /// call this.
  std::shared_ptr<const Blur> make(const Settings::Response& settings);

 private:
  struct Plan;
  std::shared_ptr<const BlurKernels> kernelsFor(const Plan& plan);
  std::shared_ptr<const Buffer> middleFor(const Plan& plan);

  const Device& device_;
  shared::PlaneShape shape_;
  uint32_t bits_, layers_;
  // Only make() uses the next two members.
  std::map<std::vector<uint32_t>, std::shared_ptr<const BlurKernels>> kernels_;  // by constants
  std::shared_ptr<const Buffer> middle_;
  mutable std::mutex mutex_;                        // guards blurs_
  std::vector<std::shared_ptr<const Blur>> blurs_;  // the oldest first
};

}  // namespace glint::gpu
