#include "app/shell/desk/presets.h"

#include <algorithm>
#include <span>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/base/whole_file.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::shell {
namespace {

/// Copies the settings that belong to a recording, and are no matter of taste: the device, masks
/// and regions.
void takePlace(Settings& settings, const Settings& from) {
  settings.device = from.device;
  settings.detect.mask = from.detect.mask;
  settings.detect.region = from.detect.region;
  settings.detect.ignore = from.detect.ignore;
}

}  // namespace

std::vector<std::string> Presets::names() const {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder_, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    const std::filesystem::path& path = entry->path();
    std::error_code unknown;
    if (path.extension() == ".toml" && entry->is_regular_file(unknown) &&
        problemOf(path.stem().string()).empty())
      names.push_back(path.stem().string());
  }
  std::ranges::sort(names);
  return names;
}

bool Presets::has(const std::string& name) const {
  std::error_code error;
  return problemOf(name).empty() && std::filesystem::is_regular_file(file(name), error);
}

std::string Presets::problemOf(const std::string& name) {
  if (name.empty()) return "a preset needs a name";
  if (name.size() > kLongest) return fmt::format("a name has at most {} bytes", kLongest);
  if (name.find('/') != std::string::npos || name.front() == '.' || printable(name) != name)
    return "a preset becomes a file: its name has no '/', and begins with no dot";
  return "";
}

void Presets::save(const std::string& name, const Settings& settings) {
  if (const std::string problem = problemOf(name); !problem.empty()) throw UsageError(problem);
  if (folder_.empty()) throw Error("presets need a home folder: set HOME or XDG_CONFIG_HOME");
  Settings kept = settings;
  takePlace(kept, Settings());
  std::ostringstream text;
  writeToml(kept, text);
  const std::string bytes = text.str();
  base::makeFolder(folder_);
  base::writeWholeFile(file(name).string(), bytes);
  saved_[name] = kept.filters;
}

Settings Presets::load(const std::string& name, const Settings& now) const {
  Settings loaded;
  readToml(loaded, file(name).string());
  filters::restoreSecrets(loaded.filters, now.filters);
  if (const auto saved = saved_.find(name); saved != saved_.end())
    filters::restoreSecrets(loaded.filters, saved->second);
  takePlace(loaded, now);
  return loaded;
}

void Presets::remove(const std::string& name) const {
  std::error_code error;
  if (!std::filesystem::remove(file(name), error))
    throw Error("cannot delete '{}': {}", file(name).string(),
                error ? error.message() : "it is gone already");
}

}  // namespace glint::shell
