// The tables of tracks in the frame and in the whole recording, the list of edits, and that of
// measures.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ui/context/context.h"
#include "ui/draw/of_picture.h"
#include "ui/panels/measures.h"

namespace glint::ui {

/// Returns true if the user has selected the track.
bool isSelected(const ViewState& viewState, const Selection& track);
/// Selects a track as a click on it does. While Ctrl is held, adds it to the selected ones, or
/// removes it. While a track is being picked for a join or a swap, the track is the picked one.
void select(ViewState& viewState, std::optional<Selection> track);

/// Draws the first cell of a track's row, which spans the row: a square of its colour, and its id.
/// Returns true if it was clicked. A right click opens the track's menu.
bool drawTrackCell(Context& context, const Selection& track, const std::string& name,
                   const std::string& id, bool chosen, bool hidden);

/// Draws the table of the tracks in the frame on the screen. Returns them in the order of the
/// table.
std::vector<TrackId> drawFrameTracks(Context& context);

/// The tab *Tracks*. Main thread.
class TrackTables {
 public:
  explicit TrackTables(MeasurePanel& measures) : measures_(measures) {}

  /// Draws the tab: tracks in this frame, all tracks, edits, and measures.
  void draw(Context& context);
  /// Writes the listed tracks, in their order, into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  void drawAll(Context& context);
  void sortAndSearch(const TrackEditor& editor);

  MeasurePanel& measures_;
  std::array<char, 64> search_ = {};
  /// The order in which all tracks are listed, and the state for which it was made.
  struct Order {
    uint64_t revision = 0;  // revision of TrackEditor::tracks()
    int column = 0;
    bool down = false;
    std::array<char, 64> searched = {};
    std::vector<size_t> tracks = {};  // indices into TrackEditor::tracks()
  };
  Order order_;
  struct Displayed {
    std::vector<TrackId> frame, all;  // the listed tracks, in the order of the tables
    std::vector<uint64_t> points;     // the listed points in space
  };
  OfPicture<Displayed> displayed_;
};

}  // namespace glint::ui
