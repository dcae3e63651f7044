// Shows the latest frames of live cameras while capture and tracking continue.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/session/display.h"
#include "app/session/options.h"
#include "app/session/recent_frames.h"

namespace glint::session {

/// Keeps the latest frames of live cameras in memory, and shows one of them instead of the newest
/// frame. Meanwhile the frames in memory do not change. Used by one thread.
class LookBack {
 public:
  /// `keepSeconds` says how long frames stay in memory; 0 keeps none. The other arguments must
  /// outlive this object.
  LookBack(const gpu::Device& device, const capture::CameraGroups& groups,
           const Transport& transport, Display& display, bool live, double keepSeconds);

  // Commands: see command::ShowRecent and those after it. If they are refused, they throw
  // UsageError with the reason.
  void showRecent(std::optional<SetIndex> set);
  void hold();
  std::vector<output::RawSet> recall(double seconds);
  void remember(double seconds) { keepSeconds_ = seconds; }

  /// Shows the frame that was requested while there was no room for it. Returns true if it is on
  /// show now.
  bool showRequested();
  bool isRequested() const { return requestedSet_.has_value(); }
  /// Keeps the newest frame in memory.
  void keepNewest();
  /// Returns the frames in memory, or nothing if there are none.
  std::optional<SessionState::Recent> state() const;

 private:
  bool show(SetIndex set);
  std::optional<MeasuredSet> load(const RecentFrames::Kept& kept);

  const gpu::Device& device_;
  const capture::CameraGroups& groups_;
  const Transport& transport_;
  Display& display_;
  const bool live_;
  double keepSeconds_;
  RecentFrames recent_;
  // Pixels for the device, one pool for each group of cameras. Created when they are first needed.
  std::vector<gpu::FramePool> pools_;
  // The set to show as soon as a slot is free.
  std::optional<SetIndex> requestedSet_;
};

}  // namespace glint::session
