// Measures whole detections, pass by pass and by the wall clock.
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

/// One pass of a detection; several dispatches or copies of one name count together.
struct Pass {
  std::string name;
  Duration device;
};

/// Times of work on the device. Device times are empty where the device has no timestamps.
struct WorkTimes {
  Duration device;           ///< from the input on the device to the result there, us
  Duration wall;             ///< the same by the host's clock, submitting and waiting included
  Duration cpu;              ///< of all threads of the process: on a CPU what others cannot delay
  std::vector<Pass> passes;  ///< timed one by one
};

/// Measures what `runOnce` puts into a recorder and waits for.
WorkTimes measureWork(const gpu::Device& device, const Effort& effort,
                      const std::function<void(gpu::Recorder&)>& runOnce);

/// Work on one kind of frame. Device times are empty where the device has no timestamps.
struct Timings {
  Duration device;  ///< all passes as one, upload aside: from the frame on the device to
                    ///< results where the host reads them
  Duration upload;  ///< copying the frame to the device's own memory, if it has any
  Duration wall;    ///< writing the frame into staging memory, submitting, waiting
  Duration write, submit, wait;  ///< the three parts of it; empty where they were not parted
  std::vector<Pass> passes;      ///< timed one by one, without the upload, in the order of running
};

/// The same image through another program's functions.
struct Peer {
  std::string name;
  Duration wall;
  uint64_t found = 0;       ///< markers, or whatever it counts as such
  bool statistics = false;  ///< compares with statistics alone, not with the whole detection
};

/// What a peer measurement needs to know.
struct PeerTask {
  const Image& image;
  uint32_t threshold;  ///< that Glint used, of full scale
  uint32_t markers;    ///< in the image
  Effort effort;
};
using MeasurePeers = std::function<std::vector<Peer>(const PeerTask&)>;

struct Result {
  Case what;
  std::string skipped;     ///< why it was not measured; then nothing below is valid
  uint64_t found = 0;      ///< markers in all layers
  uint32_t threshold = 0;  ///< of layer 0
  std::vector<std::vector<shared::Detection>> markers;  ///< of each layer, in order of rank
  Timings detection;
  Timings statistics;  ///< brightest pixel and statistics alone
  std::vector<Peer> peers;
};

/// What Glint finds in `image`, shown to every layer, once statistics of the same image have set
/// the threshold. Throws Error when the case does not fit the device.
gpu::FrameResult detectOnce(const gpu::Device& device, const Settings& settings, const Case& what,
                            const Image& image);

/// Measures each case on `device`. Cases that the device or the image has no room for are skipped
/// with the reason. `peers` may be empty; it is asked for one grey layer of 8 bits only.
/// `progress` is called after each case.
std::vector<Result> measureAll(const gpu::Device& device, const Settings& settings,
                               const std::vector<Case>& cases, const Effort& effort,
                               const MeasurePeers& peers,
                               const std::function<void(const Result&)>& progress);

}  // namespace glint::bench
