#include "app/shell/desk/space_history.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "app/base/whole_file.h"
#include "app/motion/space/bodies_file.h"
#include "config/error.h"

namespace glint::shell {
namespace {

/// Returns the text of the file, or an empty text if there is no such file.
std::string textOf(const std::string& file) {
  if (!std::filesystem::exists(file)) return {};
  motion::readBodies(file);  // a file that holds no bodies must not be changed
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

void SpaceHistory::accept(const motion::FramePtr& frame) {
  const auto* space = frame->results.get<motion::SpaceFrame>();
  if (space == nullptr) return;
  const std::lock_guard lock(mutex_);
  rows_ += space->poses.size();
  if (kept_ && !space->poses.empty()) poses_[frame->set] = space->poses;
  for (const motion::SpaceRow& row : space->finalised) {
    kept_ = kept_ && ++rows_ <= kMostRows;
    if (!kept_) {
      poses_.clear();
      return sets_.clear();
    }
    if (row.frame >= sets_.size()) sets_.resize(row.frame + 1);
    auto& rows = sets_[row.frame];
    const auto behind =
        std::upper_bound(rows.begin(), rows.end(), row.point,
                         [](uint64_t id, const motion::SpaceRow& r) { return id < r.point; });
    rows.insert(behind, row);
  }
}

void SpaceHistory::conclude() {
  const std::lock_guard lock(mutex_);
  concluded_ = true;
}

bool SpaceHistory::whole() const {
  const std::lock_guard lock(mutex_);
  return concluded_ && kept_;
}

bool SpaceHistory::knows(SetIndex set) const {
  const std::lock_guard lock(mutex_);
  return kept_ && (concluded_ || set.value() < sets_.size());
}

std::vector<motion::SpaceRow> SpaceHistory::rows(SetIndex set) const {
  const std::lock_guard lock(mutex_);
  return set.value() < sets_.size() ? sets_[set.value()] : std::vector<motion::SpaceRow>();
}

std::vector<motion::SpaceRow> SpaceHistory::rowsOf(std::span<const uint64_t> points) const {
  std::vector<motion::SpaceRow> all;
  const std::lock_guard lock(mutex_);
  for (const auto& rows : sets_)
    for (const motion::SpaceRow& row : rows)
      if (std::ranges::find(points, row.point) != points.end()) all.push_back(row);
  return all;
}

std::vector<motion::SpaceRow> SpaceHistory::measured(std::span<const uint64_t> points) const {
  std::vector<motion::SpaceRow> all = rowsOf(points);
  std::erase_if(all, [](const auto& row) { return row.state != motion::TrackState::measured; });
  return all;
}

std::vector<motion::PoseRow> SpaceHistory::poses(SetIndex set) const {
  const std::lock_guard lock(mutex_);
  const auto found = poses_.find(set);
  return found == poses_.end() ? std::vector<motion::PoseRow>() : found->second;
}

std::map<uint64_t, std::vector<Eigen::Vector3d>> SpaceHistory::trails(SetIndex first,
                                                                      SetIndex set) const {
  std::map<uint64_t, std::vector<Eigen::Vector3d>> trails;
  const std::lock_guard lock(mutex_);
  if (set.value() >= sets_.size()) return trails;
  for (const motion::SpaceRow& row : sets_[set.value()]) trails[row.point];
  for (uint64_t i = first.value(); i <= set.value(); ++i)
    for (const motion::SpaceRow& row : sets_[i])
      if (const auto trail = trails.find(row.point); trail != trails.end())
        trail->second.push_back(row.at);
  return trails;
}

motion::LearnedBody keepBody(const SpaceHistory& history, std::span<const uint64_t> points,
                             const std::string& name, const std::string& file) {
  if (name.empty()) throw Error("the body needs a name");
  std::vector<motion::LearnPoint> measured;
  for (const motion::SpaceRow& row : history.measured(points))
    measured.push_back({row.frame, row.point, row.at, row.covariance});
  motion::LearnedBody learned = motion::learnBody(measured, points);
  learned.body.name = name;
  std::string text = textOf(file);
  if (!text.empty()) text += text.ends_with('\n') ? "\n" : "\n\n";
  text += motion::bodiesText({learned.body}, {motion::linesOf(learned, "the window")});
  motion::readBodiesText(text, file);  // throws if there are two bodies of this name
  base::writeWholeFile(file, text);
  return learned;
}

}  // namespace glint::shell
