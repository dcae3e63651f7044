// Options that several subcommands share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/capture/source/from.h"
#include "app/study/advice/marker_kind.h"
#include "config/secrets.h"
#include "config/settings.h"

namespace glint::shell {

/// A check for options that name a file. Refuses an empty name, and one that begins with a dash.
extern const CLI::Validator kNamesFile;

/// A check for options that take a number. Refuses nan and inf, which CLI::Range lets pass.
extern const CLI::Validator kFinite;

/// Returns a check for options that count: a whole number from `least` to 10^15.
CLI::Validator wholeNumber(uint64_t least);

/// Returns a check for options that take a number from `least` to `most`, both included.
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

/// Adds --NAME, and --no-NAME for the opposite. `on` stays empty if neither is given.
void addSwitch(CLI::App& command, const std::string& name, std::optional<bool>& on,
               const std::string& about, const std::string& aboutNo);

/// Adds the argument SOURCE ..., with one source for each camera.
CLI::Option* addSources(CLI::App& command, std::vector<Address>& sources, const std::string& about);

/// Adds --from, the place at which a recording begins.
void addFrom(CLI::App& command, std::optional<capture::From>& from);

/// Adds a check to every option of every subcommand that exists now: its value must not be empty,
/// as the value of an unset shell variable is. CLI11 would take an empty value for 0, or keep the
/// default.
void refuseEmptyValues(CLI::App& app);

/// Hides the secrets of addresses in the values of all options of the program and its subcommands,
/// as they are now. Sources, settings and filters keep their secrets, because an Address hides
/// them.
void hideSecretsInValues(CLI::App& app);

/// The options --config FILE, --marker-radius R, --dark, --elongated, --set KEY=VALUE, and --device
/// NAME. settings() applies them in this order. So the command line wins over the file, and a
/// single setting wins over the description of the markers.
class SettingOptions {
 public:
  /// Adds the options to a command; without --marker-radius, --dark and --elongated if `asksKind`
  /// is false.
  void addTo(CLI::App& command, bool asksKind = true);
  /// Adds --region and --ignore.
  void addRegions(CLI::App& command);
  /// Adds --filter and --filter-dir.
  void addFilters(CLI::App& command);
  /// Adds --filter-dir alone.
  void addFilterFolders(CLI::App& command);
  /// Returns the settings. Throws UsageError naming the file, the line or the option.
  Settings settings() const { return settings(kind_); }
  /// Returns the settings for markers of this kind, instead of the kind that the options describe.
  Settings settings(const study::MarkerKind& kind) const { return settings(kind, {}); }
  /// Returns the settings for cameras with these ids: see placeCameras().
  Settings settingsOf(const std::vector<std::string>& cameras) const {
    return settings(kind_, cameras);
  }
  /// Returns the options as they were given, without those for the kind of markers, and without
  /// secrets.
  std::vector<std::string> arguments() const;
  /// Returns true if --set sets `key`, or if there is a settings file, which may set it.
  bool maySet(std::string_view key) const;
  /// Returns the settings file; empty if there is none.
  const std::string& config() const { return config_; }

 private:
  Settings settings(const study::MarkerKind& kind, const std::vector<std::string>& cameras) const;

  std::string config_;
  study::MarkerKind kind_;
  std::vector<std::string> sets_, filters_, folders_, regions_, ignored_;
  std::string device_;
};

}  // namespace glint::shell
