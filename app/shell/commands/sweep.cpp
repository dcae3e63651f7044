#include "app/study/sweep/sweep.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <opencv2/core.hpp>
#include <unistd.h>

#include "app/base/suffix.h"
#include "app/base/whole_file.h"
#include "app/capture/filter/host_filters.h"
#include "app/capture/images/image_codecs.h"
#include "app/capture/source/interrupt.h"
#include "app/motion/track/samples.h"
#include "app/output/pictures/image_writer.h"
#include "app/output/sinks/run_files.h"
#include "app/output/tables/table.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/study/advice/remedy.h"
#include "app/study/sweep/heat_map.h"
#include "config/error.h"
#include "config/setting_key.h"

namespace glint::shell {
namespace {

struct Options {
  std::vector<Address> sources;
  std::vector<std::string> over;
  SettingOptions settings;
  std::optional<uint64_t> frames;
  std::string truth, table = "sweep.csv", picture;
};

/// A line that shows the progress on a terminal.
class SweepProgress {
 public:
  ~SweepProgress() {
    if (written_) fmt::print(stderr, "\r\x1b[K");
  }
  void update(uint64_t frames) {
    constexpr std::chrono::milliseconds kInterval{200};
    const auto now = std::chrono::steady_clock::now();
    if (!shown_ || now - last_ < kInterval) return;
    last_ = now;
    fmt::print(stderr, "\r\x1b[K{} frames", frames);
    std::fflush(stderr);
    written_ = true;
  }

 private:
  const bool shown_ = ::isatty(STDERR_FILENO) == 1;
  bool written_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// Returns a figure with this many decimals; an empty cell for nan.
std::string figure(double value, int decimals) {
  return std::isnan(value) ? "" : fmt::format("{:.{}f}", value, decimals);
}

std::string tableOf(const std::vector<study::SweepAxis>& axes,
                    const std::vector<study::Combination>& combinations, const study::SweepRun& run,
                    size_t best) {
  std::string text;
  for (const study::SweepAxis& axis : axes) text += axis.key + ',';
  text += "detection,score,best,tracks,rows,length,gaps,residual_px,jumps,halves,lasting";
  const bool scored = run.results.front().score.has_value();
  text += scored ? ",recall,precision,mota,idf1,hota,rmse_px,median_error_px\n" : "\n";
  for (size_t i = 0; i < combinations.size(); ++i) {
    for (const std::string& value : combinations[i].values) {
      output::appendCsv(text, value, 0);
      text += ',';
    }
    const study::SweepResult& result = run.results[i];
    const study::Rating& r = result.rating;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}", combinations[i].detection,
                        figure(result.value(), 4), i == best ? 1 : 0, r.tracks, r.rows,
                        figure(r.length, 1), figure(r.gaps, 4), figure(r.residual, 4), r.jumps,
                        figure(r.halves, 4), figure(r.lasting, 4));
    if (scored) {
      const study::Score& s = *result.score;
      for (const double value :
           {s.recall, s.precision, s.mota, s.idf1, s.hota, s.rmse, s.medianError})
        text += ',' + figure(value, 4);
    }
    text += '\n';
  }
  return text;
}

/// Returns the command that tracks with the settings of the best combination.
std::string commandOf(const Options& options, const std::vector<study::SweepAxis>& axes,
                      const study::Combination& best) {
  std::vector<std::string> words{"glint", "track"};
  for (const Address& source : options.sources) words.push_back(source.shown());
  for (std::string& word : options.settings.arguments()) words.push_back(std::move(word));
  for (size_t i = 0; i < axes.size(); ++i) {
    words.emplace_back("--set");
    words.push_back(axes[i].key + '=' + best.values[i]);
  }
  return study::commandLine(words);
}

output::RunFiles filesOf(const Options& options, const Settings& settings) {
  auto read = output::filesRead(options.sources, settings, options.settings.config());
  read.push_back(options.truth);
  output::RunFiles files(read);
  files.write(options.table);
  files.write(options.picture);
  base::checkSuffix(options.table, "the table", ".csv");
  if (!options.picture.empty() && !capture::writesImages(options.picture))
    throw UsageError("the picture '{}' needs a name that ends in .png or .jpg", options.picture);
  return files;
}

void runSweep(const Options& options) {
  std::vector<study::SweepAxis> axes;
  for (const std::string& text : options.over) axes.push_back(study::parseAxis(text));
  const Settings settings = options.settings.settings();
  const auto combinations = study::combine(axes, settings);
  const output::RunFiles files = filesOf(options, settings);
  const auto truth =
      options.truth.empty() ? std::vector<motion::Sample>() : motion::readTruth(options.truth);
  if (!options.truth.empty() && truth.empty())
    throw UsageError("the truth '{}' holds no marker", options.truth);
  const gpu::Device device(capture::deviceOptions(settings.device));
  SweepProgress progress;
  capture::Interrupt never;  // a signal ends the program: nothing is written before the end
  const study::SweepRun run =
      study::sweep(device, combinations,
                   {.sources = options.sources,
                    .frames = options.frames,
                    .truth = truth,
                    .progress = [&](uint64_t frames) { progress.update(frames); }},
                   never);
  const size_t best = run.best();
  const std::string table = tableOf(axes, combinations, run, best);
  const bool scored = !truth.empty();
  // First, so that a full disk costs the files alone.
  std::FILE* const out = files.words();
  printText(out, "{} combinations, {} frames, markers found with {} different settings -> {}\n",
            combinations.size(), run.frames,
            1 + std::ranges::max_element(combinations,
                                         [](auto& a, auto& b) { return a.detection < b.detection; })
                    ->detection,
            options.table);
  if (scored && options.frames && std::ranges::any_of(truth, [&](const motion::Sample& sample) {
        return sample.frame >= run.frames;
      }))
    printText(out, "the truth counts up to frame {}, the last one tracked\n", run.frames - 1);
  const study::SweepResult& found = run.results[best];
  printText(out, "best: {} {:.4f}, {} tracks, {} rows\n", scored ? "IDF1" : "score", found.value(),
            found.rating.tracks, found.rating.rows);
  printText(out, "{}\n", commandOf(options, axes, combinations[best]));
  base::writeWholeFile(options.table, table);
  if (!options.picture.empty()) {
    std::vector<double> values;
    for (const study::SweepResult& result : run.results) values.push_back(result.value());
    const char* name = scored ? "IDF1" : "score: markers that last";
    output::writeImage(options.picture, study::heatMap(axes, values, best, name));
  }
  if (!run.failure.empty()) throw Error(run.failure);
}

}  // namespace

void addSweepCommand(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("sweep", "Track a recording with ranges of settings, and name the best");
  addSources(*command, options->sources,
             "Recordings, one for each camera: whatever glint track takes, but live")
      ->required();
  addValue(*command, "--over", options->over,
           fmt::format("Range of a setting, such as {}=4:12:2; may be repeated\nBoth ends are "
                       "tried. {}=peaks,blobs lists values. Several --over try every combination.",
                       "detect.separation"_key, "detect.method"_key),
           "KEY=FROM:TO:STEP")
      ->required()
      ->allow_extra_args(false);
  addFile(*command, "--truth", options->truth,
          "truth.csv: the highest IDF1 is best\nWithout it, the highest score: markers "
          "that last as long as the recording, evenly over its halves.");
  addFile(*command, "-o,--output", options->table, "Table of all combinations")
      ->capture_default_str();
  addFile(*command, "--picture", options->picture, "Heat map with the best marked (.png, .jpg)");
  addValue(*command, "--frames", options->frames, "Stop after this many frames", "N",
           wholeNumber(1));
  options->settings.addTo(*command, false);
  options->settings.addRegions(*command);
  options->settings.addFilters(*command);
  command->callback([options] { runSweep(*options); });
}

}  // namespace glint::shell
