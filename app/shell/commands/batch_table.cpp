#include "app/shell/commands/batch_table.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "app/base/lower_case.h"
#include "app/base/whole_file.h"
#include "app/capture/images/image_source.h"
#include "app/capture/source/source_kinds.h"
#include "config/error.h"

namespace glint::shell {

namespace fs = std::filesystem;

bool isRecordingFile(const fs::path& path) {
  const std::string suffix = base::lowerCase(path.extension().string());
  const auto suffixes = capture::recordingSuffixes();
  return std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end();
}

namespace {

constexpr const char* kHeader = "recording,settings,rig,options,truth,probe\n";

bool isHidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

/// What is to be tracked in `folder`, and below.
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
  if (error) throw Error(fmt::format("cannot list '{}': {}", folder.string(), error.message()));
  if (images && videos.empty()) found.push_back(folder);
  found.insert(found.end(), videos.begin(), videos.end());
  for (const fs::path& below : folders) collect(below, without, found);
}

/// A cell of CSV.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
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
  if (!file.good() && !file.eof()) throw Error(fmt::format("cannot read '{}'", path.string()));
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
    if (column == "recording") row += quoted(recording.string());
    if (column == "truth" && fs::exists(truth, error)) row += quoted(truth.string());
    if (column == "probe" && probe) row += "yes";
  }
  return row + '\n';
}

}  // namespace

size_t addRecordings(const fs::path& path, const fs::path& folder, const fs::path& without,
                     bool probe) {
  std::vector<fs::path> found;
  collect(fs::canonical(folder), without, found);
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
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
      throw UsageError(fmt::format(
          "'{}' has a | in its name, which stands between cameras in the table; rename it",
          recording.string()));
    text += rowOf(header, recording, probe);
    ++added;
  }
  if (found.empty() && text == kHeader)
    throw UsageError(fmt::format(
        "there is no recording in '{}': neither a video nor a folder of images", folder.string()));
  if (added > 0) base::writeWholeFile(path.string(), std::as_bytes(std::span(text)));
  return added;
}

}  // namespace glint::shell
