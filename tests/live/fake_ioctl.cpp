// The answers of fake cameras to ioctl, as a driver of Video4Linux2 would give them.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "fake_camera.h"

namespace fake {
namespace {

int queryCap(Camera& camera, v4l2_capability& found) {
  found = {};
  std::strcpy(reinterpret_cast<char*>(found.driver), "fake");
  std::snprintf(reinterpret_cast<char*>(found.card), sizeof found.card, "Fake Camera %s",
                camera.path.c_str() + camera.path.find_first_of("0123456789"));
  std::strcpy(reinterpret_cast<char*>(found.bus_info), "usb-fake-1");
  found.device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
  found.capabilities = found.device_caps | V4L2_CAP_DEVICE_CAPS;
  return 0;
}

void describe(const Camera& camera, v4l2_format& format) {
  v4l2_pix_format& pix = format.fmt.pix;
  pix.width = static_cast<uint32_t>(camera.width);
  pix.height = static_cast<uint32_t>(camera.height);
  pix.pixelformat = camera.fourcc;
  pix.field = V4L2_FIELD_NONE;
  pix.bytesperline =
      camera.fourcc == V4L2_PIX_FMT_MJPEG ? 0 : pix.width * (isTwoBytes(camera.fourcc) ? 2U : 1U);
  pix.sizeimage = static_cast<uint32_t>(camera.imageBytes());
  pix.colorspace = V4L2_COLORSPACE_SRGB;
  pix.quantization = V4L2_QUANTIZATION_DEFAULT;
}

/// Lists the camera's size and half of it.
int enumSizes(Camera& camera, v4l2_frmsizeenum& size) {
  if (!camera.sizes) return failWith(ENOTTY);
  if (size.index > 1 || size.pixel_format != camera.fourcc) return failWith(EINVAL);
  size.type = V4L2_FRMSIZE_TYPE_DISCRETE;
  size.discrete.width = static_cast<uint32_t>(camera.fullWidth) >> size.index;
  size.discrete.height = static_cast<uint32_t>(camera.fullHeight) >> size.index;
  return 0;
}
int enumRates(Camera& camera, v4l2_frmivalenum& interval) {
  if (interval.index > 1 || interval.pixel_format != camera.fourcc) return failWith(EINVAL);
  interval.type = V4L2_FRMIVAL_TYPE_DISCRETE;
  interval.discrete = {1000U << interval.index, static_cast<uint32_t>(camera.fullFps * 1000)};
  return 0;
}

int setFormat(Camera& camera, v4l2_format& format, bool keep) {
  if (camera.busy && keep) return failWith(EBUSY);
  const int width = camera.width, height = camera.height;
  const bool half = static_cast<int>(format.fmt.pix.width) <= camera.fullWidth / 2;
  camera.width = half ? camera.fullWidth / 2 : camera.fullWidth;
  camera.height = half ? camera.fullHeight / 2 : camera.fullHeight;
  describe(camera, format);
  if (!keep) {
    camera.width = width;
    camera.height = height;
  }
  return 0;
}

struct Control {
  uint32_t id;
  uint32_t type;
  const char* name;
  int least, most;
  int Camera::*value;
};
const Control kControls[] = {
    {V4L2_CID_GAIN, V4L2_CTRL_TYPE_INTEGER, "Gain", 0, 100, &Camera::gain},
    {V4L2_CID_POWER_LINE_FREQUENCY, V4L2_CTRL_TYPE_MENU, "Power Line Frequency", 0, 2,
     &Camera::power},
    {V4L2_CID_EXPOSURE_AUTO, V4L2_CTRL_TYPE_MENU, "Auto Exposure", 0, 3, &Camera::automatic},
    {V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CTRL_TYPE_INTEGER, "Exposure Time, Absolute", 1, 5000,
     &Camera::exposure},
};

int queryControl(Camera& camera, v4l2_queryctrl& query) {
  const bool next = (query.id & V4L2_CTRL_FLAG_NEXT_CTRL) != 0;
  const uint32_t id = query.id & ~V4L2_CTRL_FLAG_NEXT_CTRL;
  for (const Control& control : kControls) {
    if (next ? control.id <= id : control.id != id) continue;
    query = {};
    query.id = control.id;
    query.type = control.type;
    std::strcpy(reinterpret_cast<char*>(query.name), control.name);
    query.minimum = control.least;
    query.maximum = control.most;
    query.step = 1;
    query.default_value = control.least;
    if (control.id == V4L2_CID_EXPOSURE_ABSOLUTE && camera.automatic != V4L2_EXPOSURE_MANUAL)
      query.flags |= V4L2_CTRL_FLAG_INACTIVE;
    return 0;
  }
  return failWith(EINVAL);
}

int queryMenu(v4l2_querymenu& item) {
  const char* name = nullptr;
  if (item.id == V4L2_CID_EXPOSURE_AUTO) {
    if (item.index == V4L2_EXPOSURE_MANUAL) name = "Manual Mode";
    if (item.index == V4L2_EXPOSURE_APERTURE_PRIORITY) name = "Aperture Priority Mode";
  } else if (item.id == V4L2_CID_POWER_LINE_FREQUENCY && item.index < 3) {
    constexpr const char* kNames[] = {"Disabled", "50 Hz", "60 Hz"};
    name = kNames[item.index];
  }
  if (!name) return failWith(EINVAL);
  std::strcpy(reinterpret_cast<char*>(item.name), name);
  return 0;
}

int control(Camera& camera, v4l2_control& request, bool set) {
  for (const Control& known : kControls) {
    if (known.id != request.id) continue;
    if (!set) {
      request.value = camera.*known.value;
      return 0;
    }
    // Refuses an exposure while it is automatic, as the UVC driver does.
    if (request.id == V4L2_CID_EXPOSURE_ABSOLUTE && camera.automatic != V4L2_EXPOSURE_MANUAL)
      return failWith(EACCES);
    if (request.value < known.least || request.value > known.most) return failWith(ERANGE);
    camera.*known.value = request.value;
    return 0;
  }
  return failWith(EINVAL);
}

int requestBuffers(Camera& camera, int file, v4l2_requestbuffers& request) {
  camera.owner = file;
  camera.buffers.clear();  // the program that mapped the memory unmaps it
  camera.queue.clear();
  camera.done.clear();
  for (uint32_t i = 0; i < request.count; ++i) {
    Camera::Buffer buffer;
    buffer.bytes = (camera.imageBytes() * 2 + kPage - 1) / kPage * kPage;
    camera.buffers.push_back(buffer);
  }
  return 0;
}

int queryBuffer(Camera& camera, v4l2_buffer& buffer) {
  if (buffer.index >= camera.buffers.size()) return failWith(EINVAL);
  buffer.length = static_cast<uint32_t>(camera.buffers[buffer.index].bytes);
  buffer.m.offset = buffer.index * static_cast<uint32_t>(kPage);
  return 0;
}

int giveBuffer(Camera& camera, v4l2_buffer& buffer) {
  if (buffer.index >= camera.buffers.size() || camera.buffers[buffer.index].queued)
    return failWith(EINVAL);
  camera.buffers[buffer.index].queued = true;
  camera.queue.push_back(buffer.index);
  return 0;
}

int takeBuffer(Camera& camera, v4l2_buffer& buffer) {
  if (camera.done.empty()) return failWith(EAGAIN);
  const uint32_t index = camera.done.front();
  camera.done.pop_front();
  Camera::Buffer& taken = camera.buffers[index];
  taken.queued = false;
  buffer.index = index;
  queryBuffer(camera, buffer);
  buffer.bytesused = static_cast<uint32_t>(taken.used);
  buffer.sequence = taken.sequence;
  buffer.flags = camera.monotonic ? V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC : 0U;
  const bool jumped = camera.jump.after >= 0 && taken.frame > camera.jump.after;
  const double time =
      taken.time + (camera.monotonic ? 0 : 12345) + (jumped ? camera.jump.seconds : 0);
  buffer.timestamp.tv_sec = static_cast<time_t>(time);
  buffer.timestamp.tv_usec = static_cast<suseconds_t>(1e6 * (time - std::floor(time)));
  if (!camera.log.empty()) {
    if (std::FILE* file = std::fopen(camera.log.c_str(), "a")) {
      std::fprintf(file, "%ld,%u,%.6f,%d,%d\n", taken.frame, taken.sequence, taken.time,
                   taken.bad ? 1 : 0, camera.exposure);
      std::fclose(file);
    }
  }
  return 0;
}

int stream(Camera& camera, bool on) {
  camera.streams = on;
  if (!on) {
    camera.queue.clear();
    camera.done.clear();
    for (Camera::Buffer& buffer : camera.buffers) buffer.queued = false;
    return 0;
  }
  camera.first = camera.next;
  camera.begin = now() + 1 / camera.fps;
  if (camera.trigger) camera.begin = std::ceil(camera.begin * camera.fps) / camera.fps;
  camera.begin += camera.phase;
  camera.sequence = 0;
  return 0;
}

}  // namespace

int answer(Camera& camera, int file, unsigned long request, void* with) {
  const std::lock_guard lock(mutex());
  camera.advance();
  if (camera.gone) return failWith(ENODEV);
  switch (request) {
    case VIDIOC_QUERYCAP:
      return queryCap(camera, *static_cast<v4l2_capability*>(with));
    case VIDIOC_ENUM_FMT: {
      auto& format = *static_cast<v4l2_fmtdesc*>(with);
      format.pixelformat = camera.fourcc;
      return camera.formats && format.index == 0 ? 0 : failWith(EINVAL);
    }
    case VIDIOC_ENUM_FRAMESIZES:
      return enumSizes(camera, *static_cast<v4l2_frmsizeenum*>(with));
    case VIDIOC_ENUM_FRAMEINTERVALS:
      return enumRates(camera, *static_cast<v4l2_frmivalenum*>(with));
    case VIDIOC_G_FMT:
      describe(camera, *static_cast<v4l2_format*>(with));
      return 0;
    case VIDIOC_TRY_FMT:
      return setFormat(camera, *static_cast<v4l2_format*>(with), false);
    case VIDIOC_S_FMT:
      return setFormat(camera, *static_cast<v4l2_format*>(with), true);
    case VIDIOC_G_PARM:
    case VIDIOC_S_PARM: {
      auto& capture = static_cast<v4l2_streamparm*>(with)->parm.capture;
      if (request == VIDIOC_S_PARM && capture.timeperframe.numerator > 0) {
        const double asked =
            static_cast<double>(capture.timeperframe.denominator) / capture.timeperframe.numerator;
        camera.fps = asked < camera.fullFps * 0.75 ? camera.fullFps / 2 : camera.fullFps;
      }
      capture.capability = V4L2_CAP_TIMEPERFRAME;
      capture.timeperframe = {1000, static_cast<uint32_t>(camera.fps * 1000)};
      return 0;
    }
    case VIDIOC_QUERYCTRL:
      return queryControl(camera, *static_cast<v4l2_queryctrl*>(with));
    case VIDIOC_QUERYMENU:
      return queryMenu(*static_cast<v4l2_querymenu*>(with));
    case VIDIOC_G_CTRL:
      return control(camera, *static_cast<v4l2_control*>(with), false);
    case VIDIOC_S_CTRL:
      return control(camera, *static_cast<v4l2_control*>(with), true);
    case VIDIOC_REQBUFS:
      return requestBuffers(camera, file, *static_cast<v4l2_requestbuffers*>(with));
    case VIDIOC_QUERYBUF:
      return queryBuffer(camera, *static_cast<v4l2_buffer*>(with));
    case VIDIOC_QBUF:
      return giveBuffer(camera, *static_cast<v4l2_buffer*>(with));
    case VIDIOC_DQBUF:
      return takeBuffer(camera, *static_cast<v4l2_buffer*>(with));
    case VIDIOC_STREAMON:
    case VIDIOC_STREAMOFF:
      return stream(camera, request == VIDIOC_STREAMON);
    default:
      return failWith(ENOTTY);
  }
}

}  // namespace fake
