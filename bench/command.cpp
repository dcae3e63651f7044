#include "bench/command.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <unistd.h>

#include "bench/filters.h"
#include "bench/result_text.h"
#include "bench/volumes.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::bench {
namespace {

std::pair<uint32_t, uint32_t> readSize(const std::string& text) {
  uint32_t width = 0;
  uint32_t height = 0;
  const char* const end = text.data() + text.size();
  const auto [x, bad] = std::from_chars(text.data(), end, width);
  if (bad == std::errc() && x != end && *x == 'x') {
    const auto [rest, worse] = std::from_chars(x + 1, end, height);
    if (worse == std::errc() && rest == end && width > 0 && height > 0 && width <= 32768 &&
        height <= 32768) {
      return {width, height};
    }
  }
  throw UsageError("--size " + text +
                   ": write WIDTHxHEIGHT, 1 to 32768 px each, such as 1920x1080");
}

bool namesFrames(const Options& options) {
  return options.color || !options.sizes.empty() || !options.layers.empty() ||
         !options.markers.empty() || !options.bits.empty();
}

std::vector<Case> chooseCases(const Options& options) {
  Axes axes{.sizes = {},
            .layers = options.layers,
            .markers = options.markers,
            .bits = options.bits,
            .channels = {}};
  axes.sizes = sizesOf(options);
  if (options.color) axes.channels.push_back(3);
  const bool chosen = namesFrames(options);
  if (int{chosen} + int{options.all} + int{options.quick} > 1)
    throw UsageError("--all and --quick choose the frames themselves; give one of them alone");
  if (options.all) return everyCase();
  if (options.quick) return quickCases();
  return chosen ? combine(axes) : usualCases();
}

Effort effortOf(double seconds) {
  return {.warmUp = seconds / 3, .measure = seconds};
}

/// Throws Error if the file cannot be written, so that no minutes are spent on figures that would
/// be lost. Leaves no file where there was none.
void checkWritable(const std::string& path) {
  if (path.empty() || path == "-") return;
  std::error_code error;
  const bool there = std::filesystem::exists(path, error);
  if (!std::ofstream(path, std::ios::app)) throw Error("cannot write '" + path + "'");
  if (!there) std::filesystem::remove(path, error);
}

/// A line on a terminal that shows which case was measured last, and disappears at the end.
class ProgressLine {
 public:
  explicit ProgressLine(size_t steps) : steps_(steps) {}
  ~ProgressLine() {
    if (shown_) std::fprintf(stderr, "\r\x1b[K");
  }
  void next(const std::string& done) {
    if (shown_) std::fprintf(stderr, "\r\x1b[K%zu/%zu  %s", ++done_, steps_, done.c_str());
  }

 private:
  bool shown_ = ::isatty(STDERR_FILENO) == 1;
  size_t steps_, done_ = 0;
};

/// Runs `measure`, which is given a function to call after each of the `cases` cases.
template <class Result>
std::vector<Result> withProgress(size_t cases, const auto& measure) {
  ProgressLine progress(cases);
  return measure([&](const Result& r) { progress.next(describe(r.what)); });
}

void runVolumes(const Options& options, const Settings& settings) {
  if (options.all || namesFrames(options) || !options.detections.empty())
    throw UsageError("--volumes measures volumes; remove the options that choose frames");
  checkWritable(options.json);
  const double seconds = options.quick ? 0.02 : options.seconds;
  const gpu::Device device({settings.device.name, settings.device.validation});
  std::vector<uint32_t> sides = options.sides;
  if (sides.empty() && options.quick) sides = {32, 64};
  if (sides.empty()) sides = {64, 128, 256};
  if (options.sides.empty() && !options.quick && device.info().type != "cpu") sides.push_back(512);
  const auto cases = volumeCases(sides);
  const auto results = withProgress<VolumeResult>(cases.size(), [&](const auto& done) {
    return measureVolumes(device, cases, effortOf(seconds), done);
  });
  print(options, toTable(device.info(), results), toJson(device.info(), results));
}

std::vector<FilterCase> chooseFilters(const Options& options) {
  Axes axes{.sizes = {}, .layers = {}, .markers = {}, .bits = options.bits, .channels = {}};
  axes.sizes = sizesOf(options);
  if (options.quick && axes.sizes.empty()) axes.sizes = {{160, 120}};
  if (options.color) axes.channels.push_back(3);
  std::vector<FilterCase> cases;
  for (const Case& one : combine(axes)) {
    const gpu::ImageFormat& image = one.format.image;
    const auto more = filterCases(image.width, image.height, image.channels, image.bits);
    std::copy_if(more.begin(), more.end(), std::back_inserter(cases), [&](const FilterCase& c) {
      return options.only.empty() ||
             std::any_of(options.only.begin(), options.only.end(), [&](const std::string& text) {
               return c.name.find(text) != std::string::npos;
             });
    });
  }
  if (cases.empty()) throw UsageError("--only: no filter's name contains that");
  return cases;
}

void runFilters(const Options& options, const Settings& settings, const Peers& peers) {
  if (options.volumes || options.all || !options.layers.empty() || !options.markers.empty() ||
      !options.detections.empty() || !options.sides.empty())
    throw UsageError(
        "--filters measures filters; only --size, --bits, --color, --only and --quick apply to it");
  const auto cases = chooseFilters(options);
  checkWritable(options.json);
  const double seconds = options.quick ? 0.0 : options.seconds;
  const gpu::Device device({.name = settings.device.name,
                            .validation = settings.device.validation,
                            .hostFilters = peers.hostFilters});
  const auto results = withProgress<FilterResult>(cases.size(), [&](const auto& done) {
    return measureFilters(device, cases, effortOf(seconds), peers.filter, done);
  });
  print(options, toTable(device.info(), peers.threads, results),
        toJson(device.info(), peers.threads, results));
}

}  // namespace

std::shared_ptr<Options> addOptions(CLI::App& command) {
  auto options = std::make_shared<Options>();
  const auto list = [&](const char* name, auto& values, const char* help) {
    return command.add_option(name, values, help)->allow_extra_args(false);
  };
  list("--size", options->sizes, "Frame size; may be repeated")->type_name("WxH");
  list("--layers", options->layers, "Cameras measured at once; may be repeated")
      ->check(CLI::Range(1, 16))
      ->type_name("N");
  list("--markers", options->markers, "Markers in each image; may be repeated")
      ->check(CLI::Range(0, 4096))
      ->type_name("N");
  list("--bits", options->bits, "Bits per channel; may be repeated")
      ->check(CLI::IsMember({"8", "16"}));
  command.add_flag("--color", options->color, "Measure colour instead of grey");
  command.add_flag("--all", options->all, "Measure all 300 combinations; takes long without a GPU");
  command.add_flag("--quick", options->quick, "Measure a few small frames, in seconds");
  command.add_flag("--volumes", options->volumes,
                   "Measure distance transforms of volumes instead, on the host as well");
  command.add_flag("--filters", options->filters,
                   "Measure filters instead of detection\nFrames are 1920x1080, grey and 8 bit, "
                   "unless --size, --bits or --color say otherwise.");
  list("--only", options->only, "With --filters: those whose names contain this; may be repeated")
      ->type_name("TEXT");
  list("--side", options->sides,
       "With --volumes: side of the cubes; may be repeated\nBy default 64, 128, 256 and, on a GPU, "
       "512.")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  command.add_option("--seconds", options->seconds, "Time spent on each figure")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 60.0))
      ->check([](const std::string& text) {  // because CLI::Range lets "nan" pass
        return std::string(text.find("nan") == std::string::npos ? "" : "must be a number");
      });
  command
      .add_option("--detections", options->detections,
                  "Write the markers found as CSV, to compare devices")
      ->type_name("FILE");
  command
      .add_option("--json", options->json,
                  "Write all figures as JSON; - prints them instead of the table")
      ->type_name("FILE");
  return options;
}

std::vector<std::pair<uint32_t, uint32_t>> sizesOf(const Options& options) {
  std::vector<std::pair<uint32_t, uint32_t>> sizes;
  for (const auto& size : options.sizes) sizes.push_back(readSize(size));
  return sizes;
}

bool choosesFrames(const Options& options) {
  return options.all || options.quick || options.volumes || options.filters || namesFrames(options);
}

void writePlainly(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw Error("cannot write '" + path + "'");
}

void print(const Options& options, const std::string& table, const std::string& json) {
  if (options.json == "-") {
    std::cout << json;
    return;
  }
  std::cout << printable(table, true);
  if (!options.json.empty()) options.write(options.json, json);
}

void run(const Options& options, const Settings& settings, const Peers& peers) {
  if (options.filters) return runFilters(options, settings, peers);
  if (options.volumes) return runVolumes(options, settings);
  if (!options.sides.empty()) throw UsageError("--side needs --volumes");
  if (!options.only.empty()) throw UsageError("--only needs --filters");
  const auto cases = chooseCases(options);
  checkWritable(options.json);
  checkWritable(options.detections);
  const double seconds = options.quick ? 0.02 : options.seconds;
  const gpu::Device device({settings.device.name, settings.device.validation});
  const auto results = withProgress<Result>(cases.size(), [&](const auto& done) {
    return measureAll(device, settings, cases, effortOf(seconds), peers.detection, done);
  });
  if (!options.detections.empty()) options.write(options.detections, toCsv(results));
  const Conditions conditions{device.info(), peers.threads};
  print(options, toTable(conditions, results), toJson(conditions, results));
}

}  // namespace glint::bench
