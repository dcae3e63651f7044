#include "app/capture/cameras/v4l2_device.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <grp.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/capture/cameras/colour_converter.h"
#include "app/capture/source/control_requests.h"
#include "app/capture/source/live_source.h"
#include "config/lower_case.h"
#include "config/setting_key.h"

namespace glint::capture {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kBuffers = 4;  // one is read, one is filled, and two allow for delays

std::string text(const void* bytes, size_t size) {
  const auto* begin = static_cast<const char*>(bytes);
  return {begin, strnlen(begin, size)};
}

v4l2_format makeFormat(uint32_t fourcc, uint32_t width, uint32_t height) {
  v4l2_format format{};
  format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  format.fmt.pix.width = width;
  format.fmt.pix.height = height;
  format.fmt.pix.pixelformat = fourcc;
  format.fmt.pix.field = V4L2_FIELD_NONE;
  return format;
}

v4l2_buffer makeBuffer(uint32_t index) {
  v4l2_buffer buffer{};
  buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  buffer.memory = V4L2_MEMORY_MMAP;
  buffer.index = index;
  return buffer;
}

/// Returns true if luma lies from 16 to 235. The default is that of V4L2_MAP_QUANTIZATION_DEFAULT
/// in linux/videodev2.h for YUV.
bool isLimited(const v4l2_pix_format& pix) {
  if (pix.quantization == V4L2_QUANTIZATION_DEFAULT) return pix.colorspace != V4L2_COLORSPACE_JPEG;
  return pix.quantization == V4L2_QUANTIZATION_LIM_RANGE;
}

double rateOf(const v4l2_fract& interval) {
  return interval.numerator > 0 ? static_cast<double>(interval.denominator) / interval.numerator
                                : 0.0;
}

/// Returns the group to which a file belongs, as a text such as "the group 'video'".
std::string groupOf(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return "";
  const group* entry = ::getgrgid(status.st_gid);
  return entry ? entry->gr_name : std::to_string(status.st_gid);
}

}  // namespace

V4l2Device::V4l2Device(std::string path, std::string name)
    : path_(std::move(path)), name_(std::move(name)) {
  file_ = ::open(path_.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (file_ < 0) failToOpen();
  try {
    identify();
  } catch (const Error&) {
    close();
    throw;
  }
}

V4l2Device::~V4l2Device() {
  close();
}

void V4l2Device::close() {
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  if (started()) call(VIDIOC_STREAMOFF, &type);
  for (const Buffer& buffer : buffers_) ::munmap(buffer.data, buffer.bytes);
  buffers_.clear();
  if (file_ >= 0) ::close(std::exchange(file_, -1));
}

int V4l2Device::call(unsigned long request, void* argument) const {
  return v4l2Call(file_, request, argument);
}

void V4l2Device::fail(const char* doing) const {
  if (errno == EBUSY) throw Error("'{}' is in use by another program: end that first", name_);
  if (errno == ENOSPC) {
    throw Error(
        "'{}' gets no bandwidth on its USB bus, which other cameras fill: lower {} or "
        "{}, or plug it in elsewhere",
        name_, "camera.size"_key, "camera.rate"_key);
  }
  if (errno == ENODEV || errno == ENXIO) throw CameraGone("'{}' has been unplugged", name_);
  throw Error("'{}' cannot {}: {}", name_, doing, std::strerror(errno));
}

void V4l2Device::failToOpen() const {
  if (errno == ENOENT || errno == ENODEV || errno == ENXIO) {
    throw CameraGone("there is no camera '{}'; `glint cameras` lists the cameras", name_);
  }
  if (errno == EACCES || errno == EPERM) {
    const std::string group = groupOf(path_);
    throw Error("there is no permission to open the camera '{}' ({}): {}", name_, path_,
                group.empty()
                    ? std::string("the permissions of its file say who may")
                    : fmt::format("it belongs to the group '{0}'; join that (sudo usermod -aG "
                                  "{0} YOUR_NAME) and log in again",
                                  group));
  }
  fail("be opened");
}

void V4l2Device::identify() {
  v4l2_capability found{};
  if (call(VIDIOC_QUERYCAP, &found) != 0) {
    if (errno == ENOTTY || errno == EINVAL)
      throw NoCamera("'{}' is not a camera: it is not a Video4Linux device", name_);
    fail("report what it is");
  }
  driver_ = text(found.driver, sizeof found.driver);
  card_ = text(found.card, sizeof found.card);
  bus_ = text(found.bus_info, sizeof found.bus_info);
  const uint32_t can =
      (found.capabilities & V4L2_CAP_DEVICE_CAPS) != 0 ? found.device_caps : found.capabilities;
  if ((can & V4L2_CAP_VIDEO_CAPTURE) == 0 || (can & V4L2_CAP_STREAMING) == 0) {
    throw NoCamera("'{}' ({}) sends no pictures; `glint cameras` lists those that do", name_,
                   card_);
  }
}

std::vector<uint32_t> V4l2Device::formats() const {
  std::vector<uint32_t> formats;
  constexpr uint32_t kMost = 256;
  for (uint32_t i = 0; i < kMost; ++i) {
    v4l2_fmtdesc format{};
    format.index = i;
    format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (call(VIDIOC_ENUM_FMT, &format) != 0) break;
    formats.push_back(format.pixelformat);
  }
  return formats;
}

CameraMode V4l2Device::modeOf(uint32_t fourcc, uint32_t width, uint32_t height) const {
  return {.format = fourccName(fourcc),
          .usable = findCameraPixels(fourcc) != nullptr,
          .width = width,
          .height = height,
          .rates = ratesOf(fourcc, width, height)};
}

/// Returns the sizes of a format; of a range of sizes only its two ends.
std::vector<CameraMode> V4l2Device::sizesOf(uint32_t fourcc) const {
  std::vector<CameraMode> modes;
  const auto add = [&](uint32_t width, uint32_t height) {
    modes.push_back(modeOf(fourcc, width, height));
  };
  constexpr uint32_t kMost = 1000;
  for (uint32_t i = 0; i < kMost; ++i) {
    v4l2_frmsizeenum size{};
    size.index = i;
    size.pixel_format = fourcc;
    if (call(VIDIOC_ENUM_FRAMESIZES, &size) != 0) break;
    if (size.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
      add(size.discrete.width, size.discrete.height);
      continue;
    }
    add(size.stepwise.min_width, size.stepwise.min_height);
    add(size.stepwise.max_width, size.stepwise.max_height);
    break;
  }
  return modes;
}

/// Returns the rates of a format and size, the highest first; of a range of intervals only its
/// ends.
std::vector<double> V4l2Device::ratesOf(uint32_t fourcc, uint32_t width, uint32_t height) const {
  std::vector<double> rates;
  constexpr uint32_t kMost = 1000;
  for (uint32_t i = 0; i < kMost; ++i) {
    v4l2_frmivalenum interval{};
    interval.index = i;
    interval.pixel_format = fourcc;
    interval.width = width;
    interval.height = height;
    if (call(VIDIOC_ENUM_FRAMEINTERVALS, &interval) != 0) break;
    if (interval.type == V4L2_FRMIVAL_TYPE_DISCRETE) {
      rates.push_back(rateOf(interval.discrete));
      continue;
    }
    rates.push_back(rateOf(interval.stepwise.min));
    rates.push_back(rateOf(interval.stepwise.max));
    break;
  }
  std::sort(rates.rbegin(), rates.rend());
  return rates;
}

std::vector<CameraMode> V4l2Device::modes() const {
  std::vector<CameraMode> modes;
  for (const uint32_t fourcc : formats()) {
    std::vector<CameraMode> sizes = sizesOf(fourcc);
    v4l2_format now = makeFormat(0, 0, 0);
    if (sizes.empty() && call(VIDIOC_G_FMT, &now) == 0)  // the driver lists no sizes
      sizes.push_back(modeOf(fourcc, now.fmt.pix.width, now.fmt.pix.height));
    std::ranges::move(sizes, std::back_inserter(modes));
  }
  return modes;
}

std::vector<CameraControl> V4l2Device::controls() const {
  return listV4l2Controls(file_);
}

V4l2Device::Choice V4l2Device::chooseMode(const Settings::Camera& request) const {
  v4l2_format now = makeFormat(0, 0, 0);
  if (call(VIDIOC_G_FMT, &now) != 0) fail("report its format");
  const CameraSize target = request.size.empty() ? CameraSize{now.fmt.pix.width, now.fmt.pix.height}
                                                 : parseCameraSize(request.size);
  const std::vector<uint32_t> offered = formats();
  const auto has = [&](uint32_t fourcc) {
    return std::ranges::find(offered, fourcc) != offered.end();
  };
  const auto all = knownCameraPixels();
  const bool colour = request.colour && std::ranges::any_of(all, [&](const auto& pixels) {
                        return has(pixels.fourcc) && hasColour(pixels);
                      });
  Choice best;
  double bestFar = 0, bestRate = 0;
  for (const CameraPixels& pixels : all) {
    if (!has(pixels.fourcc) || (colour && request.format.empty() && !hasColour(pixels))) continue;
    if (!request.format.empty() &&
        lowerCase(fourccName(pixels.fourcc)) != lowerCase(request.format))
      continue;
    v4l2_format tried = makeFormat(pixels.fourcc, target.width, target.height);
    if (call(VIDIOC_TRY_FMT, &tried) != 0 || tried.fmt.pix.pixelformat != pixels.fourcc) continue;
    const v4l2_pix_format& pix = tried.fmt.pix;
    const double far = std::abs(static_cast<double>(pix.width) - target.width) +
                       std::abs(static_cast<double>(pix.height) - target.height);
    double rate = 0;  // the best rate; with a request: minus its distance from the request
    for (const double r : ratesOf(pixels.fourcc, pix.width, pix.height)) {
      const double good = request.rate > 0 ? -std::abs(r - request.rate) : r;
      rate = rate == 0 ? good : std::max(rate, good);
    }
    constexpr double kAlike = 0.5;  // frames/s by which rates may differ and still count as equal
    if (best.fourcc == 0 || far < bestFar || (far == bestFar && rate > bestRate + kAlike)) {
      best = {pixels.fourcc, pix.width, pix.height};
      bestFar = far;
      bestRate = rate;
    }
  }
  if (best.fourcc != 0) return best;
  std::vector<std::string> names;
  for (const uint32_t fourcc : offered) names.push_back(fourccName(fourcc));
  const std::string what = fmt::format("{}", fmt::join(names, ", "));
  if (!request.format.empty()) {
    throw UsageError("{}: '{}' has no {} that Glint can read; it has {}", "camera.format"_key,
                     name_, request.format, what);
  }
  throw Error("'{}' sends no format that Glint can read, only {}", name_, what);
}

void V4l2Device::setFormat(V4l2Format& format) const {
  v4l2_format set = makeFormat(format.fourcc, format.width, format.height);
  if (call(VIDIOC_S_FMT, &set) != 0) fail("be set to a format");
  const v4l2_pix_format& pix = set.fmt.pix;
  if (pix.pixelformat != format.fourcc || pix.width == 0 || pix.height == 0) {
    throw Error("'{}' offers {}, but sends {} instead", name_, fourccName(format.fourcc),
                fourccName(pix.pixelformat));
  }
  format.width = pix.width;
  format.height = pix.height;
  format.pitch = pix.bytesperline;
  format.limited = isLimited(pix);
}

void V4l2Device::setRate(V4l2Format& format, double request) const {
  v4l2_streamparm parameters{};
  parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  if (call(VIDIOC_G_PARM, &parameters) != 0) return;
  v4l2_captureparm& capture = parameters.parm.capture;
  if (request == 0) {
    for (const double rate : ratesOf(format.fourcc, format.width, format.height))
      request = std::max(request, rate);
  }
  if (request > 0 && (capture.capability & V4L2_CAP_TIMEPERFRAME) != 0) {
    constexpr uint32_t kFine = 10000;
    capture.timeperframe = {kFine, static_cast<uint32_t>(std::lround(request * kFine))};
    if (call(VIDIOC_S_PARM, &parameters) != 0) fail("be set to a rate");
  }
  format.rate = rateOf(capture.timeperframe);
}

V4l2Format V4l2Device::choose(const Settings::Camera& request) {
  const Choice choice = chooseMode(request);
  V4l2Format format{.fourcc = choice.fourcc, .width = choice.width, .height = choice.height};
  setFormat(format);
  setRate(format, request.rate);
  return format;
}

void V4l2Device::restore(const V4l2Format& format) {
  V4l2Format now = format;
  setFormat(now);
  setRate(now, format.rate);
  if (now.width != format.width || now.height != format.height) {
    throw Error("'{}' is back, but sends {} x {} instead of {} x {}", name_, now.width, now.height,
                format.width, format.height);
  }
}

void V4l2Device::control(const Settings::Camera& request, const Settings::Camera& before) {
  setV4l2Controls(file_, name_, request, before);
}

void V4l2Device::start() {
  v4l2_requestbuffers request{};
  request.count = kBuffers;
  request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  request.memory = V4L2_MEMORY_MMAP;
  if (call(VIDIOC_REQBUFS, &request) != 0) fail("provide memory for its frames");
  for (uint32_t i = 0; i < request.count; ++i) {
    v4l2_buffer buffer = makeBuffer(i);
    if (call(VIDIOC_QUERYBUF, &buffer) != 0) fail("provide memory for its frames");
    void* data = ::mmap(nullptr, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, file_,
                        static_cast<off_t>(buffer.m.offset));
    if (data == MAP_FAILED) fail("share the memory of its frames");
    buffers_.push_back({static_cast<std::byte*>(data), buffer.length});
    if (call(VIDIOC_QBUF, &buffer) != 0) fail("take memory for its frames");
  }
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  if (call(VIDIOC_STREAMON, &type) != 0) fail("begin to send");
}

std::optional<V4l2Frame> V4l2Device::next(std::chrono::milliseconds patience,
                                          const Interrupt* interrupt) {
  const auto deadline = Clock::now() + patience;
  for (;;) {
    pollfd waiting{.fd = file_, .events = POLLIN, .revents = 0};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    const auto slice = std::clamp(left, std::chrono::milliseconds(0), kPollEvery);
    const int ready = ::poll(&waiting, 1, static_cast<int>(slice.count()));
    if (ready > 0) {
      if (auto frame = take()) return frame;
      if ((waiting.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0)
        throw CameraGone("'{}' no longer answers", name_);
    }
    if (Clock::now() >= deadline || (interrupt && interrupt->isSet())) return std::nullopt;
  }
}

std::optional<V4l2Frame> V4l2Device::take() {
  v4l2_buffer buffer = makeBuffer(0);
  if (call(VIDIOC_DQBUF, &buffer) != 0) {
    if (errno == EAGAIN) return std::nullopt;
    if (errno == ENODEV || errno == ENXIO) throw CameraGone("'{}' has been unplugged", name_);
    throw CameraGone("'{}' no longer answers: {}", name_, std::strerror(errno));
  }
  if (buffer.index >= buffers_.size())
    throw CameraGone("'{}' returned a buffer that does not exist", name_);
  const Buffer& memory = buffers_[buffer.index];
  constexpr double kMicro = 1e-6;
  return V4l2Frame{.index = buffer.index,
                   .bytes = {memory.data, std::min<size_t>(buffer.bytesused, memory.bytes)},
                   .sequence = buffer.sequence,
                   .time = static_cast<double>(buffer.timestamp.tv_sec) +
                           static_cast<double>(buffer.timestamp.tv_usec) * kMicro,
                   .monotonic = (buffer.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) ==
                                V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC,
                   .damaged = (buffer.flags & V4L2_BUF_FLAG_ERROR) != 0};
}

void V4l2Device::giveBack(const V4l2Frame& frame) {
  v4l2_buffer buffer = makeBuffer(frame.index);
  call(VIDIOC_QBUF, &buffer);  // if the device is gone, the next wait reports it
}

}  // namespace glint::capture
