#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/base/csv_reader.h"
#include "app/base/paths.h"
#include "app/base/whole_file.h"
#include "app/capture/images/image_list.h"
#include "app/capture/images/image_source.h"
#include "app/capture/source/source_kinds.h"
#include "app/output/tables/table.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/shell/commands/window_module.h"
#include "config/error.h"
#include "config/lower_case.h"
#include "config/printable.h"

namespace glint::shell {
namespace {

namespace fs = std::filesystem;

struct BatchOptions {
  std::string source, results = "tracks", profile = "local";
  std::vector<std::string> words;
  bool probe = false;
};

/// Returns true if the suffix is that of a video or an image that Glint reads.
bool isRecordingFile(const fs::path& path) {
  const std::string suffix = lowerCase(path.extension().string());
  const auto suffixes = capture::recordingSuffixes();
  return std::ranges::find(suffixes, suffix) != suffixes.end();
}

constexpr const char* kHeader = "recording,settings,rig,options,truth,probe\n";

bool isHidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

/// Adds the recordings in `folder` and below to `found`.
void collect(const fs::path& folder, const fs::path& without, std::vector<fs::path>& found) {
  std::vector<fs::path> videos, folders;
  bool images = false;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    if (isHidden(at->path())) continue;
    if (at->is_directory(unknown)) {
      // Links are not followed, as they may lead in a circle.
      if (!at->is_symlink(unknown) && !fs::equivalent(at->path(), without, unknown))
        folders.push_back(at->path());
    } else if (at->exists(unknown) && !at->is_regular_file(unknown)) {
      continue;  // reading a pipe would wait for it
    } else if (isRecordingFile(at->path())) {
      (capture::isImageSpec(at->path().string()) ? images = true
                                                 : (videos.push_back(at->path()), false));
    }
  }
  if (error) throw Error("cannot list '{}': {}", folder.string(), error.message());
  if (images && videos.empty()) found.push_back(folder);
  found.insert(found.end(), videos.begin(), videos.end());
  for (const fs::path& below : folders) collect(below, without, found);
}

/// A table of recordings as it is, and what a new row needs to know of it.
struct RecordingTable {
  std::string text = kHeader;        ///< ends with a line's end
  std::set<std::string> recordings;  ///< those that it names
  size_t width = 6, recording = 0;   ///< columns of `text`, and the place of this one
  std::optional<size_t> truth = 4, probe = 5;
};

/// Throws Error where it is no table of CsvReader with a column `recording`.
RecordingTable readTable(const fs::path& path) {
  RecordingTable table;
  std::error_code error;
  if (!fs::exists(path, error) || fs::file_size(path, error) == 0) return table;
  base::CsvReader csv(path.string(), std::array<std::string_view, 1>{"recording"},
                      std::array<std::string_view, 2>{"truth", "probe"});
  const auto placeOf = [&](size_t column) {
    return csv.has(column) ? std::optional(csv.place(column)) : std::nullopt;
  };
  table.width = csv.width();
  table.recording = csv.place(0);
  table.truth = placeOf(1);
  table.probe = placeOf(2);
  while (csv.next()) table.recordings.emplace(csv.text(0));
  std::ifstream file(path, std::ios::binary);
  table.text.assign(std::istreambuf_iterator<char>(file), {});
  if (!file.good() && !file.eof()) throw Error("cannot read '{}'", path.string());
  if (!table.text.ends_with('\n')) table.text += '\n';
  return table;
}

/// A row of the table's columns; those that Glint does not fill stay empty.
std::string rowOf(const RecordingTable& table, const fs::path& recording, bool probe) {
  fs::path truth = recording;
  truth.replace_extension(".truth.csv");
  std::error_code error;
  std::string row;
  for (size_t column = 0; column < table.width; ++column) {
    if (column > 0) row += ',';
    if (column == table.recording) output::appendCsv(row, recording.string(), 0);
    if (column == table.truth && fs::exists(truth, error))
      output::appendCsv(row, truth.string(), 0);
    if (column == table.probe && probe) row += "yes";
  }
  return row + '\n';
}

/// Adds the recordings below `folder` that the table `path` does not name yet. These are videos,
/// and folders of images without a video beside them. Hidden files, and those below `without`, are
/// left out. Makes the table if there is none. Existing rows stay as they are. A file
/// STEM.truth.csv beside a recording is its truth. If `probe`, new rows ask for a probe.
/// workflow/table.py describes the columns. Returns the number of new rows. Throws UsageError if
/// there is neither a row nor a recording, and Error for a file that cannot be read or written.
size_t addRecordings(const fs::path& path, const fs::path& folder, const fs::path& without,
                     bool probe) {
  std::vector<fs::path> found;
  collect(fs::canonical(folder), without, found);
  std::ranges::sort(found, [](const fs::path& a, const fs::path& b) {
    return capture::naturalLess(a.string(), b.string());
  });
  const RecordingTable table = readTable(path);
  std::string text = table.text;
  size_t added = 0;
  for (const fs::path& recording : found) {
    if (table.recordings.contains(recording.string())) continue;
    if (recording.string().find('|') != std::string::npos)
      throw UsageError(
          "'{}' has a | in its name, which stands between cameras in the table; rename it",
          recording.string());
    if (recording.string().find_first_of("\r\n") != std::string::npos)
      throw UsageError(
          "'{}' has a line break in its name, which ends a row of the table; rename it",
          recording.string());
    text += rowOf(table, recording, probe);
    ++added;
  }
  if (found.empty() && text == kHeader)
    throw UsageError("there is no recording in '{}': neither a video nor a folder of images",
                     folder.string());
  if (added > 0) base::writeWholeFile(path.string(), text);
  return added;
}

/// Returns the text as Snakemake reads it in --config, which is YAML: there a text may also mean a
/// mapping ("a: b") or end at a remark ("a #b"). JSON's way to quote is one of YAML's. What is not
/// UTF-8 is no YAML, and Snakemake takes it as it is.
std::string yamlOf(const std::string& text) {
  for (size_t at = 0; at < text.size(); at += characterLength(std::string_view(text).substr(at)))
    if (characterLength(std::string_view(text).substr(at)) == 0) return text;
  return nlohmann::json(text).dump();
}

/// A profile of the workflow, one of the user, or one that Snakemake knows.
std::string profileOf(const BatchOptions& options, const fs::path& workflow) {
  std::error_code error;
  for (const fs::path& place : {fs::path(options.profile), workflow / "profile" / options.profile})
    if (fs::exists(place / "config.yaml", error)) return fs::absolute(place).string();
  return options.profile;
}

/// Replaces this process, so that signals reach the program, and its exit status is ours.
[[noreturn]] void become(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  ::execvp(arguments[0], arguments.data());
  if (errno == ENOENT)
    throw Error(
        "glint batch needs Snakemake, which is not installed: apt install snakemake brings it");
  throw Error("cannot start snakemake: {}", std::strerror(errno));
}

void runBatch(const BatchOptions& options) {
  const fs::path workflow = workflowFolder();
  std::error_code error;
  if (!fs::exists(options.source, error))
    throw UsageError("there is no '{}': give a folder of recordings, or a table of them",
                     options.source);
  if (isRecordingFile(options.source) && !fs::is_directory(options.source))
    throw UsageError("'{}' is a recording: give the folder that it is in, or a table of recordings",
                     options.source);
  const fs::path results = fs::absolute(options.results);
  base::makeFolder(options.results);
  fs::path table = fs::absolute(options.source);
  if (fs::is_directory(options.source)) {
    table = results / "recordings.csv";
    const size_t added = addRecordings(table, options.source, results, options.probe);
    printText("{} new recordings -> {}\n", added, table.string());
  } else if (options.probe) {
    throw UsageError("--probe is for folders; in a table, use the column 'probe'");
  }
  std::vector<std::string> words{"snakemake",
                                 "--snakefile",
                                 (workflow / "Snakefile").string(),
                                 "--directory",
                                 results.string(),
                                 "--profile",
                                 profileOf(options, workflow),
                                 "--config",
                                 "table=" + yamlOf(table.string()),
                                 "glint=" + fs::read_symlink("/proc/self/exe").string()};
  words.insert(words.end(), options.words.begin(), options.words.end());
  become(std::move(words));
}

}  // namespace

void addBatchCommand(CLI::App& app) {
  const auto options = std::make_shared<BatchOptions>();
  CLI::App* command =
      app.add_subcommand("batch", "Track all recordings of a folder, here or on a cluster");
  addFile(*command, "source", options->source,
          "Folder of videos and folders of images, or a table of recordings", "FOLDER|TABLE")
      ->required();
  addValue(*command, "snakemake", options->words,
           "Options of Snakemake, after --: -- --dry-run or -- --unlock", "WORD");
  addFile(*command, "-o,--output", options->results, "Folder for the results", "FOLDER")
      ->capture_default_str();
  addValue(*command, "--profile", options->profile,
           "Where it runs: local, slurm, or a folder with a profile of Snakemake", "NAME|FOLDER")
      ->capture_default_str();
  command->add_flag("--probe", options->probe, "Look for the settings of each new recording first");
  command->callback([options] { runBatch(*options); });
}

}  // namespace glint::shell
