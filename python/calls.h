// What the module's functions do, without Python.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/study/advice/remedy.h"
#include "config/settings.h"
#include "python/frame_table.h"
#include "python/image_detector.h"

namespace glint::python {

/// A settings file, or the settings of a raw recording, as --config. Throws UsageError or Error.
void readSettings(Settings& settings, const std::string& path);

/// As --marker-radius and --elongated. Throws UsageError for a radius out of range.
void know(Settings& settings, std::optional<double> radius, bool elongated);

/// Appends filters, each as --filter. Throws UsageError.
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

/// Images as NumPy has them.
struct OwnedImages {
  gpu::ImageFormat format;
  size_t cameras = 1;
  std::vector<std::byte> pixels;
};

/// What the filters of `settings` make of images, as `glint filter` does: the output of the filter
/// `plane`, or of the last one. `colour`: kept for every filter that takes it. Throws UsageError or
/// Error.
OwnedImages applyFilters(const Images& images, const Settings& settings, const std::string& plane,
                         bool colour);

/// Folders of a user's own filters, as --filter-dir. Throws UsageError.
void addFilterFolder(const std::string& folder);

/// What `glint probe` finds for a source.
struct Probed {
  bool found = false;
  size_t frames = 0;  ///< that were looked at
  bool dark = false;
  std::optional<double> markerRadius;                         ///< px, what --marker-radius would be
  double radius = 0, contrast = 0;                            ///< px; of full scale
  double markers = 0;                                         ///< a frame
  std::string command;                                        ///< `glint track` with it
  std::vector<std::pair<std::string, std::string>> settings;  ///< that it changes, as TOML
};

/// Tries settings on a source. Throws UsageError or Error.
Probed probeSource(const Address& source, const study::SettingsFor& settingsFor,
                   const capture::Interrupt& interrupt);

/// Lets go of all that is kept, before the process ends.
void closeAll();

}  // namespace glint::python
