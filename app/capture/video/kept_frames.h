// Keeps the frames decoded last, so that stepping back need not decode them again. Internal to
// capture/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "app/capture/video/libav.h"

namespace glint::capture {

/// A limited number of decoded frames by their number. The frames nearest to the wanted one stay.
class KeptFrames {
 public:
  static constexpr size_t kMost = 32;                    ///< most frames that are kept
  static constexpr size_t kMostBytes = size_t{1} << 26;  ///< most bytes of their pixels, roughly

  struct Kept {
    libav::Frame frame;
    double time = 0;  ///< s
  };

  /// Returns a frame; null if it is not kept.
  const Kept* find(uint64_t number) const {
    const auto it = frames_.find(number);
    return it == frames_.end() ? nullptr : &it->second;
  }

  /// Keeps `frame`, whose pixels are shared and not copied. `goal`: number of the wanted frame.
  void keep(uint64_t number, const AVFrame& frame, double time, uint64_t goal) {
    libav::Frame shared(av_frame_clone(&frame));
    if (!shared) return;
    frames_.insert_or_assign(number, Kept{std::move(shared), time});
    const size_t bytes = bytesOf(frame);
    while (frames_.size() > kMost || (frames_.size() > 1 && frames_.size() * bytes > kMostBytes))
      dropFarthest(goal);
  }

  void clear() { frames_.clear(); }

 private:
  static size_t bytesOf(const AVFrame& frame) {
    size_t sum = 0;
    for (const AVBufferRef* buffer : frame.buf)
      if (buffer) sum += buffer->size;
    return sum;
  }

  void dropFarthest(uint64_t goal) {
    const auto away = [&](uint64_t number) {
      return number > goal ? number - goal : goal - number;
    };
    const auto last = std::prev(frames_.end());
    frames_.erase(away(frames_.begin()->first) >= away(last->first) ? frames_.begin() : last);
  }

  std::map<uint64_t, Kept> frames_;
};

}  // namespace glint::capture
