// Webcams and other cameras of the kernel's video interface, Video4Linux2.
#pragma once

#include <memory>
#include <string>

#include "app/capture/source.h"

namespace glint {

/// "camera:0", "camera:NAME", "/dev/video0".
bool isV4l2(const std::string& spec);

/// Name and place on the bus of the camera that openV4l2() would open. Throws as that does.
std::string v4l2Id(const std::string& spec);

/// Opens a camera as `wish` asks. Frames are grey, of 8 or 16 bits: see CameraConverter. Times are
/// the driver's, which are the host's monotonic clock; of a driver that has others, those of
/// arrival.
///
/// read() gives the newest frame that is there; older ones, those that the driver skipped, and
/// damaged ones are counted by the driver's sequence numbers. A camera that is unplugged is `lost`,
/// and looked for, where it was and under its name, until it is back, with the same settings. So is
/// one that sends nothing for two seconds and 20 intervals, unless it has a trigger.
/// Throws UsageError and Error as V4l2Device does.
std::unique_ptr<Source> openV4l2(const std::string& spec, const Interrupt* interrupt,
                                 const Settings::Camera& wish);

}  // namespace glint
