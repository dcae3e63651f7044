// What a session begins with: its sources, and how their frames are taken.
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

/// When two pictures share nothing. The values tell folders of photographs from recordings of
/// markers on dark and on bright scenes.
struct StillsOptions {
  /// Correlation of thumbnails of 32 x 32 pixels, below which two pictures do not look alike.
  double correlation = 0.4;
  /// Share of the pixels that would have to change among 32 levels, above which two histograms
  /// differ.
  double changedLevels = 0.35;
};

/// Returns true if a folder of pictures holds unrelated ones: in up to three pairs of neighbours,
/// neither thumbnails nor histograms are alike. Both are compared because something that moves in
/// front of a dark background changes every thumbnail, and lamps that blink change every histogram.
/// A single picture is a still, too. The source must be able to seek, and is at its beginning
/// afterwards.
bool holdsStills(capture::Source& source, const StillsOptions& options = {});

/// Opens one after another, a camera each, with what `settings` request of it; then the settings of
/// single cameras go to those with their ids. Throws as openSource() does.
capture::SourceList openSources(const std::vector<Address>& addresses, Settings& settings,
                                const capture::Interrupt& interrupt);

/// Whether one of them is.
bool anyLive(const capture::SourceList& sources);

/// Whether tracks are joined over long gaps: as asked for, otherwise as set, which is on by
/// default for recordings. What it joins of live cameras would come too late to be seen.
void applyStitching(std::optional<bool> asked, bool live, Settings& settings);

/// Whether the frames of sources have nothing to do with each other.
struct Stills {
  bool stills = false;
  bool recognised = false;  ///< by how they look
};
Stills stillsOf(std::optional<bool> asked, capture::SourceList& sources);

}  // namespace glint::study
