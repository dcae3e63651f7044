#include "tests/gpu/rig.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>

/// Sets options of the thread sanitizer: device() is never destroyed, and neither are the threads
/// that made its kernels.
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() {
  return "report_thread_leaks=0";
}

namespace glint::test {
namespace {

/// A listener that fails any test during which the validation layer reports something.
class ValidationGuard : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { before_ = device().validationMessages(); }
  void OnTestEnd(const testing::TestInfo&) override {
    EXPECT_EQ(device().validationMessages(), before_) << "the Vulkan validation layer spoke";
  }
  uint32_t before_ = 0;
};

const bool guarded = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new ValidationGuard);
  return true;
}();

/// Returns noise by splitmix64 (Steele, Lea and Flood 2014), which is the same on every machine.
uint32_t hash(uint64_t x, uint64_t y, uint64_t layer) {
  uint64_t z = (x << 40 ^ y << 8 ^ layer) + 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return static_cast<uint32_t>((z ^ z >> 31) >> 32);
}

double blob(double x, double y, double cx, double cy, double sigma) {
  return std::exp(-((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (2 * sigma * sigma));
}

std::vector<Pattern> makePatterns() {
  const auto full = [](const gpu::ImageFormat& f) { return f.fullScale(); };
  return {
      {"noise", [=](auto x, auto y, auto l, auto& f) { return hash(x, y, l) & full(f); }},
      {"few_levels", [](auto x, auto y, auto l, auto&) { return hash(x, y, l) % 3; }},
      {"black", [](auto, auto, auto, auto&) { return 0U; }},
      {"flat", [](auto, auto, auto l, auto&) { return 17 + 5 * l; }},
      {"saturated", [=](auto, auto, auto, auto& f) { return full(f); }},
      {"ramp", [=](auto x, auto y, auto l, auto& f) { return (x * 3 + y * 5 + l) & full(f); }},
      {"plateaus",
       [=](auto x, auto y, auto l, auto& f) { return hash(x / 7, y / 5, l) % 4 * (full(f) / 4); }},
      {"blobs",
       [=](auto x, auto y, auto l, auto& f) {
         double v = hash(x, y, l) % 5;
         for (uint64_t i = 0; i < 12; ++i) {
           const double cx = hash(i, 1, l) % (f.width * 16) / 16.0;
           const double cy = hash(i, 2, l) % (f.height * 16) / 16.0;
           v += full(f) * (0.3 + 0.15 * static_cast<double>(i % 8)) *
                blob(x, y, cx, cy, 1.0 + static_cast<double>(i % 5));
         }
         return static_cast<uint32_t>(std::min(v, double(full(f))));
       }},
  };
}

std::shared_ptr<const gpu::HostFilters>& usedHostFilters() {
  static std::shared_ptr<const gpu::HostFilters> filters;
  return filters;
}

}  // namespace

void useHostFilters(std::shared_ptr<const gpu::HostFilters> filters) {
  usedHostFilters() = std::move(filters);
}

const gpu::Device& device() {
  const char* name = std::getenv("GLINT_TEST_DEVICE");
  const bool validate = std::getenv("GLINT_TEST_NO_VALIDATION") == nullptr;
  // The device is never destroyed, because the unloaded validation layer leaves memory that
  // LeakSanitizer cannot attribute to it.
  static const gpu::Device* const shared =
      new gpu::Device({.name = name != nullptr ? name : "",
                       .validation = validate,
                       .hostFilters = usedHostFilters(),
                       .wroteBeside = failOfGuards,
                       .guardsEveryPass = std::getenv("GLINT_TEST_EVERY_PASS") != nullptr});
  return *shared;
}

void failOfGuards(const std::string& what) {
  ADD_FAILURE() << what;
}

const gpu::Passes& passes(uint32_t bits) {
  static auto* const made = new std::map<uint32_t, gpu::Passes>;  // lives as long as the device
  return made->try_emplace(bits, device(), bits).first->second;
}

gpu::SearchOptions usualSearch() {
  return gpu::SearchOptions::suiting(device(), passes(8));
}

const std::vector<Pattern>& patterns() {
  static const auto all = makePatterns();
  return all;
}

std::vector<reference::Image> makeImages(const Pattern& pattern, const gpu::ImageFormat& format,
                                         uint32_t layers) {
  std::vector<reference::Image> images;
  for (uint32_t l = 0; l < layers; ++l) {
    auto& image = images.emplace_back(reference::Image{format, {}});
    image.values.reserve(format.pixels() * format.channels);
    for (uint32_t y = 0; y < format.height; ++y) {
      for (uint32_t x = 0; x < format.width; ++x) {
        for (uint32_t c = 0; c < format.channels; ++c) {
          image.values.push_back(static_cast<uint16_t>(pattern.value(x, y, l * 3 + c, format)));
        }
      }
    }
  }
  return images;
}

DevicePlane::DevicePlane(const gpu::ImageFormat& format_, uint32_t layers_)
    : format(format_),
      layers(layers_),
      shape(gpu::planeShape(format_)),
      buffer(device(), gpu::planeBytes(shape, layers_), gpu::MemoryUse::readback, "test plane") {
  for (auto& byte : buffer.mapped()) byte = std::byte{0xcd};
}

DevicePlane::DevicePlane(const std::vector<reference::Image>& images)
    : DevicePlane(images[0].format, static_cast<uint32_t>(images.size())) {
  const size_t bytes = format.bits / 8;
  for (uint32_t l = 0; l < layers; ++l) {
    const size_t perRow = size_t{format.width} * format.channels;
    for (size_t i = 0; i < images[l].values.size(); ++i) {
      auto* at = buffer.mapped().data() + gpu::planeBytes(shape, l) + i / perRow * shape.pitch * 4 +
                 i % perRow * bytes;
      std::memcpy(at, &images[l].values[i], bytes);  // little endian: the low byte comes first
    }
  }
}

std::vector<reference::Image> DevicePlane::read() const {
  std::vector<reference::Image> images;
  const size_t bytes = format.bits / 8;
  for (uint32_t l = 0; l < layers; ++l) {
    auto& image = images.emplace_back(reference::Image{format, {}});
    image.values.resize(format.pixels() * format.channels, 0);
    const size_t perRow = size_t{format.width} * format.channels;
    for (size_t i = 0; i < image.values.size(); ++i) {
      const auto* at = buffer.mapped().data() + gpu::planeBytes(shape, l) +
                       i / perRow * shape.pitch * 4 + i % perRow * bytes;
      std::memcpy(&image.values[i], at, bytes);
    }
  }
  return images;
}

DeviceMask::DeviceMask(const std::vector<reference::Image>& images)
    : width(images[0].format.width) {
  if (images[0].mask.empty()) return;
  std::vector<gpu::LayerMask> masks;
  for (const auto& image : images) masks.push_back({width, image.format.height, image.mask});
  const auto words = gpu::packMasks(masks, width, images[0].format.height);
  buffer.emplace(device(), words.size() * sizeof(uint32_t), gpu::MemoryUse::upload, "test mask");
  std::copy(words.begin(), words.end(), buffer->as<uint32_t>().begin());
}

Settings& edit(gpu::DetectionConfig& config) {
  const auto own = std::make_shared<Settings>(*config.settings);
  config.settings = own;
  return *own;
}

gpu::FrameLease lease(gpu::FramePool& pool, const std::vector<reference::Image>& images) {
  static uint64_t next = 0;
  const std::shared_ptr<gpu::FrameSlot> slot = pool.take();
  for (uint32_t l = 0; l < images.size(); ++l) {
    const gpu::ImageView view = slot->layer(l);
    const size_t perRow = size_t{view.format.width} * view.format.channels;
    const size_t bytes = view.format.bits / 8;
    for (size_t i = 0; i < images[l].values.size(); ++i) {
      std::memcpy(view.row(static_cast<uint32_t>(i / perRow)) + i % perRow * bytes,
                  &images[l].values[i], bytes);
    }
    slot->set(l, {.sequence = FrameNumber(next++)});
  }
  return slot;
}

void runNow(const std::function<void(gpu::Recorder&)>& record) {
  gpu::Recorder recorder(device());
  recorder.begin();
  record(recorder);
  recorder.submit();
  recorder.wait();
}

}  // namespace glint::test
