// Finds all candidates of a whole response on the host, without a limit of their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/frame.h"
#include "gpu/mask.h"
#include "shared/results.h"

namespace glint::gpu {

/// The candidates of a response, stored as one bit per pixel. docs/detection.md defines them. The
/// kernel `scan` lists the same ones, but only a limited number. The time is proportional to the
/// number of pixels and candidates.
class PlaneCandidates {
 public:
  /// Finds the candidates of `response`, which has one channel and must outlive this object. `mask`
  /// is empty or as large as the response. Masked pixels are no candidates. `threshold` and
  /// `prominence` are those of shared::LayerFeedback.
  PlaneCandidates(const ImageView& response, const LayerMask& mask, uint32_t threshold,
                  uint32_t prominence);

  /// Returns the number of candidates found.
  size_t count() const { return count_; }

  /// Returns all candidates, the best first.
  std::vector<shared::Candidate> ranked() const;

  /// Returns the best peaks, at most `most`, the best first. These are the peaks that bestPeaks()
  /// (peak_list.h) would select from a list of all candidates. It may be called only once, because
  /// it removes candidates.
  std::vector<shared::Candidate> takePeaks(double separation, size_t most);

 private:
  template <class Visit>
  void visit(uint32_t least, uint32_t end, const Visit& visit) const;
  uint32_t valueAt(uint32_t x, uint32_t y) const;
  bool holds(uint32_t x, uint32_t y) const;
  void clearDisc(const std::vector<uint32_t>& halfWidths, uint32_t x, uint32_t y);

  ImageView response_;
  size_t pitch_;                  // words of a row of bits_
  std::vector<uint64_t> bits_;    // 1: a candidate that has not been removed
  std::vector<uint32_t> levels_;  // number of candidates found with each value
  size_t count_ = 0;              // number of candidates found
};

}  // namespace glint::gpu
