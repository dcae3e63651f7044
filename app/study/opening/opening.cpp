#include "app/study/opening/opening.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/base/waiting.h"
#include "app/capture/source/source_kinds.h"
#include "app/study/opening/source_words.h"
#include "config/error.h"

namespace glint::study {
namespace {

constexpr uint32_t kSide = 32;  // The width and height of a thumbnail, px.
constexpr size_t kLevels = 32;  // The number of levels in a histogram.

/// A picture, reduced to the values that are compared.
struct Sketch {
  // Mean luminances of the cells, as shares of full scale, row by row.
  std::array<double, size_t{kSide} * kSide> thumbnail{};
  std::array<double, kLevels> levels{};  // The share of the pixels at each level.
};

double luminanceAt(const std::byte* row, uint32_t x, const gpu::ImageFormat& format) {
  const auto channel = [&](uint32_t c) -> double {
    const size_t i = size_t{x} * format.channels + c;
    if (format.bits == 8) return static_cast<double>(row[i]) / format.fullScale();
    uint16_t value = 0;
    std::memcpy(&value, row + 2 * i, 2);
    return static_cast<double>(value) / format.fullScale();
  };
  if (format.channels == 1) return channel(0);
  return (19 * channel(0) + 183 * channel(1) + 54 * channel(2)) / 256;
}

Sketch sketchOf(const gpu::ImageView& image) {
  const gpu::ImageFormat& format = image.format;
  Sketch sketch;
  std::vector<double> counts(sketch.thumbnail.size(), 0);
  for (uint32_t y = 0; y < format.height; ++y) {
    const size_t row = size_t{y} * kSide / format.height * kSide;
    for (uint32_t x = 0; x < format.width; ++x) {
      const double value = luminanceAt(image.row(y), x, format);
      const size_t cell = row + size_t{x} * kSide / format.width;
      sketch.thumbnail[cell] += value;
      counts[cell] += 1;
      sketch.levels[std::min(static_cast<size_t>(value * kLevels), kLevels - 1)] += 1;
    }
  }
  for (size_t i = 0; i < counts.size(); ++i) sketch.thumbnail[i] /= std::max(counts[i], 1.0);
  for (double& level : sketch.levels) level /= static_cast<double>(format.pixels());
  return sketch;
}

double correlation(const Sketch& a, const Sketch& b) {
  double sumA = 0, sumB = 0;
  const auto n = static_cast<double>(a.thumbnail.size());
  for (size_t i = 0; i < a.thumbnail.size(); ++i) {
    sumA += a.thumbnail[i] / n;
    sumB += b.thumbnail[i] / n;
  }
  double both = 0, ownA = 1e-12, ownB = 1e-12;
  for (size_t i = 0; i < a.thumbnail.size(); ++i) {
    const double da = a.thumbnail[i] - sumA, db = b.thumbnail[i] - sumB;
    both += da * db;
    ownA += da * da;
    ownB += db * db;
  }
  return both / std::sqrt(ownA * ownB);
}

bool shareNothing(const Sketch& a, const Sketch& b, const StillsOptions& options) {
  double changed = 0;
  for (size_t i = 0; i < kLevels; ++i) changed += std::abs(a.levels[i] - b.levels[i]) / 2;
  return changed > options.changedLevels && correlation(a, b) < options.correlation;
}

}  // namespace

bool holdsStills(capture::Source& source, const StillsOptions& options) {
  const uint64_t length = source.frameCount().value_or(0);
  if (length <= 1) return length == 1;
  capture::FrameBuffer buffer(source.format());
  const auto sketch = [&](uint64_t place) -> std::optional<Sketch> {
    source.seek(FrameNumber(place));
    const gpu::ImageView view = buffer.view();
    if (source.read(view).state != gpu::CameraState::frame) return std::nullopt;
    return sketchOf(view);
  };
  bool stills = true;
  try {
    for (const uint64_t first : std::set<uint64_t>{0, (length - 1) / 2, length - 2}) {
      const auto a = sketch(first), b = sketch(first + 1);
      stills = stills && a && b && shareNothing(*a, *b, options);
      if (!stills) break;
    }
  } catch (const Error&) {  // The run reports the error when it reads the frame.
    stills = false;
  }
  source.seek({});
  return stills;
}

capture::SourceList openSources(const std::vector<Address>& addresses, Settings& settings,
                                const capture::Interrupt& interrupt) {
  capture::SourceList sources;
  std::vector<std::string> ids;
  for (const Address& address : addresses) {
    const std::string& name = address.shown();
    const base::Waiting waiting("the source", name);
    const auto camera = cameraSettings(settings, static_cast<int>(sources.size()));
    sources.push_back(capture::openSource(address, &interrupt, camera));
    ids.push_back(sources.back()->id());
    const SourceReport report = reportOf(*sources.back());
    base::log(base::LogLevel::info, lineOf(report));
    for (const std::string& warning : warningsOf(report))
      base::log(base::LogLevel::info, fmt::format("'{}': {}", name, warning));
  }
  placeCameras(settings, ids);
  return sources;
}

bool anyLive(const capture::SourceList& sources) {
  return std::ranges::any_of(sources, [](const auto& source) { return source->isLive(); });
}

void applyStitching(std::optional<bool> asked, bool live, Settings& settings) {
  if (asked == false || (live && !asked)) settings.track.stitchGap = 0;
  if (asked == true && settings.track.stitchGap == 0)
    settings.track.stitchGap = Settings().track.stitchGap;
}

void confirmInFewFrames(const capture::SourceList& sources, Settings& settings) {
  const int usual = Settings().track.confirm;
  if (settings.track.confirm != usual) return;
  const bool few = std::ranges::all_of(sources, [&](const auto& source) {
    const std::optional<uint64_t> frames = source->frameCount();
    // A raw recording of a run that was ended early gives the tracks that the run gave.
    return !source->isLive() && !source->mayHaveGaps() && frames &&
           *frames < static_cast<uint64_t>(usual);
  });
  if (few) settings.track.confirm = 1;
}

Stills stillsOf(std::optional<bool> asked, capture::SourceList& sources) {
  if (asked) return {.stills = *asked};
  if (std::ranges::all_of(sources, [](const auto& s) { return s->isOfStills(); }))
    return {.stills = true};
  using Sort = capture::SourceKind::Sort;
  const bool stills = std::ranges::all_of(sources, [](const auto& source) {
    const Sort sort = capture::sourceKindOf(source->name()).sort;
    // A raw recording was stopped there, and says itself whether it is of stills.
    if (sort == Sort::file) return source->frameCount() == 1 && !source->mayHaveGaps();
    return sort == Sort::pictures && source->canSeek() && holdsStills(*source);
  });
  return {.stills = stills, .recognised = stills};
}

}  // namespace glint::study
