#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/log.h"
#include "app/base/paths.h"
#include "app/base/suffix.h"
#include "app/output/imports/track_import.h"
#include "app/output/sinks/run_files.h"
#include "app/output/tables/track_formats.h"
#include "app/output/takes/take_formats.h"
#include "app/output/takes/take_sniff.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/space_options.h"
#include "app/shell/commands/tell.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::shell {
namespace {

struct ConvertCommand {
  std::string from, to, fromUp;
  SpaceOptions space;
  double rate = 0;
};

std::string sizeOf(const output::TakeSurvey& survey) {
  std::string text = fmt::format("{} at {:.6g} Hz, {}", counted(survey.frames, "frame"),
                                 survey.rate, counted(survey.info.markers.size(), "marker"));
  if (const size_t bodies = survey.info.bodies.size(); bodies > 0)
    text += fmt::format(", {} {}", bodies, bodies == 1 ? "body" : "bodies");
  return text;
}

std::string namesOf(std::vector<std::string> files) {
  constexpr size_t kMostNamed = 2;
  if (files.size() <= kMostNamed) return fmt::format("{}", fmt::join(files, ", "));
  return fmt::format("{}, ... {}", files.front(), files.back());
}

/// Converts tracks in the image.
void convertTracks(const ConvertCommand& command, const output::TrackImport& format) {
  base::checkSuffix(command.to, "the tracks", output::trackExportSuffixes());
  if (!command.space.up.empty() || !command.space.unit.empty() || !command.fromUp.empty())
    throw UsageError(
        "--up, --unit and --from-up are for points in space; '{}' holds tracks in images",
        command.from);
  output::ImportedTracks tracks = format.read(command.from);
  output::completeTracks(tracks, command.from, command.rate);
  const std::vector<std::string> files =
      output::trackExportFiles(command.to, tracks.cameras.size());
  output::RunFiles written({command.from}, "conversion");
  written.write(files);
  for (const std::string& sentence : tracks.remarks) base::warn("{}", sentence);
  if (std::ranges::all_of(tracks.cameras, [](const auto& rows) { return rows.empty(); }))
    throw Error("'{}' holds no track", command.from);
  const std::vector<std::string> losses = output::exportTracks(tracks, command.to);
  for (const std::string& sentence : losses) base::warn("{}", sentence);
  std::set<TrackId> ids;
  size_t rows = 0;
  for (const auto& camera : tracks.cameras) {
    rows += camera.size();
    for (const motion::TrackRow& row : camera) ids.insert(row.track);
  }
  if (base::isDevice(command.to) || base::standardStream(command.to)) return;
  tell("{}, {} at {:.6g} Hz -> {}\n", counted(ids.size(), "track"), counted(rows, "row"),
       tracks.rate, namesOf(files));
}

void run(const ConvertCommand& command) {
  const output::TakeOptions options = command.space.takeOptions();
  output::RunFiles({command.from}, "conversion").write(command.to);
  if (!base::isDevice(command.from) && !base::standardStream(command.from))
    if (const output::TrackImport* tracks = output::recognizeTracks(command.from))
      return convertTracks(command, *tracks);
  const output::TakeFormat* write = output::takeFormatOf(command.to, true);
  if (write == nullptr)
    throw UsageError(
        "the name '{}' does not show the format of the points: it must end in one of {}",
        command.to, fmt::join(output::takeSuffixes(), ", "));
  output::checkTakeOptions(command.to, *write, options);
  const output::TakeFormat& read = output::recognizeTake(command.from);
  const auto fromUp = command.fromUp.empty() ? std::nullopt : std::optional(upOf(command.fromUp));
  const output::TakeAccount account =
      output::convertTake(command.from, read, command.to, *write, options, fromUp, command.rate);
  for (const std::string& sentence : account.sentences) base::warn("{}", sentence);
  if (base::isDevice(command.to) || base::standardStream(command.to)) return;
  tell("{}, {} up -> {}\n", sizeOf(account.survey), account.up == output::UpAxis::y ? "y" : "z",
       command.to);
}

}  // namespace

void addConvertCommand(CLI::App& app) {
  const auto options = std::make_shared<ConvertCommand>();
  CLI::App* command = app.add_subcommand(
      "convert", "Convert points in space, or tracks, between Glint's tables and other formats");
  addFile(*command, "from", options->from,
          "File to read: a format below, .rows, or tracks of another program", "IN")
      ->required();
  addFile(*command, "to", options->to, "File to write; its suffix chooses the format", "OUT")
      ->required();
  options->space.addTo(*command);
  addValue(*command, "--from-up", options->fromUp,
           "Axis that points up in what is read [z; of Motive and TRC y]", "AXIS",
           CLI::IsMember(std::vector<std::string>{"y", "z"}));
  addValue(*command, "--rate", options->rate, "Frames a second, instead of what the file says",
           "HZ", numberIn(1e-6, 1e6));
  command->footer("Formats of points and their suffixes:\n" + output::describeTakeFormats() +
                  "\nFormats of tracks and their suffixes:\n" + output::describeTrackFormats() +
                  "  trackmate  .xml            TrackMate's own file (Fiji)\n");
  command->callback([options] { run(*options); });
}

}  // namespace glint::shell
