#include "app/output/takes/take.h"

#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "app/base/text.h"

namespace glint::output {
namespace {

constexpr std::string_view kUnnamed = "point";

/// Returns the id of a name such as "point7".
std::optional<uint64_t> idOf(std::string_view name) {
  if (!name.starts_with(kUnnamed)) return std::nullopt;
  const std::string_view digits = name.substr(kUnnamed.size());
  if (digits.empty() || digits.front() == '0') return std::nullopt;
  return base::parseNumber<uint64_t>(digits);
}

Eigen::Matrix3d turnBy(UpAxis to) {
  Eigen::Matrix3d zToY;
  zToY << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  return to == UpAxis::y ? zToY : Eigen::Matrix3d(zToY.transpose());
}

}  // namespace

std::string columnName(const motion::SpaceRow& row) {
  if (row.label.empty()) return fmt::format("{}{}", kUnnamed, row.point);
  return row.body.empty() ? row.label : row.body + ':' + row.label;
}

std::vector<TakeMarker> markersOf(const std::vector<std::string>& names) {
  std::vector<TakeMarker> markers;
  std::set<std::string> taken;
  std::set<uint64_t> ids;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string wanted = names[i].empty() ? fmt::format("{}{}", kUnnamed, i + 1) : names[i];
    std::string name = wanted;
    for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{}_{}", wanted, n);
    if (const auto id = idOf(name)) ids.insert(*id);
    markers.push_back({.name = name});
  }
  uint64_t free = 1;
  for (TakeMarker& marker : markers) {
    if (const auto id = idOf(marker.name)) {
      marker.point = *id;
      continue;
    }
    while (ids.contains(free)) ++free;
    marker.point = free++;
    const size_t colon = marker.name.find(':');
    const bool ofBody = colon != 0 && colon != std::string::npos && colon + 1 < marker.name.size();
    if (ofBody) marker.body = marker.name.substr(0, colon);
    marker.label = ofBody ? marker.name.substr(colon + 1) : marker.name;
  }
  return markers;
}

motion::SpaceRow rowOf(const TakeMarker& marker, const TakeFrame& frame) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  motion::SpaceRow row;
  row.frame = frame.frame;
  row.time = frame.time;
  row.point = marker.point;
  row.body = marker.body;
  row.label = marker.label;
  row.velocity.setConstant(kUnknown);
  row.covariance.setConstant(kUnknown);
  return row;
}

motion::PoseRow poseOf(const std::string& body, const TakeFrame& frame) {
  motion::PoseRow row;
  row.frame = frame.frame;
  row.time = frame.time;
  row.body = body;
  row.covariance.setConstant(std::numeric_limits<double>::quiet_NaN());
  return row;
}

bool setAttitude(motion::PoseRow& row, const Eigen::Vector4d& quaternion) {
  constexpr double kSlack = 0.01;
  if (!(std::abs(quaternion.norm() - 1) < kSlack)) return false;
  row.attitude.coeffs() = quaternion;
  if (row.attitude.w() < 0) row.attitude.coeffs() *= -1;
  return true;
}

void turn(TakeFrame& frame, UpAxis from, UpAxis to) {
  if (from == to) return;
  const Eigen::Matrix3d by = turnBy(to);
  const Eigen::Quaterniond rotation(by);
  for (motion::SpaceRow& row : frame.points) {
    row.at = by * row.at;
    row.velocity = by * row.velocity;
    row.covariance = by * row.covariance * by.transpose();
  }
  for (motion::PoseRow& row : frame.poses) {
    row.at = by * row.at;
    row.attitude = rotation * row.attitude * rotation.conjugate();
    if (row.attitude.w() < 0) row.attitude.coeffs() *= -1;
  }
}

}  // namespace glint::output
