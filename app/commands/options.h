// Options that several subcommands share.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "config/settings.h"

namespace glint {

/// For options that name a file: refuses an empty name, and one that begins with a dash.
extern const CLI::Validator kNamesFile;

/// For options that take a number: refuses nan and inf, which CLI::Range and PositiveNumber let
/// pass.
extern const CLI::Validator kFinite;

/// --config FILE, --set KEY=VALUE and --device NAME. settings() applies them in this order, so that
/// the command line wins over the file.
class SettingOptions {
 public:
  void addTo(CLI::App& command);
  /// Throws UsageError naming the file, the line or the flag.
  Settings settings() const;
  /// The settings file, or empty.
  const std::string& config() const { return config_; }

 private:
  std::string config_;
  std::vector<std::string> sets_;
  std::string device_;
};

}  // namespace glint
