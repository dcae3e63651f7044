#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/capture/filter/host_filters.h"
#include "app/capture/source/source_kinds.h"
#include "app/output/pictures/picture.h"
#include "app/output/sinks/run_files.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/tell.h"
#include "app/study/advice/findings.h"
#include "config/error.h"

namespace glint::shell {
namespace {

struct ProbeOptions {
  Address source;
  std::string picture;
  SettingOptions settings;
  bool json = false;
};

/// Writes the middle frame with the markers that the settings would find in it.
void writePicture(output::Sink& picture, study::FrameSample& sample, const Settings& settings) {
  const size_t shown = sample.frames() > 1 ? 1 : 0;
  const auto frame = std::make_shared<motion::Frame>();
  motion::CameraFrame& camera = frame->cameras.emplace_back();
  camera.measured = sample.measure(settings, shown);
  camera.pixels = sample.frame(shown);
  picture.accept(frame);
  picture.finish();
}

std::string describe(const study::Proposal& proposal, const study::FrameSample& sample,
                     const std::string& source) {
  const gpu::ImageFormat& format = sample.format();
  return fmt::format("{} of '{}', {}x{}: {}", counted(sample.frames(), "frame"), source,
                     format.width, format.height, study::findingOf(proposal).line());
}

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
  json["command"] = command;
  json["command_line"] = study::commandLine(command);
  return json;
}

void probeSource(const ProbeOptions& options) {
  const Settings settings = options.settings.settings({});
  output::RunFiles files(output::filesRead({options.source}, settings, options.settings.config()));
  files.write(options.picture);
  const auto picture = options.picture.empty() ? nullptr : output::makePicture(options.picture, {});
  const auto source = capture::openSource(options.source);
  const gpu::Device device(capture::deviceOptions(settings.device));
  study::FrameSample sample(device, *source);
  const study::SettingsFor settingsFor = [&](const study::MarkerKind& kind) {
    return options.settings.settings(kind);
  };
  const bool shown = ::isatty(STDERR_FILENO) == 1;
  const study::Proposal proposal = study::propose(sample, settingsFor, [&](size_t trials) {
    if (!shown) return;
    fmt::print(stderr, "\r\x1b[Ktrial {} of at most {}", trials + 1, study::kMostTrials);
    std::fflush(stderr);
  });
  if (shown) fmt::print(stderr, "\r\x1b[K");
  std::vector<std::string> command{"glint", "track", options.source.shown()};
  for (std::string& word : options.settings.arguments()) command.push_back(std::move(word));
  for (std::string& word : study::argumentsOf(proposal)) command.push_back(std::move(word));
  std::FILE* const out = files.words();
  if (options.json) {
    fmt::print(out, "{}\n",
               toJson(proposal, sample, command)
                   .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else {
    tell(out, "{}\n", describe(proposal, sample, options.source.shown()));
    fmt::print(out, "{}\n", study::commandLine(command));
  }
  if (picture) writePicture(*picture, sample, study::settingsOf(proposal, settingsFor));
}

}  // namespace

void addProbeCommand(CLI::App& app) {
  const auto options = std::make_shared<ProbeOptions>();
  CLI::App* command = app.add_subcommand(
      "probe", "Look at a few frames, describe the markers, and print the command to track them");
  addValue(*command, "source", options->source, capture::sourceHelp(false), "SOURCE")->required();
  addFile(*command, "-o,--output", options->picture,
          "Picture of a frame with the markers that would be found (.png, .jpg)");
  command->add_flag("--json", options->json, "Print JSON instead of text");
  options->settings.addTo(*command, false);
  options->settings.addRegions(*command);
  command->callback([options] { probeSource(*options); });
}

}  // namespace glint::shell
