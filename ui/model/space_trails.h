// The places of points in space during the last seconds, from every frame.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include <Eigen/Core>

#include "app/output/sinks/sink.h"
#include "config/numbers.h"

namespace glint::ui {

/// Places of points, mm, by the number of the point.
using PointTrails = std::map<uint64_t, std::vector<Eigen::Vector3d>>;

/// The recent places of one session's points. The session's thread fills it, and the window's
/// thread reads it. Memory is bounded by kMostSeconds and kMostPlaces.
class SpaceTrails : public output::Sink {
 public:
  static constexpr double kMostSeconds = 10;
  static constexpr size_t kMostPlaces = 600;  ///< the largest number of places of one point

  void accept(const motion::FramePtr& frame) override;

  /// Returns the places, mm, of the points that exist in set `set` of pass `pass`, up to that set,
  /// oldest first.
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
