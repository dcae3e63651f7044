#include "gpu/blur.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gpu/gaussian.h"
#include "shared/params.h"
#include "spirv/blur_columns.h"
#include "spirv/blur_rows.h"

namespace glint {
namespace {

// As in shaders/blur.glsl.
constexpr uint32_t kSpan = 8;
constexpr size_t kWideTap = 28, kTaps = 80;  // for radii up to 16 px

uint32_t reachOf(const std::vector<uint32_t>& taps) {
  return static_cast<uint32_t>(taps.size()) - 1;
}

}  // namespace

struct Blur::Plan {
  Plan(const shared::PlaneShape& shape, uint32_t bits_, uint32_t layers,
       const Settings::Response& settings)
      : bits(bits_),
        band(settings.kind == ResponseKind::dog),
        gain(static_cast<uint32_t>(settings.gain)),
        narrow(gaussianTaps(MarkerScale(settings.radius).narrow)),
        wide(gaussianTaps(MarkerScale(settings.radius).wide)),
        margin((reachOf(band ? wide : narrow) + 3) / 4 * 4),
        middleBytes(sizeof(uint32_t) * (size_t{shape.pitch} * (32 / bits) + 2 * size_t{margin}) *
                    shape.height * layers) {}

  std::string name(const char* half) const { return std::string(band ? "dog_" : "blur_") + half; }
  std::vector<uint32_t> constants() const {
    return {bits, band ? 1U : 0U, reachOf(narrow), reachOf(wide)};
  }

  uint32_t bits;
  bool band;
  uint32_t gain;
  std::vector<uint32_t> narrow, wide;
  uint32_t margin;  // px
  size_t middleBytes;
};

Blur::Blur(const Device& device, const shared::PlaneShape& shape, uint32_t bits, uint32_t layers,
           const Settings::Response& settings)
    : Blur(device, Plan(shape, bits, layers, settings)) {}

Blur::Blur(const Device& device, const Plan& plan)
    : bits_(plan.bits),
      gain_(plan.gain),
      margin_(plan.margin),
      columns_(device, plan.name("columns"), blur_columns_spirv, plan.constants()),
      rows_(device, plan.name("rows"), blur_rows_spirv, plan.constants()),
      taps_(device, sizeof(uint32_t) * kTaps, MemoryUse::upload, "taps"),
      middle_(device, plan.middleBytes, MemoryUse::device, "blurred columns") {
  const auto words = taps_.as<uint32_t>();
  std::fill(words.begin(), words.end(), 0);
  std::copy(plan.narrow.begin(), plan.narrow.end(), words.begin());
  std::copy(plan.wide.begin(), plan.wide.end(), words.begin() + kWideTap);
}

void Blur::record(Recorder& recorder, const Plane& from, const Plane& response) const {
  const shared::PlaneShape& shape = from.shape;
  const shared::BlurParams params{shape, gain_};
  const uint32_t width = shape.pitch * (32 / bits_);
  recorder.run(columns_, {from.buffer, &taps_, &middle_}, params,
               {width / 4 + margin_ / 2, (shape.height + kSpan - 1) / kSpan, from.layers});
  recorder.run(rows_, {&middle_, &taps_, response.buffer}, params,
               {(width + kSpan - 1) / kSpan, shape.height, from.layers});
}

}  // namespace glint
