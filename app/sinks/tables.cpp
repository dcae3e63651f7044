#include "app/sinks/tables.h"

#include "gpu/statistics.h"

namespace glint {
namespace {

using Out = std::string&;

/// What is of live cameras alone.
bool live(const StatsTable::Row& row) {
  return row.stamp.captured != 0;
}

}  // namespace

const Columns<TracksTable::Row>& TracksTable::columns() {
  static const Columns<Row> all{
      {"camera", "", "from 0, in the order of the sources",
       [](Out o, const Row& r) { put(o, "{}", r.camera); }},
      {"frame", "", "the camera's own, from 0; a frame that was dropped has none",
       [](Out o, const Row& r) { put(o, "{}", r.track.frame); }},
      {"time_s", "s", "the source's own time",
       [](Out o, const Row& r) { put(o, "{:.6f}", r.track.time); }},
      {"track", "",
       "id, from 1, never given to another marker in a session; it may go on after a gap without "
       "rows (`--no-stitch`: a new one then)",
       [](Out o, const Row& r) { put(o, "{}", r.track.track); }},
      {"state", "", "`measured`, or `predicted` in a gap between two measurements",
       [](Out o, const Row& r) {
         o += r.track.state == TrackState::measured ? "measured" : "predicted";
       },
       true},
      {"x", "px", "position", [](Out o, const Row& r) { put(o, "{:.4f}", r.track.x); }},
      {"y", "px", "", [](Out o, const Row& r) { put(o, "{:.4f}", r.track.y); }},
      {"vx", "px/s", "velocity", [](Out o, const Row& r) { put(o, "{:.3f}", r.track.vx); }},
      {"vy", "px/s", "", [](Out o, const Row& r) { put(o, "{:.3f}", r.track.vy); }},
      {"peak", "counts", "response at the brightest pixel",
       [](Out o, const Row& r) { put(o, "{:.0f}", r.track.seen.peak); }},
      {"mass", "counts", "response above background, summed",
       [](Out o, const Row& r) { put(o, "{:.1f}", r.track.seen.mass); }},
      {"radius", "px", "of the uniform disc with the same second moments",
       [](Out o, const Row& r) { put(o, "{:.3f}", r.track.seen.radius); }},
      {"eccentricity", "", "0 (round) to 1",
       [](Out o, const Row& r) { put(o, "{:.3f}", r.track.seen.eccentricity); }},
      {"sigma_x", "px", "standard deviation of x, from the image noise",
       [](Out o, const Row& r) { put(o, "{:.4f}", r.track.seen.sigmaX); }},
      {"sigma_y", "px", "of y", [](Out o, const Row& r) { put(o, "{:.4f}", r.track.seen.sigmaY); }},
      {"flags", "",
       "sum of 1 saturated, 2 at the image border, 4 expected by a track, 8 merged, 16 split, 32 "
       "partial (see detection.md)",
       [](Out o, const Row& r) { put(o, "{}", r.track.seen.flags); }},
      {"angle", "degrees", "from x towards y: how a template fits best; only where one is sought",
       [](Out o, const Row& r) {
         if (r.fits()) put(o, "{:.3f}", r.track.seen.angle);
       },
       false, Presence::fits},
      {"scale", "", "of that template",
       [](Out o, const Row& r) {
         if (r.fits()) put(o, "{:.4f}", r.track.seen.scale);
       },
       false, Presence::fits},
      {"provisional", "",
       "1: the whole recording was not tracked yet, which gives other ids; only where that is so",
       [](Out o, const Row& r) {
         if (r.provisional) o += '1';
       },
       false, Presence::provisional},
  };
  return all;
}

const Columns<DetectionsTable::Row>& DetectionsTable::columns() {
  static const Columns<Row> all{
      {"camera", "", "from 0, in the order of the sources",
       [](Out o, const Row& r) { put(o, "{}", r.camera); }},
      {"frame", "", "the camera's own, from 0",
       [](Out o, const Row& r) { put(o, "{}", r.stamp.sequence); }},
      {"time_s", "s", "the source's own time",
       [](Out o, const Row& r) { put(o, "{:.6f}", r.stamp.time); }},
      {"rank", "", "1: the best", [](Out o, const Row& r) { put(o, "{}", r.rank); }},
      {"peak_x", "px", "the brightest pixel",
       [](Out o, const Row& r) { put(o, "{}", r.marker.peakX); }},
      {"peak_y", "px", "", [](Out o, const Row& r) { put(o, "{}", r.marker.peakY); }},
      {"peak", "counts", "its response", [](Out o, const Row& r) { put(o, "{}", r.marker.peak); }},
      {"x", "px", "position", [](Out o, const Row& r) { put(o, "{:.4f}", r.marker.x); }},
      {"y", "px", "", [](Out o, const Row& r) { put(o, "{:.4f}", r.marker.y); }},
      {"mass", "counts", "response above background, summed",
       [](Out o, const Row& r) { put(o, "{:.1f}", r.marker.mass); }},
      {"radius", "px", "of the uniform disc with the same second moments",
       [](Out o, const Row& r) { put(o, "{:.3f}", r.marker.radius); }},
      {"eccentricity", "", "0 (round) to 1",
       [](Out o, const Row& r) { put(o, "{:.3f}", r.marker.eccentricity); }},
      {"sigma_x", "px", "standard deviation of x",
       [](Out o, const Row& r) { put(o, "{:.4f}", r.marker.sigmaX); }},
      {"sigma_y", "px", "of y", [](Out o, const Row& r) { put(o, "{:.4f}", r.marker.sigmaY); }},
      {"flags", "", "as in tracks.csv", [](Out o, const Row& r) { put(o, "{}", r.marker.flags); }},
      {"angle", "degrees", "as in tracks.csv",
       [](Out o, const Row& r) {
         if (r.fit) put(o, "{:.3f}", r.fit->angle);
       },
       false, Presence::fits},
      {"scale", "", "as in tracks.csv",
       [](Out o, const Row& r) {
         if (r.fit) put(o, "{:.4f}", r.fit->scale);
       },
       false, Presence::fits},
  };
  return all;
}

const Columns<RejectedTable::Row>& RejectedTable::columns() {
  static constexpr auto measured = [](const Row& r) { return r.candidate.measured; };
  static const Columns<Row> all{
      {"camera", "", "from 0, in the order of the sources",
       [](Out o, const Row& r) { put(o, "{}", r.camera); }},
      {"frame", "", "the camera's own, from 0",
       [](Out o, const Row& r) { put(o, "{}", r.stamp.sequence); }},
      {"time_s", "s", "the source's own time",
       [](Out o, const Row& r) { put(o, "{:.6f}", r.stamp.time); }},
      {"reason", "", "see below", [](Out o, const Row& r) { o += nameOf(r.candidate.reason); },
       true},
      {"peak_x", "px", "the brightest pixel",
       [](Out o, const Row& r) { put(o, "{}", r.candidate.seen.peakX); }},
      {"peak_y", "px", "", [](Out o, const Row& r) { put(o, "{}", r.candidate.seen.peakY); }},
      {"peak", "counts", "its response",
       [](Out o, const Row& r) { put(o, "{}", r.candidate.seen.peak); }},
      {"x", "px", "position, where it was measured",
       [](Out o, const Row& r) {
         if (measured(r)) put(o, "{:.4f}", r.candidate.seen.x);
       }},
      {"y", "px", "",
       [](Out o, const Row& r) {
         if (measured(r)) put(o, "{:.4f}", r.candidate.seen.y);
       }},
      {"mass", "counts", "as in tracks.csv",
       [](Out o, const Row& r) {
         if (measured(r)) put(o, "{:.1f}", r.candidate.seen.mass);
       }},
      {"radius", "px", "as in tracks.csv",
       [](Out o, const Row& r) {
         if (measured(r)) put(o, "{:.3f}", r.candidate.seen.radius);
       }},
      {"eccentricity", "", "0 (round) to 1",
       [](Out o, const Row& r) {
         if (measured(r)) put(o, "{:.3f}", r.candidate.seen.eccentricity);
       }},
      {"nearest_rank", "", "of a better marker that it is too near to",
       [](Out o, const Row& r) {
         if (r.candidate.nearestRank != 0) put(o, "{}", r.candidate.nearestRank);
       }},
  };
  return all;
}

const Columns<StatsTable::Row>& StatsTable::columns() {
  static const Columns<Row> all{
      {"camera", "", "from 0, in the order of the sources",
       [](Out o, const Row& r) { put(o, "{}", r.camera); }},
      {"frame", "", "the camera's own, from 0",
       [](Out o, const Row& r) { put(o, "{}", r.stamp.sequence); }},
      {"time_s", "s", "the source's own time",
       [](Out o, const Row& r) { put(o, "{:.6f}", r.stamp.time); }},
      // 17 significant digits: the threshold can be worked out again from these, exactly.
      {"mean", "counts", "of the luminance",
       [](Out o, const Row& r) {
         put(o, "{:.17g}", mean(r.measured.luminance, r.image.pixels()));
       }},
      {"variance", "counts^2", "of the luminance",
       [](Out o, const Row& r) {
         put(o, "{:.17g}", variance(r.measured.luminance, r.image.pixels()));
       }},
      {"min", "counts", "the least luminance",
       [](Out o, const Row& r) { put(o, "{}", r.measured.luminance.least); }},
      {"min_x", "px", "the first pixel that has it",
       [](Out o, const Row& r) { put(o, "{}", r.measured.luminance.leastIndex % r.image.width); }},
      {"min_y", "px", "",
       [](Out o, const Row& r) { put(o, "{}", r.measured.luminance.leastIndex / r.image.width); }},
      {"max", "counts", "the greatest luminance",
       [](Out o, const Row& r) { put(o, "{}", r.measured.luminance.most); }},
      {"max_x", "px", "the first pixel that has it",
       [](Out o, const Row& r) { put(o, "{}", r.measured.luminance.mostIndex % r.image.width); }},
      {"max_y", "px", "",
       [](Out o, const Row& r) { put(o, "{}", r.measured.luminance.mostIndex / r.image.width); }},
      {"threshold", "counts", "least response of a candidate",
       [](Out o, const Row& r) { put(o, "{}", r.measured.threshold); }},
      {"candidates", "", "or components, where markers are blobs",
       [](Out o, const Row& r) { put(o, "{}", r.measured.candidates); }},
      {"dropped_before", "", "frames of this camera lost or replaced since the one before",
       [](Out o, const Row& r) { put(o, "{}", r.stamp.droppedBefore); }},
      {"source_frame", "", "live: the camera's own number",
       [](Out o, const Row& r) {
         if (live(r)) put(o, "{}", r.stamp.sourceSequence);
       }},
      {"delay_ms", "ms", "live: from when it was taken until it was here",
       [](Out o, const Row& r) {
         if (live(r)) put(o, "{:.3f}", 1e3 * (r.stamp.arrival - r.stamp.captured));
       }},
      {"age_ms", "ms", "live: from when it was taken until its tracks were known",
       [](Out o, const Row& r) {
         if (live(r)) put(o, "{:.3f}", 1e3 * (r.tracked - r.stamp.captured));
       }},
      {"skipped_before", "", "live: of `dropped_before`, those that never came whole",
       [](Out o, const Row& r) {
         if (live(r)) put(o, "{}", r.stamp.skippedBefore);
       }},
      {"rate_hz", "frames/s", "live: lately",
       [](Out o, const Row& r) {
         if (live(r) && r.stamp.rate > 0) put(o, "{:.3f}", r.stamp.rate);
       }},
      {"jitter_ms", "ms", "live: standard deviation of the intervals",
       [](Out o, const Row& r) {
         if (live(r) && r.stamp.rate > 0) put(o, "{:.3f}", 1e3 * r.stamp.jitter);
       }},
      {"uncertainty_ms", "ms", "live: how far off `time_s` may be",
       [](Out o, const Row& r) {
         if (live(r) && r.stamp.uncertainty > 0) put(o, "{:.3f}", 1e3 * r.stamp.uncertainty);
       }},
      {"told", "", "what filters measured: `light.mean=0.25;...`",
       [](Out o, const Row& r) {
         std::string_view comma;
         for (const auto& [name, value] : r.measured.told) {
           put(o, "{}{}={:.17g}", comma, name, value);
           comma = ";";
         }
       },
       true},
  };
  return all;
}

std::string formatsMarkdown() {
  return "tracks.csv\n\n" + markdown(TracksTable::columns()) + "\ndetections.csv\n\n" +
         markdown(DetectionsTable::columns()) + "\nrejected.csv\n\n" +
         markdown(RejectedTable::columns()) + "\nstats.csv\n\n" + markdown(StatsTable::columns());
}

}  // namespace glint
