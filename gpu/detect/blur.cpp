#include "gpu/detect/blur.h"

#include <algorithm>
#include <string>
#include <vector>

#include "config/error.h"
#include "gpu/detect/gaussian.h"
#include "shared/params.h"
#include "spirv/blur_columns.h"
#include "spirv/blur_rows.h"

namespace glint::gpu {
namespace {

// These must agree with shaders/blur.glsl.
constexpr uint32_t kSpan = 8;
constexpr size_t kWideTap = 28, kMostTaps = 80;  // suffices for radii up to 16 px

constexpr uint32_t kWidestMargin = 48;  // px, margin of the Gaussians for a radius of 16 px
constexpr size_t kMostKept = 8;         // most blurs that are kept, each with a small buffer

/// The Gaussians for one radius.
struct Gaussians {
  explicit Gaussians(const Settings::Response& settings)
      : band(settings.kind == ResponseKind::dog),
        narrow(gaussianTaps(MarkerScale(settings.radius).narrow)),
        wide(gaussianTaps(MarkerScale(settings.radius).wide)) {}

  static uint32_t reachOf(const std::vector<uint32_t>& taps) {
    return static_cast<uint32_t>(taps.size()) - 1;
  }
  uint32_t margin() const { return (reachOf(band ? wide : narrow) + 3) / 4 * 4; }  // px

  bool band;
  std::vector<uint32_t> narrow, wide;
};

}  // namespace

Blur::Blur(const Device& device, uint32_t bits, const Settings::Response& settings,
           std::shared_ptr<const BlurKernels> kernels, std::shared_ptr<const Buffer> middle)
    : bits_(bits),
      made_(settings),
      kernels_(std::move(kernels)),
      middle_(std::move(middle)),
      taps_(device, sizeof(uint32_t) * kMostTaps, MemoryUse::settings, "taps") {
  const Gaussians gaussians(settings);
  const auto words = taps_.as<uint32_t>();
  std::fill(words.begin(), words.end(), 0);
  std::copy(gaussians.narrow.begin(), gaussians.narrow.end(), words.begin());
  std::copy(gaussians.wide.begin(), gaussians.wide.end(), words.begin() + kWideTap);
}

void Blur::record(Recorder& recorder, const Plane& from, const Plane& response, int gain) const {
  const shared::PlaneShape& shape = from.shape;
  const shared::BlurParams params{shape, static_cast<uint32_t>(gain)};
  const uint32_t width = shape.pitch * (32 / bits_);
  const uint32_t margin = Gaussians(made_).margin();
  recorder.run(kernels_->columns, {from.buffer, &taps_, middle_.get()}, params,
               {width / 4 + margin / 2, (shape.height + kSpan - 1) / kSpan, from.layers});
  recorder.run(kernels_->rows, {middle_.get(), &taps_, response.buffer}, params,
               {(width + kSpan - 1) / kSpan, shape.height, from.layers});
}

bool Blur::fits(const Settings::Response& settings) const {
  return made_.kind == settings.kind && made_.radius == settings.radius;
}

struct BlurCache::Plan {
  Plan(uint32_t bits, const Settings::Response& settings) {
    const Gaussians gaussians(settings);
    name = gaussians.band ? "dog_" : "blur_";
    constants = {bits, gaussians.band ? 1U : 0U, Gaussians::reachOf(gaussians.narrow),
                 Gaussians::reachOf(gaussians.wide)};
    margin = gaussians.margin();
  }

  std::string name;
  std::vector<uint32_t> constants;
  uint32_t margin;  // px
};

BlurCache::BlurCache(const Device& device, const shared::PlaneShape& shape, uint32_t bits,
                     uint32_t layers)
    : device_(device), shape_(shape), bits_(bits), layers_(layers) {}

std::shared_ptr<const Blur> BlurCache::find(const Settings::Response& settings) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(blurs_.begin(), blurs_.end(),
                                  [&](const auto& blur) { return blur->fits(settings); });
  return found == blurs_.end() ? nullptr : *found;
}

std::shared_ptr<const Blur> BlurCache::make(const Settings::Response& settings) {
  if (auto blur = find(settings)) return blur;
  const Plan plan(bits_, settings);
  auto blur =
      std::make_shared<const Blur>(device_, bits_, settings, kernelsFor(plan), middleFor(plan));
  const std::lock_guard lock(mutex_);
  if (blurs_.size() == kMostKept) blurs_.erase(blurs_.begin());
  return blurs_.emplace_back(std::move(blur));
}

std::shared_ptr<const BlurKernels> BlurCache::kernelsFor(const Plan& plan) {
  auto& kernels = kernels_[plan.constants];
  if (!kernels) {
    kernels = std::make_shared<const BlurKernels>(
        BlurKernels{{device_, plan.name + "columns", blur_columns_spirv, plan.constants},
                    {device_, plan.name + "rows", blur_rows_spirv, plan.constants}});
  }
  return kernels;
}

/// Returns an intermediate plane that is large enough for the plan. If the device has room, it is
/// made large enough for every radius.
std::shared_ptr<const Buffer> BlurCache::middleFor(const Plan& plan) {
  const auto bytes = [&](uint32_t margin) {
    return sizeof(uint32_t) * (size_t{shape_.pitch} * (32 / bits_) + 2 * size_t{margin}) *
           shape_.height * layers_;
  };
  const auto make = [&](uint32_t margin) {
    return std::make_shared<const Buffer>(device_, bytes(margin), MemoryUse::device,
                                          "blurred columns");
  };
  if (middle_ && middle_->size() >= bytes(plan.margin)) return middle_;
  try {
    middle_ = make(std::max(plan.margin, kWidestMargin));
  } catch (const Error&) {
    middle_ = make(plan.margin);
  }
  return middle_;
}

}  // namespace glint::gpu
