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

/// `before`: what settings there are before the markers' kind is known; `after`: sets the rest.
/// Throws UsageError or Error.
Probed probeSource(const Address& source, const Settings& before,
                   const std::function<void(Settings&)>& after,
                   const capture::Interrupt& interrupt);

/// Lets go of all that is kept, before the process ends.
void closeAll();

}  // namespace glint::python
