#include "gpu/detect/refiner.h"

#include <algorithm>
#include <span>
#include <utility>

#include "gpu/detect/limits.h"
#include "gpu/detect/place.h"
#include "gpu/detect/radix_sort.h"
#include "gpu/detect/second_peaks.h"
#include "gpu/filters/chain.h"

namespace glint::gpu {
namespace {

/// Returns a number that is less for better candidates. Its lowest kIndexBits bits are free for an
/// index, because numbers can be sorted faster than pairs.
constexpr unsigned kIndexBits = 12;
constexpr uint64_t kIndex = (1U << kIndexBits) - 1;
static_assert(FrameMemory::kMostMarkers <= kIndex + 1);
uint64_t rankKey(uint32_t weight, uint32_t place) {
  constexpr uint32_t kMostWeight = 0xffff;  // full scale of a response with 16 bits
  return (uint64_t{kMostWeight - weight} << 32 | place) << kIndexBits;
}

/// Returns those of `measured` that are among the accepted candidates, in order of rank.
std::vector<shared::Detection> pick(std::span<const shared::Detection> measured,
                                    std::span<const shared::Candidate> accepted) {
  std::vector<uint64_t> wanted, all;
  wanted.reserve(accepted.size());
  for (const auto& candidate : accepted)
    wanted.push_back(rankKey(candidate.weight, candidate.place));
  radixSort(wanted, kIndexBits);
  all.reserve(measured.size());
  for (const auto& d : measured) all.push_back(rankKey(d.peak, placeOf(d)) | all.size());
  radixSort(all, kIndexBits);
  std::vector<shared::Detection> ranked;
  ranked.reserve(wanted.size());
  auto next = all.begin();
  for (const uint64_t key : wanted) {
    while (next != all.end() && *next < key) ++next;
    if (next != all.end() && (*next & ~kIndex) == key) ranked.push_back(measured[*next & kIndex]);
  }
  return ranked;
}

}  // namespace

Refiner::Refiner(const FrameFormat& format, const Passes& passes, const FrameMemory& memory)
    : format_(format), passes_(passes), memory_(memory) {}

Refinement Refiner::refinement(const FrameInFlight& frame) const {
  const auto& refine = frame.config.settings->refine;
  // Behind a template the response's peaks are no spots: Detector places what it matches.
  const bool matched = frame.resources.chain && frame.resources.chain->finds();
  Refinement refinement{.enabled = refine.method != RefineMethod::none && !matched,
                        .radius = static_cast<uint32_t>(refine.radius),
                        .fullScale = format_.image.fullScale()};
  const double longest = frame.config.settings->detect.maxEccentricity;
  refinement.elongated = !refine.roundOnly && longest > Settings().detect.maxEccentricity;
  if (frame.search == Search::blobs) return refinement;
  refinement.longest =
      static_cast<float>(ridgeLimit(frame.config.settings->detect.maxEccentricity));
  refinement.largest = static_cast<float>(largestExtent(frame.config.settings->detect));
  refinement.seconds = frame.search != Search::listed;
  return refinement;
}

void Refiner::recordListed(Recorder& recorder, const FrameInFlight& frame,
                           const ScanMemory& scan) const {
  passes_.refineListed(recorder, frame.planes.measured, memory_.feedback, refinement(frame),
                       frame.selection.maxMarkers, scan, memory_.markers, frame.scanners);
}

void Refiner::recordFound(Recorder& recorder, const FrameInFlight& frame, const FoundMemory& found,
                          Ranks ranks) const {
  passes_.refineFound(recorder, frame.planes.measured, memory_.feedback, refinement(frame),
                      frame.selection.maxMarkers, found, memory_.outcome, memory_.markers, ranks);
}

const shared::LayerResult& Refiner::outcome(uint32_t layer) const {
  return memory_.outcome.as<shared::LayerResult>()[layer];
}

bool Refiner::resolved() const {
  for (uint32_t i = 0; i < format_.layers; ++i)
    if (outcome(i).unresolved != 0) return false;
  return true;
}

bool Refiner::listIsMeasured(const FrameInFlight& frame) const {
  const uint32_t room = frame.selection.maxMarkers;
  const bool counts = passes_.countsListed();
  const uint32_t most = counts ? std::min(room, shared::kMostCounted) : room;
  for (uint32_t i = 0; i < format_.layers; ++i) {
    if (!frame.frame->stamps[i]) continue;
    const uint32_t candidates = outcome(i).candidates;
    if (candidates > most) return false;
    const auto measured =
        memory_.markers.as<shared::Detection>().subspan(size_t{i} * room, candidates);
    const auto leftOut = [](const auto& d) { return (d.flags & shared::kFlagSecond) != 0; };
    if (counts && std::ranges::any_of(measured, leftOut)) return false;
  }
  return true;
}

std::vector<shared::Detection> Refiner::markers(const FrameInFlight& frame, uint32_t layer) const {
  const auto& result = outcome(layer);
  const size_t first = size_t{layer} * frame.selection.maxMarkers;
  const auto measured = memory_.markers.as<shared::Detection>().subspan(first);
  if (frame.search != Search::listed) return {measured.begin(), measured.begin() + result.markers};
  auto ranked = pick(measured.first(result.candidates),
                     memory_.accepted.as<shared::Candidate>().subspan(first, result.markers));
  leaveOutSeconds(ranked, refinement(frame));
  return ranked;
}

}  // namespace glint::gpu
