#include "gpu/detector.h"

#include <algorithm>
#include <string>

#include "config/error.h"
#include "gpu/statistics.h"
#include "shared/limits.h"

namespace glint {
namespace {

constexpr uint32_t kMaxSide = 32768;  // px: keeps squared distances within 32 bits

/// A buffer that kernels write and the host reads after the frame. Where host and device share
/// memory it is one buffer; elsewhere the host has a copy.
class ResultBuffer {
 public:
  ResultBuffer(const Device& device, size_t bytes, const std::string& name)
      : device_(device, bytes, device.unifiedMemory() ? MemoryUse::readback : MemoryUse::device,
                name) {
    if (!device.unifiedMemory())
      host_.emplace(device, bytes, MemoryUse::readback, name + " (host)");
  }
  const Buffer& buffer() const { return device_; }
  void recordReadBack(Recorder& recorder) const {
    if (host_) recorder.copy(device_, *host_, device_.size());
  }
  template <class T>
  std::span<const T> read() const {
    return (host_ ? *host_ : device_).as<T>();
  }

 private:
  Buffer device_;
  std::optional<Buffer> host_;
};

FrameFormat checked(const Device& device, const FrameFormat& format) {
  const auto& image = format.image;
  if (image.width < 1 || image.height < 1 || image.width > kMaxSide || image.height > kMaxSide) {
    throw Error("frames of " + std::to_string(image.width) + "x" + std::to_string(image.height) +
                " cannot be measured: each side must be 1 to " + std::to_string(kMaxSide) + " px");
  }
  if (format.layers < 1 || format.layers > shared::kMaxLayers) {
    throw Error(std::to_string(format.layers) +
                " cameras cannot be measured at once: the most is " +
                std::to_string(shared::kMaxLayers));
  }
  if (sizeof(shared::Feedback) > device.limits().maxUniformBufferRange) {
    throw Error("the device '" + device.info().name + "' allows too small a uniform buffer");
  }
  return format;
}

ImageFormat greyOf(ImageFormat image) {
  image.channels = 1;
  return image;
}

uint32_t thresholdOf(const Settings& settings, const ImageFormat& image,
                     const shared::PlaneStatistics& response) {
  const auto& fixed = settings.detect.threshold;
  return fixed ? fixedThreshold(*fixed, image.fullScale())
               : automaticThreshold(response, image.pixels(), settings.detect.thresholdSigma,
                                    image.fullScale());
}

}  // namespace

shared::Feedback makeFeedback(const Settings& settings, const ImageFormat& image,
                              std::span<const LayerExpectation> layers) {
  shared::Feedback feedback{};
  // Every layer may place as many as the fullest fits beside the others: share by rounds.
  std::vector<size_t> placed(layers.size(), 0);
  size_t total = 0;
  for (bool any = true; any && total < shared::kMaxPredictions;) {
    any = false;
    for (size_t i = 0; i < layers.size() && total < shared::kMaxPredictions; ++i) {
      if (placed[i] == layers[i].predictions.size()) continue;
      ++placed[i];
      ++total;
      any = true;
    }
  }
  uint32_t next = 0;
  for (size_t i = 0; i < layers.size(); ++i) {
    auto& layer = feedback.layers[i];
    layer.response = layers[i].response;
    layer.threshold = thresholdOf(settings, image, layers[i].response);
    layer.firstPrediction = next;
    layer.predictionCount = static_cast<uint32_t>(placed[i]);
    std::copy_n(layers[i].predictions.begin(), placed[i], feedback.predictions + next);
    next += layer.predictionCount;
  }
  return feedback;
}

struct Detector::Memory {
  Memory(const Device& device, const FrameFormat& format, uint32_t maxMarkers, const Passes& passes)
      : grey(planeShape(greyOf(format.image))),
        source(planeShape(format.image)),
        layers(format.layers),
        candidates(device, grey, layers),
        statisticsParts(device,
                        passes.statisticsParts(grey, layers) * sizeof(shared::PlaneStatistics),
                        MemoryUse::device, "statistics parts"),
        feedback(device, sizeof(shared::Feedback), MemoryUse::upload, "feedback"),
        luminanceStatistics(device, sizeof(shared::PlaneStatistics) * layers,
                            "luminance statistics"),
        responseStatistics(device, sizeof(shared::PlaneStatistics) * layers, "response statistics"),
        counts(device, sizeof(shared::LayerResult) * layers, "counts"),
        markers(device, sizeof(shared::Detection) * maxMarkers * layers, "markers") {
    const auto add = [&](std::optional<Buffer>& buffer, size_t bytes, const char* name) {
      buffer.emplace(device, bytes, MemoryUse::device, name);
    };
    if (!device.unifiedMemory()) add(upload, planeBytes(source, layers), "uploaded frame");
    if (format.image.channels == 3) add(luminance, planeBytes(grey, layers), "luminance");
    add(response, planeBytes(grey, layers), "response");
  }

  shared::PlaneShape grey, source;
  uint32_t layers;
  std::optional<Buffer> upload;     // where the device has memory of its own
  std::optional<Buffer> luminance;  // of colour frames; grey input is itself
  std::optional<Buffer> response;
  Candidates candidates;
  Buffer statisticsParts;
  Buffer feedback;
  ResultBuffer luminanceStatistics, responseStatistics, counts, markers;
};

Detector::Detector(const Device& device, const FrameFormat& format, uint32_t maxMarkers)
    : format_(checked(device, format)),
      selection_{.maxMarkers = maxMarkers},
      passes_(device, format.image.bits),
      memory_(std::make_unique<Memory>(device, format, maxMarkers, passes_)),
      recorder_(device) {}

Detector::~Detector() = default;

Plane Detector::recordResponse(const FrameSlot& slot, const Settings& settings) {
  Memory& m = *memory_;
  Plane source{&slot.buffer, m.source, m.layers};
  if (m.upload) {
    recorder_.copy(slot.buffer, *m.upload, planeBytes(m.source, m.layers));
    source.buffer = &*m.upload;
  }
  Plane plane = source;
  if (m.luminance) {
    plane = {&*m.luminance, m.grey, m.layers};
    passes_.luminance(recorder_, source, plane);
  }
  passes_.statistics(recorder_, plane, m.statisticsParts, m.luminanceStatistics.buffer());
  m.luminanceStatistics.recordReadBack(recorder_);

  sameResponse_ = settings.response.kind == ResponseKind::luminance;
  if (sameResponse_) return plane;
  const Plane response{&*m.response, m.grey, m.layers};
  passes_.invert(recorder_, plane, response);
  passes_.statistics(recorder_, response, m.statisticsParts, m.responseStatistics.buffer());
  m.responseStatistics.recordReadBack(recorder_);
  return response;
}

std::vector<shared::PlaneStatistics> Detector::measure(const FrameLease& frame,
                                                       const Settings& settings) {
  recorder_.begin();
  recordResponse(*frame, settings);
  recorder_.submit();
  recorder_.wait();
  const auto& measured = sameResponse_ ? memory_->luminanceStatistics : memory_->responseStatistics;
  const auto all = measured.read<shared::PlaneStatistics>();
  return {all.begin(), all.begin() + format_.layers};
}

void Detector::submit(FrameLease frame, const Settings& settings,
                      const shared::Feedback& feedback) {
  if (inFlight_) throw Error("a frame was submitted before the one before it was collected");
  Memory& m = *memory_;
  feedback_ = feedback;
  m.feedback.as<shared::Feedback>()[0] = feedback;
  selection_.separation = settings.detect.separation;
  const Refinement refinement{.enabled = settings.refine.method != RefineMethod::none,
                              .radius = static_cast<uint32_t>(settings.refine.radius),
                              .fullScale = format_.image.fullScale()};

  recorder_.begin();
  const Plane response = recordResponse(*frame, settings);
  recorder_.clear(m.counts.buffer());
  passes_.peaks(recorder_, response, m.feedback, m.candidates, m.counts.buffer());
  passes_.select(recorder_, response, m.candidates, selection_, m.counts.buffer(),
                 m.markers.buffer());
  passes_.refine(recorder_, response, m.feedback, refinement, selection_.maxMarkers,
                 m.counts.buffer(), m.markers.buffer());
  m.counts.recordReadBack(recorder_);
  m.markers.recordReadBack(recorder_);
  recorder_.submit();
  inFlight_ = std::move(frame);
}

std::optional<FrameResult> Detector::collect() {
  if (!inFlight_) return std::nullopt;
  recorder_.wait();
  FrameResult result{.frame = std::move(inFlight_), .layers = {}, .times = recorder_.times()};
  inFlight_.reset();
  const Memory& m = *memory_;
  const auto luminance = m.luminanceStatistics.read<shared::PlaneStatistics>();
  const auto response = (sameResponse_ ? m.luminanceStatistics : m.responseStatistics)
                            .read<shared::PlaneStatistics>();
  const auto counts = m.counts.read<shared::LayerResult>();
  const auto markers = m.markers.read<shared::Detection>();
  for (uint32_t i = 0; i < format_.layers; ++i) {
    auto& layer = result.layers.emplace_back();
    layer.stamp = result.frame->stamps[i];
    if (!layer.stamp) continue;
    layer.luminance = luminance[i];
    layer.response = response[i];
    layer.threshold = feedback_.layers[i].threshold;
    layer.candidates = counts[i].candidates;
    const auto first = markers.begin() + static_cast<ptrdiff_t>(size_t{i} * selection_.maxMarkers);
    layer.markers.assign(first, first + counts[i].markers);
  }
  return result;
}

}  // namespace glint
