// Finds the markers of a frame that are peaks of its response.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpu/detect/frame_in_flight.h"
#include "gpu/detect/frame_memory.h"
#include "gpu/detect/plane_candidates.h"
#include "gpu/passes.h"
#include "gpu/recorder.h"
#include "shared/results.h"

namespace glint::gpu {

/// How a detector uses its device. Whatever is chosen, the markers are the same.
struct SearchOptions {
  /// The host decides which listed candidates are peaks, not kernels. On CPUs only, where the host
  /// can read the list.
  bool hostDecides = false;
  /// Listed candidates may all be measured while it is decided which of them are peaks.
  bool measureListed = false;
  /// They may be measured while `scan` still seeks others (shaders/await.glsl). On a CPU it must
  /// stay off unless kernels do without wide loads; there barriers stand as well.
  bool measureBesideScan = false;
  /// Passes wait for more workgroups of `scan` than there are, and give up. Tests ask for it.
  bool waitInVain = false;
  /// Peaks are measured part by part (PeakParts). Otherwise all are measured, and those are left
  /// out that need not be.
  bool measureInParts = false;
  /// `refine` is rehearsed while a frame is uploaded (gpu/rehearsal.h).
  bool rehearse = false;

  /// Returns what is fastest on a device.
  static SearchOptions suiting(const Device& device, const Passes& passes);
};

/// Decides which way a frame goes to its peaks (see Search), by how many candidates the last frame
/// had, and which candidates are peaks.
class PeakFinder {
 public:
  /// Throws Error when the device has no room. `passes` and `memory` must outlive it.
  PeakFinder(const Device& device, const FrameFormat& format, const Passes& passes,
             const FrameMemory& memory, const SearchOptions& options);

  /// Chooses the way of the next frame: sets FrameInFlight::search and candidates.
  void choose(FrameInFlight& frame) const;

  /// Chooses the next way for a frame some of whose layers are LayerResult::unresolved. The fullest
  /// layer has `candidates`.
  void chooseNext(FrameInFlight& frame, uint32_t candidates) const;

  /// Chooses the way for a frame not all of whose candidates were measured by Search::listed.
  void chooseAfterListed(FrameInFlight& frame) const;

  /// Returns true if the host decides about peaks that are found this way, not kernels.
  bool hostDecides(Search search) const {
    return search == Search::plane || (options_.hostDecides && search != Search::blobs);
  }

  /// Clears what `scan` counts in. To be called first in the recording of a frame whose candidates
  /// are listed; submitted() once it is submitted.
  void begin(Recorder& recorder);
  void submitted() { nextIsClear_ = true; }

  /// Returns FrameInFlight::scanners of a frame, once its planes are known.
  uint32_t scanners(const FrameInFlight& frame) const;

  /// Returns true if a pass of the frame, which is done, gave up waiting for `scan`. From then on
  /// no pass waits.
  bool wasLate();

  /// Lists the candidates, with parts of the statistics, which recordStatistics() joins.
  void recordScan(Recorder& recorder, const FrameInFlight& frame) const;
  void recordStatistics(Recorder& recorder, const FrameInFlight& frame) const;

  /// Records the kernels that decide which listed candidates are peaks. By Search::listed they
  /// write FrameMemory::outcome and accepted, otherwise what peaksOf() returns. Layers that they
  /// cannot decide become LayerResult::unresolved.
  void recordDecision(Recorder& recorder, const FrameInFlight& frame) const;

  /// Decides on the host which candidates are peaks: those of the list, or by Search::plane those
  /// of the response, which may take a recording of its own. Adds its times to `times`. The frame's
  /// candidates must have been listed, or its response must have been made. Throws Error when the
  /// device has no room for a copy of a response.
  void decide(Recorder& recorder, const FrameInFlight& frame, std::vector<PassTime>& times);

  /// Decides on the host which of the candidates that Search::listed has measured are peaks: writes
  /// FrameMemory::outcome and accepted. Does nothing where kernels decide.
  void acceptListed(const FrameInFlight& frame) const;

  /// Returns the decided peaks, which `refine` is to measure.
  FoundMemory peaksOf(const FrameInFlight& frame) const;

  /// Returns how many peaks the fullest layer has after decide().
  uint32_t mostDecided() const;

  /// Remembers, after each frame, how many candidates the fullest layer had, how many fits
  /// Search::listed makes in vain, and which way the frame went in the end.
  void learn(uint32_t candidates, uint32_t inVain, Search search);

  const ScanMemory& scanMemory() const { return scan_; }

 private:
  /// What the host has decided, where `refine` reads it.
  struct HostPeaks {
    HostPeaks(const Device& device, uint32_t layers);
    Buffer found;    // peaks of all layers by rank, and once more by x
    Buffer results;  // shared::LayerResult
  };

  bool listsAll() const;
  std::vector<shared::Candidate> bestOf(const FrameInFlight& frame, uint32_t layer) const;
  PlaneCandidates candidatesOf(Recorder& recorder, const FrameInFlight& frame, uint32_t layer,
                               std::vector<PassTime>& times);
  void put(const FrameInFlight& frame, uint32_t layer, size_t candidates,
           std::vector<shared::Candidate> peaks) const;

  const Device& device_;
  FrameFormat format_;
  const Passes& passes_;
  const FrameMemory& memory_;
  SearchOptions options_;
  ScanMemory scan_;
  bool nextIsClear_ = false;  // ScanMemory::next, by the frame before
  bool postIsClear_ = false;
  std::optional<ResolveMemory> many_;     // where kernels decide
  std::optional<HostPeaks> hostPeaks_;    // where kernels decide, made when it is first needed
  std::optional<Buffer> copiedResponse_;  // of one layer; made when it is first needed
  uint32_t candidates_ = 0;               // of the last frame's fullest layer
  uint32_t inVain_ = ~0U;                 // likewise; many: not known
  bool overflows_ =
      false;  // a frame had more candidates than the list takes, and none since had few
};

}  // namespace glint::gpu
