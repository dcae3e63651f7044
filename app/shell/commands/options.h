// Options that several subcommands share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/capture/source/from.h"
#include "app/study/advice/marker_kind.h"
#include "config/secrets.h"
#include "config/settings.h"

namespace glint::shell {

/// For options that name a file: refuses an empty name, and one that begins with a dash.
extern const CLI::Validator kNamesFile;

/// For options that take a number: refuses nan and inf, which CLI::Range lets pass.
extern const CLI::Validator kFinite;

/// For options that count: a whole number from `least` to 10^15.
CLI::Validator wholeNumber(uint64_t least);

/// For options that take a number from `least` to `most`, both counted.
CLI::Validator numberIn(double least, double most);

/// Adds an option, or without dashes an argument, whose value the help calls `kind`.
template <class Value>
CLI::Option* addValue(CLI::App& command, const std::string& name, Value& value,
                      const std::string& about, const std::string& kind,
                      const std::optional<CLI::Validator>& check = {}) {
  CLI::Option* option = command.add_option(name, value, about)->type_name(kind);
  return check ? option->check(*check) : option;
}

/// Adds an option that takes the name of a file, or of several.
template <class Names>
CLI::Option* addFile(CLI::App& command, const std::string& name, Names& names,
                     const std::string& about, const std::string& kind = "FILE") {
  return addValue(command, name, names, about, kind, kNamesFile);
}

/// --NAME, and --no-NAME for the opposite; empty where neither is given.
void addSwitch(CLI::App& command, const std::string& name, std::optional<bool>& on,
               const std::string& about, const std::string& aboutNo);

/// Adds the argument SOURCE ..., a camera each.
CLI::Option* addSources(CLI::App& command, std::vector<Address>& sources, const std::string& about);

/// --from: what to begin with.
void addFrom(CLI::App& command, std::optional<capture::From>& from);

/// Adds to every option of every subcommand, as they are now, that its value must not be empty, as
/// that of an unset shell variable is: CLI11 takes it for 0, or leaves the default.
void refuseEmptyValues(CLI::App& app);

/// Hides the secrets of addresses in the values of all options of the program and its subcommands,
/// as they are now. Sources, settings and filters keep theirs: an Address takes care of them.
void hideSecretsInValues(CLI::App& app);

/// --config FILE, --marker-radius R, --dark and --elongated, --set KEY=VALUE, and --device NAME.
/// settings() applies them in this order, so that the command line wins over the file, and a single
/// setting over what is known of the markers.
class SettingOptions {
 public:
  /// Without --marker-radius, --dark and --elongated where `asksKind` is false.
  void addTo(CLI::App& command, bool asksKind = true);
  /// --region and --ignore.
  void addRegions(CLI::App& command);
  /// --filter and --filter-dir.
  void addFilters(CLI::App& command);
  /// --filter-dir alone.
  void addFilterFolders(CLI::App& command);
  /// Throws UsageError naming the file, the line or the flag.
  Settings settings() const { return settings(kind_); }
  /// The same for markers of this kind, whatever was said of them.
  Settings settings(const study::MarkerKind& kind) const { return settings(kind, {}); }
  /// The same for cameras of these ids: see placeCameras().
  Settings settingsOf(const std::vector<std::string>& cameras) const {
    return settings(kind_, cameras);
  }
  /// All but the markers' kind as they were given, without secrets.
  std::vector<std::string> arguments() const;
  /// The settings file, or empty.
  const std::string& config() const { return config_; }

 private:
  Settings settings(const study::MarkerKind& kind, const std::vector<std::string>& cameras) const;

  std::string config_;
  study::MarkerKind kind_;
  std::vector<std::string> sets_, filters_, folders_, regions_, ignored_;
  std::string device_;
};

}  // namespace glint::shell
