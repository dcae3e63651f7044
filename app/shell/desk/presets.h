// Settings under names of the user's own.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "config/settings.h"

namespace glint::shell {

/// Files NAME.toml of a folder, as `--config` reads them. They hold neither the device nor masks
/// and regions, which belong to a recording. One thread.
class Presets {
 public:
  static constexpr size_t kLongest = 80;  ///< bytes of a name

  explicit Presets(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// In order; empty where there is no folder.
  std::vector<std::string> names() const;
  bool has(const std::string& name) const;
  std::filesystem::path file(const std::string& name) const { return folder_ / (name + ".toml"); }

  /// Why a preset cannot have this name: one sentence, or empty.
  static std::string problemOf(const std::string& name);
  /// Replaces one of that name. Throws Error naming the file, UsageError with problemOf().
  void save(const std::string& name, const Settings& settings);
  /// With the device, the masks and the regions of `now`. Inputs of filters whose secrets the file
  /// lacks have those of `now`, or of the settings that this object saved. Throws Error naming the
  /// file and the line.
  Settings load(const std::string& name, const Settings& now) const;
  /// Throws Error naming the file.
  void remove(const std::string& name) const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, FilterUses> saved_;  // by name, with their secrets
};

}  // namespace glint::shell
