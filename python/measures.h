// Distances, scores and calibrations of arrays that a program has.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/motion/calibrate/calibration.h"
#include "app/study/eval/score.h"
#include "app/study/volume/distance_map.h"
#include "python/frame_table.h"
#include "python/rig_input.h"

namespace glint::python {

/// As `glint distance` takes it, in its words.
struct DistanceRequest {
  std::string metric, side, form;  ///< form empty: float if euclidean, else integer
  study::FeatureRule rule;
  bool nearest = false;
  Settings::DeviceSettings device;
};

struct DistanceArrays {
  study::VolumeData distances;
  std::optional<study::VolumeData> nearest;
  uint64_t nans = 0;  ///< voxels that are no number, and so no features
};

/// Throws UsageError or Error. `progress` as of mapDistances(); what it throws is thrown on.
DistanceArrays distancesOf(const study::VolumeData& volume, const DistanceRequest& request,
                           const gpu::VolumeProgress& progress);

/// The columns of a table of tracks or of truth, of one length.
struct SampleColumns {
  std::span<const int64_t> camera, frame, id;
  std::span<const double> x, y;
  std::span<const uint8_t> visible;  ///< empty: all are
};

/// Throws UsageError naming the column for a value that it cannot have, and as sorted(). `id`: its
/// column's name.
std::vector<motion::Sample> samplesOf(const SampleColumns& columns, const std::string& what,
                                      const std::string& id);

/// The columns of a table of points, of one length.
struct PointColumns {
  std::span<const int64_t> camera, frame;
  std::span<const double> x, y;
  std::span<const double> time, sigmaX, sigmaY;  ///< or empty
  std::span<const int64_t> set = {};             ///< or empty
};

/// As `glint calibrate` takes it.
struct CalibrationArguments {
  std::vector<motion::FrameExtent>
      sizes;               ///< one for all cameras, or one each; empty: of `intrinsics`
  std::string wand, lens;  ///< wand empty: a single light
  std::string board = {};
  std::vector<Address> sources = {};  ///< with a board: recordings or images, a camera each
  std::string origin = {}, up = {};   ///< see parsePlacing()
  std::optional<motion::BaseLine> distance;
  std::map<size_t, double> offsets;  ///< s
  std::string intrinsics;            ///< text of a rig, or empty
  bool fix = false;
};

struct CalibrationTexts {
  std::string rig;      ///< rig.toml
  std::string account;  ///< for people
  std::string record;   ///< JSON
};

/// Throws UsageError or Error.
CalibrationTexts calibrationOf(const PointColumns& columns, const CalibrationArguments& request);

/// The same with a board. Throws Interrupted, too.
CalibrationTexts boardCalibrationOf(const CalibrationArguments& request,
                                    const capture::Interrupt& interrupt);

/// As `glint reconstruct` takes it.
struct ReconstructRequest {
  RigInput rig;
  double rate = 0;  ///< Hz; 0: the table has times
  Settings::Track settings;
};

struct SpaceTables {
  FrameTable points{FrameTable::Kind::points}, poses{FrameTable::Kind::poses};
};

/// Throws UsageError or Error.
SpaceTables reconstructOf(const PointColumns& columns, const ReconstructRequest& request);

}  // namespace glint::python
