#include "app/shell/desk/settings_history.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <span>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "app/base/whole_file.h"

namespace glint::shell {
namespace {

/// Returns a value as a person would write it: "0.1843" for 0.1843137254901961, "auto" for
/// "\"auto\"".
std::string briefly(const std::string& value) {
  if (value.size() >= 2 && value.front() == '"') return value.substr(1, value.size() - 2);
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  const bool fraction = value.find('.') != std::string::npos && *end == '\0';
  return fraction ? fmt::format("{:.4g}", number) : value;
}

std::string keyOf(const FilterUse& use) {
  return "filter." + use.id + ".";
}

/// Returns the filter to which all of these keys belong; null if there is none.
const FilterUse* filterOf(const FilterUses& uses, const std::vector<std::string>& keys) {
  const auto found = std::ranges::find_if(uses, [&](const FilterUse& use) {
    return std::ranges::all_of(keys,
                               [&](const std::string& key) { return key.starts_with(keyOf(use)); });
  });
  return found == uses.end() ? nullptr : &*found;
}

/// Returns keys ("filter.ID.") of the filters between the first and the last place at which the
/// chains differ. No setting shows such a difference if a filter has no parameters, or only the
/// order has changed.
std::vector<std::string> changedChain(const FilterUses& before, const FilterUses& after) {
  const auto same = [](const FilterUse& a, const FilterUse& b) {
    return a.id == b.id && a.name == b.name;
  };
  const auto [first, firstAfter] = std::ranges::mismatch(before, after, same);
  const auto [last, lastAfter] =
      std::mismatch(before.rbegin(), std::make_reverse_iterator(first), after.rbegin(),
                    std::make_reverse_iterator(firstAfter), same);
  std::vector<std::string> keys;
  std::transform(first, last.base(), std::back_inserter(keys), keyOf);
  std::transform(firstAfter, lastAfter.base(), std::back_inserter(keys), keyOf);
  return keys;
}

std::string nameOfStep(const Settings& before, const Settings& settings,
                       const std::vector<std::string>& keys) {
  const FilterUse *was = filterOf(before.filters, keys), *is = filterOf(settings.filters, keys);
  if (is && !was) return fmt::format("filter {} added", is->id);
  if (was && !is) return fmt::format("filter {} taken out", was->id);
  if (std::ranges::all_of(keys, [](const std::string& key) { return key.ends_with('.'); }))
    return "order of filters";
  if (keys.size() != 1) return fmt::format("{} settings", keys.size());
  for (const SettingInfo& info : listSettings(settings))
    if (info.key == keys.front() && is)
      return fmt::format("filter {} {} {}", is->id, info.key.substr(keyOf(*is).size()),
                         briefly(info.value));
    else if (info.key == keys.front())
      return fmt::format("{} {}", labelOf(info.key), briefly(info.value));
  return keys.front();
}

std::string fileName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

std::vector<std::string> changedKeys(const Settings& a, const Settings& b) {
  const auto before = listSettings(a), after = listSettings(b);
  const auto differing = [](const auto& some, const auto& others) {
    std::vector<std::string> keys;
    for (const SettingInfo& info : some) {
      const auto same = [&](const SettingInfo& other) {
        return other.key == info.key && other.value == info.value;
      };
      if (std::ranges::none_of(others, same)) keys.push_back(info.key);
    }
    return keys;
  };
  // Settings of a single camera are listed only if they are set.
  std::vector<std::string> keys = differing(before, after);
  const auto add = [&](const std::vector<std::string>& others) {
    for (const std::string& key : others)
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  };
  add(differing(after, before));
  add(changedChain(a.filters, b.filters));
  return keys;
}

void SettingsHistory::become(const Settings& settings) {
  now_ = settings;
  unsaved_ = !changedKeys(now_, saved_).empty();
  ++revision_;
}

void SettingsHistory::edit(const Settings& settings, double seconds, std::string_view name) {
  const std::vector<std::string> keys = changedKeys(now_, settings);
  if (keys.empty()) return;
  const std::string key = name.empty() && keys.size() == 1 ? keys.front() : std::string();
  const bool merges = !key.empty() && key == mergesWith_ && seconds - lastEdit_ <= kMergeSeconds;
  if (!merges) undo_.push_back({{}, now_, seconds});
  if (undo_.size() > kDeepest) undo_.pop_front();
  become(settings);
  redo_.clear();
  mergesWith_ = key;
  lastEdit_ = seconds;
  undo_.back().seconds = seconds;
  undo_.back().name =
      name.empty() ? nameOfStep(undo_.back().settings, now_, keys) : std::string(name);
  // The edits of the step have cancelled each other.
  if (merges && changedKeys(undo_.back().settings, now_).empty()) {
    undo_.pop_back();
    mergesWith_.clear();
  }
}

void SettingsHistory::goOnWith(const Settings& settings, double seconds) {
  const bool saved = !unsaved_, first = undo_.empty();
  edit(settings, seconds);
  if (first) undo_.clear();
  mergesWith_.clear();
  if (!saved) return;
  saved_ = now_;
  unsaved_ = false;
}

bool SettingsHistory::go(std::deque<Step>& from, std::deque<Step>& to) {
  if (from.empty()) return false;
  Step step = std::move(from.back());
  from.pop_back();
  to.push_back({std::move(step.name), now_, step.seconds});
  become(step.settings);
  mergesWith_.clear();
  return true;
}

void SettingsHistory::load(const std::string& path, double seconds) {
  Settings loaded;
  readToml(loaded, path);
  for (const Settings* known : {&now_, &saved_})
    filters::restoreSecrets(loaded.filters, known->filters);
  for (const auto* steps : {&undo_, &redo_})
    for (const Step& step : *steps) filters::restoreSecrets(loaded.filters, step.settings.filters);
  loaded.device = now_.device;
  edit(loaded, seconds, fmt::format("open {}", fileName(path)));
  saved_ = now_;
  unsaved_ = false;
  path_ = path;
}

void SettingsHistory::save(const std::string& path) {
  std::ostringstream text;
  writeToml(now_, text);
  const std::string bytes = text.str();
  base::writeWholeFile(path, bytes);
  noteSaved();
  path_ = path;
}

void SettingsHistory::noteSaved() {
  saved_ = now_;
  unsaved_ = false;
}

}  // namespace glint::shell
