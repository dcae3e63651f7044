// Tracks of other programs, written by the sinks that write Glint's own.
#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "app/base/suffix.h"
#include "app/output/edit/edited_tracks.h"
#include "app/output/imports/track_import.h"
#include "app/output/sinks/edited_sink.h"
#include "app/output/tables/track_formats.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::output {
namespace {

constexpr std::string_view kXmlSuffix = ".xml";
constexpr uint64_t kSensibleFrames =
    10'000'000;  // more, and few of them with a row: a damaged number

bool isXml(const std::string& to) {
  return !base::longestSuffix(to, std::span(&kXmlSuffix, 1)).empty();
}

/// Returns the names as the edits that would have given them. They must be valid names.
SharedEdits namesAsEdits(const ImportedTracks& tracks) {
  if (tracks.names.empty()) return nullptr;
  TrackEdits edits;
  std::map<TrackId, bool> named;
  for (size_t camera = 0; camera < tracks.cameras.size(); ++camera)
    for (const motion::TrackRow& row : tracks.cameras[camera]) {
      const auto name = tracks.names.find(row.track);
      if (name == tracks.names.end()) continue;
      if (!named.try_emplace(row.track, true).second) continue;
      edits.edits.push_back({.kind = EditKind::rename,
                             .at = {CameraIndex(camera), row.frame, row.x, row.y},
                             .name = name->second});
    }
  EditCollector collector(edits);
  for (size_t camera = 0; camera < tracks.cameras.size(); ++camera)
    for (const motion::TrackRow& row : tracks.cameras[camera])
      collector.add(CameraIndex(camera), row);
  return std::make_shared<const EditedTracks>(apply(edits, collector.tracks()));
}

struct FrameRange {
  uint64_t first = std::numeric_limits<uint64_t>::max(), last = 0;
};

FrameRange rangeOf(const ImportedTracks& tracks) {
  FrameRange range;
  uint64_t rows = 0;
  for (const auto& camera : tracks.cameras)
    for (const motion::TrackRow& row : camera) {
      range.first = std::min(range.first, row.frame.value());
      range.last = std::max(range.last, row.frame.value());
      ++rows;
    }
  if (rows > 0 && range.last > kSensibleFrames && range.last / 100 > rows)
    throw Error("frame {} is too large for a table of {}; is it a number of a frame?", range.last,
                counted(rows, "row"));
  return range;
}

/// Makes the frame of a session that would have had these rows.
motion::FramePtr frameOf(const ImportedTracks& tracks, uint64_t number, std::vector<size_t>& next,
                         const SharedEdits& edits) {
  auto frame = std::make_shared<motion::Frame>();
  frame->set = SetIndex(number);
  frame->cameras.resize(tracks.cameras.size());
  for (size_t camera = 0; camera < tracks.cameras.size(); ++camera) {
    const auto& rows = tracks.cameras[camera];
    motion::CameraFrame& to = frame->cameras[camera];
    double time = static_cast<double>(number) / tracks.rate;
    for (size_t& i = next[camera]; i < rows.size() && rows[i].frame.value() == number; ++i) {
      to.finalised.push_back(rows[i]);
      to.finalised.back().set = frame->set;
      time = rows[i].time;
    }
    gpu::FrameStamp stamp{};
    stamp.sequence = decltype(stamp.sequence)(number);
    stamp.time = time;
    to.measured.stamp = stamp;
  }
  if (edits) frame->results.put(edits);
  return frame;
}

/// Predicted rows are in Glint's own tables alone.
std::vector<std::string> lossesOf(const ImportedTracks& tracks, const std::string& to) {
  if (!isXml(to)) {
    const TrackFormat& format = chooseTrackFormat(to, "");
    if (format.name == "csv" || format.name == "jsonl") return {};
  }
  size_t predicted = 0;
  for (const auto& rows : tracks.cameras)
    predicted += static_cast<size_t>(
        std::ranges::count(rows, motion::TrackState::predicted, &motion::TrackRow::state));
  if (predicted == 0) return {};
  return {fmt::format("{} cannot hold {} that {} predicted and not measured", to,
                      counted(predicted, "row"), predicted == 1 ? "was" : "were")};
}

}  // namespace

std::vector<std::string_view> trackExportSuffixes() {
  std::vector<std::string_view> all;
  for (const TrackFormat& format : trackFormats())
    all.insert(all.end(), format.suffixes.begin(), format.suffixes.end());
  all.push_back(kXmlSuffix);
  return all;
}

std::vector<std::string> trackExportFiles(const std::string& to, size_t cameras) {
  if (isXml(to)) return {to};
  return trackFiles(to, chooseTrackFormat(to, ""), std::max<size_t>(cameras, 1));
}

std::vector<std::string> exportTracks(const ImportedTracks& tracks, const std::string& to) {
  const FrameRange range = rangeOf(tracks);
  std::vector<std::string> losses = lossesOf(tracks, to);
  if (isXml(to)) {
    if (tracks.cameras.size() > 1)
      throw UsageError("'{}' can hold one camera, and there are {}", to, tracks.cameras.size());
    const size_t alone = writeTrackMateXml(
        to, tracks.cameras.empty() ? std::vector<motion::TrackRow>() : tracks.cameras[0],
        tracks.names, tracks.rate);
    if (alone > 0)
      losses.push_back(fmt::format("{} cannot hold {} of a single row: its spot has no track", to,
                                   counted(alone, "track")));
    return losses;
  }
  const TrackFormat& format = chooseTrackFormat(to, "");
  const std::vector<std::string> files = trackExportFiles(to, tracks.cameras.size());
  std::vector<std::unique_ptr<Sink>> sinks;
  for (size_t i = 0; i < files.size(); ++i) sinks.push_back(format.make(files[i], i));
  const SharedEdits edits = namesAsEdits(tracks);
  std::vector<size_t> next(tracks.cameras.size());
  for (uint64_t number = range.first; number <= range.last; ++number) {
    const motion::FramePtr frame = frameOf(tracks, number, next, edits);
    for (const auto& sink : sinks) sink->accept(frame);
  }
  for (const auto& sink : sinks) sink->finish();
  return losses;
}

}  // namespace glint::output
