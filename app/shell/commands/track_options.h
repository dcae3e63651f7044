// The options of `glint track`, `glint replay` and `glint live`.
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

/// The options of commands that track.
struct TrackOptions {
  std::vector<Address> sources;
  SettingOptions settings;
  RigOptions rig;
  SpaceOptions space;  ///< of points and poses among the outputs
  std::vector<output::OutputSpec> outputs;
  std::string format;
  /// Keeps frames for later recordings; null: none are kept.
  std::shared_ptr<output::PreRoll> preRoll;
  std::optional<capture::From> from;
  std::optional<uint64_t> frames;
  std::optional<SetIndex> pictureFrame;
  std::optional<bool> stitch, stills;
  std::vector<std::string> control;
  std::string edits;                     ///< file of edits; empty: none are applied
  output::SharedEdits edited = nullptr;  ///< edits as they were found in the recording
  /// The latest edits, for the window's recordings and streams; or null.
  std::shared_ptr<const output::LatestEdits> latest = nullptr;
  /// A file with the token, and a folder for recordings; empty: the working folder.
  std::string controlToken, controlFolder;
  bool quiet = false, realtime = false, streamRemote = false;
  bool controlRemote = false, paused = false, stay = false;
};

/// Declares all options, and describes the formats. `options` must live as long as `command`.
void addTrackOptions(CLI::App& command, TrackOptions& options);

/// Adds --edits. `file` must live as long as `command`.
void addEditsOption(CLI::App& command, std::string& file, const std::string& about);
/// Throws UsageError if edits are given that can have no meaning.
void checkEdits(const TrackOptions& options);

}  // namespace glint::shell
