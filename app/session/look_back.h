// Looks back at the latest frames of live cameras, while these go on.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/session/display.h"
#include "app/session/options.h"
#include "app/session/recent_frames.h"

namespace glint::session {

/// Keeps the latest frames of live cameras in memory, and shows one of them instead of the newest
/// frame. While it does, the frames in memory stay. Used by one thread.
class LookBack {
 public:
  /// `keepSeconds`: how long frames stay in memory; 0: none do. The others must outlive it.
  LookBack(const gpu::Device& device, const capture::CameraGroups& groups,
           const Transport& transport, Display& display, bool live, double keepSeconds);

  // Commands: see command::Look and those after it. They throw UsageError with the reason.
  void look(std::optional<SetIndex> set);
  void hold();
  std::vector<output::RawSet> recall(double seconds);
  void remember(double seconds) { keepSeconds_ = seconds; }

  /// Shows the frame that was asked for while there was no room for it. Returns true if it did.
  bool showRequested();
  bool isRequested() const { return requestedSet_.has_value(); }
  /// Keeps the newest frame in memory.
  void keepNewest();
  /// Empty while no frame is in memory.
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
  std::vector<gpu::FramePool> pools_;     // pixels for the device, a group each, once there are any
  std::optional<SetIndex> requestedSet_;  // the set to show as soon as a slot is free
};

}  // namespace glint::session
