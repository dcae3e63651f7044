#include "gpu/detect/peak_finder.h"

#include <algorithm>
#include <utility>

#include "gpu/detect/peak_list.h"
#include "gpu/frame_pool.h"
#include "shared/limits.h"

namespace glint {
namespace {

// Candidates of a layer from which on the host is faster: of fewer one submission is.
constexpr uint32_t kFewForHost = shared::kMostCounted;

// Fits that take as long on a CPU as a dispatch of `resolve`.
constexpr uint32_t kMostInVain = 12;

bool anyProminence(const FrameInFlight& frame) {
  return std::any_of(frame.prominences.begin(), frame.prominences.end(),
                     [](uint32_t counts) { return counts != 0; });
}

}  // namespace

PeakFinder::PeakFinder(const Device& device, const FrameFormat& format, const Passes& passes,
                       const FrameMemory& memory, const PeakWays& ways)
    : passes_(passes),
      memory_(memory),
      scan_(device, passes, greyShape(format.image), format.layers),
      map_(device, greyShape(format.image), format.layers),
      ways_(ways) {
  if (ways_.many) many_.emplace(device, format.layers);
}

Search PeakFinder::next(const Selection& selection) const {
  if (crowded_) return Search::map;
  if (ways_.host && candidates_ > kFewForHost) return Search::host;
  if (many_ && candidates_ > shared::kMaxResolved) return Search::many;
  const bool all = candidates_ <= selection.maxMarkers && (!ways_.spare || inVain_ <= kMostInVain);
  return ways_.listed && all ? Search::listed : Search::list;
}

Search PeakFinder::after(Search search, uint32_t candidates) const {
  if (candidates > shared::kMaxListed) return Search::map;
  if (ways_.host && search != Search::host) return Search::host;
  return many_ && search != Search::many ? Search::many : Search::map;
}

void PeakFinder::begin(Recorder& recorder) {
  std::swap(scan_.counts, scan_.next);
  if (!nextIsClear_) recorder.clear(scan_.counts);
  nextIsClear_ = false;
  if (ways_.beside && !postIsClear_) recorder.clear(scan_.post);
  postIsClear_ = true;
  scan_.groups.as<uint32_t>()[0] = 0;
}

void PeakFinder::recordScan(Recorder& recorder, const FrameInFlight& frame) const {
  passes_.scan(recorder, frame.planes.response, frame.mask(), memory_.feedback, scan_,
               {.prominence = anyProminence(frame),
                .posted = frame.scanners != 0 ? frame.selection.maxMarkers : 0});
}

uint32_t PeakFinder::scanners(const FrameInFlight& frame) const {
  // Filters may make what is measured after what is searched: nothing but a barrier waits for that.
  const bool waits = ways_.beside && frame.search == Search::listed && !frame.resources.chain;
  return waits ? passes_.scanners(frame.planes.response) + (ways_.inVain ? 1 : 0) : 0;
}

bool PeakFinder::wasLate() {
  const auto late = scan_.late.as<uint32_t>();
  if (late[0] == 0) return false;
  late[0] = 0;
  ways_.beside = false;
  return true;
}

void PeakFinder::recordStatistics(Recorder& recorder, const FrameInFlight& frame) const {
  passes_.mergeStatistics(recorder, frame.planes.response, frame.mask(), scan_,
                          memory_.responseStatistics, frame.samples(memory_.samples),
                          frame.scanners);
}

void PeakFinder::recordResolve(Recorder& recorder, const FrameInFlight& frame) const {
  const bool listed = frame.search == Search::listed;
  if (listed && ways_.host) return;
  passes_.resolve(recorder, scan_, frame.planes.response.layers, frame.selection,
                  listed ? memory_.outcome : memory_.results,
                  listed ? memory_.accepted : memory_.found, listed ? nullptr : memory_.groups(),
                  frame.scanners);
}

bool PeakFinder::listsAll() const {
  const auto counts = scan_.counts.as<shared::LayerResult>();
  return std::all_of(counts.begin(), counts.end(),
                     [](const auto& layer) { return layer.candidates <= shared::kMaxListed; });
}

std::vector<shared::Candidate> PeakFinder::bestOf(const FrameInFlight& frame,
                                                  uint32_t layer) const {
  const auto list = scan_.list.as<shared::Candidate>().subspan(size_t{layer} * shared::kMaxListed);
  const uint32_t candidates =
      frame.frame->stamps[layer] ? scan_.counts.as<shared::LayerResult>()[layer].candidates : 0;
  return bestPeaks(list.first(candidates), frame.selection.separation, frame.selection.maxMarkers);
}

void PeakFinder::acceptOnHost(const FrameInFlight& frame) const {
  const auto counts = scan_.counts.as<shared::LayerResult>();
  const auto results = memory_.results.as<shared::LayerResult>();
  const size_t most = frame.selection.maxMarkers, layers = frame.planes.response.layers;
  const auto found = memory_.found.as<shared::Candidate>();
  for (uint32_t i = 0; i < layers; ++i) {
    auto best = bestOf(frame, i);
    std::copy(best.begin(), best.end(), found.subspan(i * most).begin());
    std::sort(best.begin(), best.end(),
              [](const auto& a, const auto& b) { return (a.place & 0xffff) < (b.place & 0xffff); });
    std::copy(best.begin(), best.end(), found.subspan((layers + i) * most).begin());
    results[i] = {counts[i].candidates, static_cast<uint32_t>(best.size()), 0, 0};
  }
}

void PeakFinder::acceptListed(const FrameInFlight& frame) const {
  if (!ways_.host) return;
  const auto outcome = memory_.outcome.as<shared::LayerResult>();
  const auto counts = scan_.counts.as<shared::LayerResult>();
  const size_t most = frame.selection.maxMarkers;
  for (uint32_t i = 0; i < frame.planes.response.layers; ++i) {
    outcome[i] = {counts[i].candidates, 0, 0, 0};
    if (counts[i].candidates > most) continue;
    const auto best = bestOf(frame, i);
    outcome[i].markers = static_cast<uint32_t>(best.size());
    std::ranges::copy(best, memory_.accepted.as<shared::Candidate>().subspan(i * most).begin());
  }
}

Search PeakFinder::afterListed() const {
  if (!ways_.host) return Search::list;
  return listsAll() ? Search::host : Search::map;
}

uint32_t PeakFinder::mostAccepted() const {
  uint32_t most = 0;
  for (const auto& layer : memory_.results.as<shared::LayerResult>())
    most = std::max(most, layer.markers);
  return most;
}

void PeakFinder::recordMany(Recorder& recorder, const FrameInFlight& frame) const {
  passes_.resolveMany(recorder, scan_, *many_, frame.planes.response.layers, frame.selection,
                      memory_.results, memory_.found);
}

void PeakFinder::recordMap(Recorder& recorder, const FrameInFlight& frame) const {
  recorder.clear(memory_.results);
  passes_.peaks(recorder, frame.planes.response, frame.mask(), memory_.feedback, map_,
                memory_.results, anyProminence(frame));
  passes_.select(recorder, frame.planes.response, map_, frame.selection, memory_.results,
                 memory_.found);
}

void PeakFinder::learn(uint32_t candidates, uint32_t inVain, Search search) {
  candidates_ = candidates;
  inVain_ = inVain;
  if (search == Search::map) crowded_ = true;
  // Where many workgroups or the host take a long list, that is so much faster that it is tried
  // early.
  const uint32_t few = many_ || ways_.host ? shared::kMaxListed / 4 * 3 : shared::kMaxResolved / 4;
  if (candidates < few) crowded_ = false;
}

}  // namespace glint
