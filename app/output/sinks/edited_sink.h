// A sink that receives tracks with a person's edits applied.
#pragma once

#include <memory>
#include <mutex>

#include "app/output/edit/edited_tracks.h"
#include "app/output/sinks/sink.h"

namespace glint::output {

/// The edits in Frame::results of a frame whose tracks are edited.
using SharedEdits = std::shared_ptr<const EditedTracks>;

/// Returns the edits of a frame; null if its tracks are as they were found.
const EditedTracks* editsOf(const motion::Frame& frame);

/// Returns the frame with its tracks edited. If `drawn`, hidden tracks are left out, and so are the
/// markers of hidden and deleted tracks, which must not appear as markers without a track.
motion::FramePtr editedFrame(const motion::Frame& frame, const SharedEdits& edits, bool drawn);

/// Returns a sink that hands editedFrame() to `to`. `to` and `edits` must not be null.
std::unique_ptr<Sink> makeEdited(std::unique_ptr<Sink> to, SharedEdits edits, bool drawn);

/// Edits that may change while frames are written. Any thread.
class LatestEdits {
 public:
  /// Sets the edits; null: none.
  void set(SharedEdits edits);
  /// Returns the edits for a frame; null: none. A frame with provisional ids gets only the scales,
  /// because edits mean other ids.
  SharedEdits of(const motion::Frame& frame) const;

 private:
  mutable std::mutex mutex_;
  SharedEdits edits_, scales_;  // scales_: the scales of edits_ alone
};

/// Returns a sink that edits each frame with the edits that are the latest when it arrives. `to`
/// and `edits` must not be null.
std::unique_ptr<Sink> makeEdited(std::unique_ptr<Sink> to, std::shared_ptr<const LatestEdits> edits,
                                 bool drawn);

}  // namespace glint::output
