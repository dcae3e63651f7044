// One device of the kernel's video interface (Video4Linux2, linux/videodev2.h). Internal to
// capture/.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/capture/source/camera_info.h"
#include "app/capture/source/interrupt.h"
#include "config/error.h"
#include "config/settings.h"

namespace glint::capture {

/// The device is gone: unplugged, or it no longer answers.
struct CameraGone : Error {
  using Error::Error;
};

/// A device that is there but sends no pictures.
struct NoCamera : Error {
  using Error::Error;
};

/// What a V4L2 device sends.
struct V4l2Format {
  uint32_t fourcc = 0;
  uint32_t width = 0, height = 0;  ///< px
  uint32_t pitch = 0;              ///< bytes from row to row
  bool limited = false;            ///< luma from 16 to 235
  double rate = 0;                 ///< frames a second, as promised; 0: not said
};

/// A frame in the driver's memory; hand it back with V4l2Device::giveBack().
struct V4l2Frame {
  uint32_t index = 0;
  std::span<const std::byte> bytes = {};
  uint32_t sequence = 0;
  double time = 0;         ///< s, the driver's
  bool monotonic = false;  ///< `time` is the host's monotonic clock
  bool damaged = false;    ///< the driver says so
};

/// Used by one thread.
class V4l2Device {
 public:
  /// Opens. `name`: for messages. Throws Error: no such camera, no permission, no camera at all.
  V4l2Device(std::string path, std::string name);
  ~V4l2Device();
  V4l2Device(const V4l2Device&) = delete;
  V4l2Device& operator=(const V4l2Device&) = delete;

  const std::string& path() const { return path_; }
  const std::string& card() const { return card_; }
  const std::string& bus() const { return bus_; }
  const std::string& driver() const { return driver_; }

  std::vector<CameraMode> modes() const;
  std::vector<CameraControl> controls() const;

  /// Asks for size, format and rate, as near as the camera comes; without a request for the format,
  /// the one that comes nearest to the rate, and of equals the first of knownCameraPixels(). Throws
  /// UsageError for a text that says none, or a format that the camera has not; Error where another
  /// program holds the camera or it has nothing that can be read.
  V4l2Format choose(const Settings::Camera& request);
  /// The same again, of a camera that has come back. Throws Error where it gives something else.
  void restore(const V4l2Format& format);

  /// Sets the controls that `request` says and `before` does not: see setV4l2Controls().
  void control(const Settings::Camera& request, const Settings::Camera& before);

  /// Begins to send. Throws Error where another program holds the camera.
  void start();
  bool started() const { return !buffers_.empty(); }

  /// Waits for a frame for up to `patience` or until interrupted. Throws CameraGone.
  std::optional<V4l2Frame> next(std::chrono::milliseconds patience, const Interrupt* interrupt);
  /// The next one if it is there already. Throws CameraGone.
  std::optional<V4l2Frame> take();
  void giveBack(const V4l2Frame& frame);

 private:
  struct Buffer {
    std::byte* data = nullptr;
    size_t bytes = 0;
  };
  struct Choice {
    uint32_t fourcc = 0, width = 0, height = 0;
  };
  int call(unsigned long request, void* argument) const;
  [[noreturn]] void fail(const char* doing) const;
  [[noreturn]] void failToOpen() const;
  void identify();
  std::vector<uint32_t> formats() const;
  std::vector<CameraMode> sizesOf(uint32_t fourcc) const;
  CameraMode modeOf(uint32_t fourcc, uint32_t width, uint32_t height) const;
  std::vector<double> ratesOf(uint32_t fourcc, uint32_t width, uint32_t height) const;
  Choice chooseMode(const Settings::Camera& request) const;
  void setFormat(V4l2Format& format) const;
  void setRate(V4l2Format& format, double request) const;
  void close();

  std::string path_, name_;
  int file_ = -1;
  std::string card_, bus_, driver_;
  std::vector<Buffer> buffers_;
};

/// ioctl() that goes on after signals. -1: errno says why not.
int v4l2Call(int file, unsigned long request, void* argument);

/// All that an open device offers, as it is now. The common ones have the names of settings
/// ("exposure"), others their own ("backlight_compensation").
std::vector<CameraControl> listV4l2Controls(int file);

/// Sets what `request` says and `before` does not. What sets a control by itself is switched off
/// first; "auto" switches it on. Throws UsageError for a control that the device has not, or a
/// value that it does not allow; Error where it refuses; all else is set then, too. `name`: of the
/// camera, for messages.
void setV4l2Controls(int file, const std::string& name, const Settings::Camera& request,
                     const Settings::Camera& before);

}  // namespace glint::capture
