#include <memory>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/track_options.h"
#include "app/commands/track_outputs.h"
#include "app/commands/track_summary.h"
#include "app/commands/tracking_run.h"
#include "config/error.h"

namespace glint {
namespace {

/// Shows how far it is until the session ends by itself.
class Terminal : public RunDriver {
 public:
  explicit Terminal(bool quiet) : quiet_(quiet) {}

  void prepare(SessionOptions&, bool) override { progress_.emplace(quiet_); }
  void drive(Session& session, std::shared_ptr<const Device>) override {
    while (!session.wait(ProgressLine::kInterval)) progress_->update(session.state()->counts);
  }
  void ended() override { progress_->clear(); }

 private:
  bool quiet_;
  std::optional<ProgressLine> progress_;
};

}  // namespace

void addTrackCommand(CLI::App& app) {
  const auto options = std::make_shared<TrackOptions>();
  CLI::App* command = app.add_subcommand("track", "Find markers and write their tracks");
  addTrackOptions(*command, *options);
  command->callback([options] {
    completeOutputs(*options, true);
    if (options->control.empty() && (options->paused || options->stay))
      throw UsageError("--paused and --stay wait for commands: give --control, too");
    Terminal terminal(options->quiet);
    runTracking(*options, terminal);
  });
}

}  // namespace glint
