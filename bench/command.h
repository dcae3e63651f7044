// Defines the command line of `glint bench` and of glint-bench.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/filters.h"
#include "bench/measure.h"

namespace glint::bench {

/// Writes `text` into the file `path`. Throws Error if the file cannot be written.
void writePlainly(const std::string& path, const std::string& text);

/// The values of the command line.
struct Options {
  std::vector<std::string> sizes;  ///< WxH
  std::vector<uint32_t> layers, markers, bits;
  bool color = false;
  bool all = false;
  bool quick = false;
  bool volumes = false;           ///< true: distance transforms are measured instead of frames
  bool filters = false;           ///< true: filters are measured instead of detection
  std::vector<std::string> only;  ///< parts of names of filters to be measured; empty: all filters
  std::vector<uint32_t> sides;    ///< voxels: sides of the volumes
  double seconds = 0.3;           ///< s of measuring for each figure
  std::string detections;         ///< file for the markers found; empty: none
  std::string json;               ///< file; "-": standard output, instead of the table; empty: none
  /// Writes a file; throws an Error that names it. `glint bench` puts its own function here.
  void (*write)(const std::string& path, const std::string& text) = writePlainly;
};

/// Adds the options to `command`, and returns their values, which are set when `command` is parsed.
std::shared_ptr<Options> addOptions(CLI::App& command);

/// Returns true if an option chooses the frames, or measures filters or volumes instead.
bool choosesFrames(const Options& options);

/// Returns the sizes that the options name, px. Throws UsageError for a text that is not a size.
std::vector<std::pair<uint32_t, uint32_t>> sizesOf(const Options& options);

/// Prints a report: the JSON if `options.json` is "-", otherwise the table, beside which the JSON
/// is written to the file `options.json` if that is not empty. Throws Error if the file cannot be
/// written.
void print(const Options& options, const std::string& table, const std::string& json);

/// The parts that `glint bench` adds to glint-bench: functions that measure the same work by
/// another program, and the filters that the host computes. If a function is empty, nothing is
/// compared.
struct Peers {
  MeasurePeers detection = {};
  MeasureFilterPeer filter = {};
  uint32_t threads = 0;  ///< number of threads that the functions may use
  std::shared_ptr<const gpu::HostFilters> hostFilters = {};
};

/// Measures and prints a report. Throws UsageError for options that contradict each other or a text
/// that is not a size, Error if there is no device or a file cannot be written.
void run(const Options& options, const Settings& settings, const Peers& peers);

}  // namespace glint::bench
