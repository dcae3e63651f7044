#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/log.h"
#include "app/base/paths.h"
#include "app/output/imports/conversion.h"
#include "app/output/tables/track_formats.h"
#include "app/output/takes/take_formats.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/shell/commands/space_options.h"

namespace glint::shell {
namespace {

struct ConvertCommand {
  std::string from, to, fromUp;
  SpaceOptions space;
  double rate = 0;
};

void run(const ConvertCommand& command) {
  const output::Conversion made = output::convertFile(
      {.from = command.from,
       .to = command.to,
       .options = command.space.takeOptions(),
       .fromUp = command.fromUp.empty() ? std::nullopt : std::optional(upOf(command.fromUp)),
       .rate = command.rate});
  for (const std::string& sentence : made.sentences) base::warn("{}", sentence);
  if (!base::isDevice(command.to) && !base::standardStream(command.to))
    printText("{}\n", made.summary);
}

}  // namespace

void addConvertCommand(CLI::App& app) {
  const auto options = std::make_shared<ConvertCommand>();
  CLI::App* command = app.add_subcommand(
      "convert", "Convert points in space, or tracks, between Glint's tables and other formats");
  addFile(*command, "from", options->from,
          "File to read: a format below, .rows, or tracks of another program", "IN")
      ->required();
  addFile(*command, "to", options->to, "File to write; its suffix chooses the format", "OUT")
      ->required();
  options->space.addTo(*command);
  addValue(*command, "--from-up", options->fromUp,
           "Axis that points up in what is read [z; of Motive and TRC y]", "AXIS",
           CLI::IsMember(std::vector<std::string>{"y", "z"}));
  addValue(*command, "--rate", options->rate, "Frames a second, instead of what the file says",
           "HZ", numberIn(1e-6, 1e6));
  command->footer("Formats of points and their suffixes:\n" + output::describeTakeFormats() +
                  "\nFormats of tracks and their suffixes:\n" + output::describeTrackFormats() +
                  "  trackmate  .xml            TrackMate's own file (Fiji)\n");
  command->callback([options] { run(*options); });
}

}  // namespace glint::shell
