// Does the work of the module's functions, without Python.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/study/advice/proposal.h"
#include "app/study/advice/remedy.h"
#include "config/settings.h"
#include "python/frame_table.h"
#include "python/image_detector.h"

namespace glint::python {

/// Reads a settings file, or the settings in a raw recording, into `settings`, as --config does.
/// Throws UsageError or Error.
void readSettings(Settings& settings, const std::string& path);

/// Sets what follows from the markers' radius (px) and form, as --marker-radius and --elongated do.
/// Throws UsageError for a radius out of range.
void know(Settings& settings, std::optional<double> radius, bool elongated);

/// Appends filters, each written as for --filter. Throws UsageError.
void addFilters(Settings& settings, const std::vector<std::string>& filters);

/// A setting, its value as TOML, and what a message about it begins with.
using SettingEntries = std::vector<std::tuple<std::string, std::string, std::string>>;

/// Returns how settings follow from a kind of marker: `before`, then the kind, `filters` as of
/// addFilters(), and `entries` last.
study::SettingsFor settingsForKinds(Settings before, std::vector<std::string> filters,
                                    SettingEntries entries);

/// Markers of images that have nothing to do with others. What a device needs for images of the
/// last few formats is kept. Any thread. Throws UsageError or Error.
FrameTable detectOnce(const Images& images, const Settings& settings);

/// Images in the order of NumPy, with memory of their own.
struct OwnedImages {
  gpu::ImageFormat format;
  size_t cameras = 1;
  std::vector<std::byte> pixels;
};

/// Runs images through the filters of `settings`, as `glint filter` does, and returns the output of
/// the filter with the id `plane` (empty: of the last one). `colour`: true to give colour to every
/// filter that takes it. Throws UsageError or Error.
OwnedImages applyFilters(const Images& images, const Settings& settings, const std::string& plane,
                         bool colour);

/// Adds a folder of a user's own filters, as --filter-dir does. Throws UsageError.
void addFilterFolder(const std::string& folder);

/// The result of probing a source; see study::Proposal.
struct Probed {
  bool found = false;                  ///< true if anything looks like markers
  size_t frames = 0;                   ///< number of frames that were looked at
  bool dark = false;                   ///< true if markers are darker than the background
  std::optional<double> markerRadius;  ///< px, for --marker-radius; empty: it need not be given
  double radius = 0, contrast = 0;     ///< of the markers: px; fraction of full scale
  double markers = 0;                  ///< markers per frame
  std::string command;                 ///< command line of `glint track` with the proposal
  /// Keys and values (as TOML) of the settings that the proposal changes.
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<study::Alternative> alternatives;  ///< see Proposal::alternatives
};

/// Tries settings on a source. `pick`: the number of the alternative that is proposed, from 1.
/// Throws UsageError or Error.
Probed probeSource(const Address& source, const study::SettingsFor& settingsFor, size_t pick,
                   const capture::Interrupt& interrupt);

/// Destroys the kept detectors and devices, before the process ends.
void closeAll();

}  // namespace glint::python
