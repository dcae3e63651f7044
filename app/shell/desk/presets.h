// Settings that the user has saved under a name.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "config/settings.h"

namespace glint::shell {

/// The files NAME.toml of a folder, as `--config` reads them. They hold neither the device nor
/// masks and regions, which belong to a recording. One thread.
class Presets {
 public:
  static constexpr size_t kLongest = 80;  ///< the most bytes that a name may have

  explicit Presets(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Returns the names in order; empty if there is no folder. Only regular files count, because
  /// opening a pipe would wait for its writer.
  std::vector<std::string> names() const;
  bool has(const std::string& name) const;
  std::filesystem::path file(const std::string& name) const { return folder_ / (name + ".toml"); }

  /// Returns why a preset cannot have this name, in one sentence; empty if it can.
  static std::string problemOf(const std::string& name);
  /// Saves settings, and replaces a preset of the same name. Throws Error naming the file, and
  /// UsageError with problemOf().
  void save(const std::string& name, const Settings& settings);
  /// Loads a preset, with the device, the masks and the regions of `now`. Inputs of filters whose
  /// secrets the file lacks get those of `now`, or of the settings that this object saved. Throws
  /// Error naming the file and the line.
  Settings load(const std::string& name, const Settings& now) const;
  /// Removes a preset. Throws Error naming the file.
  void remove(const std::string& name) const;

 private:
  std::filesystem::path folder_;
  // Filters of the saved presets by name, with their secrets.
  std::map<std::string, FilterUses> saved_;
};

}  // namespace glint::shell
