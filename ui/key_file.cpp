#include "ui/key_file.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/motion/rig/toml_file.h"
#include "app/shell/desk/user_files.h"
#include "config/error.h"
#include "config/nearest.h"
#include "ui/input.h"
#include "ui/model/shortcuts.h"

namespace glint::ui {
namespace {

/// Returns the chord in the form of Chord::name, whatever the order of its modifiers; empty if no
/// key of a keyboard gives it.
std::optional<std::string> chordFrom(std::string_view text) {
  bool ctrl = false, alt = false, shift = false;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [name, held] :
         {std::pair<std::string_view, bool*>{"Ctrl+", &ctrl}, {"Alt+", &alt}, {"Shift+", &shift}}) {
      if (!text.starts_with(name) || text.size() == name.size()) continue;
      text.remove_prefix(name.size());
      *held = more = true;
    }
  }
  const bool letter = text.size() == 1 && text[0] > ' ' && text[0] < 127;
  const bool typed = letter && !ctrl && !alt;
  // A character that is typed stands for itself, with or without Shift.
  if (!letter && text != "Space" && !Input::hasKey(text)) return std::nullopt;
  if (shift && typed) return std::nullopt;
  if (text == "Space" && (ctrl || alt || shift)) return std::nullopt;
  std::string key(text);
  if (letter && key[0] >= 'a' && key[0] <= 'z') key[0] = static_cast<char>(key[0] - 'a' + 'A');
  return std::string(ctrl ? "Ctrl+" : "") + (alt ? "Alt+" : "") + (shift ? "Shift+" : "") + key;
}

/// Returns the chords of a text that are separated by blanks. Throws Error naming the one that is
/// not valid.
std::vector<std::string> chordsFrom(const std::string& text) {
  std::vector<std::string> chords;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string one = text.substr(at, end - at);
    at = end + 1;
    if (one.empty()) continue;
    const auto chord = chordFrom(one);
    if (!chord)
      throw Error("there is no key '{}'; write it like Ctrl+G, Shift+Right, Space, F5 or a", one);
    chords.push_back(*chord);
  }
  return chords;
}

/// Returns the action with this name. Throws Error if there is none.
Action actionFrom(const std::string& name) {
  std::vector<std::string> names;
  for (const Shortcut& shortcut : shortcuts()) {
    names.push_back(nameInKeyFile(shortcut));
    if (names.back() == name) return shortcut.action;
  }
  throw Error("there is no action '{}'{}", name, didYouMean(name, names));
}

std::string joined(const std::vector<std::string>& chords) {
  std::string text;
  for (const std::string& chord : chords) text += (text.empty() ? "" : " ") + chord;
  return text;
}

}  // namespace

std::filesystem::path keyFile() {
  const std::filesystem::path presets = shell::presetFolder();
  return presets.empty() ? presets : presets.parent_path() / "keys.toml";
}

std::vector<std::string> takeKeysFrom(const std::filesystem::path& file) {
  std::error_code error;
  if (file.empty() || !std::filesystem::exists(file, error)) return {};
  std::vector<std::string> problems;
  std::map<std::string, std::string> givenTo;  // the action of each chord that the file names
  try {
    const toml::table table =
        motion::parseToml(motion::readTomlFile(file.string(), "keys"), file.string());
    for (const auto& [key, value] : table) {
      const std::string name(key.str());
      const auto line = value.source().begin.line;
      try {
        const auto keys = value.value<std::string>();
        if (!keys) throw Error("the keys of '{}' must be a text in quotation marks", name);
        const Action action = actionFrom(name);
        const std::vector<std::string> chords = chordsFrom(*keys);
        std::map<std::string, std::string> given = givenTo;  // kept only if no chord is refused
        for (const std::string& chord : chords)
          if (const auto taken = given.emplace(chord, name); !taken.second)
            throw Error("{} is given to '{}' already", chord, taken.first->second);
        giveKeys(action, joined(chords));
        givenTo = std::move(given);
      } catch (const Error& problem) {
        problems.push_back(fmt::format("{}, line {}: {}", file.string(), line, problem.what()));
      }
    }
  } catch (const Error& problem) {
    problems.emplace_back(problem.what());
  }
  return problems;
}

}  // namespace glint::ui
