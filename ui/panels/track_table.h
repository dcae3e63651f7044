// The tracks of the frame and of the whole recording, their edits, and measures.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ui/context/context.h"
#include "ui/draw/of_picture.h"
#include "ui/panels/measures.h"

namespace glint::ui {

bool isSelected(const ViewState& looks, const Selection& track);
/// Selects a track, as a click on it does: beside those that are selected already while Ctrl is
/// held. Where another one is being picked, it is the other.
void select(ViewState& looks, std::optional<Selection> track);

/// Draws the first cell of a track's row, which spans the row: its id behind a square of its
/// colour. Returns true if it was clicked; a right click opens the track's menu.
bool drawTrackCell(ViewState& looks, const Selection& track, const std::string& name,
                   const std::string& id, bool chosen, bool hidden);

/// Draws those in the frame that is shown; returns them in the order of the table.
std::vector<TrackId> drawFrameTracks(Context& context);

class TrackTables {
 public:
  explicit TrackTables(MeasurePanel& measures) : measures_(measures) {}

  /// Draws the tab: tracks in this frame, all tracks, edits, measures.
  void draw(Context& context);
  /// Tells tests which tracks are listed, in which order.
  void describe(nlohmann::json& to) const;

 private:
  void drawAll(Context& context);
  void sortAndSearch(const TrackEditor& editor);

  MeasurePanel& measures_;
  std::array<char, 64> search_ = {};
  /// The order in which all tracks are shown, and the choices that it was made for.
  struct Order {
    uint64_t revision = 0;  // of TrackEditor::tracks()
    int column = 0;
    bool down = false;
    std::array<char, 64> searched = {};
    std::vector<size_t> tracks = {};  // indices into TrackEditor::tracks()
  };
  Order order_;
  struct Told {
    std::vector<TrackId> frame, all;  // in the tables' order
  };
  OfPicture<Told> told_;
};

}  // namespace glint::ui
