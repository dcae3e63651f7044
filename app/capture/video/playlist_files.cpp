#include "app/capture/video/playlist_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace glint::capture {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = 1 << 20;
constexpr size_t kMostFiles = 10'000;

/// Returns the text of a list; empty if the file is not a list.
std::string listIn(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::ifstream file(path, std::ios::binary);
  std::array<char, 256> head{};
  file.read(head.data(), head.size());
  const std::string_view begin(head.data(), static_cast<size_t>(file.gcount()));
  const auto has = [&](std::string_view word) { return begin.find(word) != begin.npos; };
  if (!has("ffconcat") && !has("#EXTM3U") && !has("<MPD") && !has("<?xml")) return {};
  file.clear();
  file.seekg(0);
  std::string text(kMostBytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

/// Returns a text without its quotation, as FFmpeg's av_get_token() reads it: with parts in '' and
/// with
/// \\ before characters.
std::string unquoted(std::string_view text) {
  std::string plain;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'')
      quoted = !quoted;
    else if (text[i] == '\\' && !quoted && i + 1 < text.size())
      plain += text[++i];
    else
      plain += text[i];
  }
  return plain;
}

/// Returns all words of a line that may be the name of a file.
std::vector<std::string> namesIn(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  std::vector<std::string> names{std::string(line)};
  const size_t space = line.find(' ', line.find_first_not_of(" \t"));
  if (space != line.npos) names.push_back(unquoted(line.substr(space + 1)));
  constexpr std::string_view kApart = "\"'<>= \t,";
  for (size_t at = 0; at < line.size();) {
    const size_t end = std::min(line.find_first_of(kApart, at), line.size());
    if (end > at) names.emplace_back(line.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

/// Returns the files that a list names.
std::vector<fs::path> filesIn(const fs::path& list) {
  const std::string text = listIn(list);
  std::vector<fs::path> files;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    for (const std::string& name : namesIn(std::string_view(text).substr(at, end - at))) {
      std::error_code error;
      const fs::path file = list.parent_path() / fileOfAddress(name);
      if (!name.empty() && fs::exists(file, error) && !fs::is_directory(file, error))
        files.push_back(file);
    }
    at = end + 1;
  }
  return files;
}

}  // namespace

std::string fileOfAddress(const std::string& spec) {
  constexpr std::string_view kBegin = "file:";
  if (!spec.starts_with(kBegin)) return spec;
  return spec.substr(kBegin.size() + (spec.starts_with("file:///") ? 2 : 0));
}

std::vector<std::string> playlistFiles(const std::string& path) {
  std::set<std::string> found;
  std::vector<fs::path> lists{path};
  while (!lists.empty()) {
    const fs::path list = std::move(lists.back());
    lists.pop_back();
    for (const fs::path& file : filesIn(list))
      if (found.size() < kMostFiles && found.insert(file.string()).second) lists.push_back(file);
  }
  return {found.begin(), found.end()};
}

}  // namespace glint::capture
