// What a person has changed of a recording's tracks, as a list: each edit says which track it means
// by a place in a frame, because ids depend on the settings.
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

/// A row of a track.
struct TrackAnchor {
  CameraIndex camera;
  FrameNumber frame;    ///< of this camera
  double x = 0, y = 0;  ///< px
  bool operator==(const TrackAnchor&) const = default;
};

enum class EditKind {
  rename,  ///< of the whole track; an empty name takes it away
  hide,    ///< not drawn, but written
  show,    ///< drawn again
  remove,  ///< neither drawn nor written
  split,   ///< from the anchor's frame on it is another track
  join,    ///< the track of `with` becomes that of `at`, wherever that one has no row itself
  swap     ///< from the anchors' frame on, which is one, two tracks change places
};

struct TrackEdit {
  EditKind kind = EditKind::rename;
  TrackAnchor at;
  std::optional<TrackAnchor> with = {};  ///< of join and swap
  std::string name = {};                 ///< of rename: UTF-8 without control characters
  std::string others = {};  ///< what a later Glint has written beside it, a JSON object; or empty
  bool operator==(const TrackEdit&) const = default;
};

/// All of a recording. Immutable where it is shared.
struct TrackEdits {
  static constexpr size_t kLongestName = 200;  ///< bytes

  std::vector<TrackEdit> edits;             ///< in the order that they are applied in
  std::map<CameraIndex, double> mmPerPx;    ///< scale of a camera: lengths in mm, > 0
  std::vector<ImageMeasure> measures = {};  ///< they change no track
  std::string others = {};                  ///< as in TrackEdit
  /// Whether tracks are written as they were found.
  bool empty() const { return edits.empty() && mmPerPx.empty(); }
  bool operator==(const TrackEdits&) const = default;
};

/// "rename", "hide", "show", "delete", "split", "join" or "swap".
std::string nameOf(EditKind kind);
std::optional<EditKind> editKind(const std::string& name);
bool hasTwo(EditKind kind);  ///< tracks

/// How a frame is called where it is read: "frame 12".
using FrameWords = std::function<std::string(const TrackAnchor&)>;
/// As tables number it.
std::string frameInTables(const TrackAnchor& at);

/// "rename to 'left hand', frame 12 at 103.2, 55.1"; `cameras`: of the recording.
std::string wordsOf(const TrackEdit& edit, size_t cameras, const FrameWords& frame = frameInTables);
/// By the tracks that it has found: "rename 3 to 'hip'", "swap 3 and 7 from frame 10".
std::string wordsOf(const TrackEdit& edit, std::span<const TrackId> tracks,
                    const FrameWords& frame = frameInTables);

/// Whether a track can have this name: UTF-8 of at most kLongestName bytes, without control
/// characters.
bool canBeName(const std::string& name);

}  // namespace glint::output
