// The figures that weigh whole trajectories: IDF1 and HOTA. References in score.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace glint::study {

/// Sums of which IDF1 and HOTA are made; those of several cameras add up.
struct IdentityCounts {
  static constexpr size_t kThresholds = 19;  ///< similarities 0.05, 0.10 ... 0.95

  uint64_t truth = 0, rows = 0;
  uint64_t idTruePositives = 0;
  std::array<uint64_t, kThresholds> truePositives{};
  std::array<double, kThresholds> association{};  ///< A(c) summed over the true positives

  void add(const IdentityCounts& other);
  double idf1() const;  ///< NaN where there is neither truth nor a row
  double hota() const;  ///< likewise
};

/// A visible marker and a row of one frame that are within the radius of each other.
struct SimilarPair {
  uint32_t truth = 0, track = 0;  ///< their places among the frame's markers and rows
  float similarity = 0;           ///< 1 at no distance, 0 at the radius
};

/// Gathers one camera. Memory: 16 bytes a pair, and a record for each two trajectories that ever
/// meet.
class IdentityCounter {
 public:
  /// Adds the next frame: the trajectories of its markers and rows, as numbers that are dense from
  /// 0 within the camera, and all its pairs.
  void addFrame(std::span<const uint32_t> truth, std::span<const uint32_t> tracks,
                std::span<const SimilarPair> pairs);

  IdentityCounts count() const;

 private:
  struct Meeting {
    uint32_t truth = 0, track = 0;  // trajectories
    uint32_t frames = 0;
    double potential = 0;  // similarities, each normalised by its rivals in the frame
  };
  struct Candidate {
    uint32_t meeting = 0;
    SimilarPair pair;
  };

  uint32_t meetingOf(uint32_t truth, uint32_t track);
  uint64_t idTruePositives() const;
  void countHota(IdentityCounts& counts) const;
  double share(const Meeting& meeting, double common) const;

  std::vector<uint32_t> truthFrames_, trackFrames_;  // length of each trajectory
  std::vector<Meeting> meetings_;
  std::unordered_map<uint64_t, uint32_t> meetingIndex_;
  std::vector<Candidate> candidates_;
  std::vector<size_t> frameEnds_;  // in candidates_
};

}  // namespace glint::study
