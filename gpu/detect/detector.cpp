#include "gpu/detect/detector.h"

#include <algorithm>
#include <exception>
#include <string>
#include <unordered_map>
#include <utility>

#include "config/error.h"
#include "gpu/detect/blob_finder.h"
#include "gpu/detect/frame_ground.h"
#include "gpu/detect/peak_parts.h"
#include "gpu/detect/place.h"
#include "gpu/detect/plane_keeper.h"
#include "gpu/detect/rejection_readback.h"
#include "gpu/detect/second_peaks.h"
#include "gpu/detect/template_places.h"
#include "gpu/filters/chain.h"
#include "shared/limits.h"

namespace glint::gpu {
namespace {

constexpr size_t kFewFits = 512;  // so many workgroups of fits leave room for others on a large GPU
constexpr uint32_t kMaxSide = 32768;  // px; keeps squared distances within 32 bits

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

Selection selectionOf(const Settings& settings) {
  const uint32_t most = peaksToMeasure(settings);
  if (most > FrameMemory::kMostMarkers) {
    throw Error("the device measures " + std::to_string(FrameMemory::kMostMarkers) +
                " markers of a camera at most, not " + std::to_string(most));
  }
  return {.maxMarkers = most, .separation = settings.detect.separation};
}

/// The error that a config could not be prepared.
struct Unfulfilled {
  DetectionConfig config;
  std::exception_ptr reason;
};

/// Returns true if two configs need the same resources.
bool needTheSame(const DetectionConfig& a, const DetectionConfig& b) {
  const auto sameShape = [](const FilterUse& x, const FilterUse& y) { return x.sameShape(y); };
  return a.settings->response == b.settings->response && a.images == b.images &&
         std::equal(a.settings->filters.begin(), a.settings->filters.end(),
                    b.settings->filters.begin(), b.settings->filters.end(), sameShape) &&
         a.settings->detect.method == b.settings->detect.method && a.masks == b.masks &&
         a.rejected == b.rejected && a.planes == b.planes;
}

}  // namespace

Detector::Detector(const Device& device, const FrameFormat& format, const DetectorOptions& options)
    : format_(checked(device, format)),
      passes_(device.shared<Passes>(format.image.bits)),
      options_(options.search.value_or(SearchOptions::suiting(device, passes_))),
      memory_(device, format.layers),
      planes_(device, format, passes_),
      peaks_(device, format, passes_, memory_, options_),
      refiner_(format, passes_, memory_),
      nearFit_(device, passes_, format.layers),
      cache_(device, format, passes_),
      startsInOrder_(device.startsInOrder()),
      recorder_(device, options.timing) {
  if (options_.rehearse) rehearsal_.emplace(device, format.image.bits);
}

Detector::~Detector() = default;

bool Detector::prepare(const DetectionConfig& config) {
  bool busy = false;
  try {
    busy = making_.busy();
  } catch (const Unfulfilled& other) {  // ignored if another config is wanted by now
    if (needTheSame(other.config, config)) std::rethrow_exception(other.reason);
  }
  if (cache_.find(config)) return true;
  if (busy) return false;
  making_.start([this, config] {
    try {
      cache_.make(config);
    } catch (...) {
      throw Unfulfilled{config, std::current_exception()};
    }
  });
  return false;
}

void Detector::prepareNow(const DetectionConfig& config) {
  resourcesFor(config);
}

FrameResources Detector::resourcesFor(const DetectionConfig& config) {
  auto resources = cache_.find(config);
  return resources ? std::move(*resources) : cache_.make(config);
}

/// Records the passes that make the planes of a frame. If the config allows it, uses the planes
/// again that were made last, provided that they are those of this frame.
void Detector::recordPlanes(FrameInFlight& f) {
  // Filters may remember what they have seen, so they have to run each time.
  const bool reusable = f.config.reusesPlanes && !f.resources.chain;
  if (reusable && made_.frame.lock() == f.frame && needTheSame(made_.config, f.config)) {
    f.resources = made_.resources;
    f.planes = made_.planes;
    return;
  }
  made_ = {};
  f.planes =
      planes_.record(recorder_, *f.frame, *f.config.settings, f.resources, f.config.planes.filter);
  if (reusable) made_ = {f.frame, f.config, f.resources, f.planes};
}

void Detector::recordStatistics(const FrameInFlight& f) {
  if (!f.sameStatistics()) {
    passes_.statistics(recorder_, f.planes.luminance, {}, memory_.feedback, peaks_.scanMemory(),
                       memory_.luminanceStatistics);
  }
  if (f.listsCandidates()) {
    peaks_.recordScan(recorder_, f);
  } else if (passes_.mergesOnHost(f.planes.response, f.mask())) {
    passes_.statisticsParts(recorder_, f.planes.response, f.mask(), memory_.feedback,
                            peaks_.scanMemory());
  } else {
    passes_.statistics(recorder_, f.planes.response, f.mask(), memory_.feedback,
                       peaks_.scanMemory(), memory_.responseStatistics, f.samples(memory_.samples));
  }
}

/// Computes the part of the statistics that recordStatistics() leaves to the host. The recording
/// must be done.
void Detector::finishStatistics(const FrameInFlight& f) {
  const Plane& response = f.planes.response;
  if (!passes_.mergesOnHost(response, f.mask())) return;
  passes_.mergeOnHost(response, peaks_.scanMemory(), memory_.responseStatistics);
  const Buffer* samples = f.samples(memory_.samples);
  const auto values = memory_.responseStatistics.as<shared::PlaneStatistics>();
  for (uint32_t i = 0; samples != nullptr && i < format_.layers; ++i)
    if (mayBeCrowded(values[i], f.pixels(i))) passes_.sampleOnHost(response, i, *samples);
}

std::vector<ResponseStatistics> Detector::measure(const FrameLease& frame,
                                                  const DetectionConfig& config) {
  if (inFlight_) throw Error("a frame was measured before the one on the device was collected");
  // Search::plane only computes statistics, without a list of candidates.
  FrameInFlight f{
      .frame = frame, .config = config, .resources = resourcesFor(config), .search = Search::plane};
  recorder_.setTimed(config.timed);
  const size_t runs = f.resources.chain ? f.resources.chain->runsFor(*frame) : 1;
  for (size_t run = 0; run < runs; ++run) {
    recorder_.begin();
    recordPlanes(f);
    recordStatistics(f);
    recorder_.submit();
    recorder_.wait(config.settings->device.spin);
    if (f.resources.chain) f.resources.chain->learn();
  }
  finishStatistics(f);
  const auto values = memory_.responseStatistics.as<shared::PlaneStatistics>();
  std::vector<ResponseStatistics> all;
  for (uint32_t i = 0; i < format_.layers; ++i)
    all.push_back({values[i], f.pixels(i), groundOf(f, memory_, i, values[i])});
  return all;
}

void Detector::submit(FrameLease frame, const DetectionConfig& config,
                      const shared::Feedback& feedback) {
  if (inFlight_) throw Error("a frame was submitted before the one before it was collected");
  FrameInFlight f{.frame = std::move(frame),
                  .config = config,
                  .resources = resourcesFor(config),
                  .selection = selectionOf(*config.settings)};
  f.measured = f.selection.maxMarkers;
  f.search = Search::blobs;
  if (!f.resources.blobs) peaks_.choose(f);
  for (uint32_t i = 0; i < format_.layers; ++i) {
    f.thresholds[i] = feedback.layers[i].threshold;
    f.prominences[i] = feedback.layers[i].prominence;
  }
  memory_.feedback.as<shared::Feedback>()[0] = feedback;
  recorder_.setTimed(config.timed);
  recorder_.begin();
  if (rehearsal_ && f.search == Search::listed && refiner_.refinement(f).enabled)
    passes_.rehearse(recorder_, memory_.feedback, *rehearsal_);
  if (f.listsCandidates()) peaks_.begin(recorder_);
  recordPlanes(f);
  f.scanners = peaks_.scanners(f);
  recordStatistics(f);
  recordBeside(f);
  if (f.search != Search::listed && !peaks_.hostDecides(f.search)) recordFound(f);
  if (f.resources.rejection) f.resources.rejection->record(recorder_, f.planes.response);
  f.kept = keepPlanes(recorder_, f, memory_.feedback);
  recorder_.submit();
  if (f.listsCandidates()) peaks_.submitted();
  inFlight_ = std::move(f);
}

/// Records the passes after `scan`. If passes wait by themselves, they run at the same time as
/// `scan`. With Search::listed no pass uses the results of another one, so all of them may run at
/// the same time. `resolve` starts when a multiprocessor has enough free shared memory, and later
/// passes are blocked until then. So `resolve` is recorded after the fits if these are few, but
/// before them if they are so many that they fill the device.
void Detector::recordBeside(const FrameInFlight& f) {
  recorder_.setBeside(f.scanners != 0 && startsInOrder_);
  if (f.listsCandidates() && !passes_.mergesOnHost(f.planes.response, f.mask()))
    peaks_.recordStatistics(recorder_, f);
  const bool listed = f.search == Search::listed;
  const bool few = size_t{f.selection.maxMarkers} * format_.layers <= kFewFits;
  if (listed && few) refiner_.recordListed(recorder_, f, peaks_.scanMemory());
  if (!peaks_.hostDecides(f.search)) recordMarkers(f);
  if (listed && !few) refiner_.recordListed(recorder_, f, peaks_.scanMemory());
  recorder_.setBeside(false);
}

/// Returns true if the frame's peaks are fitted, so that limits apply to them.
bool Detector::isFitted(const FrameInFlight& f) const {
  return f.search != Search::blobs && refiner_.refinement(f).enabled;
}

/// Records the kernels that decide which candidates, or blobs, are markers.
void Detector::recordMarkers(const FrameInFlight& f) {
  memory_.resetGroups();
  if (f.search == Search::blobs) return f.resources.blobs->record(recorder_, f, memory_);
  peaks_.recordDecision(recorder_, f);
}

/// Returns the memory with the peaks or blobs that were found and are to be measured.
FoundMemory Detector::foundBy(const FrameInFlight& f) const {
  if (f.search != Search::blobs) return peaks_.peaksOf(f);
  return {FoundMemory::What::blobs, memory_.results, f.resources.blobs->starts(), memory_.groups()};
}

/// Records the measurement of the peaks or blobs that were found. If peaks are measured in parts,
/// it records only the first part.
void Detector::recordFound(FrameInFlight& f) {
  const bool inParts = options_.measureInParts && isFitted(f);
  f.measured = inParts ? PeakParts::firstOf(*f.config.settings) : f.selection.maxMarkers;
  // On a CPU a workgroup costs 1.7 us also where it has nothing to measure. One hands on the
  // counts.
  if (peaks_.hostDecides(f.search))
    f.measured = std::min(f.measured, std::max(peaks_.mostDecided(), 1U));
  refiner_.recordFound(recorder_, f, foundBy(f), {0, f.measured});
}

/// Finds and measures the markers of a frame again by f.search. Its planes must still exist.
void Detector::measureAgain(FrameInFlight& f, std::vector<PassTime>& times) {
  const bool byHost = peaks_.hostDecides(f.search);
  if (byHost) peaks_.decide(recorder_, f, times);
  recorder_.begin();
  if (!byHost) recordMarkers(f);
  recordFound(f);
  submitAndWait(f, times);
}

/// Finds and measures the markers, and computes the statistics, after passes gave up waiting for
/// `scan`. By now `scan` is done.
void Detector::measureLate(FrameInFlight& f, std::vector<PassTime>& times) {
  f.search = Search::accepted;
  f.scanners = 0;
  recorder_.begin();
  recordMarkers(f);
  peaks_.recordStatistics(recorder_, f);
  recordFound(f);
  submitAndWait(f, times);
}

/// Measures the peaks up to rank `end` that are not measured yet.
void Detector::measureTo(FrameInFlight& f, uint32_t end, std::vector<PassTime>& times) {
  if (end <= f.measured) return;
  recorder_.begin();
  refiner_.recordFound(recorder_, f, foundBy(f), {f.measured, end - f.measured});
  submitAndWait(f, times);
  f.measured = end;
}

void Detector::submitAndWait(const FrameInFlight& f, std::vector<PassTime>& times) {
  recorder_.submit();
  recorder_.wait(f.config.settings->device.spin);
  times.insert(times.end(), recorder_.times().begin(), recorder_.times().end());
}

/// Returns the number of candidates in the layer that has the most.
uint32_t Detector::fullestLayer() const {
  uint32_t most = 0;
  for (uint32_t i = 0; i < format_.layers; ++i)
    most = std::max(most, refiner_.outcome(i).candidates);
  return most;
}

/// Returns how many unnecessary fits Search::listed makes for this frame, compared with other
/// ways. If the frame has a large object, the result is the greatest number.
uint32_t Detector::fitsInVain(const FrameInFlight& f,
                              std::span<const std::vector<shared::Detection>> found) const {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < format_.layers; ++i) {
    if (!f.frame->stamps[i]) continue;
    if (std::ranges::any_of(found[i], isOnLargeObject)) return ~0U;
    const uint32_t all = refiner_.outcome(i).candidates;
    sum += all - std::min(all, static_cast<uint32_t>(found[i].size()));
  }
  return sum;
}

/// Completes the search for markers: makes the decisions that are left to the host, and searches
/// again in other ways until all layers are resolved.
void Detector::finishSearch(FrameInFlight& f, std::vector<PassTime>& times) {
  if (f.search == Search::blobs) {
    while (!refiner_.resolved() && f.resources.blobs->grow()) measureAgain(f, times);
    return;
  }
  if (f.scanners != 0 && peaks_.wasLate()) measureLate(f, times);
  if (f.search == Search::listed) {
    peaks_.acceptListed(f);
    if (refiner_.resolved() && !refiner_.listIsMeasured(f)) {
      peaks_.chooseAfterListed(f);
      measureAgain(f, times);
    }
  } else if (peaks_.hostDecides(f.search)) {
    if (f.search == Search::accepted) peaks_.chooseAfterListed(f);
    measureAgain(f, times);
  }
  while (!refiner_.resolved()) {
    peaks_.chooseNext(f, fullestLayer());
    measureAgain(f, times);
  }
}

/// Returns the measured peaks or blobs of each layer in order of rank. Measures further parts of
/// the peaks as long as they are needed, and fits near markers together.
std::vector<std::vector<shared::Detection>> Detector::readMarkers(FrameInFlight& f,
                                                                  std::vector<PassTime>& times) {
  std::vector<uint32_t> counts;
  for (uint32_t i = 0; i < format_.layers; ++i)
    counts.push_back(f.frame->stamps[i] ? refiner_.outcome(i).markers : 0);
  std::vector<std::vector<shared::Detection>> found(format_.layers);
  const auto read = [&](uint32_t i, uint32_t count) {
    found[i] = count > 0 ? refiner_.markers(f, i) : std::vector<shared::Detection>();
    found[i].resize(count);
  };
  if (!isFitted(f)) {
    for (uint32_t i = 0; i < format_.layers; ++i) read(i, counts[i]);
    return found;
  }
  PeakParts parts(*f.config.settings, counts);
  for (bool more = true; more;) {
    for (uint32_t i = 0; i < format_.layers; ++i) {
      do {
        measureTo(f, parts.end(i), times);
        read(i, parts.end(i));
      } while (parts.goOn(i, found[i]));
    }
    nearFit_.improve(recorder_, f, refiner_.refinement(f), found, times);
    more = false;
    for (uint32_t i = 0; i < format_.layers; ++i) more |= parts.goOn(i, found[i]);
  }
  return found;
}

LayerMeasurement Detector::measurementOf(const FrameInFlight& f, uint32_t i,
                                         std::span<const shared::Detection> found,
                                         std::span<const std::optional<TemplateFit>> fits) const {
  LayerMeasurement layer;
  layer.state = f.frame->states[i];
  layer.stamp = f.frame->stamps[i];
  if (!layer.stamp) return layer;
  const auto& luminance =
      f.sameStatistics() ? memory_.responseStatistics : memory_.luminanceStatistics;
  layer.luminance = luminance.as<shared::PlaneStatistics>()[i];
  layer.response = memory_.responseStatistics.as<shared::PlaneStatistics>()[i];
  layer.pixels = f.pixels(i);
  layer.ground = groundOf(f, memory_, i, layer.response);
  layer.threshold = f.thresholds[i];
  layer.prominence = f.prominences[i];
  layer.candidates = refiner_.outcome(i).candidates;
  const bool unresolved = refiner_.outcome(i).unresolved != 0;
  std::vector<Rejected> leftOut;
  if (f.resources.rejection) {
    leftOut = f.resources.rejection->explain(i, f.config.masks ? (*f.config.masks)[i] : LayerMask{},
                                             f.config.settings->detect, layer.threshold,
                                             layer.prominence, found,
                                             unresolved ? nullptr : f.resources.blobReadback.get());
  }
  layer.matchesTemplate = f.resources.chain && f.resources.chain->matches();
  std::vector<double> scores;
  if (layer.matchesTemplate && f.resources.chain->finds())
    for (const auto& fit : fits) scores.push_back(fit ? fit->score : 0);
  auto limited = applyLimits(found, *f.config.settings, f.selection.maxMarkers, leftOut, scores);
  layer.markers = std::move(limited.markers);
  layer.partial = unresolved || limited.partial;
  layer.elongated = limited.elongated;
  if (f.resources.rejection) layer.rejected = std::move(limited.rejected);
  std::unordered_map<uint32_t, std::optional<TemplateFit>> fitOf;
  for (size_t k = 0; k < fits.size(); ++k) fitOf.emplace(placeOf(found[k]), fits[k]);
  if (layer.matchesTemplate)
    for (const auto& marker : layer.markers) layer.fits.push_back(fitOf[placeOf(marker)]);
  return layer;
}

std::vector<std::vector<std::optional<TemplateFit>>> Detector::match(
    const FrameInFlight& f, std::vector<std::vector<shared::Detection>>& found) const {
  FilterChain* chain = f.resources.chain.get();
  if (chain == nullptr || !chain->matches())
    return std::vector<std::vector<std::optional<TemplateFit>>>(found.size());
  const bool placed = chain->finds() && f.config.settings->refine.method != RefineMethod::none;
  return placeTemplates(*chain, found, placed, f.search == Search::blobs);
}

std::optional<FrameResult> Detector::collect() {
  if (!inFlight_) return std::nullopt;
  recorder_.wait(inFlight_->config.settings->device.spin);
  FrameInFlight f = *std::exchange(inFlight_, std::nullopt);
  finishStatistics(f);
  std::vector<std::vector<FilterReadback>> readbacks(format_.layers);
  for (uint32_t i = 0; f.resources.chain && i < format_.layers; ++i) {
    for (auto& [name, value] : f.resources.chain->used(i))
      readbacks[i].push_back({std::move(name), value});
  }
  if (f.resources.chain) f.resources.chain->learn();
  FrameResult result{.frame = f.frame, .layers = {}, .times = recorder_.times(), .planes = f.kept};
  finishSearch(f, result.times);
  auto found = readMarkers(f, result.times);
  const uint32_t inVain = fitsInVain(f, found);
  const auto fits = match(f, found);
  for (uint32_t i = 0; i < format_.layers; ++i) {
    result.layers.push_back(measurementOf(f, i, found[i], fits[i]));
    result.layers.back().readbacks = std::move(readbacks[i]);
  }
  peaks_.learn(fullestLayer(), inVain, f.search);
  return result;
}

}  // namespace glint::gpu
