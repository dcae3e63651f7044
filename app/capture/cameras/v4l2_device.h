// Uses one device of the kernel's video interface (Video4Linux2, linux/videodev2.h). Internal to
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

/// Thrown if the device is gone: it was unplugged, or no longer answers.
struct CameraGone : Error {
  using Error::Error;
};

/// Thrown if there is a device but it sends no pictures.
struct NoCamera : Error {
  using Error::Error;
};

/// The format of the frames that a V4L2 device sends.
struct V4l2Format {
  uint32_t fourcc = 0;
  uint32_t width = 0, height = 0;  ///< px
  uint32_t pitch = 0;              ///< bytes from one row to the next
  bool limited = false;            ///< true if luma lies from 16 to 235
  double rate = 0;                 ///< frames/s, as the device promises; 0: not known
};

/// A frame in the driver's memory, which must be given back with V4l2Device::giveBack().
struct V4l2Frame {
  uint32_t index = 0;
  std::span<const std::byte> bytes = {};
  uint32_t sequence = 0;
  double time = 0;         ///< s, by the driver's clock
  bool monotonic = false;  ///< true if that is the host's monotonic clock
  bool damaged = false;    ///< true if the driver reports damage
};

/// An open device. Only one thread may use it.
class V4l2Device {
 public:
  /// Opens the device. `name`: its name in messages. Throws Error if there is no such device, it
  /// may not be opened, or it is not a camera.
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

  /// Sets size, pixel format and rate as near to the request as the camera allows, and returns
  /// them. If no format is requested, it is the one that comes nearest to the requested rate; of
  /// several equal ones the first of knownCameraPixels(). Throws UsageError for a text that is not
  /// a value, and for a format that the camera does not have; Error if another program uses the
  /// camera, or if it has no format that can be read.
  V4l2Format choose(const Settings::Camera& request);
  /// Sets the same format again, after the camera has come back. Throws Error if the camera gives
  /// another one.
  void restore(const V4l2Format& format);

  /// Sets the controls for which `request` has another value than `before`: see setV4l2Controls().
  void control(const Settings::Camera& request, const Settings::Camera& before);

  /// Makes the camera send frames. Throws Error if another program uses the camera.
  void start();
  bool started() const { return !buffers_.empty(); }

  /// Waits for the next frame, at most for `patience` or until interrupted; empty if none came.
  /// Throws CameraGone.
  std::optional<V4l2Frame> next(std::chrono::milliseconds patience, const Interrupt* interrupt);
  /// Returns the next frame if it is there already. Throws CameraGone.
  std::optional<V4l2Frame> take();
  /// Gives a frame's memory back to the driver.
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

/// Calls ioctl(), again if a signal has interrupted it. Returns -1, and sets errno, if it fails.
int v4l2Call(int file, unsigned long request, void* argument);

/// Returns all controls of an open device, with their present values. Common controls have the
/// names of settings ("exposure"), others their own names ("backlight_compensation").
std::vector<CameraControl> listV4l2Controls(int file);

/// Sets the controls for which `request` has another value than `before`. The device's automatic
/// setting of a control is switched off first; the value "auto" switches it on. Throws UsageError
/// for a control that the device does not have, or a value that it does not allow; Error if the
/// device refuses; all other controls are set nevertheless. `name`: the camera's name in messages.
void setV4l2Controls(int file, const std::string& name, const Settings::Camera& request,
                     const Settings::Camera& before);

}  // namespace glint::capture
