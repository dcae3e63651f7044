// A preload library that makes cameras of Video4Linux2 out of nothing, so that the real program can
// be tried on them: it answers open, ioctl, mmap, poll and close for their paths, as the kernel
// does.
//
// GLINT_FAKE_CAMERAS: "PATH?key=value&...", several with ";" between them.
//   size=320x240  format=GREY|Y10|Y16|YUYV|MJPG|BA81|...(all that GLINT reads of raw ones)  fps=50
//   real=25          frames a second that it really gives
//   exposure=200     the control's value at first, in 0.1 ms; markers are as bright as it is long
//   ambient=0.1      of full scale, what the exposure 400 adds to all pixels
//   skip=A-B         these frames are never delivered
//   corrupt=A-B      these come damaged: cut short
//   unplug=A:S       after frame A the device is gone for S seconds, and counts from 0 then
//   stall=A:S        after frame A no frame for S seconds
//   jump=A:S         after frame A the driver's times are S seconds ahead
//   level=N          all pixels have this stored value, and there are no markers
//   film=FILE        what it shows instead: images of grey bytes, each for half a second of the
//   host's
//                    clock, so that several cameras show the same moment of a scene
//   trigger=1        frames are due at whole multiples of 1/fps of the host's clock, as of cameras
//                    that one trigger fires; each shows an image of its film
//   noise=1          every pixel differs by up to 1/16 of full scale, so that little can be packed
//   file=PATH        it is plugged in while this file exists
//   opens=FILE       a line each time that it is opened
//   formats=0        it offers no format
//   busy=1  denied=1 times=0 (no monotonic clock)  log=FILE (a line a frame handed out)
// Frame k holds three markers (Gaussian, sigma 2 px) on circles: see centreOf(). The files belong
// to the group of who asks.
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <jpeglib.h>

namespace {

constexpr int kMarkers = 3;
constexpr double kPi = 3.14159265358979323846;
constexpr size_t kPage = 4096;

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

long raw(long number, long a, long b, long c = 0, long d = 0, long e = 0, long f = 0) {
  return syscall(number, a, b, c, d, e, f);
}

int failWith(int reason) {
  errno = reason;
  return -1;
}

struct Span {
  long first = -1, last = -1;
  bool has(long frame) const { return frame >= first && frame <= last; }
};
struct Pause {
  long after = -1;
  double seconds = 0;
};

/// A camera, whether it is plugged in or not. Its frames come at their times, whether anybody takes
/// them or not: what is due is worked out whenever it is asked for anything.
struct Camera {
  std::string path;
  int width = 320, height = 240, fullWidth = 0, fullHeight = 0;
  uint32_t fourcc = V4L2_PIX_FMT_GREY;
  double fps = 50, real = 0, ambient = 0, fullFps = 0;
  int exposure = 200, gain = 0, automatic = V4L2_EXPOSURE_APERTURE_PRIORITY, power = 1;
  Span skip, corrupt;
  Pause unplug, stall, jump;
  int level = -1;
  bool noise = false, busy = false, denied = false, monotonic = true, trigger = false,
       formats = true;
  std::string log, file, opens;
  std::vector<uint8_t> film;

  std::set<int> files;  ///< of those who have it open
  int owner = -1;       ///< the one of them that has its buffers
  bool streams = false, gone = false;
  double back = 0;       ///< when it is plugged in again
  double begin = 0;      ///< when frame `first` was due
  long first = 0;        ///< since begin
  long next = 0;         ///< the frame that is due next, of all
  uint32_t sequence = 0;  ///< its number
  struct Buffer {
    uint8_t* data = nullptr;
    size_t bytes = 0, used = 0;
    bool queued = false, bad = false;
    long frame = 0;
    uint32_t sequence = 0;
    double time = 0;
  };
  std::vector<Buffer> buffers;
  std::deque<uint32_t> queue, done;

  double dueAt(long frame) const {
    const double rate = real > 0 ? real : fps;
    double at = begin + static_cast<double>(frame - first) / rate;
    if (stall.after >= first && frame > stall.after) at += stall.seconds;
    return at;
  }
  size_t imageBytes() const;
  void advance();
  void fill(Buffer& buffer);
  void unplugged();
};

std::recursive_mutex& mutex() {
  static auto* all = new std::recursive_mutex;
  return *all;
}

uint32_t fourccOf(const std::string& name) {
  uint32_t code = 0;
  for (size_t i = 0; i < 4; ++i)
    code |= static_cast<uint32_t>(i < name.size() ? name[i] : ' ') << (8 * i);
  return code;
}

bool isWide(uint32_t fourcc) {
  return fourcc == V4L2_PIX_FMT_Y10 || fourcc == V4L2_PIX_FMT_Y12 || fourcc == V4L2_PIX_FMT_Y16 ||
         fourcc == V4L2_PIX_FMT_SRGGB16 || fourcc == V4L2_PIX_FMT_SRGGB10;
}
bool isTwoBytes(uint32_t fourcc) {
  return isWide(fourcc) || fourcc == V4L2_PIX_FMT_YUYV || fourcc == V4L2_PIX_FMT_UYVY;
}
int bitsOf(uint32_t fourcc) {
  if (fourcc == V4L2_PIX_FMT_Y10 || fourcc == V4L2_PIX_FMT_SRGGB10) return 10;
  if (fourcc == V4L2_PIX_FMT_Y12) return 12;
  return isWide(fourcc) ? 16 : 8;
}

size_t Camera::imageBytes() const {
  const auto pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
  if (fourcc == V4L2_PIX_FMT_NV12) return pixels * 3 / 2;
  return isTwoBytes(fourcc) ? pixels * 2 : pixels;
}

std::vector<uint8_t> contentsOf(const std::string& path) {
  std::vector<uint8_t> bytes;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) std::abort();
  std::fseek(file, 0, SEEK_END);
  bytes.resize(static_cast<size_t>(std::ftell(file)));
  std::rewind(file);
  if (std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) std::abort();
  std::fclose(file);
  return bytes;
}

std::vector<Camera*>& cameras() {
  static auto* all = [] {
    auto* made = new std::vector<Camera*>;
    const char* text = std::getenv("GLINT_FAKE_CAMERAS");
    std::string rest = text ? text : "";
    while (!rest.empty()) {
      const std::string one = rest.substr(0, rest.find(';'));
      rest.erase(0, one.size() + 1);
      auto* camera = new Camera;
      camera->path = one.substr(0, one.find('?'));
      std::string options = one.size() > camera->path.size() ? one.substr(camera->path.size() + 1) : "";
      while (!options.empty()) {
        const std::string option = options.substr(0, options.find('&'));
        options.erase(0, option.size() + 1);
        const std::string key = option.substr(0, option.find('=')), value = option.substr(key.size() + 1);
        const char* v = value.c_str();
        if (key == "size") std::sscanf(v, "%dx%d", &camera->width, &camera->height);
        else if (key == "format") camera->fourcc = fourccOf(value);
        else if (key == "fps") camera->fps = std::atof(v);
        else if (key == "real") camera->real = std::atof(v);
        else if (key == "ambient") camera->ambient = std::atof(v);
        else if (key == "exposure") camera->exposure = std::atoi(v);
        else if (key == "skip") std::sscanf(v, "%ld-%ld", &camera->skip.first, &camera->skip.last);
        else if (key == "corrupt") std::sscanf(v, "%ld-%ld", &camera->corrupt.first, &camera->corrupt.last);
        else if (key == "unplug") std::sscanf(v, "%ld:%lf", &camera->unplug.after, &camera->unplug.seconds);
        else if (key == "stall") std::sscanf(v, "%ld:%lf", &camera->stall.after, &camera->stall.seconds);
        else if (key == "jump") std::sscanf(v, "%ld:%lf", &camera->jump.after, &camera->jump.seconds);
        else if (key == "level") camera->level = std::atoi(v);
        else if (key == "noise") camera->noise = value == "1";
        else if (key == "file") camera->file = value;
        else if (key == "opens") camera->opens = value;
        else if (key == "film") camera->film = contentsOf(value);
        else if (key == "trigger")
          camera->trigger = value == "1";
        else if (key == "busy") camera->busy = value == "1";
        else if (key == "denied") camera->denied = value == "1";
        else if (key == "formats")
          camera->formats = value != "0";
        else if (key == "times") camera->monotonic = value != "0";
        else if (key == "log") camera->log = value;
        else std::abort();
      }
      camera->fullWidth = camera->width;
      camera->fullHeight = camera->height;
      camera->fullFps = camera->fps;
      made->push_back(camera);
    }
    return made;
  }();
  return *all;
}

void centreOf(const Camera& camera, int marker, long frame, double& x, double& y) {
  const double angle = 2 * kPi * (static_cast<double>(frame) / 200 + static_cast<double>(marker) / kMarkers);
  const double radius = 0.35 * std::min(camera.width, camera.height);
  x = camera.width / 2.0 + radius * std::cos(angle);
  y = camera.height / 2.0 + radius * std::sin(angle);
}

/// What a frame shows, of full scale.
struct Scene {
  double background = 0, height = 0;
  double x[kMarkers] = {}, y[kMarkers] = {};

  Scene(const Camera& camera, long frame) {
    const double light = camera.exposure * (1 + camera.gain / 10.0) / 400.0;
    background = std::min(1.0, 0.04 + camera.ambient * light);
    height = std::max(0.0, std::min(1.0, light) - background);
    for (int m = 0; m < kMarkers; ++m) centreOf(camera, m, frame, x[m], y[m]);
  }
  bool isNear(int m, int px, int py) const {
    const int dx = px - static_cast<int>(x[m]), dy = py - static_cast<int>(y[m]);
    return dx >= -9 && dx <= 10 && dy >= -9 && dy <= 10;
  }
  float at(int px, int py) const {
    auto value = static_cast<float>(background);
    for (int m = 0; m < kMarkers; ++m) {
      if (!isNear(m, px, py)) continue;
      const double d = (px - x[m]) * (px - x[m]) + (py - y[m]) * (py - y[m]);
      value += static_cast<float>(height * std::exp(-d / 8));
    }
    return value;
  }
};

/// visit(x, y, value) for the pixels around markers; those of two are visited twice.
template <class Visit>
void visitMarkers(const Camera& camera, const Scene& scene, const Visit& visit) {
  for (int m = 0; m < kMarkers; ++m) {
    const int cx = static_cast<int>(scene.x[m]), cy = static_cast<int>(scene.y[m]);
    for (int y = std::max(cy - 9, 0); y <= std::min(cy + 10, camera.height - 1); ++y)
      for (int x = std::max(cx - 9, 0); x <= std::min(cx + 10, camera.width - 1); ++x)
        visit(static_cast<size_t>(y * camera.width + x), scene.at(x, y));
  }
}

/// Of full scale, 0 to 1.
std::vector<float> paint(const Camera& camera, long frame) {
  const Scene scene(camera, frame);
  std::vector<float> image(static_cast<size_t>(camera.width * camera.height),
                           static_cast<float>(scene.background));
  visitMarkers(camera, scene, [&](size_t i, float value) { image[i] = value; });
  if (!camera.noise) return image;
  uint32_t random = static_cast<uint32_t>(frame) * 2654435761U + 1;
  for (float& value : image) {
    random = random * 1664525U + 1013904223U;
    value += static_cast<float>(random >> 8U) / static_cast<float>(1U << 28U);
  }
  return image;
}

/// The same at once, where a byte is a pixel: 200 frames a second must cost little.
void paintGrey(const Camera& camera, long frame, uint8_t* to) {
  const Scene scene(camera, frame);
  const auto stored = [](float value) {
    return static_cast<uint8_t>(std::lround(255 * std::min(value, 1.0F)));
  };
  std::memset(to, stored(static_cast<float>(scene.background)), camera.imageBytes());
  visitMarkers(camera, scene, [&](size_t i, float value) { to[i] = stored(value); });
}

size_t encode(const Camera& camera, const std::vector<uint8_t>& grey, uint8_t* to, size_t room) {
  jpeg_compress_struct info{};
  jpeg_error_mgr error{};
  info.err = jpeg_std_error(&error);
  jpeg_create_compress(&info);
  unsigned char* made = nullptr;
  unsigned long bytes = 0;
  jpeg_mem_dest(&info, &made, &bytes);
  info.image_width = static_cast<JDIMENSION>(camera.width);
  info.image_height = static_cast<JDIMENSION>(camera.height);
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 95, TRUE);
  jpeg_start_compress(&info, TRUE);
  std::vector<uint8_t> row(static_cast<size_t>(camera.width) * 3);
  while (info.next_scanline < info.image_height) {
    const uint8_t* from = grey.data() + info.next_scanline * info.image_width;
    for (size_t x = 0; x < row.size(); ++x) row[x] = from[x / 3];
    JSAMPROW line = row.data();
    jpeg_write_scanlines(&info, &line, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  const size_t used = std::min<size_t>(bytes, room);
  std::memcpy(to, made, used);
  std::free(made);
  return used;
}

void Camera::fill(Buffer& buffer) {
  const bool plain = fourcc == V4L2_PIX_FMT_GREY && level < 0 && !noise;
  std::vector<float> image;
  if (level < 0 && !plain) image = paint(*this, buffer.frame);
  const size_t pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
  const int full = (1 << bitsOf(fourcc)) - 1;
  const auto stored = [&](size_t i) {
    if (level >= 0) return level;
    if (fourcc == V4L2_PIX_FMT_YUYV || fourcc == V4L2_PIX_FMT_UYVY || fourcc == V4L2_PIX_FMT_NV12)
      return static_cast<int>(std::lround(16 + 219 * std::min(image[i], 1.0F)));  // limited range
    return static_cast<int>(std::lround(full * std::min(image[i], 1.0F)));
  };
  buffer.used = imageBytes();
  if (!film.empty()) {
    const double shown =
        trigger ? std::round(dueAt(buffer.frame) * fps) : dueAt(buffer.frame) / 0.5;
    const auto image = static_cast<size_t>(shown) % (film.size() / pixels);
    std::memcpy(buffer.data, film.data() + image * pixels, pixels);
  } else if (plain) {
    paintGrey(*this, buffer.frame, buffer.data);
  } else if (fourcc == V4L2_PIX_FMT_MJPEG) {
    std::vector<uint8_t> grey(pixels);
    for (size_t i = 0; i < pixels; ++i) grey[i] = static_cast<uint8_t>(stored(i));
    buffer.used = encode(*this, grey, buffer.data, buffer.bytes);
  } else if (isWide(fourcc)) {
    for (size_t i = 0; i < pixels; ++i) {
      const auto value = static_cast<uint16_t>(stored(i));
      std::memcpy(buffer.data + 2 * i, &value, 2);
    }
  } else if (isTwoBytes(fourcc)) {
    const size_t luma = fourcc == V4L2_PIX_FMT_YUYV ? 0 : 1;
    for (size_t i = 0; i < pixels; ++i) {
      buffer.data[2 * i + luma] = static_cast<uint8_t>(stored(i));
      buffer.data[2 * i + 1 - luma] = 200;  // chroma, which must not matter
    }
  } else {
    for (size_t i = 0; i < pixels; ++i) buffer.data[i] = static_cast<uint8_t>(stored(i));
    std::memset(buffer.data + pixels, 200, buffer.used - pixels);
  }
  buffer.bad = corrupt.has(buffer.frame);
  if (buffer.bad) buffer.used /= 2;
}

/// Everything that is due by now happens.
void Camera::advance() {
  const double time = now();
  if (gone && time >= back) gone = false;
  if (!file.empty()) gone = raw(SYS_faccessat, AT_FDCWD, reinterpret_cast<long>(file.c_str()), F_OK) != 0;
  if (!streams || gone) return;
  while (dueAt(next) <= time) {
    const long frame = next++;
    const uint32_t number = sequence++;
    if (!skip.has(frame) && !queue.empty()) {
      const uint32_t index = queue.front();
      queue.pop_front();
      Buffer& buffer = buffers[index];
      buffer.frame = frame;
      buffer.sequence = number;
      buffer.time = dueAt(frame);
      fill(buffer);
      done.push_back(index);
    }
    if (frame == unplug.after) {
      unplugged();
      return;
    }
  }
}

void Camera::unplugged() {
  gone = true;
  back = dueAt(unplug.after) + unplug.seconds;
  streams = false;
  sequence = 0;
}

Camera* byFile(int file) {
  if (file < 0) return nullptr;
  const std::lock_guard lock(mutex());
  for (Camera* camera : cameras())
    if (camera->files.count(file) > 0) return camera;
  return nullptr;
}
Camera* byPath(const char* path) {
  for (Camera* camera : cameras())
    if (camera->path == path) return camera;
  return nullptr;
}

int openCamera(Camera& camera) {
  const std::lock_guard lock(mutex());
  camera.advance();
  if (camera.gone) return failWith(ENOENT);
  if (camera.denied) return failWith(EACCES);
  if (!camera.opens.empty()) {
    if (std::FILE* file = std::fopen(camera.opens.c_str(), "a")) {
      std::fputs("opened\n", file);
      std::fclose(file);
    }
  }
  const int file = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
  camera.files.insert(file);
  return file;
}

// ---- ioctl

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
  pix.bytesperline = camera.fourcc == V4L2_PIX_FMT_MJPEG
                         ? 0
                         : pix.width * (isTwoBytes(camera.fourcc) ? 2U : 1U);
  pix.sizeimage = static_cast<uint32_t>(camera.imageBytes());
  pix.colorspace = V4L2_COLORSPACE_SRGB;
  pix.quantization = V4L2_QUANTIZATION_DEFAULT;
}

/// Sizes: its own and half of it.
int enumSizes(Camera& camera, v4l2_frmsizeenum& size) {
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
    {V4L2_CID_POWER_LINE_FREQUENCY, V4L2_CTRL_TYPE_MENU, "Power Line Frequency", 0, 2, &Camera::power},
    {V4L2_CID_EXPOSURE_AUTO, V4L2_CTRL_TYPE_MENU, "Auto Exposure", 0, 3, &Camera::automatic},
    {V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CTRL_TYPE_INTEGER, "Exposure Time, Absolute", 1, 5000, &Camera::exposure},
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

int control(Camera& camera, v4l2_control& wish, bool set) {
  for (const Control& known : kControls) {
    if (known.id != wish.id) continue;
    if (!set) {
      wish.value = camera.*known.value;
      return 0;
    }
    // As the UVC driver does.
    if (wish.id == V4L2_CID_EXPOSURE_ABSOLUTE && camera.automatic != V4L2_EXPOSURE_MANUAL)
      return failWith(EACCES);
    if (wish.value < known.least || wish.value > known.most) return failWith(ERANGE);
    camera.*known.value = wish.value;
    return 0;
  }
  return failWith(EINVAL);
}

int requestBuffers(Camera& camera, int file, v4l2_requestbuffers& request) {
  camera.owner = file;
  camera.buffers.clear();  // what was mapped is unmapped by who did
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
  camera.sequence = 0;
  return 0;
}

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
        const double asked = static_cast<double>(capture.timeperframe.denominator) /
                             capture.timeperframe.numerator;
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

int pollCamera(Camera& camera, pollfd& waiting, int milliseconds) {
  const double deadline = now() + milliseconds / 1e3;
  for (;;) {
    {
      const std::lock_guard lock(mutex());
      camera.advance();
      waiting.revents = camera.gone          ? POLLERR | POLLHUP
                        : camera.done.empty() ? 0
                                              : POLLIN;
    }
    if (waiting.revents != 0) return 1;
    const double left = deadline - now();
    if (left <= 0) return 0;
    usleep(static_cast<useconds_t>(1e6 * std::min(left, 0.001)));
  }
}

int openAny(const char* path, int flags, unsigned mode) {
  if (Camera* camera = byPath(path)) return openCamera(*camera);
  return static_cast<int>(raw(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), flags, mode));
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return openAny(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  return openAny(path, flags, mode);
}

int ioctl(int file, unsigned long request, ...) noexcept {
  va_list rest;
  va_start(rest, request);
  void* with = va_arg(rest, void*);
  va_end(rest);
  if (Camera* camera = byFile(file)) return answer(*camera, file, request, with);
  return static_cast<int>(
      raw(SYS_ioctl, file, static_cast<long>(request), reinterpret_cast<long>(with)));
}

static void* mapAny(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  Camera* camera = (flags & MAP_ANONYMOUS) == 0 ? byFile(file) : nullptr;
  if (camera) {
    flags = MAP_PRIVATE | MAP_ANONYMOUS;
    protection |= PROT_WRITE;  // this library writes, where the driver would
    file = -1;
  }
  auto* memory = reinterpret_cast<void*>(raw(SYS_mmap, reinterpret_cast<long>(at),
                                             static_cast<long>(bytes), protection, flags, file,
                                             camera ? 0 : offset));
  if (camera && memory != MAP_FAILED)
    camera->buffers.at(static_cast<size_t>(offset) / kPage).data = static_cast<uint8_t*>(memory);
  return memory;
}
void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  return mapAny(at, bytes, protection, flags, file, offset);
}
void* mmap64(void* at, size_t bytes, int protection, int flags, int file, off64_t offset) noexcept {
  return mapAny(at, bytes, protection, flags, file, offset);
}

int poll(pollfd* files, nfds_t count, int milliseconds) {
  if (count == 1) {
    if (Camera* camera = byFile(files->fd)) return pollCamera(*camera, *files, milliseconds);
  }
  return static_cast<int>(raw(SYS_poll, reinterpret_cast<long>(files), static_cast<long>(count),
                              milliseconds));
}

/// What this process has open.
ssize_t readlink(const char* path, char* target, size_t size) noexcept {
  int process = 0, file = 0;
  const Camera* camera = std::sscanf(path, "/proc/%d/fd/%d", &process, &file) == 2 && process == getpid()
                             ? byFile(file)
                             : nullptr;
  if (!camera)
    return raw(SYS_readlink, reinterpret_cast<long>(path), reinterpret_cast<long>(target), static_cast<long>(size));
  const size_t used = std::min(size, camera->path.size());
  std::memcpy(target, camera->path.data(), used);
  return static_cast<ssize_t>(used);
}
int stat(const char* path, struct stat* status) noexcept {
  Camera* camera = byPath(path);
  if (camera) {
    const std::lock_guard lock(mutex());
    camera->advance();
    if (camera->gone) return failWith(ENOENT);
  }
  if (!camera)
    return static_cast<int>(raw(SYS_newfstatat, AT_FDCWD, reinterpret_cast<long>(path),
                                reinterpret_cast<long>(status), 0));
  *status = {};
  status->st_mode = S_IFCHR | 0660;
  status->st_gid = getgid();
  return 0;
}

/// For others than Glint: of one camera alone.
int select(int count, fd_set* reading, fd_set* writing, fd_set* failing, timeval* longest) {
  for (int file = 0; reading && file < count; ++file) {
    Camera* camera = FD_ISSET(file, reading) ? byFile(file) : nullptr;
    if (!camera) continue;
    pollfd waiting{file, POLLIN, 0};
    const int ready = pollCamera(*camera, waiting,
                                 longest ? static_cast<int>(longest->tv_sec * 1000 + longest->tv_usec / 1000) : INT_MAX);
    if (ready == 0) FD_ZERO(reading);
    return ready;
  }
  return static_cast<int>(raw(SYS_select, count, reinterpret_cast<long>(reading), reinterpret_cast<long>(writing),
                              reinterpret_cast<long>(failing), reinterpret_cast<long>(longest)));
}

int close(int file) {
  if (Camera* camera = byFile(file)) {
    const std::lock_guard lock(mutex());
    camera->files.erase(file);
    if (file == camera->owner) camera->streams = false;
  }
  return static_cast<int>(raw(SYS_close, file, 0, 0));
}
}
