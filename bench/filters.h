// Measures filters on frames that are on the device.
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

/// A chain of filters on frames of one kind, one layer of them.
struct FilterCase {
  std::string name;                ///< as it stands in tables
  std::vector<std::string> chain;  ///< as of --filter
  gpu::ImageFormat image;
};

/// The same by another program's functions.
struct FilterPeer {
  std::string name;
  Duration wall;
  Duration cpu;                 ///< of all threads of the process
  std::vector<uint8_t> values;  ///< what it makes of the image, grey, in raster order
};

/// Nothing where it has no such operation. It is asked for one grey layer of 8 bits only.
using MeasureFilterPeer =
    std::function<std::optional<FilterPeer>(const FilterCase&, const Image&, const Effort&)>;

/// Its times are from the frame on the device to the filtered plane there.
struct FilterResult : WorkTimes {
  FilterCase what;
  std::string skipped;  ///< why it was not measured; then nothing else is valid
  std::optional<FilterPeer> peer;
  uint64_t differences = 0;  ///< values that are not the peer's
  uint32_t most = 0;         ///< counts by which they differ
};

/// Each filter that there is, some in several sizes, and a chain of five of them. Those that need
/// colour get it. Further inputs are the source.
std::vector<FilterCase> filterCases(uint32_t width, uint32_t height, uint32_t channels,
                                    uint32_t bits);

/// Measures each case on `device`. `progress` is called after each.
std::vector<FilterResult> measureFilters(const gpu::Device& device,
                                         const std::vector<FilterCase>& cases, const Effort& effort,
                                         const MeasureFilterPeer& peer,
                                         const std::function<void(const FilterResult&)>& progress);

/// "median 5 px, 1920x1080 grey 8 bit"
std::string describe(const FilterCase& what);

/// `peerThreads`: that the peer was allowed; 0: there was none.
std::string toTable(const gpu::DeviceInfo& device, uint32_t peerThreads,
                    const std::vector<FilterResult>& results);
std::string toJson(const gpu::DeviceInfo& device, uint32_t peerThreads,
                   const std::vector<FilterResult>& results);

}  // namespace glint::bench
