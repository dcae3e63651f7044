#include "app/session/edit_pass.h"

#include <chrono>
#include <utility>

#include "config/error.h"

namespace glint::session {
namespace {

// Interval between two calls of `report`.
constexpr std::chrono::milliseconds kReportEvery{50};

class Collecting : public output::Sink {
 public:
  explicit Collecting(const output::TrackEdits& edits) : collector_(edits) {}

  void accept(const motion::FramePtr& frame) override {
    for (size_t i = 0; i < frame->cameras.size(); ++i)
      for (const motion::TrackRow& row : frame->cameras[i].finalised)
        collector_.add(CameraIndex(i), row);
  }
  output::TracksToEdit tracks() const { return collector_.tracks(); }

 private:
  output::EditCollector collector_;
};

}  // namespace

void checkReadTwice(const capture::SourceList& sources) {
  for (const auto& source : sources) {
    if (source->isLive() || !source->canSeek()) {
      throw UsageError(
          "the tracks of '{}' cannot be edited: live cameras, streams and pipes can be "
          "read only once",
          source->name());
    }
  }
}

output::SharedEdits applyToRecording(const output::TrackEdits& edits,
                                     std::shared_ptr<const gpu::Device> device,
                                     capture::SourceList sources, SessionOptions options,
                                     const std::function<void(const SessionState&)>& report) {
  const auto collecting = std::make_shared<Collecting>(edits);
  options.listeners = {collecting};
  Session session(std::move(device), std::move(sources), std::move(options));
  while (!session.wait(kReportEvery))
    if (report) report(*session.state());
  session.finish();
  return std::make_shared<const output::EditedTracks>(output::apply(edits, collecting->tracks()));
}

}  // namespace glint::session
