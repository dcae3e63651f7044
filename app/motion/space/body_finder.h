// Finds bodies that are lost.
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
  std::optional<BodyMotion> motion;  ///< empty if the body is lost
  std::vector<uint64_t> ids;         ///< the points that its markers have, or had last
  double alone = 0;                  ///< s, for which fewer than two markers were seen
  std::optional<BodyPlace> last;     ///< its last place
};

/// Seeks the bodies that are lost by their distances, among the points that no body has. Bodies
/// that look alike continue where each was last. A copy is independent.
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
  /// Forgets how long the bodies have been sought.
  void forget();
  /// Returns new sentences for the user.
  std::vector<std::string> takeNotes() { return std::exchange(notes_, {}); }

 private:
  struct Candidate {
    size_t kind;
    BodyMatch match;
    double misfit;  // chi squared per degree of freedom
  };
  /// The points among which bodies are sought.
  struct FreePoints {
    SearchCloud cloud;
    std::vector<int> places;  // of each in the points of the set
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
  std::vector<int> waited_;         // sets in which the place of each body was not clear
  std::vector<char> told_;          // a note was made that the body fits in several places
  std::vector<std::string> notes_;  // not taken yet
};

}  // namespace glint::motion
