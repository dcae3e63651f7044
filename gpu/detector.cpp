#include "gpu/detector.h"

#include <algorithm>
#include <string>

#include "config/error.h"
#include "gpu/blobs.h"
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

std::vector<size_t> countMeasured(const FrameFormat& format, const std::vector<LayerMask>& masks) {
  std::vector<size_t> counts(format.layers, format.image.pixels());
  for (size_t i = 0; i < masks.size(); ++i) {
    if (masks.size() != counts.size()) throw Error("there must be one mask for each camera");
    if (masks[i].empty()) continue;
    if (masks[i].width != format.image.width || masks[i].height != format.image.height)
      throw Error("the mask of camera " + std::to_string(i) + " is not of the frames' size");
    counts[i] = masks[i].measured();
  }
  return counts;
}

uint32_t thresholdOf(const Settings& settings, const ImageFormat& image,
                     const shared::PlaneStatistics& response, size_t pixels) {
  const auto& fixed = settings.detect.threshold;
  return fixed ? fixedThreshold(*fixed, image.fullScale())
               : automaticThreshold(response, pixels, settings.detect.thresholdSigma,
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
    layer.threshold = thresholdOf(settings, image, layers[i].response, layers[i].pixels);
    layer.firstPrediction = next;
    layer.predictionCount = static_cast<uint32_t>(placed[i]);
    std::copy_n(layers[i].predictions.begin(), placed[i], feedback.predictions + next);
    next += layer.predictionCount;
  }
  return feedback;
}

struct Detector::Memory {
  Memory(const Device& device, const FrameFormat& format, const DetectorOptions& options,
         const Passes& passes)
      : grey(planeShape(greyOf(format.image))),
        source(planeShape(format.image)),
        layers(format.layers),
        scan(device, passes, grey, layers),
        map(device, grey, layers),
        feedback(device, sizeof(shared::Feedback), MemoryUse::upload, "feedback"),
        found(device, sizeof(shared::Detection) * options.maxMarkers * layers, MemoryUse::device,
              "found"),
        luminanceStatistics(device, sizeof(shared::PlaneStatistics) * layers,
                            "luminance statistics"),
        responseStatistics(device, sizeof(shared::PlaneStatistics) * layers, "response statistics"),
        results(device, sizeof(shared::LayerResult) * layers, "counts"),
        markers(device, sizeof(shared::Detection) * options.maxMarkers * layers, "markers") {
    const auto add = [&](std::optional<Buffer>& buffer, size_t bytes, const char* name) {
      buffer.emplace(device, bytes, MemoryUse::device, name);
    };
    if (!device.unifiedMemory()) add(upload, planeBytes(source, layers), "uploaded frame");
    if (format.image.channels == 3) add(luminance, planeBytes(grey, layers), "luminance");
    add(response, planeBytes(grey, layers), "response");
    if (options.masks.empty()) return;
    const auto words = packMasks(options.masks, format.image.width, format.image.height);
    mask.emplace(device, words.size() * sizeof(uint32_t), MemoryUse::upload, "mask");
    std::copy(words.begin(), words.end(), mask->as<uint32_t>().begin());
  }

  PixelMask pixelMask() const {
    return mask ? PixelMask{&*mask, maskPitch(grey.width)} : PixelMask{};
  }

  shared::PlaneShape grey, source;
  uint32_t layers;
  std::optional<Buffer> upload;     // where the device has memory of its own
  std::optional<Buffer> luminance;  // of colour frames; grey input is itself
  std::optional<Buffer> response;
  std::optional<Buffer> mask;
  std::optional<Blobs> blobs;  // once they are wanted
  ScanMemory scan;
  CandidateMap map;
  Buffer feedback;
  Buffer found;
  ResultBuffer luminanceStatistics, responseStatistics, results, markers;
};

Detector::Detector(const Device& device, const FrameFormat& format, const DetectorOptions& options)
    : device_(device),
      format_(checked(device, format)),
      selection_{.maxMarkers = options.maxMarkers},
      measuredPixels_(countMeasured(format, options.masks)),
      masked_(!options.masks.empty()),
      passes_(device, format.image.bits),
      memory_(std::make_unique<Memory>(device, format, options, passes_)),
      recorder_(device) {
  recorder_.begin();
  recorder_.clear(memory_->scan.counts);
  recorder_.submit();
}

Detector::~Detector() = default;

void Detector::recordLuminance(const FrameSlot& slot) {
  const Memory& m = *memory_;
  Plane source{&slot.buffer, m.source, m.layers};
  if (m.upload) {
    recorder_.copy(slot.buffer, *m.upload, planeBytes(m.source, m.layers));
    source.buffer = &*m.upload;
  }
  luminance_ = source;
  if (!m.luminance) return;
  luminance_ = {&*m.luminance, m.grey, m.layers};
  passes_.luminance(recorder_, source, luminance_);
}

void Detector::recordResponse(const Settings& settings, bool seek) {
  const Memory& m = *memory_;
  response_ = luminance_;
  sameStatistics_ = settings.response.kind == ResponseKind::luminance && !masked_;
  if (!sameStatistics_) {
    passes_.statistics(recorder_, luminance_, {}, m.feedback, m.scan,
                       m.luminanceStatistics.buffer());
    m.luminanceStatistics.recordReadBack(recorder_);
  }
  if (settings.response.kind != ResponseKind::luminance) {
    response_ = {&*m.response, m.grey, m.layers};
    passes_.invert(recorder_, luminance_, response_);
  }
  const auto& pass = seek ? &Passes::scan : &Passes::statistics;
  (passes_.*pass)(recorder_, response_, m.pixelMask(), m.feedback, m.scan,
                  m.responseStatistics.buffer());
  m.responseStatistics.recordReadBack(recorder_);
}

void Detector::recordManyPeaks() {
  const Memory& m = *memory_;
  recorder_.clear(m.results.buffer());
  passes_.peaks(recorder_, response_, m.pixelMask(), m.feedback, m.map, m.results.buffer());
  passes_.select(recorder_, response_, m.map, selection_, m.results.buffer(), m.found);
}

void Detector::recordBlobs() {
  const Memory& m = *memory_;
  m.blobs->record(recorder_, response_, m.pixelMask(), m.feedback,
                  {.maxMarkers = selection_.maxMarkers,
                   .separation = selection_.separation,
                   .fullScale = format_.image.fullScale()},
                  m.results.buffer(), m.found);
}

void Detector::recordRefine(const Settings& settings) {
  const Memory& m = *memory_;
  const Refinement refinement{.enabled = settings.refine.method != RefineMethod::none,
                              .radius = static_cast<uint32_t>(settings.refine.radius),
                              .fullScale = format_.image.fullScale(),
                              .ranked = settings.detect.method == DetectMethod::blobs};
  passes_.refine(recorder_, response_, m.feedback, refinement, selection_.maxMarkers,
                 m.results.buffer(), m.found, m.markers.buffer());
  m.results.recordReadBack(recorder_);
  m.markers.recordReadBack(recorder_);
}

std::vector<shared::PlaneStatistics> Detector::measure(const FrameLease& frame,
                                                       const Settings& settings) {
  recorder_.begin();
  recordLuminance(*frame);
  recordResponse(settings, false);
  recorder_.submit();
  recorder_.wait();
  const auto all = memory_->responseStatistics.read<shared::PlaneStatistics>();
  return {all.begin(), all.begin() + format_.layers};
}

void Detector::submit(FrameLease frame, const Settings& settings,
                      const shared::Feedback& feedback) {
  if (inFlight_) throw Error("a frame was submitted before the one before it was collected");
  feedback_ = feedback;
  settings_ = settings;
  memory_->feedback.as<shared::Feedback>()[0] = feedback;
  if (settings.detect.method == DetectMethod::blobs && !memory_->blobs)
    memory_->blobs.emplace(device_, memory_->grey, format_.image.bits, format_.layers);
  selection_.separation = settings.detect.separation;

  recorder_.begin();
  recordLuminance(*frame);
  const bool blobs = settings.detect.method == DetectMethod::blobs;
  recordResponse(settings, !blobs && !manyCandidates_);
  if (blobs) {
    recordBlobs();
  } else if (manyCandidates_) {
    recordManyPeaks();
  } else {
    passes_.resolve(recorder_, memory_->scan, format_.layers, selection_, memory_->results.buffer(),
                    memory_->found);
  }
  recordRefine(settings);
  recorder_.submit();
  inFlight_ = std::move(frame);
}

bool Detector::resolved() const {
  const auto results = memory_->results.read<shared::LayerResult>();
  return std::none_of(results.begin(), results.begin() + format_.layers,
                      [](const auto& layer) { return layer.unresolved != 0; });
}

std::optional<FrameResult> Detector::collect() {
  if (!inFlight_) return std::nullopt;
  recorder_.wait();
  FrameResult result{.frame = std::move(inFlight_), .layers = {}, .times = recorder_.times()};
  inFlight_.reset();
  const Memory& m = *memory_;
  // Rare: the same frame again, the way that takes any number of candidates or with more room.
  const bool blobs = settings_.detect.method == DetectMethod::blobs;
  while (!resolved() && (!blobs || memory_->blobs->grow())) {
    recorder_.begin();
    blobs ? recordBlobs() : recordManyPeaks();
    recordRefine(settings_);
    recorder_.submit();
    recorder_.wait();
    const auto& times = recorder_.times();
    result.times.insert(result.times.end(), times.begin(), times.end());
    manyCandidates_ = !blobs;
  }
  const auto response = m.responseStatistics.read<shared::PlaneStatistics>();
  const auto luminance =
      sameStatistics_ ? response : m.luminanceStatistics.read<shared::PlaneStatistics>();
  const auto results = m.results.read<shared::LayerResult>();
  const auto markers = m.markers.read<shared::Detection>();
  uint32_t mostCandidates = 0;
  for (uint32_t i = 0; i < format_.layers; ++i) {
    auto& layer = result.layers.emplace_back();
    layer.stamp = result.frame->stamps[i];
    mostCandidates = std::max(mostCandidates, results[i].candidates);
    if (!layer.stamp) continue;
    layer.luminance = luminance[i];
    layer.response = response[i];
    layer.threshold = feedback_.layers[i].threshold;
    layer.candidates = results[i].candidates;
    layer.partial = results[i].unresolved != 0;
    const auto first = markers.begin() + static_cast<ptrdiff_t>(size_t{i} * selection_.maxMarkers);
    layer.markers.assign(first, first + results[i].markers);
  }
  if (mostCandidates < shared::kMaxListed / 4) manyCandidates_ = false;
  return result;
}

}  // namespace glint
