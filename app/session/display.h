// Which frame a session shows.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/session/engine.h"

namespace glint::session {

/// The frame on show, its planes and the set that it was measured in: the newest frame, or an
/// earlier one that is looked back at. Used by one thread.
class Display {
 public:
  explicit Display(Engine& engine) : engine_(engine) {}

  /// The frame on show, of this pass or an earlier one; null before the first one.
  const motion::FramePtr& frame() const { return frame_; }
  /// The newest frame of this pass, as it was handed to the sinks; null before the first one.
  const motion::FramePtr& newest() const { return newest_; }
  /// A copy of the newest frame with its pixels. Call only where there is one.
  motion::FramePtr newestWithPixels() const;
  /// Returns the planes of the frame on show that were kept for drawing: one entry for each group
  /// of cameras, null where none was kept.
  const std::vector<std::shared_ptr<const gpu::PlaneImages>>& planes() const { return planes_; }
  /// The set of the frame on show. Without groups before the first one.
  MeasuredSet& set() { return earlier_ ? *earlier_ : engine_.newest(); }
  const MeasuredSet& set() const { return earlier_ ? *earlier_ : engine_.newest(); }
  bool showsEarlier() const { return earlier_.has_value(); }

  /// The set on show, if its frame is of this pass.
  std::optional<SetIndex> setOf(Pass pass) const;

  /// Takes the newest frame, and shows it unless an earlier one is on show.
  void take(DrawableFrame newest);
  /// Shows an earlier frame, measured again with the settings in force. `ownStatistics`: see
  /// Engine::measureAgain().
  void showEarlier(motion::FramePtr frame, MeasuredSet set, bool ownStatistics);
  void showNewest();
  /// The newest frame is not followed by the next one; it stays on show.
  void endPass() { newest_.reset(); }

  /// True if planes were asked for and the frame on show has none, since nobody wanted them or
  /// there was no room.
  bool lacksPlanes() const;
  /// Measures the set on show once more for its planes. Returns false if that was not necessary.
  bool keepPlanes();
  /// Shows the frame with the settings in force; nothing is tracked.
  void measureAgain(bool ownStatistics = true);
  /// Shows the newest frame as the first one of the present pass.
  void trackAgain();
  /// Shows the frame with its tracks of the whole recording: see Tracking::knows().
  void showWholeTracks() { frame_ = engine_.frames().asWhole(*frame_); }

 private:
  Engine& engine_;
  motion::FramePtr newest_, frame_;
  std::vector<std::shared_ptr<const gpu::PlaneImages>> planes_;
  std::optional<MeasuredSet> earlier_;  // on show instead of the newest one
};

}  // namespace glint::session
