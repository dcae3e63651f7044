#include "app/space/table_sets.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/base/log.h"
#include "config/error.h"

namespace glint {
namespace {

long setNumberOf(const PointTable& table, const PointRow& row) {
  return table.setsKnown ? row.set : row.frame;
}

}  // namespace

void TableSets::add(const std::string& name, const PointTable& table, std::optional<size_t> only) {
  if (table.rows.empty()) throw Error(fmt::format("{} has no measured points", name));
  check(name, table);
  std::map<size_t, const PointRow*> last;  // by camera
  for (const PointRow& row : table.rows) {
    if (only && row.camera != table.rows.front().camera)
      throw Error(fmt::format(
          "{}, {} {}: with several tables each holds one camera, but this has {} and {}", name,
          words_.row, row.line, table.rows.front().camera, row.camera));
    const long frame = setNumberOf(table, row);
    const PointRow*& before = last[row.camera];
    if (before != nullptr && setNumberOf(table, *before) > frame)
      throw Error(
          fmt::format("{}, {} {}: frame {} of camera {} comes after frame {}; sort the "
                      "table by frame",
                      name, words_.row, row.line, frame, row.camera, setNumberOf(table, *before)));
    before = &row;
    add(name, table, row, only.value_or(row.camera), frame);
  }
  highest_ = std::max(highest_, only.value_or(last.rbegin()->first));
}

std::vector<SpaceSet> TableSets::take() {
  if (highest_ + 1 < rig_.size())
    log(LogLevel::warning,
        fmt::format("{} has {} cameras, but the tables have points of {} alone; {}", words_.rig,
                    rig_.size(), highest_ + 1, words_.choose));
  std::vector<SpaceSet> all;
  for (auto& [frame, set] : sets_) all.push_back(std::move(set));
  return all;
}

void TableSets::check(const std::string& name, const PointTable& table) const {
  if (table.timed && rate_ > 0)
    throw UsageError(
        fmt::format("{} {:g}: {} has times (time_s); leave it out", words_.rate, rate_, name));
  if (!table.timed && !(rate_ > 0))
    throw UsageError(
        fmt::format("{} has no times (time_s): give its frames a second, {}", name, words_.give));
}

void TableSets::add(const std::string& name, const PointTable& table, const PointRow& row,
                    size_t camera, long frame) {
  if (camera >= rig_.size())
    throw UsageError(fmt::format("{} has points of camera {}, but {} has {} cameras; {}", name,
                                 camera, words_.rig, rig_.size(), words_.choose));
  const RigCamera& seen = rig_[camera].camera();
  const Eigen::Vector2d& at = row.dot.at;
  if (!(at.x() >= -1 && at.x() <= seen.width && at.y() >= -1 && at.y() <= seen.height))
    throw Error(fmt::format(
        "{}, {} {}: ({:g}, {:g}) is outside the {}x{} pixels that camera {} has in {}", name,
        words_.row, row.line, at.x(), at.y(), seen.width, seen.height, camera, words_.rig));
  if (frame < 0)
    throw Error(
        fmt::format("{}, {} {}: frame {} is before the first", name, words_.row, row.line, frame));
  SpaceSet& set = sets_[frame];
  set.frame = static_cast<uint64_t>(frame);
  set.views.resize(rig_.size());
  SpaceView& view = set.views[camera];
  view.time = (table.timed ? row.time : static_cast<double>(frame) / rate_) + seen.timeOffset;
  const Eigen::Vector2d least(kLeastDotSigma, kLeastDotSigma);
  view.dots.push_back({at, table.sigmasKnown ? row.dot.sigma : least});
}

}  // namespace glint
