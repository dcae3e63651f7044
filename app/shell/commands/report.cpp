#include <filesystem>
#include <memory>
#include <span>

#include "app/base/suffix.h"
#include "app/base/whole_file.h"
#include "app/output/catalog/output_kind.h"
#include "app/output/report/page.h"
#include "app/output/report/run.h"
#include "app/output/sinks/run_files.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "config/error.h"

namespace glint::shell {
namespace {

struct ReportOptions {
  std::string tracks, stats, output = "report.html";
};

void writeReport(const ReportOptions& options) {
  const auto beside = std::filesystem::path(options.tracks).parent_path() / "stats.csv";
  output::RunFiles files(
      {options.tracks, options.stats, beside.string(), output::runRecordPath(options.tracks)});
  files.write(options.output);
  base::checkSuffix(options.output, "the report", ".html");
  const std::string page =
      output::report::makePage(output::report::readRun(options.tracks, options.stats));
  base::writeWholeFile(options.output, page);
  printText(files.words(), "the report of {} -> {}\n", options.tracks, options.output);
}

}  // namespace

void addReportCommand(CLI::App& app) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand(
      "report", "Write a report on tracks: one HTML page of charts that works offline");
  command->add_option("tracks", options->tracks, "tracks.csv from `glint track`")
      ->required()
      ->check(kNamesFile);
  addFile(*command, "-o,--output", options->output, "Page to write")->capture_default_str();
  addFile(*command, "--stats", options->stats,
          "stats.csv of the same run, for frame times and drops\nBy default the stats.csv "
          "beside the tracks, if there is one.");
  command->callback([options] { writeReport(*options); });
}

}  // namespace glint::shell
