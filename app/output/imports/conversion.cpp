#include "app/output/imports/conversion.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/paths.h"
#include "app/base/suffix.h"
#include "app/output/imports/track_import.h"
#include "app/output/sinks/file_claim.h"
#include "app/output/sinks/run_files.h"
#include "app/output/takes/take_formats.h"
#include "app/output/takes/take_sniff.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::output {
namespace {

std::string sizeOf(const TakeSurvey& survey) {
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
Conversion convertTracks(const ConversionRequest& request, const TrackImport& format) {
  base::checkSuffix(request.to, "the tracks", trackExportSuffixes());
  if (request.options.up || request.options.metres || request.fromUp)
    throw UsageError(
        "--up, --unit and --from-up are for points in space; '{}' holds tracks in images",
        request.from);
  ImportedTracks tracks = format.read(request.from);
  completeTracks(tracks, request.from, request.rate);
  const std::vector<std::string> files = trackExportFiles(request.to, tracks.cameras.size());
  RunFiles written({request.from}, "conversion");
  written.write(files);
  if (std::ranges::all_of(tracks.cameras, [](const auto& rows) { return rows.empty(); })) {
    tracks.remarks.push_back(fmt::format("'{}' holds no track", request.from));
    throw Error(fmt::format("{}", fmt::join(tracks.remarks, "; ")));
  }
  const WholeClaims whole(files);
  Conversion made{.summary = {}, .sentences = tracks.remarks};
  const std::vector<std::string> losses = exportTracks(tracks, request.to);
  made.sentences.insert(made.sentences.end(), losses.begin(), losses.end());
  std::set<TrackId> ids;
  size_t rows = 0;
  for (const auto& camera : tracks.cameras) {
    rows += camera.size();
    for (const motion::TrackRow& row : camera) ids.insert(row.track);
  }
  made.summary = fmt::format("{}, {} at {:.6g} Hz -> {}", counted(ids.size(), "track"),
                             counted(rows, "row"), tracks.rate, namesOf(files));
  return made;
}

}  // namespace

Conversion convertFile(const ConversionRequest& request) {
  RunFiles({request.from}, "conversion").write(request.to);
  if (!base::isDevice(request.from) && !base::standardStream(request.from))
    if (const TrackImport* tracks = recognizeTracks(request.from))
      return convertTracks(request, *tracks);
  const TakeFormat* write = takeFormatOf(request.to, true);
  if (write == nullptr)
    throw UsageError(
        "the name '{}' does not show the format of the points: it must end in one of {}",
        request.to, fmt::join(takeSuffixes(), ", "));
  checkTakeOptions(request.to, *write, request.options);
  const TakeFormat& read = recognizeTake(request.from);
  const WholeClaims whole({request.to});
  TakeAccount account = convertTake(request.from, read, request.to, *write, request.options,
                                    request.fromUp, request.rate);
  return {.summary = fmt::format("{}, {} up -> {}", sizeOf(account.survey),
                                 account.up == UpAxis::y ? "y" : "z", request.to),
          .sentences = std::move(account.sentences)};
}

}  // namespace glint::output
