// All tracks of the recording, and their edits.
#pragma once

#include <array>
#include <vector>

#include "ui/model/player.h"
#include "ui/model/window_model.h"
#include "ui/panels/measures.h"

namespace glint::ui {

/// What the tab remembers.
struct TrackTable {
  std::array<char, 64> search = {};
  uint64_t revision = 0;  ///< of TrackEditor::tracks() when `order` was made
  int column = 0;
  bool down = false;
  std::array<char, 64> searched = {};
  std::vector<size_t> order = {};  ///< indices into TrackEditor::tracks()
};

bool isSelected(const ViewState& looks, const Selection& track);
/// Selects a track, as a click on it does: beside those that are selected already while Ctrl is
/// held. Where another one is being picked, it is the other.
void select(ViewState& looks, std::optional<Selection> track);

/// Those in the frame that is shown.
void drawTracks(const WindowModel& model, ViewState& looks);

/// The tab: tracks in this frame, all tracks, edits, measures.
void drawTrackTabs(const WindowModel& model, ViewState& looks, TrackTable& table,
                   TrackEditor& editor, MeasurePanel& measures, Player& player);

}  // namespace glint::ui
