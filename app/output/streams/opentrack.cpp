#include "app/output/streams/opentrack.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "app/motion/space/space_row.h"
#include "app/output/streams/stream_space.h"

namespace glint::output {

std::vector<std::string> opentrackPoses(const motion::Frame& frame, const std::string& body) {
  const auto* space = frame.results.get<motion::SpaceFrame>();
  if (space == nullptr) return {};
  const auto pose = std::ranges::find(space->poses, body, &motion::PoseRow::body);
  if (pose == space->poses.end()) return {};
  constexpr double kCentimetres = 100;            // in a metre
  constexpr double kDegrees = 57.29577951308232;  // in a radian
  const StreamAxes axes(UpAxis::y);
  const Eigen::Vector3d at = kCentimetres * axes.place(pose->at);
  const Eigen::Matrix3d turn = axes.attitude(pose->attitude).toRotationMatrix();
  const Eigen::Vector3d forward = -turn.col(2);
  const std::array<double, 6> numbers{at.x(),
                                      at.y(),
                                      at.z(),
                                      kDegrees * std::atan2(-forward.x(), -forward.z()),
                                      kDegrees * std::asin(std::clamp(forward.y(), -1.0, 1.0)),
                                      kDegrees * std::atan2(-turn(1, 0), turn(1, 1))};
  std::string datagram;
  for (const double number : numbers)
    for (size_t byte = 0; byte < sizeof number; ++byte)
      datagram += static_cast<char>(std::bit_cast<uint64_t>(number) >> (8 * byte) & 0xFF);
  return {datagram};
}

}  // namespace glint::output
