#include "app/commands/space_input.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/calibrate/points_table.h"
#include "app/commands/options.h"
#include "app/rig/rig_file.h"
#include "app/space/bodies_file.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr const char* kChoose = "--rig-cameras N,N,... chooses cameras of the rig";

/// Puts the rows of one table into the sets.
class SetReader {
 public:
  SetReader(const RigOptions& options, const SpaceRig& rig, double rate)
      : options_(options), rig_(rig), rate_(rate) {}

  /// `only`: the camera that all its rows are of, whatever number they have.
  void read(const std::string& path, std::optional<size_t> only) {
    const PointTable table = readPoints(path);
    if (table.rows.empty()) throw Error(fmt::format("{} has no measured points", path));
    check(path, table);
    std::map<size_t, const PointRow*> last;  // by camera
    for (const PointRow& row : table.rows) {
      if (only && row.camera != table.rows.front().camera)
        throw Error(fmt::format(
            "{}, line {}: with several tables each holds one camera, but this has {} and {}", path,
            row.line, table.rows.front().camera, row.camera));
      const long frame = frameOf(table, row);
      const PointRow*& before = last[row.camera];
      if (before != nullptr && frameOf(table, *before) > frame)
        throw Error(
            fmt::format("{}, line {}: frame {} of camera {} comes after frame {}; sort the "
                        "table by frame",
                        path, row.line, frame, row.camera, frameOf(table, *before)));
      before = &row;
      add(path, table, row, only.value_or(row.camera), frame);
    }
    highest_ = std::max(highest_, only.value_or(last.rbegin()->first));
  }

  std::vector<SpaceSet> take() {
    if (highest_ + 1 < rig_.size())
      log(LogLevel::warning,
          fmt::format("{} has {} cameras, but the tables have points of {} alone; {}", options_.rig,
                      rig_.size(), highest_ + 1, kChoose));
    std::vector<SpaceSet> all;
    for (auto& [frame, set] : sets_) all.push_back(std::move(set));
    return all;
  }

 private:
  static long frameOf(const PointTable& table, const PointRow& row) {
    return table.setsKnown ? row.set : row.frame;
  }

  void check(const std::string& path, const PointTable& table) const {
    if (table.timed && rate_ > 0)
      throw UsageError(
          fmt::format("--rate {:g}: {} has times (time_s); leave it out", rate_, path));
    if (!table.timed && !(rate_ > 0))
      throw UsageError(
          fmt::format("{} has no times (time_s): give its frames a second, --rate HZ", path));
  }

  void add(const std::string& path, const PointTable& table, const PointRow& row, size_t camera,
           long frame) {
    if (camera >= rig_.size())
      throw UsageError(fmt::format("{} has points of camera {}, but {} has {} cameras; {}", path,
                                   camera, options_.rig, rig_.size(), kChoose));
    const RigCamera& seen = rig_[camera].camera();
    const Eigen::Vector2d& at = row.dot.at;
    if (!(at.x() >= -1 && at.x() <= seen.width && at.y() >= -1 && at.y() <= seen.height))
      throw Error(fmt::format(
          "{}, line {}: ({:g}, {:g}) is outside the {}x{} pixels that camera {} has in {}", path,
          row.line, at.x(), at.y(), seen.width, seen.height, camera, options_.rig));
    if (frame < 0)
      throw Error(fmt::format("{}, line {}: frame {} is before the first", path, row.line, frame));
    SpaceSet& set = sets_[frame];
    set.frame = static_cast<uint64_t>(frame);
    set.views.resize(rig_.size());
    SpaceView& view = set.views[camera];
    view.time = (table.timed ? row.time : static_cast<double>(frame) / rate_) + seen.timeOffset;
    const Eigen::Vector2d least(kLeastDotSigma, kLeastDotSigma);
    view.dots.push_back({at, table.sigmasKnown ? row.dot.sigma : least});
  }

  const RigOptions& options_;
  const SpaceRig& rig_;
  double rate_;
  size_t highest_ = 0;
  std::map<long, SpaceSet> sets_;
};

}  // namespace

void RigOptions::addTo(CLI::App& command, bool required) {
  CLI::Option* file =
      command
          .add_option("--rig", rig,
                      "Rig of the cameras, from `glint calibrate`; its camera N is source N")
          ->check(kNamesFile)
          ->type_name("FILE");
  if (required) file->required();
  command
      .add_option("--rig-cameras", cameras,
                  "Cameras of the rig in the order of the sources, such as 2,0,1")
      ->delimiter(',')
      ->check(wholeNumber(0))
      ->needs(file)
      ->type_name("N,N,...");
  command
      .add_option("--bodies", bodies,
                  "Rigid bodies to find among the points, from `glint bodies` or by hand")
      ->check(kNamesFile)
      ->needs(file)
      ->type_name("FILE");
}

SharedBodies openBodies(const RigOptions& options) {
  if (options.bodies.empty()) return nullptr;
  return std::make_shared<const std::vector<Body>>(readBodies(options.bodies));
}

void checkPoses(const RigOptions& options, bool written) {
  if (written && options.bodies.empty())
    throw UsageError("--poses needs --bodies FILE, which bodies there are");
}

std::shared_ptr<const SpaceRig> openRig(const RigOptions& options) {
  RigFile file = readRig(options.rig);
  if (file.unit != "mm")
    throw UsageError(
        file.unit == "arbitrary"
            ? fmt::format("{} has no scale: calibrate with a wand, a board, or --distance",
                          options.rig)
            : fmt::format("{} has lengths in {}, but points are in mm", options.rig, file.unit));
  std::vector<bool> used(file.rig.cameras.size());
  for (const size_t camera : options.cameras) {
    if (camera >= used.size())
      throw UsageError(fmt::format("--rig-cameras: {} has cameras 0 to {}, not {}", options.rig,
                                   used.size() - 1, camera));
    if (used[camera])
      throw UsageError(fmt::format("--rig-cameras: camera {} is named twice", camera));
    used[camera] = true;
  }
  if (!options.cameras.empty()) file.rig = chosen(file.rig, options.cameras);
  if (file.rig.cameras.size() < 2)
    throw UsageError(fmt::format("{} has one camera; points need two or more", options.rig));
  return std::make_shared<const SpaceRig>(std::move(file.rig));
}

void warnOfRig(const RigOptions& options, const SpaceRig& rig, const SharedBodies& bodies) {
  if (!rig.hasCovariance())
    log(LogLevel::warning,
        fmt::format("{} has no covariance: sigmas of points lack the rig's share", options.rig));
  if (!bodies) return;
  for (const std::string& doubt : doubtsOf(*bodies))
    log(LogLevel::warning, fmt::format("{}: {}", options.bodies, doubt));
}

void checkImages(const RigOptions& options, const SpaceRig& rig,
                 const std::vector<std::pair<uint32_t, uint32_t>>& sizes) {
  if (sizes.size() != rig.size())
    throw UsageError(fmt::format("{} has {} cameras for {} source{}; {}", options.rig, rig.size(),
                                 sizes.size(), sizes.size() == 1 ? "" : "s", kChoose));
  for (size_t c = 0; c < rig.size(); ++c) {
    const RigCamera& camera = rig[c].camera();
    const auto [width, height] = sizes[c];
    if (static_cast<int>(width) != camera.width || static_cast<int>(height) != camera.height)
      throw UsageError(fmt::format("camera {} has {}x{} pixels in {}, but source {} has {}x{}", c,
                                   camera.width, camera.height, options.rig, c, width, height));
  }
}

std::vector<SpaceSet> readSets(const std::vector<std::string>& tables, const RigOptions& options,
                               const SpaceRig& rig, double rate) {
  SetReader reader(options, rig, rate);
  for (size_t t = 0; t < tables.size(); ++t)
    reader.read(tables[t], tables.size() > 1 ? std::optional(t) : std::nullopt);
  return reader.take();
}

}  // namespace glint
