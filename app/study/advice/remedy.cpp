#include "app/study/advice/remedy.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

namespace glint::study {
namespace {

/// True if a shell does not treat the character specially.
bool isPlain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-_./=,:+@%").find(c) != std::string_view::npos;
}

/// Applies all parts of the remedy except the kind of marker.
void applySets(const Remedy& remedy, Settings& settings) {
  for (const std::string& set : remedy.sets) setFromText(settings, set, "probe");
  std::string& ignored = settings.detect.ignore;
  if (!remedy.ignore.empty()) ignored += (ignored.empty() ? "" : "; ") + remedy.ignore;
}

}  // namespace

Settings settingsOf(const Remedy& remedy, const SettingsFor& settingsFor) {
  Settings settings = settingsFor(remedy.kind);
  applySets(remedy, settings);
  return settings;
}

void apply(const Remedy& remedy, Settings& settings) {
  apply(remedy.kind, settings);
  applySets(remedy, settings);
}

std::vector<std::string> argumentsOf(const Remedy& remedy) {
  std::vector<std::string> words;
  if (remedy.kind.dark) words.emplace_back("--dark");
  if (remedy.kind.radius) {
    words.emplace_back("--marker-radius");
    words.push_back(fmt::format("{}", *remedy.kind.radius));
  }
  if (remedy.kind.elongated) words.emplace_back("--elongated");
  for (const std::string& set : remedy.sets) {
    words.emplace_back("--set");
    words.push_back(set);
  }
  if (!remedy.ignore.empty()) {
    words.emplace_back("--ignore");
    words.push_back(remedy.ignore);
  }
  return words;
}

std::string commandLine(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && std::all_of(word.begin(), word.end(), isPlain)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace glint::study
