#include "app/shell/commands/space_input.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/motion/labels/pose_files.h"
#include "app/motion/rig/rig_file.h"
#include "app/motion/space/bodies_file.h"
#include "app/motion/space/body_doubts.h"
#include "app/motion/space/space_rig.h"
#include "app/motion/space/table_sets.h"
#include "app/shell/commands/options.h"
#include "config/error.h"

namespace glint::shell {
namespace {

constexpr const char* kChoose = "--rig-cameras N,N,... chooses cameras of the rig";

/// Warns of two cameras in the same place, because their rays meet nowhere else.
void warnOfOnePlace(const RigOptions& options, const motion::SpaceRig& rig) {
  constexpr double kLeast = 1, kLeastShare = 0.001;  // mm; of the distance to what they look at
  const double least = std::max(kLeast, kLeastShare * rig.distance());
  for (size_t b = 1; b < rig.size(); ++b)
    for (size_t a = 0; a < b; ++a)
      if ((rig[a].centre() - rig[b].centre()).norm() < least) {
        base::warn(
            "cameras {} and {} stand in one place in {}: what they alone see is no "
            "point",
            a, b, options.rig);
        break;
      }
}

}  // namespace

void RigOptions::addTo(CLI::App& command, bool required) {
  CLI::Option* file =
      addFile(command, "--rig", rig,
              "Rig of the cameras, from `glint calibrate`; its camera N is source N");
  if (required) file->required();
  addValue(command, "--rig-cameras", cameras,
           "Cameras of the rig in the order of the sources, such as 2,0,1", "N,N,...",
           wholeNumber(0))
      ->delimiter(',')
      ->needs(file);
  addFile(command, "--bodies", bodies,
          "Rigid bodies to find among the points, from `glint bodies` or by hand")
      ->needs(file);
}

SharedBodies openBodies(const RigOptions& options) {
  if (options.bodies.empty()) return nullptr;
  return std::make_shared<const std::vector<motion::Body>>(motion::readBodies(options.bodies));
}

void checkPoses(const RigOptions& options, bool written) {
  if (written && options.bodies.empty())
    throw UsageError("--poses needs --bodies FILE, which bodies there are");
}

OpenRig openRig(const RigOptions& options, bool corrects) {
  motion::RigFile file = motion::readRig(options.rig);
  for (const std::string& remark : file.remarks) base::warn("{}", remark);
  if (file.unit != "mm")
    throw UsageError(
        file.unit == "arbitrary"
            ? fmt::format("{} has no scale: calibrate with a wand, a board, or --distance, or "
                          "say its scale with `glint rig --scale`",
                          options.rig)
            : fmt::format("{} has lengths in {}, but points are in mm: `glint rig --scale` makes "
                          "a rig in mm",
                          options.rig, file.unit));
  std::vector<bool> used(file.rig.cameras.size());
  for (const size_t camera : options.cameras) {
    if (camera >= used.size())
      throw UsageError("--rig-cameras: {} has cameras 0 to {}, not {}", options.rig,
                       used.size() - 1, camera);
    if (used[camera]) throw UsageError("--rig-cameras: camera {} is named twice", camera);
    used[camera] = true;
  }
  if (!options.cameras.empty()) {
    file.rig = motion::chosen(file.rig, options.cameras);
    if (!file.orientations.empty()) {
      std::vector<std::string> chosen;
      for (const size_t camera : options.cameras) chosen.push_back(file.orientations[camera]);
      file.orientations = std::move(chosen);
    }
  }
  if (file.rig.cameras.size() < 2)
    throw UsageError("{} has one camera; points need two or more", options.rig);
  return {std::make_shared<const motion::SpaceRig>(std::move(file.rig), corrects),
          std::move(file.orientations)};
}

void warnOfRig(const RigOptions& options, const motion::SpaceRig& rig, const SharedBodies& bodies) {
  warnOfOnePlace(options, rig);
  if (!rig.hasCovariance())
    base::warn("{} has no covariance: sigmas of points lack the rig's share", options.rig);
  if (!bodies) return;
  for (const std::string& doubt : motion::doubtsOf(*bodies))
    base::warn("{}: {}", options.bodies, doubt);
}

void checkImages(const RigOptions& options, const motion::SpaceRig& rig,
                 const std::vector<motion::ImageShape>& images) {
  motion::checkRigImages(rig, images, options.rig, kChoose);
}

void warnOfOrientations(const RigOptions& options, const std::vector<std::string>& calibrated,
                        const std::vector<std::string>& turned) {
  for (size_t c = 0; c < calibrated.size(); ++c) {
    const std::string now = turned[c].empty() ? motion::kAsStored : turned[c];
    if (calibrated[c] == now) continue;
    base::warn(
        "camera {} of {} was calibrated with pictures {}, but those of source {} are {}: if the "
        "scene is turned in them, add ?rotate= to this source",
        c, options.rig, calibrated[c], c, now);
  }
}

namespace {

/// Reads a table of points, or a file of labelled points of another program.
motion::PointTable readPointTable(const std::string& file) {
  motion::PointTable table =
      motion::isPoseFile(file) ? motion::readPoses(file) : motion::readPoints(file);
  for (const std::string& remark : table.remarks) base::warn("{}", remark);
  return table;
}

/// Reads all tables and sets their times to one clock. With several tables, table N gets camera N.
std::vector<motion::PointTable> readOnOneClock(const std::vector<std::string>& files,
                                               const motion::SpaceRig& rig, double rate,
                                               const SyncOption& sync, std::FILE* words) {
  std::vector<motion::PointTable> tables;
  motion::PointTable all{.rows = {}, .timed = true};
  for (size_t t = 0; t < files.size(); ++t) {
    motion::PointTable& table = tables.emplace_back(readPointTable(files[t]));
    if (!table.timed && !(rate > 0))
      throw UsageError("{} has no times (time_s): give its frame rate (--rate HZ)", files[t]);
    for (motion::PointRow& row : table.rows) {
      if (files.size() > 1) row.camera = t;
      if (!table.timed) row.time = static_cast<double>(row.frame) / rate;
      if (row.camera >= rig.size())
        throw UsageError("{} has points of camera {}, but the rig has {} cameras", files[t],
                         row.camera, rig.size());
    }
    table.timed = true;
    table.setsKnown = false;
    all.rows.insert(all.rows.end(), table.rows.begin(), table.rows.end());
  }
  std::vector<motion::FrameExtent> sizes;
  for (const motion::RigCamera& camera : rig.rig().cameras)
    sizes.push_back({camera.width, camera.height});
  auto clocks = clocksFor(sync, all, sizes, &rig.rig(), {}, words);
  // The sets are made with the rig's offsets added.
  for (size_t c = 0; c < rig.size(); ++c) (*clocks)[c].offset -= rig[c].camera().timeOffset;
  for (motion::PointTable& table : tables) setClocks(table, *clocks);
  return tables;
}

}  // namespace

ReadSets readSets(const std::vector<std::string>& tables, const RigOptions& options,
                  const motion::SpaceRig& rig, double rate, const SyncOption& sync,
                  std::FILE* words) {
  std::vector<motion::PointTable> synced;
  if (!sync.value.empty()) synced = readOnOneClock(tables, rig, rate, sync, words);
  motion::TableSets sets(
      {.rig = options.rig, .choose = kChoose, .rate = "--rate", .give = "--rate HZ", .row = "line"},
      rig, synced.empty() ? rate : 0);
  ReadSets read;
  for (size_t t = 0; t < tables.size(); ++t) {
    const std::optional<size_t> only = tables.size() > 1 ? std::optional(t) : std::nullopt;
    if (!synced.empty() || motion::isPoseFile(tables[t])) {
      const motion::PointTable table =
          synced.empty() ? readPointTable(tables[t]) : std::move(synced[t]);
      sets.add(tables[t], table, only);
      read.sigmasKnown = read.sigmasKnown && table.sigmasKnown;
    } else {
      motion::PointReader table(tables[t]);
      sets.add(tables[t], table, only);
      read.sigmasKnown = read.sigmasKnown && table.sigmasKnown();
    }
  }
  read.sets = sets.take();
  read.labels = sets.labels();
  read.byTime = sets.byTime();
  return read;
}

}  // namespace glint::shell
