#include "app/session/link.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/log.h"
#include "app/base/paths.h"
#include "app/output/tables/track_formats.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/shell/commands/tracker_options.h"
#include "config/printable.h"
#include "config/settings.h"

namespace glint::shell {
namespace {

struct LinkCommand {
  std::string detections;
  TrackerOptions tracker;
  std::vector<std::string> outputs{};
  std::optional<double> sigma;
  double rate = 0;
};

void run(const LinkCommand& command) {
  const session::LinkResult result =
      session::linkFile({.detections = command.detections,
                         .outputs = command.outputs,
                         .settings = command.tracker.settings().track,
                         .sigma = command.sigma,
                         .rate = command.rate,
                         .read = {command.tracker.config}});
  for (const std::string& sentence : result.remarks) base::warn("{}", sentence);
  if (base::anyStandardOutput(command.outputs)) return;
  printText("{} -> {}, {} -> {}\n", counted(result.markers, "marker"),
            counted(result.tracks, "track"), counted(result.rows, "row"),
            fmt::join(command.outputs, ", "));
}

}  // namespace

void addLinkCommand(CLI::App& app) {
  const auto options = std::make_shared<LinkCommand>();
  CLI::App* command = app.add_subcommand("link", "Track markers that another program has found");
  addFile(*command, "detections", options->detections,
          "Table of markers (CSV): frame, x, y, and what else is there\nNames of columns may be "
          "Glint's, trackpy's or TrackMate's. Files of\nDeepLabCut and SLEAP are read without "
          "their labels.")
      ->required();
  addFile(*command, "-o,--output", options->outputs,
          "Tracks to write; the suffix chooses the format, see below; may be repeated")
      ->allow_extra_args(false)
      ->required();
  addValue(*command, "--rate", options->rate, "Frames a second of a table without times", "HZ",
           numberIn(1e-6, 1e6));
  addValue(*command, "--sigma", options->sigma,
           "Standard deviation of x and y where the table does not say it [0.2]", "PX",
           numberIn(0.02, 100));
  options->tracker.addTo(*command, "tracks");
  command->footer("Formats of tracks and their suffixes:\n" + output::describeTrackFormats());
  command->callback([options] { run(*options); });
}

}  // namespace glint::shell
