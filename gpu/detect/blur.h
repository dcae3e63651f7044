// The responses `blur` and `dog`; docs/detection.md defines both to the bit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "config/settings.h"
#include "gpu/passes.h"

namespace glint::gpu {

/// Whether `settings` are of kind blur or dog.
inline bool isBlurred(const Settings::Response& settings) {
  return settings.kind == ResponseKind::blur || settings.kind == ResponseKind::dog;
}

/// The two kernels for Gaussians of certain reaches.
struct BlurKernels {
  Kernel columns, rows;
};

/// One marker radius: kernels, which others may share, and what they need beside the planes.
class Blur {
 public:
  /// `settings`: of kind blur or dog.
  Blur(const Device& device, uint32_t bits, const Settings::Response& settings,
       std::shared_ptr<const BlurKernels> kernels, std::shared_ptr<const Buffer> middle);

  /// Two passes, down the columns and along the rows. `gain`: response.gain, of `dog`.
  void record(Recorder& recorder, const Plane& from, const Plane& response, int gain) const;

  /// Whether it is the one for `settings`: of the same kind and radius.
  bool fits(const Settings::Response& settings) const;

 private:
  uint32_t bits_;
  Settings::Response made_;
  std::shared_ptr<const BlurKernels> kernels_;
  std::shared_ptr<const Buffer> middle_;  // blurred down the columns, one word a pixel
  Buffer taps_;
};

/// Makes blurs for planes of one shape, and keeps the last few and all kernels. Thread-safe.
class BlurCache {
 public:
  BlurCache(const Device& device, const shared::PlaneShape& shape, uint32_t bits, uint32_t layers);

  /// The one for `settings` (of kind blur or dog); null if it is not there.
  std::shared_ptr<const Blur> find(const Settings::Response& settings) const;

  /// Makes it if it is not there: tens of milliseconds and more for a radius not seen before.
  /// Throws Error when the device has no room. One thread at a time.
  std::shared_ptr<const Blur> make(const Settings::Response& settings);

 private:
  struct Plan;
  std::shared_ptr<const BlurKernels> kernelsFor(const Plan& plan);
  std::shared_ptr<const Buffer> middleFor(const Plan& plan);

  const Device& device_;
  shared::PlaneShape shape_;
  uint32_t bits_, layers_;
  // Used by make() only.
  std::map<std::vector<uint32_t>, std::shared_ptr<const BlurKernels>> kernels_;  // by constants
  std::shared_ptr<const Buffer> middle_;
  mutable std::mutex mutex_;                        // of the next
  std::vector<std::shared_ptr<const Blur>> blurs_;  // the oldest first
};

}  // namespace glint::gpu
