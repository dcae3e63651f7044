// Reads sets from the sources of a session, one ahead.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/capture/sets/feeds.h"
#include "app/motion/frame/frame.h"
#include "app/session/options.h"

namespace glint::session {

/// Owns the sources. Fetches sets from them, and holds a fetched set until it is taken. Used by one
/// thread, except feeds().wake().
class SetReader {
 public:
  /// `device` and the interrupt of the options must outlive this object. Throws like Feeds.
  SetReader(const gpu::Device& device, capture::SourceList sources, const SessionOptions& options);

  capture::Feeds& feeds() { return feeds_; }
  const capture::Feeds& feeds() const { return feeds_; }
  const std::shared_ptr<const motion::SessionInfo>& info() const { return info_; }
  bool isInterrupted() const { return interrupt_.isSet(); }

  /// Goes to the place where a recording is to begin, and fetches the first set from there on. If
  /// reading was interrupted or failed, there is none, and the next fetch() says why. Throws
  /// UsageError for live cameras, and if the recording ends before that place.
  void beginAt(const capture::From& from);

  /// Waits up to `patience` for the next set, unless one was fetched already.
  capture::Feeds::Outcome fetch(std::chrono::milliseconds patience);

  /// Returns the fetched set, if there is one.
  const std::optional<capture::FrameSet>& fetched() const { return fetched_; }
  capture::FrameSet take() { return *std::exchange(fetched_, std::nullopt); }
  void drop() { fetched_.reset(); }

  /// Returns the time of a set on the clock of all cameras, s. It is the time of the earliest
  /// camera, so that no camera is played late because of the others. Returns nothing if no camera
  /// has a frame.
  std::optional<double> timeOf(const capture::FrameSet& set) const;

 private:
  bool fetchFirst();

  capture::Interrupt noInterrupt_;
  capture::Interrupt& interrupt_;
  const std::shared_ptr<const motion::SessionInfo> info_;
  capture::Feeds feeds_;
  std::optional<capture::FrameSet> fetched_;
};

}  // namespace glint::session
