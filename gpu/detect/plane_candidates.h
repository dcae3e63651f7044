// The candidates of a whole response, found by the host: as many as there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/frame.h"
#include "gpu/mask.h"
#include "shared/results.h"

namespace glint::gpu {

/// The candidates of a response, one bit a pixel. docs/detection.md defines them; the kernel `scan`
/// lists the same ones, but only so many. Takes time in proportion to the number of pixels and
/// candidates.
class PlaneCandidates {
 public:
  /// Finds the candidates of `response`, which has one channel and must outlive this object.
  /// `mask`: empty, or of the response's size; masked pixels are no candidates. `threshold` and
  /// `prominence` are those of shared::LayerFeedback.
  PlaneCandidates(const ImageView& response, const LayerMask& mask, uint32_t threshold,
                  uint32_t prominence);

  /// Returns the number of candidates found.
  size_t count() const { return count_; }

  /// Returns all candidates, the best first.
  std::vector<shared::Candidate> ranked() const;

  /// Returns the best `most` peaks, the best first: the peaks that bestPeaks() (peak_list.h) would
  /// accept from a list of all candidates. Uses the candidates up.
  std::vector<shared::Candidate> takePeaks(double separation, size_t most);

 private:
  template <class Visit>
  void visit(uint32_t least, uint32_t end, const Visit& visit) const;
  uint32_t valueAt(uint32_t x, uint32_t y) const;
  bool holds(uint32_t x, uint32_t y) const;
  void clearDisc(const std::vector<uint32_t>& halfWidths, uint32_t x, uint32_t y);

  ImageView response_;
  size_t pitch_;                  // words of a row
  std::vector<uint64_t> bits_;    // 1: a candidate that is left
  std::vector<uint32_t> levels_;  // of each value, the number of candidates found
  size_t count_ = 0;              // of them
};

}  // namespace glint::gpu
