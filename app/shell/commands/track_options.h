// What `glint track`, `glint replay` and `glint live` were asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/output/catalog/outputs.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/space_input.h"
#include "app/shell/commands/space_options.h"

namespace glint::shell {

struct TrackOptions {
  std::vector<std::string> sources;
  SettingOptions settings;
  RigOptions rig;
  SpaceOptions space;  ///< of points and poses among the outputs
  std::vector<output::OutputSpec> outputs;
  std::string format;
  std::shared_ptr<output::PreRoll> preRoll;  ///< null: nothing is kept for later
  std::optional<capture::From> from;
  std::optional<uint64_t> frames;
  std::optional<SetIndex> pictureFrame;
  std::optional<bool> stitch, stills;
  std::vector<std::string> control;
  std::string edits;                     ///< a file; empty: none is applied
  output::SharedEdits edited = nullptr;  ///< as found in the recording
  /// Of the window's recordings and streams; or null.
  std::shared_ptr<const output::LatestEdits> latest = nullptr;
  std::string controlToken, controlFolder;  ///< a file; a folder, empty: the working one
  bool quiet = false, realtime = false, streamRemote = false;
  bool controlRemote = false, paused = false, stay = false;
};

/// Declares them all, and what the formats are; `options` must live as long as `command`.
void addTrackOptions(CLI::App& command, TrackOptions& options);

/// --edits; `file` must live as long as `command`.
void addEditsOption(CLI::App& command, std::string& file, const std::string& about);
/// Throws UsageError where they can mean nothing.
void checkEdits(const TrackOptions& options);

}  // namespace glint::shell
