// A device under validation, and images on which kernels are run.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/detect/detection_config.h"
#include "gpu/detect/peak_finder.h"
#include "gpu/device.h"
#include "gpu/frame_pool.h"
#include "gpu/mask.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"
#include "shared/feedback.h"
#include "tests/gpu/reference.h"

namespace glint::test {

/// Returns the one device of the test program, with validation and synchronisation validation on.
/// GLINT_TEST_DEVICE chooses it. Every test fails if the validation layer has reported anything by
/// its end.
const gpu::Device& device();

/// Gives device() filters that the host computes if the device is a CPU. To be called before the
/// first device().
void useHostFilters(std::shared_ptr<const gpu::HostFilters> filters);

/// Fails the test. A device of a test calls it when something was written beside a buffer.
void failOfGuards(const std::string& what);

/// Returns the kernels for a bit depth, which are made once.
const gpu::Passes& passes(uint32_t bits);

/// Returns how a detector uses the device by default, for tests to change.
gpu::SearchOptions usualSearch();

/// A named pattern of images. Layers differ.
struct Pattern {
  std::string name;
  std::function<uint32_t(uint32_t x, uint32_t y, uint32_t layer, const gpu::ImageFormat&)> value;
};

/// Returns the patterns: noise, flat, plateaus, ramps, blobs and others. They are the same on every
/// machine.
const std::vector<Pattern>& patterns();

/// Returns the layers of a pattern.
std::vector<reference::Image> makeImages(const Pattern& pattern, const gpu::ImageFormat& format,
                                         uint32_t layers);

/// Images as a plane on the device. Padding is filled with garbage that no kernel may use.
struct DevicePlane {
  explicit DevicePlane(const std::vector<reference::Image>& images);
  DevicePlane(const gpu::ImageFormat& format, uint32_t layers);  ///< uninitialised
  gpu::Plane plane() const { return {&buffer, shape, layers}; }
  std::vector<reference::Image> read() const;

  gpu::ImageFormat format;
  uint32_t layers;
  shared::PlaneShape shape;
  gpu::Buffer buffer;
};

/// The masks of images on the device; none if they have none.
struct DeviceMask {
  explicit DeviceMask(const std::vector<reference::Image>& images);
  gpu::PixelMask mask() const {
    return buffer ? gpu::PixelMask{&*buffer, gpu::maskPitch(width)} : gpu::PixelMask{};
  }

  uint32_t width;
  std::optional<gpu::Buffer> buffer;
};

/// A mapped buffer of `count` structs.
template <class T>
struct DeviceArray {
  explicit DeviceArray(size_t count)
      : buffer(device(), count * sizeof(T), gpu::MemoryUse::readback, "test array") {
    for (auto& byte : buffer.mapped()) byte = std::byte{0xab};
  }
  std::span<T> values() const { return buffer.template as<T>(); }
  gpu::Buffer buffer;
};

/// Gives a config settings of its own, for a test to change until they are handed over.
Settings& edit(gpu::DetectionConfig& config);

/// Takes the next frame of a pool, with one image for each layer (a colour image's channels
/// interleaved).
gpu::FrameLease lease(gpu::FramePool& pool, const std::vector<reference::Image>& images);

/// Records with `record`, submits and waits.
void runNow(const std::function<void(gpu::Recorder&)>& record);

}  // namespace glint::test
