// The pose of a body as opentrack receives it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/motion/frame/frame.h"

namespace glint::output {

/// The port of opentrack's input "UDP over network".
inline constexpr uint16_t kOpentrackPort = 4242;

/// Returns the pose of a body as the datagram that opentrack's input "UDP over network" takes: six
/// little-endian doubles, x, y and z in cm, and yaw, pitch and roll in degrees (opentrack,
/// tracker-udp/ftnoir_tracker_udp.cpp). Returns nothing if the body has no pose in this frame.
///
/// opentrack has x right, y up, and z towards the user. These are the x, the z and the negative y
/// of a world with z up. Yaw is positive to the left, pitch upwards, and roll to the right, and
/// they are applied in the order roll, pitch, yaw (as tracker-pt/ftnoir_tracker_pt.cpp sends them).
std::vector<std::string> opentrackPoses(const motion::Frame& frame, const std::string& body);

}  // namespace glint::output
