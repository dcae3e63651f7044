#include <memory>
#include <span>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "app/base/whole_file.h"
#include "app/bench/filter_peers.h"
#include "app/bench/loop.h"
#include "app/bench/peers.h"
#include "app/commands/commands.h"
#include "app/commands/options.h"
#include "app/sinks/run_files.h"
#include "bench/command.h"
#include "config/error.h"

namespace glint {
namespace {

struct BenchOptions {
  std::shared_ptr<bench::Options> measured;
  SettingOptions settings;
  int threads = 2;
  std::string loop;
};

void runBench(const BenchOptions& options) {
  cv::setNumThreads(options.threads);
  const bench::Options& measured = *options.measured;
  const Settings settings = options.settings.settings();
  std::vector<std::string> sources;
  if (!options.loop.empty()) sources.push_back(options.loop);
  RunFiles files(filesRead(sources, settings, options.settings.config()));
  if (measured.json != "-") files.write(measured.json);
  files.write(measured.detections);
  if (sources.empty()) {
    bench::run(measured, settings,
               {measurePeers, measureFilterPeer, static_cast<uint32_t>(options.threads)});
    return;
  }
  if (bench::choosesFrames(measured))
    throw UsageError(
        "--loop measures the frames of its source; remove the options that choose other frames");
  const LoopResult loop = measureLoop(options.loop, settings);
  bench::print(measured, toTable(loop), toJson(loop));
}

}  // namespace

void addBenchCommand(CLI::App& app) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand(
      "bench", "Measure detection on this machine, pass by pass, and compare it with OpenCV");
  options->measured = bench::addOptions(*command);
  options->measured->write = [](const std::string& path, const std::string& text) {
    writeWholeFile(path, std::as_bytes(std::span(text)));
  };
  command->add_option("--threads", options->threads, "Threads that OpenCV may use")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  command
      ->add_option("--loop", options->loop,
                   "Measure `glint track` on this recording instead, and the share of decoding")
      ->type_name("SOURCE");
  options->settings.addTo(*command);
  command->callback([options] { runBench(*options); });
}

}  // namespace glint
