#include "gpu/detect/peak_finder.h"

#include <algorithm>
#include <utility>

#include "gpu/frame_pool.h"
#include "shared/limits.h"

namespace glint {
namespace {

bool anyProminence(const FrameInFlight& frame) {
  return std::any_of(frame.prominences.begin(), frame.prominences.end(),
                     [](uint32_t counts) { return counts != 0; });
}

}  // namespace

PeakFinder::PeakFinder(const Device& device, const FrameFormat& format, const Passes& passes,
                       const FrameMemory& memory, bool measuresLists, bool takesMany)
    : passes_(passes),
      memory_(memory),
      scan_(device, passes, greyShape(format.image), format.layers),
      map_(device, greyShape(format.image), format.layers),
      measuresLists_(measuresLists) {
  if (takesMany) many_.emplace(device, format.layers);
}

Search PeakFinder::next(const Selection& selection) const {
  if (crowded_) return Search::map;
  if (many_ && candidates_ > shared::kMaxResolved) return Search::many;
  return measuresLists_ && candidates_ <= selection.maxMarkers ? Search::listed : Search::list;
}

Search PeakFinder::after(Search search, uint32_t candidates) const {
  return many_ && search != Search::many && candidates <= shared::kMaxListed ? Search::many
                                                                             : Search::map;
}

void PeakFinder::begin(Recorder& recorder) {
  std::swap(scan_.counts, scan_.next);
  if (!nextIsClear_) recorder.clear(scan_.counts);
  nextIsClear_ = false;
}

void PeakFinder::recordScan(Recorder& recorder, const FrameInFlight& frame) const {
  passes_.scan(recorder, frame.planes.response, frame.mask(), memory_.feedback, scan_,
               anyProminence(frame));
}

void PeakFinder::recordStatistics(Recorder& recorder, const FrameInFlight& frame) const {
  passes_.mergeStatistics(recorder, frame.planes.response, frame.mask(), scan_,
                          memory_.responseStatistics, frame.samples(memory_.samples));
}

void PeakFinder::recordResolve(Recorder& recorder, const FrameInFlight& frame) const {
  const bool listed = frame.search == Search::listed;
  passes_.resolve(recorder, scan_, frame.planes.response.layers, frame.selection,
                  listed ? memory_.outcome : memory_.results,
                  listed ? memory_.accepted : memory_.found, listed ? nullptr : memory_.groups());
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

void PeakFinder::learn(uint32_t candidates, Search search) {
  candidates_ = candidates;
  if (search == Search::map) crowded_ = true;
  // Where many workgroups take a long list, that is so much faster that it is tried early.
  const uint32_t few = many_ ? shared::kMaxListed / 4 * 3 : shared::kMaxResolved / 4;
  if (candidates < few) crowded_ = false;
}

}  // namespace glint
