// The frames that a run tracked. The truth of other frames cannot be found, so it does not count.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/motion/track/samples.h"
#include "app/output/report/run_facts.h"

namespace glint::study {

/// The frames of each camera that were tracked, as far as they are known.
struct TrackedFrames {
  /// The place from which they are known: nowhere, the record of the run, or the tracks.
  enum class Source { none, record, tracks };
  Source source = Source::none;
  /// With a record: the frames of each camera, or nothing for a camera without any.
  std::vector<std::optional<output::report::FrameSpan>> cameras = {};
  /// With tracks: the last frame of all cameras in which there is a track.
  uint64_t last = 0;

  /// Returns true if this frame was tracked. If nothing is known, all frames count as tracked.
  bool has(uint16_t camera, uint64_t frame) const;
  /// Returns the words that say from where the frames are known and which they are.
  std::string words() const;
};

/// Returns the frames that were tracked by the run that made `tracks`. They are those of the run's
/// record, the file of the same name with the suffix .json. If there is none, or it does not fit
/// (it is no record, is of an earlier version, or lacks frames of the tracks), the last frame of
/// the tracks counts as the last one that was tracked. Tracks without a row and a record say
/// nothing.
TrackedFrames trackedFrames(const std::string& path, std::span<const motion::Sample> tracks);

/// Returns the same with the `cameras` of a record, or without them if the list is empty.
TrackedFrames trackedFrames(std::vector<std::optional<output::report::FrameSpan>> cameras,
                            std::span<const motion::Sample> tracks);

}  // namespace glint::study
