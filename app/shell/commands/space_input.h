// What points in space are computed from: a rig, and tables of 2D points.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/motion/space/body.h"
#include "app/motion/space/space_rig.h"
#include "app/motion/space/space_set.h"

namespace glint::shell {

struct RigOptions {
  std::string rig;
  std::vector<size_t> cameras;  ///< --rig-cameras; empty: all, in their order
  std::string bodies;           ///< --bodies; empty: none are sought

  void addTo(CLI::App& command, bool required);
};

/// The rig that was asked for; `corrects`: see SpaceRig. Throws UsageError naming the rig
/// for cameras that it lacks or that are named twice, or lengths that are not mm; Error where it
/// cannot be read.
std::shared_ptr<const motion::SpaceRig> openRig(const RigOptions& options, bool corrects = false);

using SharedBodies = std::shared_ptr<const std::vector<motion::Body>>;

/// The bodies that are sought, or null. Throws Error as readBodies() does.
SharedBodies openBodies(const RigOptions& options);

/// Throws UsageError where poses are to be written, and --bodies does not say whose.
void checkPoses(const RigOptions& options, bool written);

/// Once nothing is refused: says so where the rig has no covariance or two cameras in one place,
/// and what of the bodies is doubtful.
void warnOfRig(const RigOptions& options, const motion::SpaceRig& rig, const SharedBodies& bodies);

/// Throws UsageError where the sources' images are not those of the rig's cameras, in number and
/// size. `what`: "sources".
void checkImages(const RigOptions& options, const motion::SpaceRig& rig,
                 const std::vector<std::pair<uint32_t, uint32_t>>& sizes);

/// Sets of tables, and whether they were made by time.
struct ReadSets {
  std::vector<motion::SpaceSet> sets;
  bool byTime = false;
};
/// The sets of tables of 2D points: those that `glint calibrate` reads. See TableSets for which
/// rows belong together. With several tables, table N holds camera N. `rate`: frames a second where
/// there are no times; 0: not given. Throws Error naming the table, and the line where there is
/// one; UsageError for a camera that the rig lacks, or for `rate`.
ReadSets readSets(const std::vector<std::string>& tables, const RigOptions& options,
                  const motion::SpaceRig& rig, double rate);

}  // namespace glint::shell
