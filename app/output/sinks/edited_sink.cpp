#include "app/output/sinks/edited_sink.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace glint::output {
namespace {

bool isGone(const EditedTracks& edits, TrackId track, bool drawn) {
  return track == TrackId() || (drawn && edits.hidden(track));
}

void edit(std::vector<motion::TrackRow>& rows, const EditedTracks& edits, bool drawn) {
  for (motion::TrackRow& row : rows) row.track = edits.of(row.track, row.frame);
  std::erase_if(rows, [&](const motion::TrackRow& row) { return isGone(edits, row.track, drawn); });
  std::ranges::stable_sort(rows, [](const motion::TrackRow& a, const motion::TrackRow& b) {
    return std::pair(a.frame, a.track) < std::pair(b.frame, b.track);
  });
}

/// Keeps one row of each track. Edits may give two rows of a frame to one track; the measured one
/// is kept.
void keepOneOfEach(std::vector<motion::TrackRow>& rows) {
  std::ranges::stable_sort(rows, [](const motion::TrackRow& a, const motion::TrackRow& b) {
    return std::pair(a.track, a.state) < std::pair(b.track, b.state);
  });
  rows.erase(std::unique(rows.begin(), rows.end(),
                         [](const auto& a, const auto& b) { return a.track == b.track; }),
             rows.end());
}

/// Returns the places, px, at which rows were measured that will not be drawn.
std::set<std::pair<double, double>> placesGone(const motion::CameraFrame& camera,
                                               const EditedTracks& edits) {
  std::set<std::pair<double, double>> places;
  for (const motion::TrackRow& row : camera.tracks)
    if (row.state == motion::TrackState::measured &&
        isGone(edits, edits.of(row.track, row.frame), true))
      places.emplace(row.x, row.y);
  return places;
}

class EditedSink final : public Sink {
 public:
  using EditsOf = std::function<SharedEdits(const motion::Frame& frame)>;

  EditedSink(std::unique_ptr<Sink> to, EditsOf edits, bool drawn)
      : to_(std::move(to)), edits_(std::move(edits)), drawn_(drawn) {}

  bool wantsPixels() const override { return to_->wantsPixels(); }
  void accept(const motion::FramePtr& frame) override {
    const SharedEdits edits = edits_(*frame);
    to_->accept(edits ? editedFrame(*frame, edits, drawn_) : frame);
  }
  void poll() override { to_->poll(); }
  uint64_t leftOut() const override { return to_->leftOut(); }
  std::string state() const override { return to_->state(); }
  void finish() override { to_->finish(); }
  void giveUp() override { to_->giveUp(); }

 private:
  std::unique_ptr<Sink> to_;
  EditsOf edits_;
  bool drawn_;
};

}  // namespace

const EditedTracks* editsOf(const motion::Frame& frame) {
  const auto* edits = frame.results.get<SharedEdits>();
  return edits ? edits->get() : nullptr;
}

motion::FramePtr editedFrame(const motion::Frame& frame, const SharedEdits& edits, bool drawn) {
  auto edited = std::make_shared<motion::Frame>(frame);
  edited->results.put(edits);
  for (motion::CameraFrame& camera : edited->cameras) {
    if (drawn) {
      const auto gone = placesGone(camera, *edits);
      std::erase_if(camera.measured.markers, [&](const shared::Detection& marker) {
        return gone.contains({double{marker.x}, double{marker.y}});
      });
    }
    edit(camera.tracks, *edits, drawn);
    keepOneOfEach(camera.tracks);
    edit(camera.finalised, *edits, drawn);
  }
  return edited;
}

std::unique_ptr<Sink> makeEdited(std::unique_ptr<Sink> to, SharedEdits edits, bool drawn) {
  return std::make_unique<EditedSink>(
      std::move(to), [edits = std::move(edits)](const motion::Frame&) { return edits; }, drawn);
}

void LatestEdits::set(SharedEdits edits) {
  SharedEdits scales;
  if (edits && !edits->edits().mmPerPx.empty()) {
    TrackEdits only;
    only.mmPerPx = edits->edits().mmPerPx;
    scales = std::make_shared<const EditedTracks>(apply(only, {}));
  }
  const std::lock_guard lock(mutex_);
  edits_ = std::move(edits);
  scales_ = std::move(scales);
}

SharedEdits LatestEdits::of(const motion::Frame& frame) const {
  const std::lock_guard lock(mutex_);
  return frame.provisional() ? scales_ : edits_;
}

std::unique_ptr<Sink> makeEdited(std::unique_ptr<Sink> to, std::shared_ptr<const LatestEdits> edits,
                                 bool drawn) {
  return std::make_unique<EditedSink>(
      std::move(to),
      [edits = std::move(edits)](const motion::Frame& frame) { return edits->of(frame); }, drawn);
}

}  // namespace glint::output
