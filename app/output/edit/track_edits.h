// A person's changes to the tracks of a recording, as a list. Each edit names its track by a place
// in a frame, because ids depend on the settings.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/output/edit/measure.h"
#include "config/numbers.h"

namespace glint::output {

/// The place of a row, by which its track is found.
struct TrackAnchor {
  CameraIndex camera;
  FrameNumber frame;    ///< number of this camera's frame
  double x = 0, y = 0;  ///< px
  bool operator==(const TrackAnchor&) const = default;
};

enum class EditKind {
  /// Names the whole track; an empty name removes the name.
  rename,
  /// Hides the track in drawings; files still have it.
  hide,
  /// Shows a hidden track again.
  show,
  /// Deletes the track from drawings and files.
  remove,
  /// Makes a new track of the rows from the anchor's frame on.
  split,
  /// Adds the rows of the track `with` to the track `at`, except in frames where `at` has a row
  /// itself.
  join,
  /// Exchanges two tracks from the frame of both anchors on.
  swap
};

/// One edit of a track.
struct TrackEdit {
  EditKind kind = EditKind::rename;
  TrackAnchor at;
  std::optional<TrackAnchor> with = {};  ///< the other track of a join or a swap
  std::string name = {};  ///< the new name for a rename: UTF-8 without control characters
  /// Members that a later version of Glint has written, as a JSON object; or empty.
  std::string others = {};
  bool operator==(const TrackEdit&) const = default;
};

/// All edits of a recording. Immutable once it is shared.
struct TrackEdits {
  static constexpr size_t kLongestName = 200;  ///< the most bytes of a name

  std::vector<TrackEdit> edits;             ///< edits in the order in which they are applied
  std::map<CameraIndex, double> mmPerPx;    ///< scale of a camera, mm a pixel, > 0
  std::vector<ImageMeasure> measures = {};  ///< measures, which change no track
  std::string others = {};                  ///< see TrackEdit
  /// Returns true if tracks are written as they were found.
  bool empty() const { return edits.empty() && mmPerPx.empty(); }
  bool operator==(const TrackEdits&) const = default;
};

/// Returns "rename", "hide", "show", "delete", "split", "join" or "swap".
std::string nameOf(EditKind kind);
/// Returns the kind that nameOf() calls `name`. Empty if there is none.
std::optional<EditKind> editKind(const std::string& name);
/// Returns true if the edit needs two tracks.
bool hasTwo(EditKind kind);

/// Returns the words for the frame of an anchor, such as "frame 12".
using FrameWords = std::function<std::string(const TrackAnchor&)>;
/// Returns the words for a frame by its number in tables.
std::string frameInTables(const TrackAnchor& at);

/// Returns the words for an edit by the place of its track: "rename to 'left hand', frame 12 at
/// 103.2, 55.1". `cameras` is the number of cameras in the recording.
std::string wordsOf(const TrackEdit& edit, size_t cameras, const FrameWords& frame = frameInTables);
/// Returns the words for an edit by the tracks that it has found: "rename 3 to 'hip'", "swap 3 and
/// 7 from frame 10".
std::string wordsOf(const TrackEdit& edit, std::span<const TrackId> tracks,
                    const FrameWords& frame = frameInTables);

/// Returns true if a track can have this name: UTF-8 of at most kLongestName bytes, without control
/// characters.
bool canBeName(const std::string& name);

}  // namespace glint::output
