// The responses `blur` and `dog`; docs/architecture.md defines both to the bit.
#pragma once

#include <cstdint>

#include "config/settings.h"
#include "gpu/passes.h"

namespace glint {

/// Kernels for one marker radius, and what they need beside the planes.
class Blur {
 public:
  /// For planes of `shape`, of `bits` (8 or 16). `settings`: of kind blur or dog.
  Blur(const Device& device, const shared::PlaneShape& shape, uint32_t bits, uint32_t layers,
       const Settings::Response& settings);

  /// Two passes, down the columns and along the rows.
  void record(Recorder& recorder, const Plane& from, const Plane& response) const;

 private:
  struct Plan;
  Blur(const Device& device, const Plan& plan);

  uint32_t bits_, gain_, margin_;
  Kernel columns_, rows_;
  Buffer taps_;
  Buffer middle_;  // blurred down the columns, one word a pixel
};

}  // namespace glint
