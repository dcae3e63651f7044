#include "gpu/detect/peak_finder.h"

#include <algorithm>
#include <utility>

#include "gpu/detect/peak_list.h"
#include "gpu/frame_pool.h"
#include "shared/limits.h"

namespace glint::gpu {
namespace {

// The number of fits that take as long on a CPU as a dispatch. With fewer unnecessary fits,
// Search::listed is faster.
constexpr uint32_t kMostInVain = 12;

// After the list was too short, it is used again if a layer has fewer candidates than this.
constexpr uint32_t kFewAgain = shared::kMaxListed / 4 * 3;

bool anyProminence(const FrameInFlight& frame) {
  return std::any_of(frame.prominences.begin(), frame.prominences.end(),
                     [](uint32_t counts) { return counts != 0; });
}

}  // namespace

SearchOptions SearchOptions::suiting(const Device& device, const Passes& passes) {
  const bool cpu = device.info().type == "cpu";
  return {.hostDecides = cpu,
          .measureListed = !cpu || passes.countsListed(),
          .measureBesideScan = device.startsInOrder(),
          .measureInParts = cpu,
          .rehearse = !device.unifiedMemory()};
}

PeakFinder::HostPeaks::HostPeaks(const Device& device, uint32_t layers)
    : found(device, 2 * sizeof(shared::Candidate) * FrameMemory::kMostMarkers * layers,
            MemoryUse::settings, "peaks from the host"),
      results(device, sizeof(shared::LayerResult) * layers, MemoryUse::settings,
              "results from the host") {}

PeakFinder::PeakFinder(const Device& device, const FrameFormat& format, const Passes& passes,
                       const FrameMemory& memory, const SearchOptions& options)
    : device_(device),
      format_(format),
      passes_(passes),
      memory_(memory),
      options_(options),
      scan_(device, passes, greyShape(format.image), format.layers) {
  if (options_.hostDecides) {
    hostPeaks_.emplace(device, format.layers);
  } else {
    many_.emplace(device, format.layers);
  }
}

void PeakFinder::choose(FrameInFlight& frame) const {
  frame.candidates = candidates_;
  if (overflows_) {
    frame.search = Search::plane;
    return;
  }
  // On a CPU unnecessary fits take time, and only a limited number of workgroups is counted.
  const bool few = candidates_ <= frame.selection.maxMarkers && candidates_ <= shared::kMaxResolved;
  const bool cheap =
      !options_.hostDecides || (inVain_ <= kMostInVain && candidates_ <= shared::kMostCounted);
  frame.search = options_.measureListed && few && cheap ? Search::listed : Search::accepted;
}

void PeakFinder::chooseNext(FrameInFlight& frame, uint32_t candidates) const {
  const bool triedMany = frame.candidates > shared::kMaxResolved;
  const bool takesMany = candidates > shared::kMaxResolved && candidates <= shared::kMaxListed;
  frame.candidates = candidates;
  frame.search = takesMany && !triedMany ? Search::accepted : Search::plane;
}

void PeakFinder::chooseAfterListed(FrameInFlight& frame) const {
  const bool overflows = options_.hostDecides && !listsAll();
  frame.search = overflows ? Search::plane : Search::accepted;
}

void PeakFinder::begin(Recorder& recorder) {
  std::swap(scan_.counts, scan_.next);
  if (!nextIsClear_) recorder.clear(scan_.counts);
  nextIsClear_ = false;
  if (options_.measureBesideScan && !postIsClear_) recorder.clear(scan_.post);
  postIsClear_ = true;
  scan_.groups.as<uint32_t>()[0] = 0;
}

void PeakFinder::recordScan(Recorder& recorder, const FrameInFlight& frame) const {
  passes_.scan(recorder, frame.planes.response, frame.mask(), memory_.feedback, scan_,
               {.prominence = anyProminence(frame),
                .posted = frame.scanners != 0 ? frame.selection.maxMarkers : 0});
}

uint32_t PeakFinder::scanners(const FrameInFlight& frame) const {
  // Filters may make the measured plane after the response. Only a barrier can wait for that.
  const bool waits =
      options_.measureBesideScan && frame.search == Search::listed && !frame.resources.chain;
  return waits ? passes_.scanners(frame.planes.response) + (options_.waitInVain ? 1 : 0) : 0;
}

bool PeakFinder::wasLate() {
  const auto late = scan_.late.as<uint32_t>();
  if (late[0] == 0) return false;
  late[0] = 0;
  options_.measureBesideScan = false;
  return true;
}

void PeakFinder::recordStatistics(Recorder& recorder, const FrameInFlight& frame) const {
  passes_.mergeStatistics(recorder, frame.planes.response, frame.mask(), scan_,
                          memory_.responseStatistics, frame.samples(memory_.samples),
                          frame.scanners);
}

void PeakFinder::recordDecision(Recorder& recorder, const FrameInFlight& frame) const {
  const bool listed = frame.search == Search::listed;
  const uint32_t layers = frame.planes.response.layers;
  if (frame.candidates > shared::kMaxResolved) {
    passes_.resolveMany(recorder, scan_, *many_, layers, frame.selection, memory_.results,
                        memory_.found);
    return;
  }
  passes_.resolve(recorder, scan_, layers, frame.selection,
                  listed ? memory_.outcome : memory_.results,
                  listed ? memory_.accepted : memory_.found, listed ? nullptr : memory_.groups(),
                  frame.scanners);
}

bool PeakFinder::listsAll() const {
  const auto counts = scan_.counts.as<shared::LayerResult>();
  return std::all_of(counts.begin(), counts.end(),
                     [](const auto& layer) { return layer.candidates <= shared::kMaxListed; });
}

/// Returns the peaks of a layer, the best first. The list of candidates must be complete.
std::vector<shared::Candidate> PeakFinder::bestOf(const FrameInFlight& frame,
                                                  uint32_t layer) const {
  const auto list = scan_.list.as<shared::Candidate>().subspan(size_t{layer} * shared::kMaxListed);
  const uint32_t candidates = scan_.counts.as<shared::LayerResult>()[layer].candidates;
  return bestPeaks(list.first(candidates), frame.selection.separation, frame.selection.maxMarkers);
}

/// Finds the candidates of a layer's response. If the host cannot read the plane, it reads a copy.
PlaneCandidates PeakFinder::candidatesOf(Recorder& recorder, const FrameInFlight& frame,
                                         uint32_t layer, std::vector<PassTime>& times) {
  const Plane& plane = frame.planes.response;
  const size_t bytes = planeBytes(plane.shape, 1);
  const bool readable = device_.info().type == "cpu" && !plane.buffer->mapped().empty();
  std::byte* data = nullptr;
  if (readable) {
    data = plane.buffer->mapped().data() + layer * bytes;
  } else {
    if (!copiedResponse_)
      copiedResponse_.emplace(device_, bytes, MemoryUse::readback, "response for the host");
    const Recorder::Part part{layer * bytes, 0, bytes};
    recorder.begin();
    recorder.copyParts(*plane.buffer, *copiedResponse_, {&part, 1});
    recorder.submit();
    recorder.wait(frame.config.settings->device.spin);
    times.insert(times.end(), recorder.times().begin(), recorder.times().end());
    data = copiedResponse_->mapped().data();
  }
  ImageFormat image = format_.image;
  image.channels = 1;
  const LayerMask none;
  const LayerMask& mask = frame.config.masks ? (*frame.config.masks)[layer] : none;
  return {ImageView{image, data, size_t{plane.shape.pitch} * 4}, mask, frame.thresholds[layer],
          frame.prominences[layer]};
}

/// Writes the peaks of a layer, which are in order of rank, to the memory that `refine` reads.
void PeakFinder::put(const FrameInFlight& frame, uint32_t layer, size_t candidates,
                     std::vector<shared::Candidate> peaks) const {
  const size_t most = frame.selection.maxMarkers, layers = frame.planes.response.layers;
  const auto found = hostPeaks_->found.as<shared::Candidate>();
  std::copy(peaks.begin(), peaks.end(), found.subspan(layer * most).begin());
  std::sort(peaks.begin(), peaks.end(),
            [](const auto& a, const auto& b) { return (a.place & 0xffff) < (b.place & 0xffff); });
  std::copy(peaks.begin(), peaks.end(), found.subspan((layers + layer) * most).begin());
  hostPeaks_->results.as<shared::LayerResult>()[layer] = {
      static_cast<uint32_t>(candidates), static_cast<uint32_t>(peaks.size()), 0, 0};
}

void PeakFinder::decide(Recorder& recorder, const FrameInFlight& frame,
                        std::vector<PassTime>& times) {
  if (!hostPeaks_) hostPeaks_.emplace(device_, format_.layers);
  const auto counts = scan_.counts.as<shared::LayerResult>();
  for (uint32_t i = 0; i < frame.planes.response.layers; ++i) {
    if (!frame.frame->stamps[i]) {
      put(frame, i, 0, {});
    } else if (frame.search == Search::plane) {
      auto candidates = candidatesOf(recorder, frame, i, times);
      put(frame, i, candidates.count(),
          candidates.takePeaks(frame.selection.separation, frame.selection.maxMarkers));
    } else {
      put(frame, i, counts[i].candidates, bestOf(frame, i));
    }
  }
}

void PeakFinder::acceptListed(const FrameInFlight& frame) const {
  if (!options_.hostDecides) return;
  const auto outcome = memory_.outcome.as<shared::LayerResult>();
  const auto counts = scan_.counts.as<shared::LayerResult>();
  const size_t most = frame.selection.maxMarkers;
  for (uint32_t i = 0; i < frame.planes.response.layers; ++i) {
    outcome[i] = {counts[i].candidates, 0, 0, 0};
    if (!frame.frame->stamps[i] || counts[i].candidates > most) continue;
    const auto best = bestOf(frame, i);
    outcome[i].markers = static_cast<uint32_t>(best.size());
    std::ranges::copy(best, memory_.accepted.as<shared::Candidate>().subspan(i * most).begin());
  }
}

FoundMemory PeakFinder::peaksOf(const FrameInFlight& frame) const {
  if (hostDecides(frame.search))
    return {FoundMemory::What::peaksByX, hostPeaks_->results, hostPeaks_->found};
  const bool counted = frame.candidates <=
                       shared::kMaxResolved;  // `resolve` counts the peaks, `resolve_many` does not
  return {FoundMemory::What::peaks, memory_.results, memory_.found,
          counted ? memory_.groups() : nullptr};
}

uint32_t PeakFinder::mostDecided() const {
  uint32_t most = 0;
  for (const auto& layer : hostPeaks_->results.as<shared::LayerResult>())
    most = std::max(most, layer.markers);
  return most;
}

void PeakFinder::learn(uint32_t candidates, uint32_t inVain, Search search) {
  candidates_ = candidates;
  inVain_ = inVain;
  if (search == Search::plane) overflows_ = true;
  if (candidates < kFewAgain) overflows_ = false;
}

}  // namespace glint::gpu
