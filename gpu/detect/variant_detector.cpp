#include "gpu/detect/variant_detector.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "gpu/detect/frame_ground.h"
#include "gpu/detect/neighbours.h"
#include "gpu/detect/peak_list.h"
#include "gpu/detect/place.h"
#include "gpu/detect/second_peaks.h"
#include "shared/limits.h"

namespace glint::gpu {
namespace {

/// Returns true if both options give the same fits.
bool sameFits(const Refinement& a, const Refinement& b) {
  return a.enabled == b.enabled && a.radius == b.radius && a.longest == b.longest &&
         a.largest == b.largest && a.elongated == b.elongated;
}

bool hasProminence(const shared::Feedback& feedback, uint32_t layers) {
  return std::any_of(feedback.layers, feedback.layers + layers,
                     [](const auto& layer) { return layer.prominence != 0; });
}

bool sameLevels(const shared::Feedback& a, const shared::Feedback& b, uint32_t layers) {
  return std::equal(a.layers, a.layers + layers, b.layers, [](const auto& x, const auto& y) {
    return x.threshold == y.threshold && x.prominence == y.prominence;
  });
}

/// Returns the fit of the peak at `place`. `fits` must be sorted by place and contain it.
const shared::Detection& fitAt(const std::vector<shared::Detection>& fits, uint32_t place) {
  return *std::lower_bound(fits.begin(), fits.end(), place,
                           [](const auto& d, uint32_t sought) { return placeOf(d) < sought; });
}

/// Returns a key that is equal for equal groups of near markers.
std::array<uint32_t, 2 + shared::kMostNear> keyOf(const shared::NearMarkers& group) {
  std::array<uint32_t, 2 + shared::kMostNear> key{group.layer, group.count};
  std::copy_n(group.places, group.count, key.begin() + 2);
  return key;
}

}  // namespace

bool VariantDetector::canShare(const Settings& settings) {
  return settings.detect.method == DetectMethod::peaks && settings.filters.empty() &&
         peaksToMeasure(settings) <= FrameMemory::kMostMarkers;
}

bool VariantDetector::canShare(const Settings& a, const Settings& b) {
  return canShare(a) && canShare(b) && a.response == b.response && a.device == b.device &&
         a.live == b.live && pixelsOf(a.detect) == pixelsOf(b.detect);
}

VariantDetector::VariantDetector(const Device& device, const FrameFormat& format,
                                 std::vector<std::shared_ptr<const Settings>> variants,
                                 const Masks& masks)
    : format_(format),
      passes_(device.shared<Passes>(format.image.bits)),
      memory_(device, format.layers),
      planes_(device, format, passes_),
      peaks_(device, format, passes_, memory_, {}),
      nearFit_(device, passes_, format.layers),
      cache_(device, format, passes_),
      list_(device, sizeof(shared::Candidate) * shared::kMaxResolved * format.layers,
            MemoryUse::readback, "candidates"),
      counts_(device, peaks_.scanMemory().counts.size(), MemoryUse::readback, "counts"),
      wanted_(device, memory_.found.size(), MemoryUse::upload, "wanted fits"),
      numbers_(device, memory_.results.size(), MemoryUse::upload, "numbers of fits"),
      recorder_(device, Timing::none) {
  const Refiner refiner(format, passes_, memory_);
  for (std::shared_ptr<const Settings>& settings : variants) {
    shared_.config.settings = settings;
    Refinement own = refiner.refinement(shared_);
    own.seconds = false;  // several variants share a fit, and each has its own peaks
    const auto known = std::find_if(refinements_.begin(), refinements_.end(),
                                    [&](const auto& one) { return sameFits(one, own); });
    Variant variant{.settings = std::move(settings),
                    .refinement = static_cast<size_t>(known - refinements_.begin())};
    variant.most = peaksToMeasure(*variant.settings);
    if (known == refinements_.end()) refinements_.push_back(own);
    variants_.push_back(std::move(variant));
  }
  // Samples are only taken for settings with an automatic threshold, so such settings are used.
  const auto sampled = std::find_if(variants_.begin(), variants_.end(), [](const auto& variant) {
    return !variant.settings->detect.threshold;
  });
  shared_.config = {
      .settings = (sampled == variants_.end() ? variants_.front() : *sampled).settings,
      .masks = masks};
  shared_.resources = cache_.make(shared_.config);
}

VariantDetector::~VariantDetector() = default;

/// Adds a variant to a search that can include it, or to a new one. All variants without a
/// prominence share the search with the lowest of their thresholds.
void VariantDetector::addTo(std::vector<Search>& searches, size_t variant) const {
  const shared::Feedback& own = variants_[variant].feedback;
  const bool prominent = hasProminence(own, format_.layers);
  const auto search = std::find_if(searches.begin(), searches.end(), [&](const Search& one) {
    return prominent ? sameLevels(one.feedback, own, format_.layers)
                     : !hasProminence(one.feedback, format_.layers);
  });
  if (search == searches.end()) {
    searches.push_back({{variant}, own});
    return;
  }
  search->variants.push_back(variant);
  for (uint32_t i = 0; i < format_.layers; ++i) {
    auto& threshold = search->feedback.layers[i].threshold;
    threshold = std::min(threshold, own.layers[i].threshold);
  }
}

void VariantDetector::submit(FrameLease frame, std::span<const LayerExpectation> layers) {
  frame_ = shared_;
  frame_->frame = std::move(frame);
  searches_.clear();
  for (size_t i = 0; i < variants_.size(); ++i) {
    Variant& variant = variants_[i];
    variant.feedback = makeFeedback(*variant.settings, format_.image, layers);
    for (auto& layer : variant.feedback.layers) layer.predictionCount = 0;
    variant.peaks.reset();
    variant.parts.reset();
    addTo(searches_, i);
  }
  record(searches_.front(), true);
}

void VariantDetector::record(const Search& search, bool first) {
  for (uint32_t i = 0; i < format_.layers; ++i)
    frame_->prominences[i] = search.feedback.layers[i].prominence;
  memory_.feedback.as<shared::Feedback>()[0] = search.feedback;
  recorder_.begin();
  peaks_.begin(recorder_);
  if (first)
    frame_->planes =
        planes_.record(recorder_, *frame_->frame, *shared_.config.settings, shared_.resources);
  peaks_.recordScan(recorder_, *frame_);
  if (first) peaks_.recordStatistics(recorder_, *frame_);
  const ScanMemory& scan = peaks_.scanMemory();
  std::vector<Recorder::Part> parts;
  const size_t listed = sizeof(shared::Candidate) * shared::kMaxListed;
  const size_t taken = sizeof(shared::Candidate) * shared::kMaxResolved;
  for (size_t i = 0; i < format_.layers; ++i) parts.push_back({i * listed, i * taken, taken});
  recorder_.copyParts(scan.list, list_, parts);
  recorder_.copy(scan.counts, counts_, counts_.size());
  recorder_.submit();
  peaks_.submitted();
}

/// Selects the peaks of the variants of a search. If the list was too short, variants that need all
/// of it get no peaks, and the others get a new search.
void VariantDetector::choose(const Search& search) {
  const auto counts = counts_.as<shared::LayerResult>();
  const auto isCut = [&](uint32_t i) {
    return frame_->frame->stamps[i] && counts[i].candidates > shared::kMaxResolved;
  };
  std::vector<Search> again;
  bool cut = false;
  for (uint32_t i = 0; i < format_.layers; ++i) cut |= isCut(i);
  if (cut) {
    for (const size_t variant : search.variants) {
      bool needsAll = false;
      for (uint32_t i = 0; i < format_.layers; ++i)
        needsAll |= isCut(i) && variants_[variant].feedback.layers[i].threshold ==
                                    search.feedback.layers[i].threshold;
      if (!needsAll) addTo(again, variant);
    }
    searches_.insert(searches_.end(), again.begin(), again.end());
    return;
  }
  const auto list = list_.as<shared::Candidate>();
  Peaks ranked;
  for (uint32_t i = 0; i < format_.layers; ++i) {
    const uint32_t count = frame_->frame->stamps[i] ? counts[i].candidates : 0;
    const auto own = list.subspan(size_t{i} * shared::kMaxResolved, count);
    ranked.emplace_back(own.begin(), own.end());
    sortByRank(ranked.back());
  }
  std::map<double, Peaks> accepted;  // by separation
  for (const size_t index : search.variants) {
    Variant& variant = variants_[index];
    const double separation = variant.settings->detect.separation;
    Peaks& all = accepted[separation];
    if (all.empty())
      for (const auto& layer : ranked) all.push_back(acceptPeaks(layer, separation));
    variant.peaks.emplace();
    for (uint32_t i = 0; i < format_.layers; ++i) {
      const auto end = std::partition_point(all[i].begin(), all[i].end(), [&](const auto& peak) {
        return peak.weight >= variant.feedback.layers[i].threshold;
      });
      const auto own = std::min(static_cast<size_t>(end - all[i].begin()), size_t{variant.most});
      variant.peaks->emplace_back(all[i].begin(), all[i].begin() + static_cast<ptrdiff_t>(own));
    }
  }
}

/// Returns the peaks of all variants with this refinement, without duplicates, per layer and sorted
/// by place. Variants for which there is not enough room lose their peaks.
VariantDetector::Peaks VariantDetector::wantedFits(size_t refinement) {
  const auto before = [](const auto& a, const auto& b) { return a.place < b.place; };
  Peaks wanted(format_.layers);
  for (Variant& variant : variants_) {
    if (variant.refinement != refinement || !variant.peaks) continue;
    Peaks more(format_.layers);
    bool fits = true;
    for (uint32_t i = 0; i < format_.layers; ++i) {
      auto own = (*variant.peaks)[i];
      std::sort(own.begin(), own.end(), before);
      std::set_union(wanted[i].begin(), wanted[i].end(), own.begin(), own.end(),
                     std::back_inserter(more[i]), before);
      fits &= more[i].size() <= FrameMemory::kMostMarkers;
    }
    if (fits)
      wanted = std::move(more);
    else
      variant.peaks.reset();
  }
  return wanted;
}

/// Fits each of the wanted peaks alone. Returns the measurements per layer, sorted by place.
VariantDetector::Markers VariantDetector::fitAlone(size_t refinement, const Peaks& wanted) {
  Markers fits(format_.layers);
  size_t most = 0;
  for (const auto& layer : wanted) most = std::max(most, layer.size());
  if (most == 0) return fits;
  for (uint32_t i = 0; i < format_.layers; ++i) {
    const auto number = static_cast<uint32_t>(wanted[i].size());
    numbers_.as<shared::LayerResult>()[i] = {number, number, 0, 0};
    auto ranked = wanted[i];  // sorted here, because ranking thousands on the device takes long
    sortByRank(ranked);
    std::copy(ranked.begin(), ranked.end(),
              wanted_.as<shared::Candidate>().subspan(i * most).begin());
  }
  recorder_.begin();
  passes_.refineFound(recorder_, frame_->planes.measured, memory_.feedback,
                      refinements_[refinement], static_cast<uint32_t>(most),
                      {FoundMemory::What::rankedPeaks, numbers_, wanted_}, memory_.outcome,
                      memory_.markers);
  recorder_.submit();
  recorder_.wait(shared_.config.settings->device.spin);
  for (uint32_t i = 0; i < format_.layers; ++i) {
    const auto measured =
        memory_.markers.as<shared::Detection>().subspan(i * most, wanted[i].size());
    fits[i].assign(measured.begin(), measured.end());
    std::sort(fits[i].begin(), fits[i].end(),
              [](const auto& a, const auto& b) { return placeOf(a) < placeOf(b); });
  }
  return fits;
}

/// Sets the measured peaks of a variant: as many of the best as must be measured, each fitted
/// alone.
void VariantDetector::readPeaks(Variant& variant, const Markers& fits) {
  if (!variant.parts) {
    std::vector<uint32_t> counts;
    for (const auto& layer : *variant.peaks) counts.push_back(static_cast<uint32_t>(layer.size()));
    variant.parts.emplace(*variant.settings, counts);
  }
  variant.found.assign(format_.layers, {});
  for (uint32_t i = 0; i < format_.layers; ++i) {
    auto& found = variant.found[i];
    do {
      while (found.size() < variant.parts->end(i))
        found.push_back(fitAt(fits[i], (*variant.peaks)[i][found.size()].place));
      leaveOutSeconds(found, refinements_[variant.refinement]);
    } while (variant.parts->goOn(i, found));
  }
}

/// Fits near markers of all variants with this refinement together. Equal groups are fitted only
/// once.
void VariantDetector::fitTogether(size_t refinement) {
  struct Target {
    shared::Detection* marker;
    size_t group;
  };
  std::vector<Target> targets;
  std::vector<shared::NearMarkers> groups;
  std::map<std::array<uint32_t, 2 + shared::kMostNear>, size_t> known;
  for (Variant& variant : variants_) {
    if (variant.refinement != refinement || !variant.peaks) continue;
    for (uint32_t i = 0; i < format_.layers; ++i) {
      const NearGroups near = nearMarkers(i, variant.found[i], refinements_[refinement].largest);
      for (size_t k = 0; k < near.groups.size(); ++k) {
        const auto [own, isNew] = known.emplace(keyOf(near.groups[k]), groups.size());
        if (isNew) groups.push_back(near.groups[k]);
        targets.push_back({&variant.found[i][near.indices[k]], own->second});
      }
    }
  }
  std::vector<shared::Detection> measured;
  std::vector<PassTime> times;
  for (size_t first = 0; first < groups.size(); first += nearFit_.mostGroups()) {
    const auto part =
        std::span(groups).subspan(first, std::min(nearFit_.mostGroups(), groups.size() - first));
    const auto own =
        nearFit_.measure(recorder_, frame_->planes.measured, refinements_[refinement], part, times);
    measured.insert(measured.end(), own.begin(), own.end());
  }
  for (const Target& target : targets) NearFit::take(*target.marker, measured[target.group]);
}

std::vector<LayerMeasurement> VariantDetector::measurementsOf(
    const Variant& variant, const std::vector<Ground>& grounds) const {
  std::vector<LayerMeasurement> layers(format_.layers);
  for (uint32_t i = 0; i < format_.layers; ++i) {
    LayerMeasurement& layer = layers[i];
    layer.state = frame_->frame->states[i];
    layer.stamp = frame_->frame->stamps[i];
    if (!layer.stamp) continue;
    layer.response = memory_.responseStatistics.as<shared::PlaneStatistics>()[i];
    layer.pixels = frame_->pixels(i);
    layer.ground = grounds[i];
    layer.threshold = variant.feedback.layers[i].threshold;
    layer.prominence = variant.feedback.layers[i].prominence;
    auto limited = applyLimits(variant.found[i], *variant.settings, variant.most);
    layer.markers = std::move(limited.markers);
    layer.partial = limited.partial;
    layer.elongated = limited.elongated;
  }
  return layers;
}

std::vector<std::optional<std::vector<LayerMeasurement>>> VariantDetector::collect() {
  if (!frame_) return {};
  recorder_.wait(shared_.config.settings->device.spin);
  for (size_t i = 0; i < searches_.size(); ++i) {  // choose() may add some
    if (i > 0) {
      record(searches_[i], false);
      recorder_.wait(shared_.config.settings->device.spin);
    }
    choose(Search(searches_[i]));
  }
  for (size_t r = 0; r < refinements_.size(); ++r) {
    const Markers fits = fitAlone(r, wantedFits(r));
    for (bool more = true; more;) {
      for (Variant& variant : variants_)
        if (variant.refinement == r && variant.peaks) readPeaks(variant, fits);
      if (refinements_[r].enabled) fitTogether(r);
      more = false;
      for (Variant& variant : variants_)
        for (uint32_t i = 0; variant.refinement == r && variant.peaks && i < format_.layers; ++i)
          more |= variant.parts->goOn(i, variant.found[i]);
    }
  }
  std::vector<Ground> grounds;
  const auto statistics = memory_.responseStatistics.as<shared::PlaneStatistics>();
  for (uint32_t i = 0; i < format_.layers; ++i)
    grounds.push_back(groundOf(*frame_, memory_, i, statistics[i]));
  std::vector<std::optional<std::vector<LayerMeasurement>>> all;
  for (const Variant& variant : variants_)
    all.push_back(variant.peaks ? std::optional(measurementsOf(variant, grounds)) : std::nullopt);
  frame_.reset();
  return all;
}

}  // namespace glint::gpu
