// Finds the markers of a frame that are peaks of its response.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/detect/frame_in_flight.h"
#include "gpu/detect/frame_memory.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"
#include "shared/results.h"

namespace glint {

/// Which ways may be taken, see Search.
struct PeakWays {
  bool listed = false;  ///< listed candidates may be measured while it is decided which are markers
  bool spare = false;   ///< only where few would be measured in vain
  bool many = false;    ///< long lists need no map
  bool host = false;    ///< the host may do it: on a CPU only
  bool beside = false;  ///< listed candidates may be measured while others are still sought
  bool inVain = false;  ///< for tests: then passes wait for more than there is
};

/// Candidates are listed, and where there are too many for that, mapped. Which way a frame goes
/// follows from how many the last one had; the result is the same.
class PeakFinder {
 public:
  /// Throws Error when the device has no room. `passes` and `memory` must outlive it.
  PeakFinder(const Device& device, const FrameFormat& format, const Passes& passes,
             const FrameMemory& memory, const PeakWays& ways);

  /// The way for the next frame: never Search::blobs.
  Search next(const Selection& selection) const;

  /// The way for a frame that `search` did not take, whose fullest layer has so many candidates.
  Search after(Search search, uint32_t candidates) const;

  /// What a frame that goes by the list begins with, and what follows once it is submitted.
  void begin(Recorder& recorder);
  void submitted() { nextIsClear_ = true; }

  /// FrameInFlight::scanners of a frame, once its planes are known.
  uint32_t scanners(const FrameInFlight& frame) const;

  /// Whether a pass of the frame, which is done, gave up waiting for `scan`. Then none waits any
  /// more.
  bool wasLate();

  /// The list of candidates, and what recordStatistics() makes statistics of.
  void recordScan(Recorder& recorder, const FrameInFlight& frame) const;
  void recordStatistics(Recorder& recorder, const FrameInFlight& frame) const;

  /// Which of the list are markers: FrameMemory::results and found, which are measured next; by
  /// Search::listed FrameMemory::outcome and accepted. Layers that it cannot take are
  /// LayerResult::unresolved: then the frame must go by recordMap().
  void recordResolve(Recorder& recorder, const FrameInFlight& frame) const;

  /// The same at once, of a list that is done: by Search::host.
  void acceptOnHost(const FrameInFlight& frame) const;

  /// By Search::host, once candidates are listed: whether the list holds them all. How many peaks
  /// the fullest layer has, once they are accepted.
  bool listsAll() const;
  uint32_t mostAccepted() const;

  /// By Search::listed, once it is done, where the host accepts peaks: FrameMemory::outcome and
  /// accepted.
  void acceptListed(const FrameInFlight& frame) const;

  /// The way for a frame not all of whose candidates Search::listed has measured.
  Search afterListed() const;

  /// The same by Search::many.
  void recordMany(Recorder& recorder, const FrameInFlight& frame) const;

  /// The same by the map, which takes any number.
  void recordMap(Recorder& recorder, const FrameInFlight& frame) const;

  /// After each frame: how many candidates the fullest layer had, how many Search::listed measures
  /// in vain, and whether the frame went by the map in the end.
  void learn(uint32_t candidates, uint32_t inVain, Search search);

  const ScanMemory& scanMemory() const { return scan_; }

 private:
  std::vector<shared::Candidate> bestOf(const FrameInFlight& frame, uint32_t layer) const;

  const Passes& passes_;
  const FrameMemory& memory_;
  ScanMemory scan_;
  bool nextIsClear_ = false;  // ScanMemory::next, by the frame before
  bool postIsClear_ = false;
  std::optional<ResolveMemory> many_;
  CandidateMap map_;
  PeakWays ways_;
  uint32_t candidates_ = 0;  // in the last frame
  uint32_t inVain_ = ~0U;    // likewise; many: not known
  bool crowded_ = false;     // a frame had more than the list takes, and none since had few
};

}  // namespace glint
