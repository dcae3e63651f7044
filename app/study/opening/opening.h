// What a session begins with: its sources, and how their frames are taken.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/capture/source/source.h"
#include "config/settings.h"

namespace glint::study {

/// Opens one after another, a camera each, with what `settings` request of it; then the settings of
/// single cameras go to those with their ids. Throws as openSource() does.
std::vector<std::unique_ptr<capture::Source>> openSources(const std::vector<std::string>& names,
                                                          Settings& settings,
                                                          const capture::Interrupt& interrupt);

/// Whether one of them is.
bool anyLive(const std::vector<std::unique_ptr<capture::Source>>& sources);

/// Whether tracks are joined over long gaps: as asked for, otherwise as set, which is on by
/// default for recordings. What it joins of live cameras would come too late to be seen.
void applyStitching(std::optional<bool> asked, bool live, Settings& settings);

/// Whether the frames of sources have nothing to do with each other.
struct Stills {
  bool stills = false;
  bool recognised = false;  ///< by how they look
};
Stills stillsOf(std::optional<bool> asked, std::vector<std::unique_ptr<capture::Source>>& sources);

}  // namespace glint::study
