// Industrial cameras, GigE Vision and USB3 Vision, through Aravis. Built where that is there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/capture/camera_info.h"
#include "app/capture/source.h"

namespace glint {

/// Opens "gige:NAME": the camera's id, its address, or part of its maker's, model's or serial name;
/// "gige:" alone the first one that answers. It is asked for `wish`: size, rate and format
/// ("Mono8", "Mono12Packed", "BayerRG8"), exposure in us, gain, black level, trigger (the name of
/// its source, or "off"), and further features by their own names (camera.controls); without a
/// wish, as it is. Frames are grey, of 8 or 16 bits: see CameraConverter.
///
/// Times are the camera's, on the host's clock: see ClockMap. read() gives the newest frame; what
/// the camera numbered and did not come, came in part, or was replaced is counted. One that is
/// gone, or sends nothing for two seconds without a trigger, is `lost`, and looked for. Throws
/// UsageError and Error with one sentence that names the camera.
std::unique_ptr<Source> openGige(const std::string& spec, const Interrupt* interrupt,
                                 const Settings::Camera& wish);

/// What Aravis calls the camera that openGige() would open. Throws Error if there is none.
std::string gigeId(const std::string& spec);

/// What answers within a second, and USB3 Vision cameras: id, formats at the full size and the
/// highest rate, exposure, gain and black level. Empty where Glint was built without Aravis.
std::vector<CameraInfo> listGige();

}  // namespace glint
