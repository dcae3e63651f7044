#include "app/shell/commands/sync_options.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "app/base/csv_reader.h"
#include "app/capture/source/source_options.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "config/error.h"

namespace glint::shell {

void SyncOption::addTo(CLI::App& command) {
  addFile(command, "--sync", value,
          "For recordings that were started separately: auto finds when each began\nfrom the "
          "motion of the lights. FILE is a table that `glint sync` wrote.",
          "auto|FILE");
}

std::optional<std::vector<motion::CameraClock>> clocksFor(
    const SyncOption& option, const motion::PointTable& table,
    const std::vector<motion::FrameExtent>& sizes, const motion::Rig* rig,
    const std::optional<motion::Target>& target, std::FILE* words) {
  if (option.value.empty()) return std::nullopt;
  if (!table.timed)
    throw UsageError("--sync needs the times of the frames, and the table has no column time_s");
  if (!option.finds()) return readClocks(option.value, sizes.size());
  auto clocks = motion::findClocks(table, sizes, rig, target);
  printText(words, "{}", clocksSummary(clocks));
  return clocks;
}

void setClocks(motion::PointTable& table, const std::vector<motion::CameraClock>& clocks) {
  for (motion::PointRow& row : table.rows) row.time = clocks[row.camera].timeOf(row.time);
}

std::string clocksText(const std::vector<motion::CameraClock>& clocks) {
  std::string text = "camera,offset_s,drift_ppm,sigma_offset_s,sigma_drift_ppm\n";
  for (size_t c = 0; c < clocks.size(); ++c)
    text += fmt::format("{},{:.7f},{:.3f},{:.7f},{:.3f}\n", c, clocks[c].offset,
                        1e6 * clocks[c].drift, clocks[c].sigma, 1e6 * clocks[c].driftSigma);
  return text;
}

std::vector<motion::CameraClock> readClocks(const std::string& path, size_t cameras) {
  enum Column : size_t { camera, offset, drift, offsetSigma, driftSigma };
  constexpr std::array<std::string_view, 3> kNeeded{"camera", "offset_s", "drift_ppm"};
  constexpr std::array<std::string_view, 2> kOthers{"sigma_offset_s", "sigma_drift_ppm"};
  base::CsvReader csv(path, kNeeded, kOthers);
  std::vector<motion::CameraClock> clocks;
  while (csv.next()) {
    if (csv.value<size_t>(camera) != clocks.size()) csv.refuse(camera);
    motion::CameraClock& clock = clocks.emplace_back();
    clock.offset = csv.value<double>(offset);
    clock.drift = 1e-6 * csv.value<double>(drift);
    if (!(std::abs(clock.drift) < 0.5)) csv.refuse(drift);
    if (csv.has(offsetSigma)) clock.sigma = csv.value<double>(offsetSigma);
    if (csv.has(driftSigma)) clock.driftSigma = 1e-6 * csv.value<double>(driftSigma);
  }
  if (clocks.size() != cameras)
    throw Error("{} has the clocks of {} cameras, but there are {}", path, clocks.size(), cameras);
  return clocks;
}

std::string clocksSummary(const std::vector<motion::CameraClock>& clocks) {
  std::string text;
  for (size_t c = 0; c < clocks.size(); ++c) {
    text += fmt::format("camera {} began at {:.5f} s", c, clocks[c].offset);
    text += c == 0 ? "; drifts are relative to its clock\n"
                   : fmt::format(" +- {:.3f} ms, its clock drifts by {:.2f} +- {:.2f} ppm\n",
                                 1e3 * clocks[c].sigma, 1e6 * clocks[c].drift,
                                 1e6 * clocks[c].driftSigma);
  }
  return text + "assumed: cameras see the same lights at the same moments, and clocks run evenly\n";
}

std::string sourcesOnOneClock(const std::vector<Address>& sources,
                              const std::vector<motion::CameraClock>& clocks) {
  std::string text;
  for (size_t c = 0; c < sources.size(); ++c) {
    const std::string& name = sources[c].shown();
    const char mark = capture::pathOf(name).size() == name.size() ? '?' : '&';
    text += fmt::format(" '{}{}offset={:.7f}&drift={:.3f}'", name, mark, clocks[c].offset,
                        1e6 * clocks[c].drift);
  }
  return text.empty() ? text : fmt::format("sources on one clock:{}\n", text);
}

}  // namespace glint::shell
