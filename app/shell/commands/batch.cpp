#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "app/shell/commands/batch_table.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/tell.h"
#include "app/shell/commands/window_module.h"
#include "config/error.h"

namespace glint::shell {
namespace {

namespace fs = std::filesystem;

struct BatchOptions {
  std::string source, results = "tracks", profile = "local";
  std::vector<std::string> words;
  bool probe = false;
};

/// That of the workflow, of a user, or one that Snakemake knows.
std::string profileOf(const BatchOptions& options, const fs::path& workflow) {
  std::error_code error;
  for (const fs::path& place : {fs::path(options.profile), workflow / "profile" / options.profile})
    if (fs::exists(place / "config.yaml", error)) return fs::absolute(place).string();
  return options.profile;
}

/// In place of this process, so that signals reach it, and its exit status is ours.
[[noreturn]] void become(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  ::execvp(arguments[0], arguments.data());
  if (errno == ENOENT)
    throw Error(
        "glint batch needs Snakemake, which is not installed: apt install snakemake brings it");
  throw Error(fmt::format("cannot start snakemake: {}", std::strerror(errno)));
}

void runBatch(const BatchOptions& options) {
  const fs::path workflow = workflowFolder();
  std::error_code error;
  if (!fs::exists(options.source, error))
    throw UsageError(fmt::format(
        "there is no '{}': give a folder of recordings, or a table of them", options.source));
  if (isRecordingFile(options.source) && !fs::is_directory(options.source))
    throw UsageError(
        fmt::format("'{}' is a recording: give the folder that it is in, or a table of recordings",
                    options.source));
  const fs::path results = fs::absolute(options.results);
  fs::create_directories(results, error);
  if (error)
    throw Error(fmt::format("cannot make the folder '{}': {}", options.results, error.message()));
  fs::path table = fs::absolute(options.source);
  if (fs::is_directory(options.source)) {
    table = results / "recordings.csv";
    const size_t added = addRecordings(table, options.source, results, options.probe);
    tell("{} new recordings -> {}\n", added, table.string());
  } else if (options.probe) {
    throw UsageError("--probe is for a folder; a table says it in its column 'probe'");
  }
  std::vector<std::string> words{"snakemake",
                                 "--snakefile",
                                 (workflow / "Snakefile").string(),
                                 "--directory",
                                 results.string(),
                                 "--profile",
                                 profileOf(options, workflow),
                                 "--config",
                                 "table=" + table.string(),
                                 "glint=" + fs::read_symlink("/proc/self/exe").string()};
  words.insert(words.end(), options.words.begin(), options.words.end());
  become(std::move(words));
}

}  // namespace

void addBatchCommand(CLI::App& app) {
  const auto options = std::make_shared<BatchOptions>();
  CLI::App* command =
      app.add_subcommand("batch", "Track all recordings of a folder, here or on a cluster");
  command
      ->add_option("source", options->source,
                   "Folder of videos and folders of images, or a table of recordings")
      ->required()
      ->check(kNamesFile)
      ->type_name("FOLDER|TABLE");
  command
      ->add_option("snakemake", options->words,
                   "Options of Snakemake, after --: -- --dry-run or -- --unlock")
      ->type_name("WORD");
  command->add_option("-o,--output", options->results, "Folder for the results")
      ->capture_default_str()
      ->check(kNamesFile)
      ->type_name("FOLDER");
  command
      ->add_option("--profile", options->profile,
                   "Where it runs: local, slurm, or a folder with a profile of Snakemake")
      ->capture_default_str()
      ->type_name("NAME|FOLDER");
  command->add_flag("--probe", options->probe, "Look for the settings of each new recording first");
  command->callback([options] { runBatch(*options); });
}

}  // namespace glint::shell
