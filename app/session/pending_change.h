// A change of how a session measures, until it comes into force.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/capture/sets/feeds.h"
#include "app/session/command.h"
#include "app/session/detectors.h"

namespace glint::session {

/// Collects the changes that were asked for since the newest one came into force. They come into
/// force together, once the detectors have made what they need without holding up a frame. Used by
/// one thread.
class PendingChange {
 public:
  /// Both must outlive it.
  PendingChange(Detectors& detectors, capture::Feeds& feeds)
      : detectors_(detectors), feeds_(feeds) {}

  // Commands. Each joins the pending change and takes `answer`, so all who asked get the same one.
  // They throw UsageError with the reason where they are refused; what was pending stays so.

  void changeSettings(const std::function<void(Settings&)>& change, Answer& answer);
  void reportRejected(bool on, Answer& answer);
  void watchPlanes(const gpu::PlaneSet& planes, Answer& answer);

  bool isPending() const { return requested_.has_value(); }
  /// True if Detectors::adopt() may be called now. Throws Error where the change cannot be made.
  bool isReady() { return detectors_.ready(); }
  /// Nothing is pending any more. Returns the answers to give.
  std::vector<Answer> finish();

 private:
  Measuring newest() const { return requested_ ? *requested_ : detectors_.measuring(); }
  void request(Measuring measuring, Answer& answer);

  Detectors& detectors_;
  capture::Feeds& feeds_;
  std::optional<Measuring> requested_;
  std::vector<Answer> answers_;
};

}  // namespace glint::session
