// What `glint track` would write of the recording that is shown, with the settings in force.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/desk/retracker.h"
#include "app/session/session.h"
#include "ui/trails.h"

namespace glint::ui {

/// Tracks the recording in the background once playback has left its straight way: paused or
/// jumped. Main thread.
class Recorded {
 public:
  Recorded(std::shared_ptr<const Device> device, const std::vector<std::string>& sources,
           std::function<void()> wake);

  /// The newest snapshot.
  void follow(const SessionState& state);

  /// With the settings in force; null where there are none yet.
  std::shared_ptr<const Results> results() const;
  /// 0 to 1 while it works, otherwise empty.
  std::optional<double> progress() const;

  /// The rows of a frame and the trails that end there, once they are certain.
  struct Frame {
    std::vector<TrackRow> rows;
    std::map<uint64_t, std::vector<TrailPoint>> trails;
  };
  std::optional<Frame> frame(size_t camera, uint64_t frame, double trailSeconds, double rate) const;

 private:
  std::shared_ptr<const Device> device_;
  const std::vector<std::string>& sources_;
  std::function<void()> wake_;
  std::unique_ptr<Retracker> retracker_;  // null until it is wanted
  std::optional<Settings> settings_;      // in force
  uint32_t epoch_ = 0;                    // seen last
  uint64_t revision_ = 0, asked_ = 0;
};

}  // namespace glint::ui
