// The command line of `glint bench` and of glint-bench.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/filters.h"
#include "bench/measure.h"

namespace glint::bench {

void writePlainly(const std::string& path, const std::string& text);

/// What the command line asks for.
struct Options {
  std::vector<std::string> sizes;  ///< WxH
  std::vector<uint32_t> layers, markers, bits;
  bool color = false;
  bool all = false;
  bool quick = false;
  bool volumes = false;           ///< distance transforms instead of frames
  bool filters = false;           ///< filters instead of detection
  std::vector<std::string> only;  ///< of those, whose names contain one of these; empty: all
  std::vector<uint32_t> sides;    ///< of the volumes, voxels
  double seconds = 0.3;           ///< of measuring, a figure
  std::string detections;         ///< a file for the markers found, or none
  std::string json;               ///< a file, or "-" for standard output instead of the table
  /// Writes a file; throws Error naming it. The program's own writer takes its place.
  void (*write)(const std::string& path, const std::string& text) = writePlainly;
};

/// Options filled when `command` is parsed.
std::shared_ptr<Options> addOptions(CLI::App& command);

/// Whether the options name sizes or the like.
bool choosesFrames(const Options& options);

/// The sizes that the options name, px. Throws UsageError for one that is none.
std::vector<std::pair<uint32_t, uint32_t>> sizesOf(const Options& options);

/// Writes a report where `options.json` says: the table, the JSON, or the table and a JSON file.
/// Throws Error when the file cannot be written.
void print(const Options& options, const std::string& table, const std::string& json);

/// What others take for the same. Without functions nothing is compared.
struct Peers {
  MeasurePeers detection = {};
  MeasureFilterPeer filter = {};
  uint32_t threads = 0;  ///< that they may use
};

/// Measures and reports. Throws UsageError for options that contradict each other or a size that is
/// none, Error when there is no device or the JSON cannot be written.
void run(const Options& options, const Settings& settings, const Peers& peers);

}  // namespace glint::bench
