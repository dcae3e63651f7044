// Measures whole detections, by the wall clock and pass by pass on the device.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/cases.h"
#include "bench/image.h"
#include "bench/timing.h"
#include "config/settings.h"
#include "gpu/detect/detector.h"
#include "gpu/device.h"

namespace glint::bench {

/// The time of one pass of a detection; several dispatches or copies of one name count together.
struct Pass {
  std::string name;
  Duration device;
};

/// Times of work on the device. Device times are empty where the device has no timestamps.
struct WorkTimes {
  Duration device;           ///< from the input on the device to the result there
  Duration wall;             ///< the same by the host's clock, with submitting and waiting
  Duration cpu;              ///< processor time of all threads, which other processes do not delay
  std::vector<Pass> passes;  ///< each pass, timed by itself
};

/// Measures work on the device. `runOnce` records the work, submits it and waits for it.
WorkTimes measureWork(const gpu::Device& device, const Effort& effort,
                      const std::function<void(gpu::Recorder&)>& runOnce);

/// Times of work on one kind of frame. Device times are empty where the device has no timestamps.
struct Timings {
  /// All passes together without the upload: from the frame on the device to the results in memory
  /// that the host reads.
  Duration device;
  Duration upload;               ///< copying the frame to the device's own memory, if it has any
  Duration wall;                 ///< writing the frame into staging memory, submitting, and waiting
  Duration write, submit, wait;  ///< the three parts of `wall`; empty if they were not measured
  std::vector<Pass> passes;      ///< each pass but the upload, timed by itself, in order
};

/// A measurement of the same image by another program's functions.
struct Peer {
  std::string name;
  Duration wall;
  uint64_t found = 0;       ///< number of markers, or of what the program finds instead
  bool statistics = false;  ///< true: to be compared with statistics, not with the whole detection
};

/// The input of a peer's measurement.
struct PeerTask {
  const Image& image;
  uint32_t threshold;  ///< counts: Glint's threshold
  uint32_t markers;    ///< number of markers in the image
  Effort effort;
};
using MeasurePeers = std::function<std::vector<Peer>(const PeerTask&)>;

struct Result {
  Case what;
  std::string skipped;     ///< reason why it was not measured; if set, nothing below is valid
  uint64_t found = 0;      ///< number of markers in all layers
  uint32_t threshold = 0;  ///< counts: threshold of layer 0
  std::vector<std::vector<shared::Detection>> markers;  ///< markers per layer, in order of rank
  Timings detection;
  Timings statistics;  ///< times to find only the brightest pixel and the statistics
  std::vector<Peer> peers;
};

/// Returns the markers that Glint finds in a frame whose layers all show `image`, with the
/// threshold that follows from the statistics of the same frame. Throws Error if the case does not
/// fit the device.
gpu::FrameResult detectOnce(const gpu::Device& device, const Settings& settings, const Case& what,
                            const Image& image);

/// Measures each case on `device`. Cases for which the device or the image has no room are skipped,
/// and Result::skipped has the reason. `peers` may be empty; it is called for one grey layer of 8
/// bits only. `progress` is called after each case, by the calling thread.
std::vector<Result> measureAll(const gpu::Device& device, const Settings& settings,
                               const std::vector<Case>& cases, const Effort& effort,
                               const MeasurePeers& peers,
                               const std::function<void(const Result&)>& progress);

}  // namespace glint::bench
