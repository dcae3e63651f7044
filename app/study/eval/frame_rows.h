// Samples frame by frame, and their ids as dense numbers. Internal to eval/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>

namespace glint::study {

/// Takes the samples at the front of `rest` for which `same` holds.
template <class Sample, class Same>
std::span<const Sample> takeFront(std::span<const Sample>& rest, Same same) {
  const auto end = std::ranges::find_if_not(rest, same);
  const auto front = rest.first(static_cast<size_t>(end - rest.begin()));
  rest = rest.subspan(front.size());
  return front;
}

/// Calls visit(rows, truth) for each frame of either, in order. Both are sorted by frame.
template <class Sample>
void forEachFrame(std::span<const Sample> rows, std::span<const Sample> truth, auto&& visit) {
  while (!rows.empty() || !truth.empty()) {
    const bool rowsFirst =
        truth.empty() || (!rows.empty() && rows.front().frame < truth.front().frame);
    const auto frame = (rowsFirst ? rows : truth).front().frame;
    const auto same = [frame](const Sample& s) { return s.frame == frame; };
    const auto front = takeFront(rows, same);
    visit(front, takeFront(truth, same));
  }
}

/// Ids as numbers from 0, in the order of their first use.
class Trajectories {
 public:
  uint32_t of(uint64_t id) {
    return numbers_.emplace(id, static_cast<uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<uint64_t, uint32_t> numbers_;
};

}  // namespace glint::study
