#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/output/edit/edits_file.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/track_options.h"
#include "app/shell/commands/track_outputs.h"
#include "app/shell/commands/track_summary.h"
#include "app/shell/commands/tracking_run.h"
#include "config/error.h"

namespace glint::shell {
namespace {

/// Returns true if a file may hold edits, also if it cannot be read.
bool mayHoldEdits(const std::string& path) {
  try {
    return !output::readEdits(path).empty();
  } catch (const Error&) {
    return true;
  }
}

/// Tells the user about edits that the window would apply, and that this run does not apply.
void noteEdits(const TrackOptions& options) {
  if (options.quiet || !options.edits.empty()) return;
  const std::string beside = output::editsPath(options.sources.front().shown());
  std::error_code unknown;
  if (beside.empty() || !std::filesystem::is_regular_file(beside, unknown)) return;
  if (!mayHoldEdits(beside)) return;  // the file holds only measures
  base::notify(
      fmt::format("'{0}' holds edits of these tracks, which are not applied; --edits '{0}' "
                  "applies them",
                  beside));
}

/// The driver without a window: it shows the progress until the session ends by itself.
class Terminal : public RunDriver {
 public:
  explicit Terminal(const TrackOptions& options) : options_(options) {}

  void prepare(session::SessionOptions&, bool) override { progress_.emplace(options_.quiet); }
  void drive(session::Session& session, std::shared_ptr<const gpu::Device>) override {
    while (!session.wait(ProgressLine::kInterval)) progress_->update(session.state()->counts);
  }
  void ended() override {
    progress_->clear();
    noteEdits(options_);
  }

 private:
  const TrackOptions& options_;
  std::optional<ProgressLine> progress_;
};

}  // namespace

void addTrackCommand(CLI::App& app) {
  const auto options = std::make_shared<TrackOptions>();
  CLI::App* command = app.add_subcommand("track", "Find markers and write their tracks");
  addTrackOptions(*command, *options);
  addEditsOption(*command, options->edits,
                 "Apply the edits of tracks that the window keeps in NAME.glint.json\nThe "
                 "recording is tracked twice: first to find the tracks that they mean.");
  command->callback([options] {
    completeOutputs(*options, true);
    if (options->control.empty() && (options->paused || options->stay))
      throw UsageError("--paused and --stay wait for commands: give --control, too");
    checkEdits(*options);
    Terminal terminal(*options);
    runTracking(*options, terminal);
  });
}

}  // namespace glint::shell
