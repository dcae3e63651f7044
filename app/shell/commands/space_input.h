// The inputs of points in space: a rig, and tables of 2D points.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/motion/space/body.h"
#include "app/motion/space/space_rig.h"
#include "app/motion/space/space_set.h"
#include "app/shell/commands/sync_options.h"

namespace glint::shell {

/// The options of commands that need a rig.
struct RigOptions {
  std::string rig;
  std::vector<size_t> cameras;  ///< --rig-cameras; empty: all, in their order
  std::string bodies;           ///< --bodies; empty: no bodies are searched

  void addTo(CLI::App& command, bool required);
};

/// A rig that was read, and how the pictures of its cameras were turned: see RigFile::orientations.
struct OpenRig {
  std::shared_ptr<const motion::SpaceRig> rig;
  std::vector<std::string> orientations;
};

/// Reads the rig of the options. For `corrects`, see SpaceRig. Throws UsageError naming the rig for
/// cameras that it lacks or that are named twice, or for lengths that are not in mm. Throws Error
/// if it cannot be read.
OpenRig openRig(const RigOptions& options, bool corrects = false);

using SharedBodies = std::shared_ptr<const std::vector<motion::Body>>;

/// Returns the bodies of the options; null if there are none. Throws Error as readBodies() does.
SharedBodies openBodies(const RigOptions& options);

/// Throws UsageError if poses are to be written, and --bodies does not name the bodies.
void checkPoses(const RigOptions& options, bool written);

/// Warns if the rig has no covariance, or has two cameras in one place, and about doubtful bodies.
/// Call it once all options are known to be valid.
void warnOfRig(const RigOptions& options, const motion::SpaceRig& rig, const SharedBodies& bodies);

/// Throws UsageError if the sources' images do not have the number and shapes of those of the rig's
/// cameras.
void checkImages(const RigOptions& options, const motion::SpaceRig& rig,
                 const std::vector<motion::ImageShape>& images);

/// Warns of each source whose pictures are turned otherwise than those with which its camera was
/// calibrated. It is no error, because a program that has written the recording again may have
/// turned the stored pictures. `turned`: SourceSummary::orientation of each source.
void warnOfOrientations(const RigOptions& options, const std::vector<std::string>& calibrated,
                        const std::vector<std::string>& turned);

/// Sets that were read from tables, and whether they were made by time.
struct ReadSets {
  std::vector<motion::SpaceSet> sets;
  bool byTime = false;
  std::vector<std::string> labels = {};  ///< of dots; empty: they have none
  bool sigmasKnown = true;               ///< every table states the sigmas of its dots
};
/// Reads the sets of tables of 2D points, the same tables that `glint calibrate` reads. See
/// TableSets for which rows belong together. With several tables, table N holds camera N. `rate` is
/// the number of frames a second for tables without times; 0 if it was not given. Throws Error
/// naming the table, and the line if there is one. Throws UsageError for a camera that the rig
/// lacks, or for `rate`. If `sync` asks for it, rows belong together by the clocks of the cameras,
/// which replace the rig's time offsets; then findClocks() and readClocks() may throw, too.
ReadSets readSets(const std::vector<std::string>& tables, const RigOptions& options,
                  const motion::SpaceRig& rig, double rate, const SyncOption& sync,
                  std::FILE* words);

}  // namespace glint::shell
