#include "app/shell/desk/time_zoom.h"

#include <algorithm>
#include <cmath>

namespace glint::shell {

TimeZoom::Range TimeZoom::range(uint64_t last) const {
  if (!part_) return {0, last};
  const auto first = static_cast<uint64_t>(std::llround(std::max(0.0, part_->first)));
  const auto end = static_cast<uint64_t>(std::llround(part_->first + part_->frames));
  return {std::min(first, last), std::min(end, last)};
}

void TimeZoom::set(Part part, uint64_t last) {
  const auto whole = static_cast<double>(last);
  part.frames = std::max(part.frames, kLeast);
  part.first = std::clamp(part.first, 0.0, std::max(0.0, whole - part.frames));
  part_ = part.frames >= whole ? std::nullopt : std::optional(part);
}

void TimeZoom::zoomBy(double factor, double about, uint64_t last) {
  const Part now = part_.value_or(Part{0, static_cast<double>(last)});
  const double frames = std::max(now.frames / factor, kLeast);
  const double share = now.frames > 0 ? (about - now.first) / now.frames : 0;
  set({about - share * frames, frames}, last);
}

void TimeZoom::moveBy(double frames, uint64_t last) {
  if (part_) set({part_->first + frames, part_->frames}, last);
}

void TimeZoom::follow(uint64_t frame, uint64_t last) {
  if (!part_) return;
  const Range shown = range(last);
  if (frame >= shown.first && frame <= shown.last) return;
  constexpr double kBefore = 0.1;  // of the part
  set({static_cast<double>(frame) - kBefore * part_->frames, part_->frames}, last);
}

}  // namespace glint::shell
