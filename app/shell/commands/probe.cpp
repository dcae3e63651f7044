#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/capture/filter/host_filters.h"
#include "app/capture/source/source_kinds.h"
#include "app/output/pictures/contact_sheet.h"
#include "app/output/sinks/run_files.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/study/advice/findings.h"
#include "config/error.h"

namespace glint::shell {
namespace {

struct ProbeOptions {
  Address source;
  std::string picture;
  size_t pick = 1;
  SettingOptions settings;
  bool json = false;
};

/// Adds a picture of the middle frame with the markers that the settings would find in it.
void addPicture(output::ContactSheet& sheet, study::FrameSample& sample, const Settings& settings,
                const std::string& description) {
  const size_t shown = sample.frames() > 1 ? 1 : 0;
  motion::Frame frame;
  motion::CameraFrame& camera = frame.cameras.emplace_back();
  camera.measured = sample.measure(settings, shown);
  camera.pixels = sample.frame(shown);
  sheet.add(frame, description);
}

/// Returns a line that names the alternatives that were not picked, or an empty text.
std::string describeOthers(const study::Proposal& proposal) {
  std::string others;
  for (size_t i = 1; i <= proposal.alternatives.size(); ++i) {
    if (i == proposal.pick) continue;
    others +=
        fmt::format("{}{} (--pick {})", others.empty() ? "other markers may be meant: " : "; ",
                    study::describe(proposal.alternatives[i - 1]), i);
  }
  return others;
}

std::string describe(const study::Proposal& proposal, const study::FrameSample& sample,
                     const std::string& source) {
  const gpu::ImageFormat& format = sample.format();
  return fmt::format("{} of '{}', {}x{}: {}", counted(sample.frames(), "frame"), source,
                     format.width, format.height, study::findingOf(proposal).line());
}

/// Shows on a terminal how far the search has come. Prints nothing if standard error is no
/// terminal.
class Progress {
 public:
  Progress(const study::FrameSample& sample, const std::string& source)
      : sample_(sample), source_(source), shown_(::isatty(STDERR_FILENO) == 1) {}

  void showTrial(size_t number) const {
    if (!shown_) return;
    fmt::print(stderr, "\r\x1b[Ktrial {}", number);
    std::fflush(stderr);
  }

  /// Prints a line of the first proposal, which stays.
  void showFirst(const study::Proposal& first) const {
    if (!shown_) return;
    clear();
    std::vector<std::string> words = study::argumentsOf(first);
    printText(stderr, "first frame of '{}': {}; {}; looking at {} more\n", source_,
              study::findingOf(first).observation,
              words.empty() ? "no options needed" : study::commandLine(words),
              counted(sample_.frames() - 1, "frame"));
  }

  void clear() const {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  const study::FrameSample& sample_;
  const std::string source_;
  const bool shown_;
};

nlohmann::ordered_json toJson(const study::Proposal& proposal, const study::FrameSample& sample,
                              const std::vector<std::string>& command) {
  nlohmann::ordered_json json;
  json["found"] = proposal.found;
  json["frames"] = sample.frames();
  if (!proposal.found) {
    json["seen"] = proposal.seen;
    json["decoys"] = proposal.decoys;
  }
  json["dark"] = proposal.kind.dark;
  json["marker_radius"] = proposal.kind.radius ? nlohmann::ordered_json(*proposal.kind.radius)
                                               : nlohmann::ordered_json(nullptr);
  json["elongated"] = proposal.kind.elongated;
  json["set"] = proposal.sets;
  json["radius"] = proposal.radius;
  json["contrast"] = proposal.contrast;
  json["markers_a_frame"] = proposal.markers;
  json["pick"] = proposal.pick;
  json["alternatives"] = nlohmann::ordered_json::array();
  for (const study::Alternative& other : proposal.alternatives)
    json["alternatives"].push_back({{"dark", other.kind.dark},
                                    {"elongated", other.kind.elongated},
                                    {"radius", other.radius},
                                    {"contrast", other.contrast},
                                    {"markers_a_frame", other.markers}});
  json["command"] = command;
  json["command_line"] = study::commandLine(command);
  return json;
}

/// Returns the proposals for all alternatives in their order, of which one is known.
std::vector<study::Proposal> proposeAll(study::TrialMemory& trials,
                                        const study::SettingsFor& settingsFor,
                                        const study::Proposal& known) {
  std::vector<study::Proposal> all;
  for (size_t i = 1; i <= std::max<size_t>(known.alternatives.size(), 1); ++i)
    all.push_back(i == known.pick ? known : study::propose(trials, settingsFor, {.pick = i}));
  return all;
}

void probeSource(const ProbeOptions& options) {
  const Settings settings = options.settings.settings({});
  output::RunFiles files(output::filesRead({options.source}, settings, options.settings.config()));
  files.write(options.picture);
  std::optional<output::ContactSheet> sheet;
  if (!options.picture.empty()) sheet.emplace(options.picture);
  const auto source = capture::openSource(options.source);
  const gpu::Device device(capture::deviceOptions(settings.device));
  study::FrameSample sample(device, *source);
  const study::SettingsFor settingsFor = [&](const study::MarkerKind& kind) {
    return options.settings.settings(kind);
  };
  const Progress progress(sample, options.source.shown());
  study::TrialMemory trials(sample, [&](size_t count) { progress.showTrial(count + 1); });
  study::Proposal proposal = study::propose(
      trials, settingsFor,
      {options.pick, [&](const study::Proposal& first) { progress.showFirst(first); }});
  // The pictures show what the settings of each alternative find, and so does the list.
  std::vector<study::Proposal> all{proposal};
  if (sheet) all = proposeAll(trials, settingsFor, proposal);
  for (const study::Proposal& one : all)
    if (one.found) proposal.alternatives[one.pick - 1] = one.alternatives[one.pick - 1];
  progress.clear();
  std::vector<std::string> command{"glint", "track", options.source.shown()};
  for (std::string& word : options.settings.arguments()) command.push_back(std::move(word));
  for (std::string& word : study::argumentsOf(proposal)) command.push_back(std::move(word));
  std::FILE* const out = files.words();
  if (options.json) {
    fmt::print(out, "{}\n",
               toJson(proposal, sample, command)
                   .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else {
    printText(out, "{}\n", describe(proposal, sample, options.source.shown()));
    if (const std::string others = describeOthers(proposal); !others.empty())
      printText(out, "{}\n", others);
    fmt::print(out, "{}\n", study::commandLine(command));
  }
  if (!sheet) return;
  for (const study::Proposal& one : all)
    addPicture(*sheet, sample, study::settingsOf(one, settingsFor),
               one.found ? study::describe(one.alternatives[one.pick - 1])
                         : study::findingOf(one).observation);
  sheet->write();
}

}  // namespace

void addProbeCommand(CLI::App& app) {
  const auto options = std::make_shared<ProbeOptions>();
  CLI::App* command = app.add_subcommand(
      "probe", "Look at a few frames, describe the markers, and print the command to track them");
  addValue(*command, "source", options->source, capture::sourceHelp(false), "SOURCE")->required();
  addFile(*command, "-o,--output", options->picture,
          "Picture of a frame with the markers that would be found (.png, .jpg)");
  addValue(*command, "--pick", options->pick,
           "Print the command for alternative N, as listed and as numbered in the picture", "N",
           CLI::Range(size_t{1}, size_t{99}));
  command->add_flag("--json", options->json, "Print JSON instead of text");
  options->settings.addTo(*command, false);
  options->settings.addRegions(*command);
  command->callback([options] { probeSource(*options); });
}

}  // namespace glint::shell
