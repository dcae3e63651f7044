// The figures IDF1 and HOTA, which judge trajectories as wholes. References are in score.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace glint::study {

/// Sums from which IDF1 and HOTA are computed. The sums of several cameras add up.
struct IdentityCounts {
  /// HOTA is a mean over this many limits of similarity: 0.05, 0.10 ... 0.95.
  static constexpr size_t kThresholds = 19;

  /// The numbers of visible markers and of rows, summed over the frames.
  uint64_t truth = 0, rows = 0;
  /// Frames that trajectories of the truth and tracks share, if they are paired one to one so that
  /// this number is largest.
  uint64_t idTruePositives = 0;
  /// The number of matched pairs whose similarity reaches each limit.
  std::array<uint64_t, kThresholds> truePositives{};
  /// The association score A(c), summed over the true positives c, for each limit.
  std::array<double, kThresholds> association{};

  void add(const IdentityCounts& other);
  double idf1() const;  ///< Returns NaN if there is neither truth nor a row.
  double hota() const;  ///< Returns NaN if there is neither truth nor a row.
};

/// A visible marker and a row of the same frame, nearer to each other than the radius.
struct SimilarPair {
  uint32_t truth = 0, track = 0;  ///< Indices of the marker and of the row in the frame.
  /// The similarity of their places: 1 if they are the same, 0 if they are one radius apart.
  float similarity = 0;
};

/// Collects the frames of one camera. Needs 16 bytes of memory for each pair, and a record for each
/// two trajectories that have a pair in any frame.
class IdentityCounter {
 public:
  /// Adds the next frame. `truth` and `tracks`: the trajectory of each marker and of each row,
  /// numbered from 0 without gaps within the camera. `pairs`: all pairs of the frame.
  void addFrame(std::span<const uint32_t> truth, std::span<const uint32_t> tracks,
                std::span<const SimilarPair> pairs);

  IdentityCounts count() const;

 private:
  // A trajectory of the truth and a track that have a pair in at least one frame.
  struct Meeting {
    uint32_t truth = 0, track = 0;  // The numbers of the two trajectories.
    // The number of frames with a pair.
    uint32_t frames = 0;
    // The sum over the frames of the similarity, divided by the sum of all similarities that the
    // marker or the row has in the frame.
    double potential = 0;
  };
  // A pair, and the index of its meeting in `meetings_`.
  struct Candidate {
    uint32_t meeting = 0;
    SimilarPair pair;
  };

  uint32_t meetingOf(uint32_t truth, uint32_t track);
  uint64_t idTruePositives() const;
  void countHota(IdentityCounts& counts) const;
  // Returns the share of frames that two trajectories have in common, of all frames that either
  // has. `common`: the number of common frames, or a weighted sum of them.
  double share(const Meeting& meeting, double common) const;

  std::vector<uint32_t> truthFrames_, trackFrames_;  // The number of frames of each trajectory.
  std::vector<Meeting> meetings_;
  // The index in `meetings_` of two trajectories; the key holds both of their numbers.
  std::unordered_map<uint64_t, uint32_t> meetingIndex_;
  std::vector<Candidate> candidates_;
  std::vector<size_t> frameEnds_;  // The index in `candidates_` of the end of each frame.
};

}  // namespace glint::study
