// Goes through samples frame by frame, and gives their ids consecutive numbers. Used only inside
// this folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>

namespace glint::study {

/// Removes the samples at the front of `rest` for which `same` returns true, and returns them.
template <class Sample, class Same>
std::span<const Sample> takeFront(std::span<const Sample>& rest, Same same) {
  const auto end = std::ranges::find_if_not(rest, same);
  const auto front = rest.first(static_cast<size_t>(end - rest.begin()));
  rest = rest.subspan(front.size());
  return front;
}

/// Calls visit(rows, truth) for each frame that `rows` or `truth` has, in order. Both must be
/// sorted by frame.
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

/// Gives ids consecutive numbers from 0, in the order of their first use.
class Trajectories {
 public:
  /// Returns the number of an id.
  uint32_t of(uint64_t id) {
    return numbers_.emplace(id, static_cast<uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<uint64_t, uint32_t> numbers_;
};

}  // namespace glint::study
