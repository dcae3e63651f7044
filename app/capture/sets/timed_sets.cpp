#include "app/capture/sets/timed_sets.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/base/sets_by_time.h"
#include "app/capture/images/image_source.h"

namespace glint::capture {
namespace {

// The most sets: ten days at 60 sets a second. There is a limit because gaps are read one by one.
constexpr uint64_t kMostSpread = 50'000'000;

/// One recording whose frames come in certain sets; in the others it has gaps.
class SpreadSource final : public Source {
 public:
  /// `sets`: the set of each frame, rising.
  SpreadSource(std::unique_ptr<Source> source, std::vector<uint64_t> sets)
      : source_(std::move(source)), sets_(std::move(sets)) {}

  const gpu::ImageFormat& format() const override { return source_->format(); }
  const std::string& name() const override { return source_->name(); }
  std::optional<uint64_t> frameCount() const override { return sets_.back() + 1; }
  std::vector<SourceFact> facts() const override { return source_->facts(); }
  bool isOfStills() const override { return source_->isOfStills(); }
  std::string id() const override { return source_->id(); }
  bool canSeek() const override { return source_->canSeek(); }
  bool mayHaveGaps() const override { return true; }

  void seek(FrameNumber set) override {
    set_ = set.value();
    const auto at = std::lower_bound(sets_.begin(), sets_.end(), set_);
    next_ = static_cast<size_t>(at - sets_.begin());
    source_->seek(FrameNumber(next_));
  }

  Reading read(const gpu::ImageView& image) override {
    if (next_ < sets_.size() && set_ < sets_[next_]) {
      ++set_;
      Reading gap{.state = gpu::CameraState::none};
      gap.gap = true;
      return gap;
    }
    Reading reading = source_->read(image);
    if (reading.state == gpu::CameraState::frame || reading.gap) ++next_, ++set_;
    return reading;
  }

 private:
  std::unique_ptr<Source> source_;
  std::vector<uint64_t> sets_;
  uint64_t set_ = 0;  // the set that is read next
  size_t next_ = 0;   // the frame that is read next
};

/// Conclusions from the sources' rates and beginnings.
struct Clocks {
  bool apart = false;  ///< true if frames of one number may be more than half an interval apart
  bool stated = true;  ///< true if every source states its rate
};

/// `begins`: s, when each recording begins on the clock of all.
Clocks clocksOf(const SourceList& sources, std::span<const double> begins) {
  constexpr double kSameRate = 1e-4;  // relative difference of equal rates: a frame in 10,000
  Clocks clocks;
  double least = HUGE_VAL, most = 0;
  for (const auto& source : sources) {
    const auto rate = source->statedRate();
    clocks.stated = clocks.stated && rate;
    if (!rate) continue;
    least = std::min(least, *rate);
    most = std::max(most, *rate);
  }
  clocks.apart = most > least * (1 + kSameRate);
  const auto [first, last] = std::minmax_element(begins.begin(), begins.end());
  clocks.apart = clocks.apart || (*last - *first) * most > 0.5;
  return clocks;
}

/// s, when each recording begins by its container's own clock, after the first of them. Zeros where
/// one does not say, or where they have no clock in common: then they would not overlap.
std::vector<double> startsOf(const SourceList& sources) {
  std::vector<double> starts(sources.size(), 0);
  double shortest = HUGE_VAL;
  for (size_t c = 0; c < sources.size(); ++c) {
    const SourceSummary summary = sources[c]->summary();
    // Times that the user sets begin on the clock of all recordings already.
    if (summary.offset || !summary.firstTime || !summary.frames || !summary.rate)
      return std::vector(starts.size(), 0.0);
    starts[c] = *summary.firstTime;
    shortest = std::min(shortest, static_cast<double>(*summary.frames) / *summary.rate);
  }
  const auto [first, last] = std::ranges::minmax(starts);
  if (last - first >= shortest) return std::vector(starts.size(), 0.0);
  for (double& start : starts) start -= first;
  return starts;
}

void warnOfNumbers(const Source& source) {
  const std::string mend =
      isImageSpec(source.name())
          ? fmt::format("; '{}?fps=60' says so of 60 frames a second", source.name())
          : "";
  base::warn(
      "'{}' does not say when all its frames are: frames of one number count as of one "
      "moment, though the cameras' rates or beginnings differ{}",
      source.name(), mend);
}

}  // namespace

bool spreadByTime(SourceList& sources, std::vector<double>& offsets) {
  if (sources.size() < 2) return false;
  // Offsets from a calibration count from the first frames.
  const bool measured = std::ranges::any_of(offsets, [](double offset) { return offset != 0; });
  if (!measured) offsets = startsOf(sources);
  std::vector<double> begins = offsets;
  bool set = false;
  for (size_t c = 0; c < sources.size(); ++c)
    if (const auto offset = sources[c]->summary().offset) begins[c] += *offset, set = true;
  Clocks clocks = clocksOf(sources, begins);
  // Clocks that drift may move frames of one number apart later on.
  clocks.apart = clocks.apart || set;
  if (!clocks.apart) return false;
  if (!clocks.stated) {
    for (const auto& source : sources)
      if (!source->statedRate()) warnOfNumbers(*source);
    return false;
  }
  std::vector<std::vector<base::TimedFrame>> frames(sources.size());
  for (size_t c = 0; c < sources.size(); ++c) {
    const std::vector<double> times = sources[c]->frameTimes();
    if (times.empty()) {
      warnOfNumbers(*sources[c]);
      return false;
    }
    for (size_t i = 0; i < times.size(); ++i) frames[c].push_back({i, times[i] + offsets[c]});
  }
  auto sets = base::setsByTime(frames);
  if (sets.empty()) return false;
  for (const auto& camera : sets)
    if (!camera.empty() && camera.back() > kMostSpread) {
      base::log(base::LogLevel::warning,
                "the cameras' recordings begin too far apart to go together by time: frames of one "
                "number count as of one moment; see time_offset_s of the rig");
      return false;
    }
  for (size_t c = 0; c < sources.size(); ++c)
    sources[c] = std::make_unique<SpreadSource>(std::move(sources[c]), std::move(sets[c]));
  return true;
}

}  // namespace glint::capture
