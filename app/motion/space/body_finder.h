// Finds bodies that are not being tracked.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/motion/space/body_match.h"
#include "app/motion/space/body_motion.h"

namespace glint::motion {

/// The state of one body from set to set.
struct BodyState {
  /// The predicted motion. Empty if the body is lost.
  std::optional<BodyMotion> motion;
  /// For each marker, the id of its point, or of the last point that it had.
  std::vector<uint64_t> ids;
  /// Time for which fewer than two markers have been seen, s.
  double alone = 0;
  /// The last place of the body.
  std::optional<BodyPlace> last;
};

/// Searches for lost bodies by the distances of their markers, among the points that belong to no
/// body. Bodies that look alike are distinguished by their last places. A copy is independent.
class BodyFinder {
 public:
  BodyFinder(std::shared_ptr<const std::vector<KnownBody>> bodies,
             const BodyTrackerOptions& options);

  struct Found {
    size_t body;
    BodyMatch match;
  };
  /// Returns the bodies that were lost and are found in this set. `states` are those of all bodies.
  std::vector<Found> find(const BodySet& set, std::span<const BodyPoint> points,
                          std::span<const BodyState> states);
  /// Forgets how long the search for each body has taken.
  void forget();
  /// Returns new sentences for the user, each once.
  std::vector<std::string> takeNotes() { return std::exchange(notes_, {}); }

 private:
  struct Candidate {
    size_t kind;
    BodyMatch match;
    // Chi squared per degree of freedom.
    double misfit;
  };
  /// The points that belong to no body.
  struct FreePoints {
    SearchCloud cloud;
    // Index of each among the points of the set.
    std::vector<int> places;
  };
  std::vector<Candidate> candidates(size_t kind, const BodySet& set,
                                    std::span<const BodyPoint> points,
                                    const FreePoints& free) const;
  bool undecided(const std::vector<Candidate>& all, size_t which) const;
  std::optional<BodyMatch> asBody(size_t body, const BodyMatch& match, const BodySet& set,
                                  std::span<const BodyPoint> points) const;
  void settle(const std::vector<size_t>& lost, const std::vector<Candidate>& chosen,
              const BodySet& set, std::span<const BodyPoint> points,
              std::span<const BodyState> states, std::vector<Found>& found);

  std::shared_ptr<const std::vector<KnownBody>> bodies_;
  BodyTrackerOptions options_;
  // For each body, the number of sets in which its place was ambiguous.
  std::vector<int> waited_;
  // For each body, 1 if a note has said that it fits in several places.
  std::vector<char> noted_;
  // Notes that were not returned yet.
  std::vector<std::string> notes_;
};

}  // namespace glint::motion
