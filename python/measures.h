// Computes distances, scores, calibrations and points in space from arrays of a program.
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

/// The options of `glint distance`, as texts where they are texts there.
struct DistanceRequest {
  std::string metric, side, form;  ///< empty form: float if euclidean, otherwise integer
  study::FeatureRule rule;
  bool nearest = false;
  Settings::DeviceSettings device;
};

struct DistanceArrays {
  study::VolumeData distances;
  std::optional<study::VolumeData> nearest;
  uint64_t nans = 0;  ///< number of voxels that are NaN, and therefore not features
};

/// Returns the distances of a volume. For `progress` see mapDistances(); its exceptions are passed
/// on. Throws UsageError or Error.
DistanceArrays distancesOf(const study::VolumeData& volume, const DistanceRequest& request,
                           const gpu::VolumeProgress& progress);

/// The columns of a table of tracks or of truth, all of one length.
struct SampleColumns {
  std::span<const int64_t> camera, frame, id;
  std::span<const double> x, y;      ///< px
  std::span<const uint8_t> visible;  ///< 0 or not; empty: all samples are visible
};

/// Returns the rows of a table as samples, sorted. `what`: the table's name in messages; `id`: the
/// name of the column of ids. Throws UsageError, which names the column, for a value that the
/// column cannot have, and where sorted() throws.
std::vector<motion::Sample> samplesOf(const SampleColumns& columns, const std::string& what,
                                      const std::string& id);

/// The columns of a table of points in images, all of one length.
struct PointColumns {
  std::span<const int64_t> camera, frame;
  std::span<const double> x, y;                  ///< px
  std::span<const double> time, sigmaX, sigmaY;  ///< s, px, px; empty if not known
  std::span<const int64_t> set = {};             ///< index of the moment; empty if not known
};

/// The options of `glint calibrate`.
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
  std::string rig;      ///< text of a rig.toml
  std::string account;  ///< quality of the calibration, for people
  std::string record;   ///< the same as JSON
};

/// Calibrates cameras from points of a light or a wand. Throws UsageError or Error.
CalibrationTexts calibrationOf(const PointColumns& columns, const CalibrationArguments& request);

/// Calibrates cameras from recordings of a board. Throws UsageError, Error, or Interrupted once
/// `interrupt` is set.
CalibrationTexts boardCalibrationOf(const CalibrationArguments& request,
                                    const capture::Interrupt& interrupt);

/// The options of `glint reconstruct`.
struct ReconstructRequest {
  RigInput rig;
  double rate = 0;  ///< frames/s; 0: the table has times
  Settings::Track settings;
};

struct SpaceTables {
  FrameTable points{FrameTable::Kind::points}, poses{FrameTable::Kind::poses};
};

/// Returns the points and rigid bodies in space that follow from points in images. Throws
/// UsageError or Error.
SpaceTables reconstructOf(const PointColumns& columns, const ReconstructRequest& request);

}  // namespace glint::python
