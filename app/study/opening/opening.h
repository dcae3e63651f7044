// The start of a session: opens its sources, and decides how their frames are treated.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/capture/source/source.h"
#include "config/secrets.h"
#include "config/settings.h"

namespace glint::study {

/// Limits for judging that two pictures share nothing. The values distinguish folders of
/// photographs from recordings of markers on dark and on bright scenes.
struct StillsOptions {
  /// The correlation of two thumbnails of 32 x 32 pixels, -1 to 1, below which they are not alike.
  /// Raising it takes more folders for unrelated pictures.
  double correlation = 0.4;
  /// The share of the pixels that would have to change among 32 levels of luminance, 0 to 1, above
  /// which two histograms are not alike. Raising it takes fewer folders for unrelated pictures.
  double changedLevels = 0.35;
};

/// Returns true if a folder holds unrelated pictures: in up to three pairs of neighbours, neither
/// the thumbnails nor the histograms are alike. Both are compared, because something that moves in
/// front of a dark background changes every thumbnail, and lamps that blink change every histogram.
/// Returns true for a single picture, too. The source must be able to seek, and is at its beginning
/// afterwards.
bool holdsStills(capture::Source& source, const StillsOptions& options = {});

/// Opens the sources one after another, each as one camera with the settings that `settings`
/// request for it. Then assigns the settings of single cameras in `settings` to the cameras that
/// have their ids. Throws as openSource() does.
capture::SourceList openSources(const std::vector<Address>& addresses, Settings& settings,
                                const capture::Interrupt& interrupt);

/// Returns true if any of the sources is live.
bool anyLive(const capture::SourceList& sources);

/// Sets track.stitch_gap, so that tracks are joined over long gaps or not. If `asked` is empty,
/// joins them as `settings` say for recordings, and not at all for live cameras, where the result
/// would come too late to be shown.
void applyStitching(std::optional<bool> asked, bool live, Settings& settings);

/// Sets track.confirm to 1 if all recordings have fewer frames than a track needs by default, so
/// that these frames have tracks at all. Changes nothing if track.confirm is not the default, if a
/// source is live, or if the number of frames is not known.
void confirmInFewFrames(const capture::SourceList& sources, Settings& settings);

/// Decision on whether the frames of the sources are unrelated pictures.
struct Stills {
  bool stills = false;
  bool recognised = false;  ///< True if the user did not say so, but the pictures look unrelated.
};
/// Returns `asked` if the user said something. Else returns true if all sources are raw
/// recordings of unrelated pictures, or all are folders of unrelated pictures (see holdsStills()).
Stills stillsOf(std::optional<bool> asked, capture::SourceList& sources);

}  // namespace glint::study
