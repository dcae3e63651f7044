#include "gpu/detect/peak_list.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "gpu/passes.h"

namespace glint::gpu {
namespace {

// The least number of candidates that are sorted at a time.
constexpr size_t kLeastRanked = 256;

uint32_t columnOf(const shared::Candidate& c) {
  return c.place & 0xffffU;
}
uint32_t rowOf(const shared::Candidate& c) {
  return c.place >> 16;
}

/// Returns a number that is less for better candidates.
uint64_t keyOf(const shared::Candidate& c) {
  return uint64_t{~c.weight} << 32 | c.place;
}
shared::Candidate candidateOf(uint64_t key) {
  return {~static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key)};
}

/// The accepted peaks, in a hash table of square cells. The side of a cell is at least twice the
/// reach, so all peaks that are too near to a place lie in at most four cells.
class Accepted {
 public:
  Accepted(double separation, size_t candidates)
      : separationUp_(squaredUp(separation)),
        reach_(std::max(glint::gpu::reachOf(separationUp_), 1U)),
        shift_(static_cast<uint32_t>(std::bit_width(2 * reach_ - 1))),
        heads_(std::bit_ceil(2 * candidates + 1), kNone) {}

  /// Accepts a candidate unless an accepted one is too near. It must not be better than those
  /// offered before.
  void offer(const shared::Candidate& own) {
    const uint32_t x = columnOf(own), y = rowOf(own);
    const uint32_t left = cellOf(x - std::min(x, reach_)), right = cellOf(x + reach_);
    const uint32_t bottom = cellOf(y + reach_);
    for (uint32_t row = cellOf(y - std::min(y, reach_)); row <= bottom; ++row)
      for (uint32_t column = left; column <= right; ++column)
        if (holdsNear(bucketOf(column, row), own)) return;
    uint32_t& head = heads_[bucketOf(cellOf(x), cellOf(y))];
    links_.push_back(head);
    head = static_cast<uint32_t>(peaks_.size());
    peaks_.push_back(own);
  }

  size_t count() const { return peaks_.size(); }
  size_t compared() const { return compared_; }
  std::vector<shared::Candidate> take() { return std::move(peaks_); }

 private:
  static constexpr uint32_t kNone = ~0U;

  uint32_t cellOf(uint32_t at) const { return at >> shift_; }
  size_t bucketOf(uint32_t column, uint32_t row) const {
    return ((column * 0x9e3779b1U ^ row * 0x85ebca6bU) >> 8) & (heads_.size() - 1);
  }

  bool holdsNear(size_t bucket, const shared::Candidate& own) {
    for (uint32_t i = heads_[bucket]; i != kNone; i = links_[i]) {
      ++compared_;
      const int64_t dx = int64_t{columnOf(peaks_[i])} - columnOf(own);
      const int64_t dy = int64_t{rowOf(peaks_[i])} - rowOf(own);
      if (dx * dx + dy * dy < int64_t{separationUp_}) return true;
    }
    return false;
  }

  uint32_t separationUp_, reach_, shift_;
  std::vector<uint32_t> heads_;  // index of the last peak of each bucket, or kNone
  std::vector<uint32_t> links_;  // index of the previous peak in the same bucket, for each peak
  std::vector<shared::Candidate> peaks_;
  size_t compared_ = 0;
};

}  // namespace

void sortByRank(std::vector<shared::Candidate>& candidates) {
  std::sort(candidates.begin(), candidates.end(),
            [](const auto& a, const auto& b) { return keyOf(a) < keyOf(b); });
}

std::vector<shared::Candidate> acceptPeaks(std::span<const shared::Candidate> ranked,
                                           double separation) {
  Accepted accepted(separation, ranked.size());
  for (const shared::Candidate& own : ranked) accepted.offer(own);
  return accepted.take();
}

std::vector<shared::Candidate> bestPeaks(std::span<const shared::Candidate> candidates,
                                         double separation, size_t most, PeakWork* work) {
  std::vector<uint64_t> keys;
  keys.reserve(candidates.size());
  for (const shared::Candidate& own : candidates) keys.push_back(keyOf(own));
  Accepted accepted(separation, std::min(candidates.size(), most));
  auto begin = keys.begin(), end = begin;
  while (begin != keys.end() && accepted.count() < most) {
    const size_t wanted = std::max(2 * (most - accepted.count()), kLeastRanked);
    const auto left = static_cast<size_t>(keys.end() - begin);
    end = begin + static_cast<std::ptrdiff_t>(std::min(wanted, left));
    if (end != keys.end()) std::nth_element(begin, end, keys.end());
    std::sort(begin, end);
    for (; begin != end && accepted.count() < most; ++begin) accepted.offer(candidateOf(*begin));
  }
  if (work != nullptr) *work = {static_cast<size_t>(end - keys.begin()), accepted.compared()};
  return accepted.take();
}

}  // namespace glint::gpu
