#include "app/capture/source/source_options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/text.h"
#include "config/error.h"

namespace glint::capture {
namespace {

using Set = void (*)(SourceOptions&, std::string_view value);

/// Describes a valid value, for the message that refuses another one.
struct Refused {
  std::string must;
};

uint64_t countOf(std::string_view value) {
  const auto number = base::parseNumber<uint64_t>(value);
  if (!number) throw Refused{"be a number from 0"};
  return *number;
}

void setFps(SourceOptions& options, std::string_view value) {
  const auto fps = base::parseNumber<double>(value);
  if (!fps || *fps < kLeastFps || *fps > kMostFps)
    throw Refused{fmt::format("be a number of frames a second from {} to {}", kLeastFps, kMostFps)};
  options.fps = fps;
}

void setOffset(SourceOptions& options, std::string_view value) {
  const auto offset = base::parseNumber<double>(value);
  if (!offset || !(*offset >= 0 && *offset <= kMostOffset))
    throw Refused{fmt::format("be a number of seconds from 0 to {:.0f}", kMostOffset)};
  options.offset = offset;
}

void setDrift(SourceOptions& options, std::string_view value) {
  const auto drift = base::parseNumber<double>(value);
  if (!drift || !(std::abs(*drift) <= kMostDrift))
    throw Refused{fmt::format("be a number of millionths from -{0:.0f} to {0:.0f}", kMostDrift)};
  options.drift = drift;
}

void setRotate(SourceOptions& options, std::string_view value) {
  const auto degrees = base::parseNumber<int>(value);
  if (!degrees || (*degrees != 0 && *degrees != 90 && *degrees != 180 && *degrees != 270))
    throw Refused{"be 0, 90, 180 or 270, degrees clockwise"};
  options.rotate = degrees;
}

void setRange(SourceOptions& options, std::string_view value) {
  const size_t colon = value.find(':');
  const auto low = base::parseNumber<double>(value.substr(0, colon));
  const auto high = colon == std::string_view::npos
                        ? std::nullopt
                        : base::parseNumber<double>(value.substr(colon + 1));
  if (!low || !high || !(*low < *high))
    throw Refused{"be two values, the lower one first, such as 0:1"};
  options.range = {*low, *high};
}

struct Row {
  SourceOption option;
  Set set;
};

constexpr std::array kRows{
    Row{{"fps", "RATE", "The rate in frames a second, whatever the recording says", true, true},
        setFps},
    Row{{"times", "FILE", "The time of each frame, from a text or CSV file", true, true},
        [](SourceOptions& o, std::string_view value) {
          if (value.empty()) throw Refused{"name a file"};
          o.times = value;
        }},
    Row{{"offset", "SECONDS",
         "How much later the recording began than the first one, as `glint sync` finds it", true,
         true},
        setOffset},
    Row{{"drift", "PPM", "Millionths by which its times are stretched before the offset is added",
         true, true},
        setDrift},
    Row{{"rotate", "DEGREES",
         "Turn the stored pictures clockwise by 0, 90, 180 or 270 degrees, whatever they say", true,
         true},
        setRotate},
    Row{{"stream", "N", "The video stream of a file, from 0", false, true},
        [](SourceOptions& o, std::string_view value) { o.stream = countOf(value); }},
    Row{{"fields", "0|1",
         "Take the two fields of interlaced frames for frames (1), or keep them together (0)",
         false, true},
        [](SourceOptions& o, std::string_view value) {
          if (value != "0" && value != "1") throw Refused{"be 0 or 1"};
          o.fields = value == "1";
        }},
    Row{{"channel", "N", "The channel of a stack, from 0", true, false},
        [](SourceOptions& o, std::string_view value) { o.channel = countOf(value); }},
    Row{{"slice", "N", "The slice of a stack that has time points, from 0", true, false},
        [](SourceOptions& o, std::string_view value) { o.slice = countOf(value); }},
    Row{{"range", "LOW:HIGH", "The values that become black and full scale", true, true},
        setRange}};

bool isThere(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool takes(const SourceOption& option, OptionsFor kind) {
  return kind == OptionsFor::pictures ? option.pictures : option.videos;
}

std::string namesFor(OptionsFor kind) {
  std::vector<std::string> names;
  for (const Row& row : kRows)
    if (takes(row.option, kind))
      names.push_back(fmt::format("?{}={}", row.option.name, row.option.value));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::span<const SourceOption> sourceOptions() {
  static const std::vector<SourceOption> options = [] {
    std::vector<SourceOption> all;
    for (const Row& row : kRows) all.push_back(row.option);
    return all;
  }();
  return options;
}

std::string pathOf(const std::string& spec) {
  return isThere(spec) ? spec : spec.substr(0, spec.rfind('?'));
}

SourceText parseSource(const std::string& spec, OptionsFor kind) {
  SourceText text{.path = pathOf(spec), .options = {}};
  if (text.path.size() == spec.size()) return text;
  const std::string_view all = std::string_view(spec).substr(text.path.size() + 1);
  for (size_t at = 0; at <= all.size();) {
    const size_t end = std::min(all.find('&', at), all.size());
    const std::string_view one = all.substr(at, end - at);
    at = end + 1;
    const std::string_view name = one.substr(0, one.find('='));
    const auto row =
        std::ranges::find_if(kRows, [&](const Row& r) { return r.option.name == name; });
    if (row == kRows.end() || name.size() == one.size())
      throw UsageError("'{}': unknown option '{}'; {} know {}", spec, one,
                       kind == OptionsFor::pictures ? "pictures" : "videos", namesFor(kind));
    if (!takes(row->option, kind))
      throw UsageError("'{}': '{}' is for {}", spec, name,
                       kind == OptionsFor::pictures ? "videos" : "pictures");
    try {
      row->set(text.options, one.substr(name.size() + 1));
    } catch (const Refused& refused) {
      throw UsageError("'{}': {} must {}", spec, name, refused.must);
    }
  }
  if (text.options.fps && !text.options.times.empty())
    throw UsageError("'{}': fps and times exclude each other", spec);
  return text;
}

}  // namespace glint::capture
