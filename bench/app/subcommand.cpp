#include "bench/app/subcommand.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "app/base/suffix.h"
#include "app/base/whole_file.h"
#include "app/capture/filter/host_filters.h"
#include "app/output/sinks/run_files.h"
#include "app/shell/commands/options.h"
#include "bench/app/live.h"
#include "bench/app/loop.h"
#include "bench/app/peers.h"
#include "bench/command.h"
#include "config/error.h"

namespace glint::bench {
namespace {

struct BenchOptions {
  std::shared_ptr<Options> measured;
  shell::SettingOptions settings;
  int threads = 2;
  Address loop;
  bool live = false;
};

/// The time of each program without --seconds, s: 300 frames of the made camera.
constexpr double kLiveSeconds = 5;

void runLive(const BenchOptions& options, const Settings& settings) {
  const Options& measured = *options.measured;
  if (measured.all || measured.quick || measured.volumes || measured.filters || measured.color ||
      !measured.layers.empty() || !measured.bits.empty() || !measured.detections.empty() ||
      !options.loop.empty())
    throw UsageError(
        "--live measures grey frames of a made camera; only --size, --markers and --seconds apply "
        "to it");
  auto sizes = sizesOf(measured);
  if (sizes.empty()) sizes = {{640, 480}, {1280, 720}};
  std::vector<uint32_t> markers = measured.markers;
  if (markers.empty()) markers = {3};
  std::vector<LiveCase> cases;
  for (const auto& [width, height] : sizes) {
    for (const uint32_t count : markers) {
      LiveCase one{.width = width, .height = height, .markers = count};
      const double seconds =
          measured.seconds != Options().seconds ? measured.seconds : kLiveSeconds;
      one.frames = static_cast<uint32_t>(std::max(3.0, one.rate * seconds));
      cases.push_back(one);
    }
  }
  const LiveResults results = measureLive(cases, settings);
  print(measured, toTable(results), toJson(results));
}

void runBench(const BenchOptions& options) {
  cv::setNumThreads(options.threads);
  const Options& measured = *options.measured;
  const Settings settings = options.settings.settings();
  std::vector<Address> sources;
  if (!options.loop.empty()) sources.push_back(options.loop);
  output::RunFiles files(output::filesRead(sources, settings, options.settings.config()));
  if (measured.json != "-") files.write(measured.json);
  files.write(measured.detections);
  if (measured.json != "-") base::checkSuffix(measured.json, "the figures", ".json");
  base::checkSuffix(measured.detections, "the table", ".csv");
  if (options.live) return runLive(options, settings);
  if (sources.empty()) {
    run(measured, settings,
        {measurePeers, measureFilterPeer, static_cast<uint32_t>(options.threads),
         capture::hostFilters()});
    return;
  }
  if (choosesFrames(measured))
    throw UsageError(
        "--loop measures the frames of its source; remove the options that choose other frames");
  const LoopResult loop = measureLoop(options.loop, settings);
  print(measured, toTable(loop), toJson(loop));
}

}  // namespace

void addBenchCommand(CLI::App& app) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand(
      "bench", "Measure detection on this machine, pass by pass, and compare it with OpenCV");
  options->measured = addOptions(*command);
  options->measured->write = [](const std::string& path, const std::string& text) {
    base::writeWholeFile(path, std::as_bytes(std::span(text)));
  };
  command->add_option("--threads", options->threads, "Threads that OpenCV may use")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  command
      ->add_option("--loop", options->loop,
                   "Measure `glint track` on this recording instead, and the share of decoding")
      ->type_name("SOURCE");
  command->add_flag(
      "--live", options->live,
      "Measure instead how soon markers of a live camera are known\nBeside Glint a plain loop of "
      "OpenCV runs. The camera is made: 60 frames a second of 640x480 and 1280x720 with 3 markers, "
      "unless --size or --markers say otherwise.");
  options->settings.addTo(*command);
  command->callback([options] { runBench(*options); });
}

}  // namespace glint::bench
