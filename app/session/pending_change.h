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

/// Collects the requested changes that are not in force yet. They come into force together, as soon
/// as the detectors have prepared everything, so that no frame is delayed. Used by one thread.
class PendingChange {
 public:
  /// Both arguments must outlive this object.
  PendingChange(Detectors& detectors, capture::Feeds& feeds)
      : detectors_(detectors), feeds_(feeds) {}

  // Commands. Each joins the pending change and takes `answer`, so that all who asked get the same
  // answer. If a command is refused, it throws UsageError with the reason, and the pending change
  // stays as it was.

  void changeSettings(const std::function<void(Settings&)>& change, Answer& answer);
  void reportRejected(bool on, Answer& answer);
  void watchPlanes(const gpu::PlaneSet& planes, Answer& answer);

  bool isPending() const { return requested_.has_value(); }
  /// Returns true if Detectors::adopt() may be called now. Throws Error if the change cannot be
  /// made.
  bool isReady() { return detectors_.ready(); }
  /// Ends the pending change. Returns the answers that have to be given.
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
