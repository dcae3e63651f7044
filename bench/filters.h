// Measures filters on frames that lie on the device.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/image.h"
#include "bench/measure.h"
#include "config/filter_use.h"

namespace glint::bench {

/// A chain of filters on frames of one kind with one layer.
struct FilterCase {
  std::string name;                ///< name in tables
  std::vector<std::string> chain;  ///< filters as --filter takes them
  gpu::ImageFormat image;
};

/// A measurement of the same chain by another program's functions.
struct FilterPeer {
  std::string name;
  Duration wall;
  Duration cpu;                 ///< processor time of all threads of the process
  std::vector<uint8_t> values;  ///< filtered image, grey, in raster order
};

/// A function that measures a chain by another program's functions, or returns nothing where that
/// program has no such operation. It is called for grey images of 8 bits only.
using MeasureFilterPeer =
    std::function<std::optional<FilterPeer>(const FilterCase&, const Image&, const Effort&)>;

/// Times of a chain, from the frame on the device to the filtered plane there.
struct FilterResult : WorkTimes {
  FilterCase what;
  std::string skipped;  ///< reason why it was not measured; if set, nothing else is valid
  std::optional<FilterPeer> peer;
  uint64_t differences = 0;  ///< number of values that differ from the peer's
  uint32_t most = 0;         ///< counts by which a value differs at most
};

/// Returns one case for each filter, several for some of them in several sizes, and a chain of five
/// filters. Filters that need colour get frames in colour. Further inputs are the source.
std::vector<FilterCase> filterCases(uint32_t width, uint32_t height, uint32_t channels,
                                    uint32_t bits);

/// Measures each case on `device`. `progress` is called after each case, by the calling thread.
std::vector<FilterResult> measureFilters(const gpu::Device& device,
                                         const std::vector<FilterCase>& cases, const Effort& effort,
                                         const MeasureFilterPeer& peer,
                                         const std::function<void(const FilterResult&)>& progress);

/// Returns a text such as "median 5 px, 1920x1080 grey 8 bit".
std::string describe(const FilterCase& what);

/// `peerThreads`: the number of threads that the peer was allowed; 0: there was no peer.
std::string toTable(const gpu::DeviceInfo& device, uint32_t peerThreads,
                    const std::vector<FilterResult>& results);
std::string toJson(const gpu::DeviceInfo& device, uint32_t peerThreads,
                   const std::vector<FilterResult>& results);

}  // namespace glint::bench
