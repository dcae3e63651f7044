#include "gpu/detector.h"

#include <algorithm>
#include <string>

#include "config/error.h"
#include "gpu/blobs.h"
#include "gpu/blur.h"
#include "gpu/statistics.h"
#include "shared/limits.h"

namespace glint {
namespace {

constexpr uint32_t kMaxSide = 32768;  // px: keeps squared distances within 32 bits

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
  Memory(const Device& device_, const FrameFormat& format, const DetectorOptions& options,
         const Passes& passes)
      : device(device_),
        bits(format.image.bits),
        grey(planeShape(greyOf(format.image))),
        source(planeShape(format.image)),
        layers(format.layers),
        scan(device, passes, grey, layers),
        map(device, grey, layers),
        feedback(device, sizeof(shared::Feedback), MemoryUse::settings, "feedback"),
        found(device, sizeof(shared::Candidate) * options.maxMarkers * layers, MemoryUse::device,
              "found"),
        results(device, sizeof(shared::LayerResult) * layers, MemoryUse::device, "results"),
        luminanceStatistics(device, sizeof(shared::PlaneStatistics) * layers, MemoryUse::readback,
                            "luminance statistics"),
        responseStatistics(device, sizeof(shared::PlaneStatistics) * layers, MemoryUse::readback,
                           "response statistics"),
        report(device, sizeof(shared::LayerResult) * layers, MemoryUse::readback, "report"),
        accepted(device, sizeof(shared::Candidate) * options.maxMarkers * layers,
                 MemoryUse::readback, "accepted"),
        markers(device, sizeof(shared::Detection) * options.maxMarkers * layers,
                MemoryUse::readback, "markers") {
    const auto add = [&](std::optional<Buffer>& buffer, size_t bytes, const char* name) {
      buffer.emplace(device, bytes, MemoryUse::device, name);
    };
    if (!device.unifiedMemory()) add(upload, planeBytes(source, layers), "uploaded frame");
    if (format.image.channels == 3) add(luminance, planeBytes(grey, layers), "luminance");
    if (options.masks.empty()) return;
    const auto words = packMasks(options.masks, format.image.width, format.image.height);
    mask.emplace(device, words.size() * sizeof(uint32_t), MemoryUse::settings, "mask");
    std::copy(words.begin(), words.end(), mask->as<uint32_t>().begin());
  }

  PixelMask pixelMask() const {
    return mask ? PixelMask{&*mask, maskPitch(grey.width)} : PixelMask{};
  }

  /// The plane of a buffer that is made when it is first needed.
  Plane plane(std::optional<Buffer>& buffer, const char* name) const {
    if (!buffer) buffer.emplace(device, planeBytes(grey, layers), MemoryUse::device, name);
    return {&*buffer, grey, layers};
  }

  /// Call while no frame is in flight.
  const Blur& blurFor(const Settings::Response& settings) {
    if (!blur || !(blurSettings == settings)) {
      blur.emplace(device, grey, bits, layers, settings);
      blurSettings = settings;
    }
    return *blur;
  }

  const Device& device;
  uint32_t bits;
  shared::PlaneShape grey, source;
  uint32_t layers;
  std::optional<Buffer> upload;     // where the device has memory of its own
  std::optional<Buffer> luminance;  // of colour frames; grey input is itself
  std::optional<Buffer> inverted, response;
  std::optional<Blur> blur;
  Settings::Response blurSettings{};
  std::optional<Buffer> mask;
  std::optional<Blobs> blobs;    // once they are wanted
  std::optional<Buffer> starts;  // those found
  ScanMemory scan;
  CandidateMap map;
  Buffer feedback;
  Buffer found, results;
  // Kernels write these where the host reads them: a few kilobytes, sooner there than copied.
  Buffer luminanceStatistics, responseStatistics, report, accepted, markers;
};

Detector::Detector(const Device& device, const FrameFormat& format, const DetectorOptions& options)
    : device_(device),
      format_(checked(device, format)),
      selection_{.maxMarkers = options.maxMarkers},
      measuredPixels_(countMeasured(format, options.masks)),
      masked_(!options.masks.empty()),
      passes_(device, format.image.bits),
      memory_(std::make_unique<Memory>(device, format, options, passes_)),
      measuresLists_(options.measureListed.value_or(device.info().type != "cpu")),
      recorder_(device, options.timing) {
  if (options.rejected) evidence_.emplace(device, format, options.masks);
}

Detector::~Detector() = default;

void Detector::recordLuminance(const FrameSlot& slot) {
  const Memory& m = *memory_;
  Plane source{&slot.buffer, m.source, m.layers};
  if (m.upload) {
    recorder_.copy(slot.buffer, *m.upload, planeBytes(m.source, m.layers), kUpload);
    source.buffer = &*m.upload;
  }
  luminance_ = source;
  if (!m.luminance) return;
  luminance_ = {&*m.luminance, m.grey, m.layers};
  passes_.luminance(recorder_, source, luminance_);
}

/// The planes in which markers are measured (luminance, or inverted luminance) and sought.
void Detector::recordResponse(const Settings::Response& settings) {
  Memory& m = *memory_;
  measured_ = luminance_;
  if (settings.dark || settings.kind == ResponseKind::inverted) {
    measured_ = m.plane(m.inverted, "inverted luminance");
    passes_.invert(recorder_, luminance_, measured_);
  }
  response_ = measured_;
  switch (settings.kind) {
    case ResponseKind::luminance:
    case ResponseKind::inverted:
      break;
    case ResponseKind::blur:
    case ResponseKind::dog:
      response_ = m.plane(m.response, "response");
      m.blurFor(settings).record(recorder_, measured_, response_);
      break;
  }
}

void Detector::recordStatistics() {
  const Memory& m = *memory_;
  sameStatistics_ = response_.buffer == luminance_.buffer && !masked_;
  if (!sameStatistics_) {
    passes_.statistics(recorder_, luminance_, {}, m.feedback, m.scan, m.luminanceStatistics);
  }
  if (seek_) {
    passes_.scan(recorder_, response_, m.pixelMask(), m.feedback, m.scan);
  } else {
    passes_.statistics(recorder_, response_, m.pixelMask(), m.feedback, m.scan,
                       m.responseStatistics);
  }
}

/// What follows the scan. With `listed`, nothing that one pass reads or writes is another one's, so
/// all run at once, the longest first.
void Detector::recordResolve(bool listed) {
  const Memory& m = *memory_;
  if (listed) {
    passes_.refine(recorder_, measured_, m.feedback, refinement(shared::kRefineList),
                   selection_.maxMarkers, m.scan.counts, m.scan.list, m.markers, m.markers);
  }
  passes_.resolve(recorder_, m.scan, m.layers, selection_, listed ? m.report : m.results,
                  listed ? m.accepted : m.found);
}

void Detector::recordManyPeaks() {
  const Memory& m = *memory_;
  recorder_.clear(m.results);
  passes_.peaks(recorder_, response_, m.pixelMask(), m.feedback, m.map, m.results);
  passes_.select(recorder_, response_, m.map, selection_, m.results, m.found);
}

void Detector::makeBlobs() {
  Memory& m = *memory_;
  m.blobs.emplace(device_, m.grey, format_.image.bits, m.layers);
  m.starts.emplace(device_, sizeof(shared::Detection) * selection_.maxMarkers * m.layers,
                   MemoryUse::device, "blobs found");
}

void Detector::recordBlobs(const Settings::Detect& settings) {
  const Memory& m = *memory_;
  m.blobs->record(recorder_, response_, m.pixelMask(), m.feedback,
                  {.maxMarkers = selection_.maxMarkers,
                   .separation = selection_.separation,
                   .minRadius = settings.minRadius,
                   .maxRadius = settings.maxRadius,
                   .maxEccentricity = settings.maxEccentricity,
                   .minMass = settings.minMass,
                   .fullScale = format_.image.fullScale()},
                  m.results, *m.starts);
  if (evidence_) evidence_->recordBlobs(recorder_, *m.blobs);
}

Refinement Detector::refinement(uint32_t from) const {
  return {.enabled = settings_.refine.method != RefineMethod::none,
          .radius = static_cast<uint32_t>(settings_.refine.radius),
          .fullScale = format_.image.fullScale(),
          .from = from};
}

void Detector::recordRefine(const Settings& settings) {
  const Memory& m = *memory_;
  const bool blobs = settings.detect.method == DetectMethod::blobs;
  passes_.refine(recorder_, measured_, m.feedback,
                 refinement(blobs ? shared::kRefineBlobs : shared::kRefinePeaks),
                 selection_.maxMarkers, m.results, blobs ? *m.starts : m.found, m.report,
                 m.markers);
}

std::vector<shared::PlaneStatistics> Detector::measure(const FrameLease& frame,
                                                       const Settings& settings) {
  recorder_.begin();
  recordLuminance(*frame);
  recordResponse(settings.response);
  seek_ = false;
  recordStatistics();
  recorder_.submit();
  recorder_.wait();
  const auto all = memory_->responseStatistics.as<shared::PlaneStatistics>();
  return {all.begin(), all.begin() + format_.layers};
}

void Detector::submit(FrameLease frame, const Settings& settings,
                      const shared::Feedback& feedback) {
  if (inFlight_) throw Error("a frame was submitted before the one before it was collected");
  feedback_ = feedback;
  settings_ = settings;
  memory_->feedback.as<shared::Feedback>()[0] = feedback;
  if (settings.detect.method == DetectMethod::blobs && !memory_->blobs) makeBlobs();
  selection_.separation = settings.detect.separation;

  const bool blobs = settings.detect.method == DetectMethod::blobs;
  seek_ = !blobs && !manyCandidates_;
  listed_ = seek_ && measuresLists_ && fewCandidates_;
  recorder_.begin();
  if (seek_) recorder_.clear(memory_->scan.counts);
  recordLuminance(*frame);
  recordResponse(settings.response);
  recordStatistics();
  if (seek_) {
    recordResolve(listed_);
    passes_.mergeStatistics(recorder_, response_, memory_->pixelMask(), memory_->scan,
                            memory_->responseStatistics);
  } else {
    blobs ? recordBlobs(settings.detect) : recordManyPeaks();
  }
  if (!listed_) recordRefine(settings);
  if (evidence_) evidence_->recordResponse(recorder_, response_);
  recorder_.submit();
  inFlight_ = std::move(frame);
}

bool Detector::resolved() const {
  const auto results = memory_->report.as<shared::LayerResult>();
  return std::none_of(results.begin(), results.begin() + format_.layers,
                      [](const auto& layer) { return layer.unresolved != 0; });
}

/// Whether all candidates were measured, so that the accepted ones are among them.
bool Detector::listIsMeasured() const {
  const auto results = memory_->report.as<shared::LayerResult>();
  return std::all_of(results.begin(), results.begin() + format_.layers, [this](const auto& layer) {
    return layer.candidates <= selection_.maxMarkers;
  });
}

/// Rare: the same frame again, one after the other, the way that takes any number of candidates, or
/// with more room.
void Detector::finishSelection(std::vector<PassTime>& times) {
  const bool blobs = settings_.detect.method == DetectMethod::blobs;
  const auto again = [&](const auto& select) {
    recorder_.begin();
    select();
    recordRefine(settings_);
    listed_ = false;
    recorder_.submit();
    recorder_.wait();
    times.insert(times.end(), recorder_.times().begin(), recorder_.times().end());
  };
  if (listed_ && resolved() && !listIsMeasured()) again([&] { recordResolve(false); });
  while (!resolved() && (!blobs || memory_->blobs->grow())) {
    again([&] { blobs ? recordBlobs(settings_.detect) : recordManyPeaks(); });
    manyCandidates_ = !blobs;
  }
}

/// The measured markers of a layer in order of rank.
std::vector<shared::Detection> Detector::found(uint32_t layer) const {
  const auto& result = memory_->report.as<shared::LayerResult>()[layer];
  const size_t first = size_t{layer} * selection_.maxMarkers;
  const auto measured = memory_->markers.as<shared::Detection>().subspan(first);
  if (!listed_) return {measured.begin(), measured.begin() + result.markers};
  const auto accepted = memory_->accepted.as<shared::Candidate>().subspan(first, result.markers);
  std::vector<uint32_t> places;
  for (const auto& candidate : accepted) places.push_back(candidate.place);
  std::sort(places.begin(), places.end());
  const auto place = [](const shared::Detection& d) { return d.peakY << 16 | d.peakX; };
  std::vector<shared::Detection> ranked;
  for (const auto& d : measured.first(result.candidates))
    if (std::binary_search(places.begin(), places.end(), place(d))) ranked.push_back(d);
  std::sort(ranked.begin(), ranked.end(), [&](const auto& a, const auto& b) {
    return a.peak > b.peak || (a.peak == b.peak && place(a) < place(b));
  });
  return ranked;
}

std::optional<FrameResult> Detector::collect() {
  if (!inFlight_) return std::nullopt;
  recorder_.wait();
  FrameResult result{.frame = std::move(inFlight_), .layers = {}, .times = recorder_.times()};
  inFlight_.reset();
  const Memory& m = *memory_;
  finishSelection(result.times);
  const auto response = m.responseStatistics.as<shared::PlaneStatistics>();
  const auto luminance =
      sameStatistics_ ? response : m.luminanceStatistics.as<shared::PlaneStatistics>();
  const auto results = m.report.as<shared::LayerResult>();
  uint32_t mostCandidates = 0;
  for (uint32_t i = 0; i < format_.layers; ++i) {
    auto& layer = result.layers.emplace_back();
    layer.state = result.frame->states[i];
    layer.stamp = result.frame->stamps[i];
    mostCandidates = std::max(mostCandidates, results[i].candidates);
    if (!layer.stamp) continue;
    layer.luminance = luminance[i];
    layer.response = response[i];
    layer.threshold = feedback_.layers[i].threshold;
    layer.candidates = results[i].candidates;
    const bool unresolved = results[i].unresolved != 0;
    const auto peaks = found(i);
    std::vector<Rejected> leftOut;
    if (evidence_)
      leftOut = evidence_->explain(i, settings_.detect, layer.threshold, peaks, !unresolved);
    auto limited = applyLimits(peaks, settings_, selection_.maxMarkers, leftOut);
    layer.markers = std::move(limited.markers);
    layer.partial = unresolved || limited.partial;
    if (evidence_) layer.rejected = std::move(limited.rejected);
  }
  if (mostCandidates < shared::kMaxListed / 4) manyCandidates_ = false;
  fewCandidates_ = mostCandidates <= selection_.maxMarkers;
  return result;
}

}  // namespace glint
