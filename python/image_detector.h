// Finds markers in images that a program has in its memory.
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

/// Images of one format in memory of the caller, in the order of NumPy.
struct Images {
  gpu::ImageFormat format;  ///< format of each image; colour is red, green, blue
  size_t cameras = 1;       ///< number of images, one after another
  const std::byte* pixels;  ///< rows without padding
};

/// Measures images of one format as a session measures its frames: with the statistics of the
/// images before, the first ones with their own. Thread-safe: threads take turns.
/// Images that were submitted must be collected before the next ones are submitted.
class ImageDetector {
 public:
  static constexpr size_t kMostCameras = 64;  ///< the most cameras, as in a rig

  /// Throws UsageError for more than kMostCameras cameras and for settings that contradict each
  /// other, Error if there is no device or it has no room.
  ImageDetector(const Settings& settings, const gpu::ImageFormat& format, size_t cameras);
  ~ImageDetector();

  const gpu::ImageFormat& format() const;
  size_t cameras() const;

  /// Uses other settings from the next images on, and waits until the device is prepared for them.
  /// No submitted images may be waiting for collect(). `settings.device` is ignored. Throws as the
  /// constructor does; the settings then stay as they were.
  void apply(const Settings& settings);

  /// Copies the images and starts to measure them. `time`: s, for the table. `alone`: true if they
  /// have nothing to do with earlier images; their frame then has the number 0. Throws Error if
  /// submitted images are still waiting for collect().
  void submit(const Images& images, double time, bool alone);

  /// Waits for the images and returns a frame with their markers, without tracks. Throws Error if
  /// no images were submitted.
  std::shared_ptr<const motion::Frame> collect();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace glint::python
