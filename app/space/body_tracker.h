// Follows rigid bodies among the points of each set.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/space/body.h"
#include "app/space/body_motion.h"
#include "app/space/body_search.h"
#include "app/space/space_row.h"

namespace glint {

/// A point of a set, as bodies are made of it.
struct BodyPoint {
  uint64_t id = 0;                                       ///< 0: not confirmed
  bool measured = false;                                 ///< two rays or more
  Eigen::Vector3d at{0, 0, 0};                           ///< mm
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();  ///< by images, mm^2
  const std::vector<Sight>* sights = nullptr;            ///< its rays in this set
  int body = -1, marker = -1;                            ///< whose it is, as update() fills it in
};

/// A body that was found is predicted, and takes the points that it had, or that are where its
/// markers should be. One that is away is sought by distances among the points that nobody has;
/// bodies that look alike go on where each was last. Takes the sets of one pass in order; used by
/// one thread; a copy goes on by itself.
class BodyTracker {
 public:
  explicit BodyTracker(std::shared_ptr<const std::vector<Body>> bodies);

  struct Set {
    uint64_t frame = 0;
    double time = 0, step = 0;  ///< s, and since the set before
    const SpaceRig& rig;
    const NoiseFloor& floor;
  };
  /// Poses of the set, in the order of the bodies.
  std::vector<PoseRow> update(const Set& set, std::span<BodyPoint> points);
  /// Poses of a set after the newest one in which cameras see nothing: what is predicted, for 0.2
  /// s.
  std::vector<PoseRow> foretell(const Set& set) const;
  /// What comes next shares nothing with what was.
  void forget();

  const std::vector<Body>& bodies() const { return *bodies_; }
  /// Sentences for the user; each comes once.
  std::vector<std::string> takeNotes() { return std::exchange(notes_, {}); }

 private:
  /// What is known of one body.
  struct Followed {
    std::optional<BodyMotion> motion;  // empty: it is away
    std::vector<uint64_t> ids;         // of the points that its markers have, or had last
    double alone = 0;                  // s, that fewer than two markers were seen
    std::optional<BodyPlace> last;     // where it was
    int waited = 0;                    // sets in which it could not be told where it is
    bool told = false;
  };
  /// The points of a body's markers; -1: none.
  using Markers = std::vector<int>;
  struct Found {
    CentredBody about;  // the point that its place is of
    Markers markers;
    BodyFit fit;
    std::vector<BodySight> sights;
    int seen = 0, solid = 0;  // markers with a ray, with two
    bool whole = false;       // the rays alone determine it
  };
  struct Candidate {
    size_t kind;
    Found found;
    double misfit;  // chi squared for a degree of freedom
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
  std::vector<CentredBody> centred_;
  std::vector<size_t> kinds_;      // of each body the first one that looks like it
  std::vector<BodyGuess> onKind_;  // how each lies on that one
  std::vector<char> symmetric_;    // whether it fits onto itself
  std::vector<Followed> followed_;
  std::vector<std::string> notes_;
};

}  // namespace glint
