// Finds the peaks of a frame's response.
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

/// Options for the use of the device. The markers are the same for all of them.
struct SearchOptions {
  /// True: the host decides which listed candidates are peaks, instead of kernels. Only possible on
  /// CPUs, where the host can read the list.
  bool hostDecides = false;
  /// True: all listed candidates may be measured while it is being decided which of them are peaks.
  bool measureListed = false;
  /// True: candidates may be measured while `scan` still searches for others (shaders/await.glsl).
  /// On a CPU it must be false unless kernels work without wide loads. Barriers are set there
  /// nevertheless.
  bool measureBesideScan = false;
  /// For tests. True: passes wait for more workgroups of `scan` than there are, until they give up.
  bool waitInVain = false;
  /// True: peaks are measured part by part (PeakParts). False: all peaks are measured, and those
  /// that were not needed are ignored.
  bool measureInParts = false;
  /// True: `refine` is rehearsed while a frame is uploaded (gpu/rehearsal.h).
  bool rehearse = false;

  /// Returns the fastest options for a device.
  static SearchOptions suiting(const Device& device, const Passes& passes);
};

/// Chooses the way in which the peaks of a frame are found (see Search), depending on the number of
/// candidates in the last frame. Also decides which candidates are peaks.
class PeakFinder {
 public:
  /// Throws Error if the device has no room. `passes` and `memory` must outlive it.
  PeakFinder(const Device& device, const FrameFormat& format, const Passes& passes,
             const FrameMemory& memory, const SearchOptions& options);

  /// Chooses the way for a frame: sets FrameInFlight::search and FrameInFlight::candidates.
  void choose(FrameInFlight& frame) const;

  /// Chooses another way for a frame of which some layers are LayerResult::unresolved. `candidates`
  /// is the number of candidates in the fullest layer.
  void chooseNext(FrameInFlight& frame, uint32_t candidates) const;

  /// Chooses another way for a frame of which Search::listed did not measure all candidates.
  void chooseAfterListed(FrameInFlight& frame) const;

  /// Returns true if the host, and not the device, decides which candidates are peaks in this way.
  bool hostDecides(Search search) const {
    return search == Search::plane || (options_.hostDecides && search != Search::blobs);
  }

  /// Clears the counts of `scan`. It must be the first call in the recording of a frame whose
  /// candidates are listed.
  void begin(Recorder& recorder);
  /// Notes that the recording was submitted. `scan` then clears the counts of the next frame.
  void submitted() { nextIsClear_ = true; }

  /// Returns FrameInFlight::scanners of a frame. Its planes must be known.
  uint32_t scanners(const FrameInFlight& frame) const;

  /// Returns true if a pass of the frame gave up waiting for `scan`. The frame must be done. After
  /// that, passes do not wait any more.
  bool wasLate();

  /// Records `scan`, which lists the candidates and computes partial statistics.
  void recordScan(Recorder& recorder, const FrameInFlight& frame) const;
  /// Records the pass that merges the partial statistics.
  void recordStatistics(Recorder& recorder, const FrameInFlight& frame) const;

  /// Records the kernels that decide which listed candidates are peaks. With Search::listed they
  /// write FrameMemory::outcome and accepted, otherwise the memory of peaksOf(). Layers that they
  /// cannot decide become LayerResult::unresolved.
  void recordDecision(Recorder& recorder, const FrameInFlight& frame) const;

  /// Decides on the host which candidates are peaks: those of the list, or with Search::plane those
  /// of the whole response. This may need a recording of its own, whose times are added to `times`.
  /// The candidates of the frame must be listed, or its response must be made. Throws Error if the
  /// device has no room for a copy of a response.
  void decide(Recorder& recorder, const FrameInFlight& frame, std::vector<PassTime>& times);

  /// Decides on the host which of the candidates that Search::listed has measured are peaks, and
  /// writes FrameMemory::outcome and accepted. Does nothing if kernels decide.
  void acceptListed(const FrameInFlight& frame) const;

  /// Returns the memory with the peaks that `refine` has to measure.
  FoundMemory peaksOf(const FrameInFlight& frame) const;

  /// Returns the number of peaks in the fullest layer after decide().
  uint32_t mostDecided() const;

  /// Learns from a frame how to choose the way for the next one. `candidates` is the number of
  /// candidates in the fullest layer, `inVain` the number of unnecessary fits of Search::listed,
  /// and `search` the way in which the peaks were found in the end.
  void learn(uint32_t candidates, uint32_t inVain, Search search);

  const ScanMemory& scanMemory() const { return scan_; }

 private:
  /// The peaks that the host has selected, in memory that `refine` reads.
  struct HostPeaks {
    HostPeaks(const Device& device, uint32_t layers);
    Buffer found;    // peaks of all layers by rank, followed by the same peaks sorted by x
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
  bool nextIsClear_ = false;              // true if the previous frame has cleared ScanMemory::next
  bool postIsClear_ = false;              // true if ScanMemory::post is clear
  std::optional<ResolveMemory> many_;     // set if kernels decide
  std::optional<HostPeaks> hostPeaks_;    // made when it is first needed if kernels decide
  std::optional<Buffer> copiedResponse_;  // response of one layer; made when it is first needed
  uint32_t candidates_ = 0;               // candidates in the fullest layer of the last frame
  uint32_t inVain_ = ~0U;                 // see learn(); ~0: not known
  // True if a frame had more candidates than the list has room for, and none has had few since.
  bool overflows_ = false;
};

}  // namespace glint::gpu
