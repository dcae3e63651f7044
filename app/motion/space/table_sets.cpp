#include "app/motion/space/table_sets.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/base/log.h"
#include "config/error.h"
#include "config/settings.h"

namespace glint::motion {

void TableSets::add(const std::string& name, const PointTable& table, std::optional<size_t> only) {
  Table added{name, only, table.timed, table.sigmasKnown, table.setsKnown, table.labels};
  for (const PointRow& row : table.rows) addRow(added, row);
  finish(added);
}

void TableSets::add(const std::string& name, PointReader& table, std::optional<size_t> only) {
  Table added{name, only, table.timed(), table.sigmasKnown(), table.setsKnown(), table.labels()};
  while (const auto row = table.next()) addRow(added, *row);
  finish(added);
}

void TableSets::addRow(Table& table, const PointRow& row) {
  if (table.cameras.empty()) {
    check(table);
    views_.resize(rig_.size());
  }
  CameraRows& camera = table.cameras[row.camera];
  if (table.only && table.cameras.size() > 1) {
    const size_t first = table.cameras.begin()->first, other = table.cameras.rbegin()->first;
    throw Error(fmt::format(
        "{}, {} {}: with several tables each holds one camera, but this has {} and {}", table.name,
        words_.row, row.line, first == row.camera ? other : first, row.camera));
  }
  checkOrder(table, row, camera);
  addDot(table, row);
}

void TableSets::finish(const Table& table) {
  if (table.cameras.empty()) throw Error(fmt::format("{} has no measured points", table.name));
  numbered_ = numbered_ || table.setsKnown || !table.timed;
  highest_ = std::max(highest_, table.only.value_or(table.cameras.rbegin()->first));
}

std::vector<SpaceSet> TableSets::take() {
  if (highest_ + 1 < rig_.size())
    base::log(base::LogLevel::warning,
              fmt::format("{} has {} cameras, but the tables have points of {} alone; {}",
                          words_.rig, rig_.size(), highest_ + 1, words_.choose));
  std::vector<std::vector<uint64_t>> byTime;
  if (!numbered_) byTime = base::setsByTime(timedFrames());
  byTime_ = !byTime.empty();
  std::map<uint64_t, SpaceSet> sets;
  for (size_t c = 0; c < views_.size(); ++c) {
    size_t place = 0;
    for (auto& [number, view] : views_[c]) {
      const uint64_t frame = byTime_ ? byTime[c][place++] : static_cast<uint64_t>(number);
      SpaceSet& set = sets[frame];
      set.frame = frame;
      set.views.resize(rig_.size());
      set.views[c] = std::move(view);
    }
  }
  std::vector<SpaceSet> all;
  for (auto& [frame, set] : sets) all.push_back(std::move(set));
  return all;
}

std::vector<std::vector<base::TimedFrame>> TableSets::timedFrames() const {
  std::vector<std::vector<base::TimedFrame>> cameras(views_.size());
  for (size_t c = 0; c < views_.size(); ++c)
    for (const auto& [frame, view] : views_[c])
      cameras[c].push_back({static_cast<uint64_t>(frame), view.time});
  return cameras;
}

/// Checks that the rows of a camera are in order: sets ascend, and each has a single frame with one
/// time and no dot twice. Times should ascend, too, but cameras' clocks are sometimes set back. A
/// session continues then, so this only warns.
void TableSets::checkOrder(const Table& table, const PointRow& row, CameraRows& camera) const {
  const std::optional<PointRow> before = std::exchange(camera.last, row);
  const std::array dot{row.dot.at.x(), row.dot.at.y(), row.dot.sigma.x(), row.dot.sigma.y(),
                       static_cast<double>(row.label)};
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("{}, {} {}: {}", table.name, words_.row, row.line, what));
  };
  if (before) {
    const long set = table.setOf(row), setBefore = table.setOf(*before);
    if (setBefore > set)
      refuse(fmt::format("frame {} of camera {} comes after frame {}; sort the table by frame", set,
                         row.camera, setBefore));
    if (setBefore == set && before->frame != row.frame)
      refuse(fmt::format("set {} has the frames {} and {} of camera {}, but one is needed", set,
                         before->frame, row.frame, row.camera));
    if (setBefore == set && table.timed && before->time != row.time)
      refuse(fmt::format("frame {} of camera {} is at {:.6f} s and at {:.6f} s", row.frame,
                         row.camera, before->time, row.time));
    if (setBefore < set && table.timed && !(row.time > before->time) && !camera.warned) {
      camera.warned = true;
      base::log(
          base::LogLevel::warning,
          fmt::format("{}, {} {}: frame {} of camera {} is at {:.6f} s, but frame {} before it at "
                      "{:.6f} s; such frames count as the usual interval apart",
                      table.name, words_.row, row.line, row.frame, row.camera, row.time,
                      before->frame, before->time));
    }
    if (setBefore < set) {
      camera.dots.clear();
      camera.labels.clear();
    }
  }
  if (row.label >= 0 && !camera.labels.insert(row.label).second)
    refuse(fmt::format("camera {} has the label \"{}\" twice in frame {}", row.camera,
                       table.labels[static_cast<size_t>(row.label)], table.setOf(row)));
  const auto [same, isNew] = camera.dots.emplace(dot, row.line);
  if (!isNew)
    refuse(fmt::format("camera {} has the same dot in {} {}; leave one out", row.camera, words_.row,
                       same->second));
}

void TableSets::check(const Table& table) const {
  if (table.timed && rate_ > 0)
    throw UsageError(fmt::format("{} {:g}: {} has times (time_s); leave it out", words_.rate, rate_,
                                 table.name));
  if (!table.timed && !(rate_ > 0))
    throw UsageError(
        fmt::format("{} has no times (time_s): give its frame rate ({})", table.name, words_.give));
}

void TableSets::addDot(const Table& table, const PointRow& row) {
  const size_t camera = table.only.value_or(row.camera);
  const long frame = table.setOf(row);
  if (camera >= rig_.size())
    throw UsageError(fmt::format("{} has points of camera {}, but {} has {} cameras; {}",
                                 table.name, camera, words_.rig, rig_.size(), words_.choose));
  const RigCamera& seen = rig_[camera].camera();
  const Eigen::Vector2d& at = row.dot.at;
  if (!(at.x() >= -1 && at.x() <= seen.width && at.y() >= -1 && at.y() <= seen.height))
    throw Error(fmt::format(
        "{}, {} {}: ({:g}, {:g}) is outside the {}x{} pixels that camera {} has in {}", table.name,
        words_.row, row.line, at.x(), at.y(), seen.width, seen.height, camera, words_.rig));
  if (frame < 0)
    throw Error(fmt::format("{}, {} {}: frame {} is before the first", table.name, words_.row,
                            row.line, frame));
  SpaceView& view = views_[camera][frame];
  if (view.dots.size() >= kMostDetections)
    throw Error(
        fmt::format("{}, {} {}: frame {} of camera {} has more than {} dots, the most that Glint "
                    "detects in an image",
                    table.name, words_.row, row.line, frame, camera, kMostDetections));
  view.time = (table.timed ? row.time : static_cast<double>(frame) / rate_) + seen.timeOffset;
  const Eigen::Vector2d least(kLeastDotSigma, kLeastDotSigma);
  const int label = row.label < 0 ? -1 : labelOf(table.labels.at(static_cast<size_t>(row.label)));
  view.dots.push_back({at, table.sigmasKnown ? row.dot.sigma : least, label});
}

int TableSets::labelOf(const std::string& label) {
  const auto known = std::find(labels_.begin(), labels_.end(), label);
  const auto index = static_cast<int>(known - labels_.begin());
  if (known == labels_.end()) labels_.push_back(label);
  return index;
}

}  // namespace glint::motion
