#include "app/study/opening/source_words.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/printable.h"

namespace glint::study {
namespace {

using Json = nlohmann::ordered_json;

/// Pictures whose values take less than this share of their scale are hard to measure by default.
constexpr double kUsedShare = 1.0 / 64;

bool usesLittle(const SourceReport& report) {
  const auto& used = report.summary.used;
  return report.format.bits == 16 && used && used->high > used->low &&
         used->high - used->low < kUsedShare * report.format.fullScale();
}

/// "12 of 16 bits", "8 bits"
std::string bitsOf(const SourceReport& report) {
  const uint32_t bits = report.format.bits;
  const uint32_t stored = report.summary.bitsStored;
  if (stored != 0 && stored < bits) return fmt::format("{} bits", stored);
  const auto& used = report.summary.used;
  if (bits == 16 && used && used->bits() < bits)
    return fmt::format("{} of {} bits used", used->bits(), bits);
  return fmt::format("{} bits", bits);
}

template <class Value>
Json orNone(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json orNone(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

}  // namespace

SourceReport reportOf(capture::Source& source) {
  SourceReport report{.name = source.name(),
                      .format = source.format(),
                      .live = source.isLive(),
                      .summary = source.summary()};
  if (!report.summary.frames) report.summary.frames = source.frameCount();
  if (!report.summary.rate) report.summary.rate = source.statedRate();
  return report;
}

std::string lineOf(const SourceReport& report) {
  const capture::SourceSummary& known = report.summary;
  std::string text =
      fmt::format("'{}': {}x{}", report.name, report.format.width, report.format.height);
  if (!known.orientation.empty()) text += ", " + known.orientation;
  text += fmt::format(", {}, {}", report.format.channels == 1 ? "grey" : "colour", bitsOf(report));
  if (!known.colour.empty()) text += fmt::format(" ({})", known.colour);
  if (report.live) {
    text += ", live";
  } else {
    text += known.framesAreEstimated ? ", about " : ", ";
    text += known.frames ? counted(*known.frames, "frame") : "frames unknown";
    if (known.rate && known.frames != 1) text += fmt::format(" at {:.6g} frames/s", *known.rate);
    if (!known.rateFrom.empty() && known.frames != 1)
      text += fmt::format("{} {}", known.rate ? "" : ", rate", known.rateFrom);
    if (known.firstTime && *known.firstTime != 0)
      text += fmt::format(", the first at {:.6g} s of the file's own clock", *known.firstTime);
  }
  for (const std::string& remark : known.remarks) text += "; " + remark;
  return text;
}

std::vector<std::string> warningsOf(const SourceReport& report) {
  std::vector<std::string> warnings = report.summary.warnings;
  if (!report.live && usesLittle(report)) {
    const capture::UsedValues& used = *report.summary.used;
    warnings.push_back(fmt::format(
        "its first frame uses only the values {} to {} of {}; ?range={}:{} makes them black and "
        "full scale",
        used.low, used.high, report.format.fullScale(), used.low, used.high));
  }
  return warnings;
}

Json toJson(const SourceReport& report) {
  const capture::SourceSummary& known = report.summary;
  const auto& used = known.used;
  return {{"source", report.name},
          {"width", report.format.width},
          {"height", report.format.height},
          {"channels", report.format.channels},
          {"bits", report.format.bits},
          {"bits_stored", known.bitsStored != 0 ? Json(known.bitsStored) : Json()},
          {"bits_used", used ? Json(used->bits()) : Json()},
          {"values_used", used ? Json({used->low, used->high}) : Json()},
          {"orientation", orNone(known.orientation)},
          {"colour", orNone(known.colour)},
          {"live", report.live},
          {"frames", orNone(known.frames)},
          {"frames_are_estimated", known.framesAreEstimated},
          {"missing_frames", orNone(known.missing)},
          {"rate", orNone(known.rate)},
          {"rate_from", orNone(known.rateFrom)},
          {"first_time_s", orNone(known.firstTime)},
          {"remarks", known.remarks},
          {"warnings", warningsOf(report)},
          {"line", lineOf(report)}};
}

}  // namespace glint::study
