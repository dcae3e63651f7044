#include "app/output/takes/take_sniff.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/paths.h"
#include "app/output/takes/text_lines.h"
#include "config/error.h"

namespace glint::output {
namespace {

const TakeFormat& takeFormatNamed(std::string_view name) {
  return *std::ranges::find(takeFormats(), name, &TakeFormat::name);
}

/// A wide table begins with the frame and its time, and a name such as tip_x_mm.
bool isWide(LineReader& lines) {
  const auto& names = lines.split(',');
  return names.size() > 4 && names[0] == "frame" && names[1] == "time_s" && names[2] != "x_mm" &&
         (names[2].ends_with("_x_mm") || names[2].ends_with("_x_m"));
}

}  // namespace

const TakeFormat& recognizeTake(const std::string& path) {
  if (base::isDevice(path) || base::standardStream(path))
    throw UsageError("'{}' is not a file; a conversion reads its input twice", path);
  const TakeFormat* format = takeFormatOf(path, false);
  if (format == nullptr) {
    std::vector<std::string_view> suffixes;
    for (const TakeFormat& one : takeFormats()) suffixes.push_back(one.suffix);
    throw UsageError("the name '{}' does not show its format: it must end in one of {}", path,
                     fmt::join(suffixes, ", "));
  }
  if (format->name != "csv") return *format;
  LineReader lines(path);
  if (!lines.next()) throw Error("{} is empty: a header line is missing", path);
  if (lines.text().starts_with("Format Version,")) return takeFormatNamed("motive");
  return isWide(lines) ? takeFormatNamed("wide") : *format;
}

}  // namespace glint::output
