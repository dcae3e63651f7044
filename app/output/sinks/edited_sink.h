// A sink that gets tracks as a person has edited them.
#pragma once

#include <memory>
#include <mutex>

#include "app/output/edit/edited_tracks.h"
#include "app/output/sinks/sink.h"

namespace glint::output {

/// What Frame::results holds of a frame whose tracks are edited.
using SharedEdits = std::shared_ptr<const EditedTracks>;

/// Null where the frame's tracks are as they were found.
const EditedTracks* editsOf(const motion::Frame& frame);

/// The frame with its tracks edited. `drawn`: without hidden tracks, and without the markers of
/// those that are not there, which are no finds of nobody.
motion::FramePtr editedFrame(const motion::Frame& frame, const SharedEdits& edits, bool drawn);

/// Hands editedFrame() on. `to` and `edits` not null.
std::unique_ptr<Sink> makeEdited(std::unique_ptr<Sink> to, SharedEdits edits, bool drawn);

/// Edits that may change while frames are written. Any thread.
class LatestEdits {
 public:
  /// Null: there are none.
  void set(SharedEdits edits);
  /// Those for a frame; null: none. Provisional ids are not those that edits mean: such a frame has
  /// the scales alone.
  SharedEdits of(const motion::Frame& frame) const;

 private:
  mutable std::mutex mutex_;
  SharedEdits edits_, scales_;
};

/// Hands each frame on as it is to be edited when it comes. `to` and `edits` not null.
std::unique_ptr<Sink> makeEdited(std::unique_ptr<Sink> to, std::shared_ptr<const LatestEdits> edits,
                                 bool drawn);

}  // namespace glint::output
