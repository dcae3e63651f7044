// Markers in images that a program has in its memory.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "config/settings.h"
#include "gpu/frame.h"

namespace glint::motion {
struct Frame;
}  // namespace glint::motion

namespace glint::python {

/// Images of one format in memory, in the order that NumPy has them.
struct Images {
  gpu::ImageFormat format;  ///< colour stands as red, green, blue
  size_t cameras = 1;       ///< images, one after another
  const std::byte* pixels;  ///< rows without padding
};

/// Measures images of one format as a session measures its frames: each by the statistics of the
/// one before, the first by its own. Any thread: they take turns; one image in flight.
class ImageDetector {
 public:
  static constexpr size_t kMostCameras = 64;  ///< as of a rig

  /// Throws UsageError for more cameras and for settings that contradict each other, Error without
  /// a device or where it has no room.
  ImageDetector(const Settings& settings, const gpu::ImageFormat& format, size_t cameras);
  ~ImageDetector();

  const gpu::ImageFormat& format() const;
  size_t cameras() const;

  /// From the next image on; waits until the device is prepared for them. No image may be in
  /// flight. `settings.device` is not looked at. Throws as the constructor; then all is as before.
  void apply(const Settings& settings);

  /// Copies the images and begins on them. `time`: s, for the table. `alone`: they have nothing to
  /// do with those before, and are frame 0. Throws Error when an image is in flight.
  void submit(const Images& images, double time, bool alone);

  /// Waits for the images; their markers, without tracks. Throws Error where none were submitted.
  std::shared_ptr<const motion::Frame> collect();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace glint::python
