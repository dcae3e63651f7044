// Follows rigid bodies among the points of each set.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/motion/space/body.h"
#include "app/motion/space/body_motion.h"
#include "app/motion/space/body_options.h"
#include "app/motion/space/body_search.h"
#include "app/motion/space/space_row.h"

namespace glint::motion {

/// A point of a set that may be a marker of a body.
struct BodyPoint {
  uint64_t id = 0;                                       ///< 0: not confirmed
  bool measured = false;                                 ///< two rays or more
  Eigen::Vector3d at{0, 0, 0};                           ///< mm
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();  ///< by images, mm^2
  const std::vector<Sight>* sights = nullptr;            ///< its rays in this set
  int body = -1, marker = -1;                            ///< set by update() if it is a marker
};

/// Follows bodies. A body that was found is predicted, and takes the points that it had, or that
/// are where its markers should be. A body that is lost is sought by its distances among the points
/// that no body has. Bodies that look alike continue where each was last. Takes the sets of one
/// pass in order; used by one thread. A copy is independent.
class BodyTracker {
 public:
  explicit BodyTracker(std::shared_ptr<const std::vector<Body>> bodies,
                       const BodyTrackerOptions& options = {});

  /// The frame, the cameras and their noise.
  struct Set {
    uint64_t frame = 0;
    double time = 0, step = 0;  ///< s; `step`: since the set before
    const SpaceRig& rig;
    const NoiseFloor& floor;
  };
  /// Takes a set, and returns its poses in the order of the bodies.
  std::vector<PoseRow> update(const Set& set, std::span<BodyPoint> points);
  /// Returns the predicted poses of a set after the newest one, in which no camera sees anything.
  std::vector<PoseRow> foretell(const Set& set) const;
  /// Forgets all bodies, because the next set has nothing to do with the last one.
  void forget();

  const std::vector<Body>& bodies() const { return *bodies_; }
  /// Returns new sentences for the user.
  std::vector<std::string> takeNotes() { return std::exchange(notes_, {}); }

 private:
  /// The state of one body.
  struct Followed {
    std::optional<BodyMotion> motion;  // empty if the body is lost
    std::vector<uint64_t> ids;         // the points that its markers have, or had last
    double alone = 0;                  // s, for which fewer than two markers were seen
    std::optional<BodyPlace> last;     // its last place
    int waited = 0;                    // sets in which its place was not clear
    bool told = false;                 // a note was made that it fits in several places
  };
  /// The point of each marker of a body, or -1.
  using Markers = std::vector<int>;
  /// A body that was fitted to the rays of its markers.
  struct Found {
    CentredBody about;  // the body, relative to the point that the fit is about
    Markers markers;
    BodyFit fit;
    std::vector<BodySight> sights;
    int seen = 0;        // markers with a ray
    int solid = 0;       // markers with two rays
    bool whole = false;  // the rays alone determine it
  };
  struct Candidate {
    size_t kind;
    Found found;
    double misfit;  // chi squared per degree of freedom
  };

  bool follow(size_t body, const Set& set, std::span<BodyPoint> points, PoseRow& row);
  Markers claim(size_t body, const CentredBody& about, const BodyPlace& place,
                std::span<const BodyPoint> points) const;
  Eigen::Vector3d seenPoint(size_t body, const Markers& markers,
                            std::span<const BodyPoint> points) const;
  bool complete(size_t body, Found& found, std::span<const BodyPoint> points) const;
  std::optional<Found> fit(const CentredBody& about, const Set& set,
                           std::span<const BodyPoint> points, Markers markers,
                           const BodyPlace& start, const BodyPlace* prior) const;
  static Found unseen(const CentredBody& about, const BodyPlace& place);
  static bool determines(const CentredBody& body, const Markers& markers,
                         std::span<const BodyPoint> points);
  void search(const Set& set, std::span<BodyPoint> points, std::vector<PoseRow>& rows);
  std::vector<Candidate> candidates(size_t kind, const Set& set, std::span<const BodyPoint> points,
                                    const SearchCloud& cloud, const std::vector<int>& places) const;
  bool undecided(const std::vector<Candidate>& all, size_t which) const;
  std::optional<Found> asBody(size_t body, const Found& found, const Set& set,
                              std::span<const BodyPoint> points) const;
  void settle(size_t kind, std::vector<Candidate> chosen, const Set& set,
              std::span<BodyPoint> points, std::vector<PoseRow>& rows);
  void take(size_t body, const Found& found, std::span<BodyPoint> points);
  PoseRow rowOf(size_t body, const Set& set, const Found& found, const BodyPlace* prior,
                std::span<const BodyPoint> points) const;

  std::shared_ptr<const std::vector<Body>> bodies_;
  BodyTrackerOptions options_;
  std::vector<CentredBody> centred_;
  std::vector<size_t> kinds_;      // for each body the first one that looks like it
  std::vector<BodyGuess> onKind_;  // how each body lies on that one
  std::vector<char> symmetric_;    // true for bodies that fit onto themselves
  std::vector<Followed> followed_;
  std::vector<std::string> notes_;  // not taken yet
};

}  // namespace glint::motion
