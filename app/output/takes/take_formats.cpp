#include "app/output/takes/take_formats.h"

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/suffix.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::output {
namespace {

constexpr TakeKeeps kEverything{.poses = true,
                                .predicted = true,
                                .deviations = true,
                                .cameras = true,
                                .velocities = true,
                                .times = true,
                                .choosesUnit = false};

constexpr std::array<TakeFormat, 9> kTakeFormats{{
    {"csv",
     ".csv",
     "Glint's own table, a row for each point and frame",
     false,
     {.predicted = true,
      .deviations = true,
      .cameras = true,
      .velocities = true,
      .times = true,
      .choosesUnit = false},
     {},
     readPointsTable,
     writePointsTable},
    {"jsonl",
     ".jsonl",
     "JSON Lines: an object for each row of points and poses",
     false,
     kEverything,
     {},
     readJsonTake,
     writeJsonTake},
    {"wide",
     ".wide.csv",
     "a row for each frame, with named columns",
     true,
     {.poses = true, .times = true},
     {},
     readWideTable,
     writeWideTable},
    {"c3d",
     ".c3d",
     "C3D, for biomechanics (Mokka, Visual3D, MATLAB)",
     true,
     {.predicted = true, .deviations = true, .cameras = true},
     {.most = 127, .trims = true},  // programs read the length of a label as a signed byte
     readC3d,
     writeC3d},
    {"trc", ".trc", "TRC, for OpenSim", true, {.times = true}, {.trims = true}, readTrc, writeTrc},
    {"motive",
     ".motive.csv",
     "Motive's CSV 1.23, with bodies",
     true,
     {.poses = true, .times = true},
     {},
     readMotive,
     writeMotive},
    {"qtm",
     ".qtm.tsv",
     "Qualisys Track Manager's motion data, 3D",
     true,
     {.times = true, .choosesUnit = false},
     {.trims = true},
     readQtm3d,
     writeQtm3d},
    {"qtm",
     ".tsv",
     "the same",
     true,
     {.times = true, .choosesUnit = false},
     {},
     readQtm3d,
     nullptr},
    {"rows",
     ".rows",
     "what is left of a run that was killed",
     false,
     kEverything,
     {},
     readSpooledTake,
     nullptr},
}};

constexpr double kTimeSlack = 1e-6;  // s: times are written with six decimals

/// Says that the file holds other names than the take; empty if it does not.
std::string changedNames(const std::string& path, const TakeSurvey& survey) {
  uint64_t count = 0;
  size_t last = 0;
  for (size_t i = 0; i < survey.names.size(); ++i)
    if (survey.names[i] != survey.info.markers[i].name) ++count, last = i;
  if (count == 0) return {};
  constexpr size_t kShownBytes = 40;
  return fmt::format("{} cannot hold {} as written: \"{}\" becomes \"{}\"{}", path,
                     counted(count, "name"), shortened(survey.info.markers[last].name, kShownBytes),
                     shortened(survey.names[last], kShownBytes), count > 1 ? ", for example" : "");
}

}  // namespace

std::span<const TakeFormat> takeFormats() {
  return kTakeFormats;
}

const TakeFormat* takeFormatOf(const std::string& path, bool written) {
  const TakeFormat* chosen = nullptr;
  for (const TakeFormat& format : kTakeFormats) {
    if (written && format.write == nullptr) continue;
    const bool ends = !base::longestSuffix(path, std::span(&format.suffix, 1)).empty();
    if (ends && (chosen == nullptr || format.suffix.size() > chosen->suffix.size()))
      chosen = &format;
  }
  return chosen;
}

std::vector<const TakeFormat*> writtenTakeFormats(bool onlyWithPoses) {
  std::vector<const TakeFormat*> formats;
  for (const TakeFormat& format : kTakeFormats) {
    // Poses in Glint's own table are a table of their own.
    const bool fits = !onlyWithPoses || format.keeps.poses || format.suffix == ".csv";
    if (format.write != nullptr && fits) formats.push_back(&format);
  }
  return formats;
}

std::vector<std::string_view> takeSuffixes(bool onlyWithPoses) {
  std::vector<std::string_view> suffixes;
  for (const TakeFormat* format : writtenTakeFormats(onlyWithPoses))
    suffixes.push_back(format->suffix);
  return suffixes;
}

void checkTakeOptions(const std::string& path, const TakeFormat& format,
                      const TakeOptions& options) {
  if (options.metres.value_or(false) && !format.keeps.choosesUnit)
    throw UsageError("--unit m: lengths in '{}' are always in mm", path);
}

std::string lossesOf(const std::string& path, const TakeFormat& format,
                     const TakeContents& contents) {
  std::vector<std::string> lost;
  const TakeKeeps& keeps = format.keeps;
  if (contents.poses > 0 && !keeps.poses) lost.emplace_back("the poses of bodies");
  if (contents.predicted && !keeps.predicted)
    lost.emplace_back("which points were predicted and not measured");
  if (contents.deviations && !keeps.deviations) lost.emplace_back("standard deviations");
  if (contents.deviations && keeps.deviations && !keeps.velocities)
    lost.push_back(
        fmt::format("more of the covariances than one standard deviation in steps of {:.3g} mm",
                    contents.residualStep));
  const double most = kMostResidualSteps * contents.residualStep;
  if (keeps.deviations && !keeps.velocities && contents.deviation > 1.001 * most)
    lost.push_back(fmt::format("standard deviations above {:.3g} mm", most));
  if (contents.cameras && !keeps.cameras) lost.emplace_back("which cameras saw a point");
  if (contents.counts && !keeps.velocities) lost.emplace_back("how many cameras saw a point");
  if (contents.beyondSeven && keeps.cameras && !keeps.velocities)
    lost.emplace_back("cameras beyond the first seven");
  if (contents.velocities && !keeps.velocities) lost.emplace_back("velocities and residuals in px");
  if (!keeps.times && contents.offBeat > kTimeSlack)
    lost.push_back(
        fmt::format("times that are up to {:.3g} ms off an even rate", 1e3 * contents.offBeat));
  if (!keeps.times && std::abs(contents.start) > kTimeSlack)
    lost.push_back(fmt::format("that frame 0 was at {:.6g} s", contents.start));
  if (lost.empty()) return {};
  const std::string last = lost.back();
  lost.pop_back();
  return fmt::format("{} cannot hold {}{}{}", path, fmt::join(lost, ", "),
                     lost.empty() ? "" : " and ", last);
}

TakeAccount convertTake(const std::string& from, const TakeFormat& read, const std::string& to,
                        const TakeFormat& write, const TakeOptions& options,
                        std::optional<UpAxis> fromUp, double rate) {
  TakeAccount account;
  TakeSurvey& survey = account.survey;
  survey = surveyTake(*withPlainNames(read.read(from), from), rate);
  if (fromUp) survey.info.up = *fromUp;
  account.up = options.up.value_or(survey.info.up);
  survey.names = fitNames(survey.info.markers, write.names);
  const double mmPerUnit = options.metres.value_or(false) ? 1000 : 1;
  {
    const auto writer = write.write(to, survey, account.up, mmPerUnit);
    survey.contents.offBeat =
        copyTake(*withPlainNames(read.read(from), from), survey, account.up, *writer);
  }
  account.sentences = survey.remarks;
  for (const std::string& doubt : survey.doubts)
    account.sentences.push_back(doubt.starts_with(from) ? doubt : from + ": " + doubt);
  if (std::string changed = changedNames(to, survey); !changed.empty())
    account.sentences.push_back(std::move(changed));
  if (survey.rateAssumed)
    account.sentences.push_back(fmt::format(
        "{} does not state its rate: {} frames a second are assumed; give the rate with --rate",
        from, survey.rate));
  if (std::string lost = lossesOf(to, write, survey.contents); !lost.empty())
    account.sentences.push_back(std::move(lost));
  return account;
}

std::string describeTakeFormats() {
  std::string text;
  for (const TakeFormat& format : kTakeFormats)
    if (format.write != nullptr) text += fmt::format("  {:<13}{}\n", format.suffix, format.about);
  return text;
}

}  // namespace glint::output
