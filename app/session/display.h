// Decides which frame a session shows.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/session/engine.h"

namespace glint::session {

/// The frame on show, with its planes and the set in which it was measured. It is the newest frame,
/// or an earlier one of live cameras. Used by one thread.
class Display {
 public:
  explicit Display(Engine& engine) : engine_(engine) {}

  /// Returns the frame on show, of this pass or an earlier one. Null before the first frame.
  const motion::FramePtr& frame() const { return frame_; }
  /// Returns the newest frame of this pass, as it was handed to the sinks. Null before the first
  /// frame.
  const motion::FramePtr& newest() const { return newest_; }
  /// Returns a copy of the newest frame with its pixels. There must be a newest frame.
  motion::FramePtr newestWithPixels() const;
  /// Returns the planes of the frame on show that were kept for drawing: one entry for each group
  /// of cameras, null if none was kept.
  const std::vector<std::shared_ptr<const gpu::PlaneImages>>& planes() const { return planes_; }
  /// Returns the set of the frame on show. It has no groups before the first frame.
  MeasuredSet& set() { return earlier_ ? *earlier_ : engine_.newest(); }
  const MeasuredSet& set() const { return earlier_ ? *earlier_ : engine_.newest(); }
  bool showsEarlier() const { return earlier_.has_value(); }

  /// Returns the set on show, if its frame belongs to this pass.
  std::optional<SetIndex> setOf(Pass pass) const;

  /// Takes the newest frame, and shows it unless an earlier one is on show.
  void take(DrawableFrame newest);
  /// Shows an earlier frame, measured again with the settings in force. For `ownStatistics` see
  /// Engine::measureAgain().
  void showEarlier(motion::FramePtr frame, MeasuredSet set, bool ownStatistics);
  void showNewest();
  /// Notes that the newest frame has no successor in its pass. It stays on show.
  void endPass() { newest_.reset(); }

  /// Returns true if planes were requested but the frame on show has none, because nobody wanted
  /// them at the time or there was no room.
  bool lacksPlanes() const;
  /// Measures the set on show once more to get its planes. Returns false if that was not necessary.
  bool keepPlanes();
  /// Measures the frame on show again with the settings in force. Nothing is tracked.
  void measureAgain(bool ownStatistics = true);
  /// Shows the newest frame as the first one of the present pass.
  void trackAgain();
  /// Shows the frame with its tracks of the whole recording: see SessionTracker::knows().
  void showWholeTracks() { frame_ = engine_.frames().asWhole(*frame_); }

 private:
  Engine& engine_;
  motion::FramePtr newest_, frame_;
  std::vector<std::shared_ptr<const gpu::PlaneImages>> planes_;
  // The set on show instead of the newest one, if any.
  std::optional<MeasuredSet> earlier_;
};

}  // namespace glint::session
