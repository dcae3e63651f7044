#include <filesystem>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/base/whole_file.h"
#include "app/commands/commands.h"
#include "app/commands/options.h"
#include "app/commands/tell.h"
#include "app/report/page.h"
#include "app/report/run.h"
#include "app/sinks/output_kind.h"
#include "app/sinks/run_files.h"
#include "config/error.h"

namespace glint {
namespace {

struct ReportOptions {
  std::string tracks, stats, output = "report.html";
};

void writeReport(const ReportOptions& options) {
  const auto beside = std::filesystem::path(options.tracks).parent_path() / "stats.csv";
  RunFiles({options.tracks, options.stats, beside.string(), runRecordPath(options.tracks)})
      .write(options.output);
  const std::string page = report::makePage(report::readRun(options.tracks, options.stats));
  writeWholeFile(options.output, std::as_bytes(std::span(page)));
  if (!isDevice(options.output) && !standardStream(options.output))
    tell("the report of {} -> {}\n", options.tracks, options.output);
}

}  // namespace

void addReportCommand(CLI::App& app) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand(
      "report", "Write a report on tracks: one HTML page of charts that works offline");
  command->add_option("tracks", options->tracks, "tracks.csv from `glint track`")
      ->required()
      ->check(kNamesFile);
  command->add_option("-o,--output", options->output, "Page to write")
      ->capture_default_str()
      ->check(kNamesFile)
      ->type_name("FILE");
  command
      ->add_option("--stats", options->stats,
                   "stats.csv of the same run, for frame times and drops\nBy default the stats.csv "
                   "beside the tracks, if there is one.")
      ->check(kNamesFile)
      ->type_name("FILE");
  command->callback([options] { writeReport(*options); });
}

}  // namespace glint
