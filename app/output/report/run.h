// A run of Glint as a report shows it: its tracks, the times of its frames, and its record.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/output/report/run_facts.h"
#include "app/output/report/summary.h"

namespace glint::output::report {

/// The figures of one set in a table of points in space.
struct SpaceSetFigures {
  uint64_t frame = 0;
  double time = 0;  ///< s
  uint32_t measured = 0;
  double squares = 0;  ///< px^2, of the residuals of measured points

  /// Returns the root mean square of the residuals, px; 0 without measured points.
  double residual() const;
};

/// The figures of a points.csv.
struct SpaceTable {
  std::vector<SpaceSetFigures> sets;  ///< sets that have rows, in order
  uint64_t rows = 0;
};

/// Reads a points.csv. Throws Error naming file and line if it differs from docs/formats.md.
SpaceTable readSpaceTable(const std::string& path);

/// Frames that were dropped just before one that was kept.
struct Drop {
  uint32_t frame = 0;
  double time = 0;  ///< s
  uint64_t count = 0;
};

/// The figures of one camera.
struct Camera {
  CameraSummary summary;    ///< summary whose `frames` are those of stats.csv if there is one
  std::vector<Drop> drops;  ///< drops that stats.csv lists
};

/// A run as its files describe it.
struct Run {
  std::string name;  ///< name of the tracks' file, without folders
  std::map<uint16_t, Camera> cameras = {};
  std::optional<RunFacts> facts = {};           ///< facts from the run record
  std::vector<SpaceSetFigures> spaceSets = {};  ///< figures of points.csv
  /// True if a stats.csv names every frame; otherwise only frames with rows are known.
  bool allFrames = false;
  /// Remarks for the reader, one sentence each.
  std::vector<std::string> notes = {};
};

/// Reads a tracks.csv, the run record beside it, `stats` (empty: a stats.csv beside it) and, for a
/// run with a rig, the points.csv beside it. A file that is broken, or belongs to other tracks,
/// becomes a note. Throws Error naming file and line if tracks or `stats` differ from
/// docs/formats.md.
Run readRun(const std::string& tracks, const std::string& stats);

}  // namespace glint::output::report
