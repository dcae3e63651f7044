#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <unistd.h>

#include "app/base/paths.h"
#include "app/base/text.h"
#include "app/base/whole_file.h"
#include "app/capture/images/image_list.h"
#include "app/capture/images/image_source.h"
#include "app/capture/source/source_kinds.h"
#include "app/output/tables/table.h"
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

/// Returns true if the suffix is that of a video or an image that Glint reads.
bool isRecordingFile(const fs::path& path) {
  const std::string suffix = base::lowerCase(path.extension().string());
  const auto suffixes = capture::recordingSuffixes();
  return std::ranges::find(suffixes, suffix) != suffixes.end();
}

constexpr const char* kHeader = "recording,settings,rig,options,truth,probe\n";

bool isHidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

/// Adds to `found` what is to be tracked in `folder` and below.
void collect(const fs::path& folder, const fs::path& without, std::vector<fs::path>& found) {
  std::vector<fs::path> videos, folders;
  bool images = false;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    if (isHidden(at->path())) continue;
    if (at->is_directory(unknown)) {
      // Links may lead in a circle.
      if (!at->is_symlink(unknown) && !fs::equivalent(at->path(), without, unknown))
        folders.push_back(at->path());
    } else if (at->exists(unknown) && !at->is_regular_file(unknown)) {
      continue;  // a pipe would be waited for
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

/// Every cell of the CSV `text`: the recordings are among them, in whatever column.
std::set<std::string> cellsOf(const std::string& text) {
  std::set<std::string> cells;
  std::string cell;
  bool within = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      if (within && i + 1 < text.size() && text[i + 1] == '"')
        cell += text[++i];
      else
        within = !within;
    } else if (!within && (c == ',' || c == '\n' || c == '\r')) {
      cells.insert(std::exchange(cell, {}));
    } else {
      cell += c;
    }
  }
  cells.insert(cell);
  return cells;
}

std::string readTable(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return kHeader;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.good() && !file.eof()) throw Error("cannot read '{}'", path.string());
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

/// A row for what `header` names; other columns stay empty.
std::string rowOf(const std::string& header, const fs::path& recording, bool probe) {
  fs::path truth = recording;
  truth.replace_extension(".truth.csv");
  std::error_code error;
  std::string row;
  size_t at = 0;
  for (bool first = true; at <= header.size(); first = false) {
    const size_t end = std::min(header.find(',', at), header.size());
    const std::string column = header.substr(at, end - at);
    at = end + 1;
    if (!first) row += ',';
    if (column == "recording") output::appendCsv(row, recording.string(), 0);
    if (column == "truth" && fs::exists(truth, error)) output::appendCsv(row, truth.string(), 0);
    if (column == "probe" && probe) row += "yes";
  }
  return row + '\n';
}

/// Adds to the table `path` the recordings below `folder` that it does not name yet: videos, and
/// folders of images without a video beside them; not what is hidden, nor below `without`. Where
/// there is no table it is made. Rows that are there stay as they are. A file STEM.truth.csv beside
/// a recording is its truth. `probe`: new rows ask for a probe. workflow/table.py tells the
/// columns. Returns how many rows are new. Throws UsageError where there is neither a row nor a
/// recording, Error for what cannot be read or written.
size_t addRecordings(const fs::path& path, const fs::path& folder, const fs::path& without,
                     bool probe) {
  std::vector<fs::path> found;
  collect(fs::canonical(folder), without, found);
  std::ranges::sort(found, [](const fs::path& a, const fs::path& b) {
    return capture::naturalLess(a.string(), b.string());
  });
  std::string text = readTable(path);
  const std::set<std::string> known = cellsOf(text);
  std::string header = text.substr(0, text.find('\n'));
  if (header.ends_with('\r')) header.pop_back();
  size_t added = 0;
  for (const fs::path& recording : found) {
    if (known.contains(recording.string())) continue;
    if (recording.string().find('|') != std::string::npos)
      throw UsageError(
          "'{}' has a | in its name, which stands between cameras in the table; rename it",
          recording.string());
    text += rowOf(header, recording, probe);
    ++added;
  }
  if (found.empty() && text == kHeader)
    throw UsageError("there is no recording in '{}': neither a video nor a folder of images",
                     folder.string());
  if (added > 0) base::writeWholeFile(path.string(), text);
  return added;
}

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
