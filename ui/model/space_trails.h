// Where points in space came from: the places of the last seconds, of every frame.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include <Eigen/Core>

#include "app/output/sinks/sink.h"
#include "config/numbers.h"

namespace glint::ui {

/// mm, by point.
using PointTrails = std::map<uint64_t, std::vector<Eigen::Vector3d>>;

/// Of one session: filled by its thread, read by the window's.
class SpaceTrails : public output::Sink {
 public:
  static constexpr double kMostSeconds = 10;
  static constexpr size_t kMostPlaces = 600;  ///< a point

  void accept(const motion::FramePtr& frame) override;

  /// mm, of the points that are there in set `set` of pass `pass`: up to that set, oldest first.
  PointTrails of(Pass pass, SetIndex set, double seconds) const;

 private:
  struct Place {
    SetIndex set;
    double time;  // s
    Eigen::Vector3d at;
  };
  mutable std::mutex mutex_;
  Pass pass_;
  std::map<uint64_t, std::deque<Place>> points_;
};

}  // namespace glint::ui
