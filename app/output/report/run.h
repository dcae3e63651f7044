// A run of Glint as a report shows it: its tracks, the frames' times and what its record says.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/output/report/run_facts.h"
#include "app/output/report/summary.h"

namespace glint::output::report {

/// The figures of one set that a table of points in space gives.
struct SpaceSetFigures {
  uint64_t frame = 0;
  double time = 0;  ///< s
  uint32_t measured = 0;
  double squares = 0;  ///< px^2, of the residuals of measured points

  double residual() const;  ///< px rms; 0 without measured points
};

struct SpaceTable {
  std::vector<SpaceSetFigures> sets;  ///< that have rows, in order
  uint64_t rows = 0;
};

/// Reads a points.csv. Throws Error naming file and line where it differs from docs/formats.md.
SpaceTable readSpaceTable(const std::string& path);

/// Frames that were dropped just before one that was kept.
struct Drop {
  uint32_t frame = 0;
  double time = 0;  ///< s
  uint64_t count = 0;
};

struct Camera {
  CameraSummary summary;    ///< its `frames` are those of stats.csv where there is one
  std::vector<Drop> drops;  ///< from stats.csv
};

struct Run {
  std::string name;  ///< of the tracks' file, without folders
  std::map<uint16_t, Camera> cameras = {};
  std::optional<RunFacts> facts = {};           ///< of the run record
  std::vector<SpaceSetFigures> spaceSets = {};  ///< from points.csv
  bool allFrames = false;  ///< a stats.csv names every frame; otherwise those with rows are known
  std::vector<std::string> notes = {};  ///< what the reader must know, one sentence each
};

/// Reads a tracks.csv, the run record beside it, `stats` (empty: a stats.csv beside it), and of a
/// run with a rig the points.csv beside it. What is broken, or belongs to other tracks, becomes a
/// note. Throws Error naming file and line where tracks or `stats` differ from docs/formats.md.
Run readRun(const std::string& tracks, const std::string& stats);

}  // namespace glint::output::report
