// The state that the app keeps from one start to the next, in the user's own folders.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/secrets.h"

namespace glint::shell {

/// Returns $XDG_STATE_HOME/glint or ~/.local/state/glint, by the XDG Base Directory Specification
/// 0.8; empty if there is no home. `environment` returns the value of a variable, or null. Relative
/// folders are ignored, as the specification demands. Creates nothing.
std::filesystem::path stateFolder(
    const std::function<const char*(const char*)>& environment = std::getenv);
/// Returns $XDG_CONFIG_HOME/glint/presets or ~/.config/glint/presets, by the same rules.
std::filesystem::path presetFolder(
    const std::function<const char*(const char*)>& environment = std::getenv);

/// The place of a window.
struct WindowPlace {
  int x = 0, y = 0;           ///< top left corner on the desktop, screen coordinates
  int width = 0, height = 0;  ///< without the window's frame, screen coordinates, 1 to 65,535
  bool maximised = false;
  double scale = 1;  ///< px a point of the screen on which it was, 0.1 to 100
  bool operator==(const WindowPlace&) const = default;
};

/// The arrangement of a window when it was closed.
struct Remembered {
  std::optional<WindowPlace> window;
  /// Numbers of any name, such as splitters, sizes and zoom; finite.
  std::map<std::string, double> numbers;
  /// Switches of any name, such as open panels and hints that were seen.
  std::map<std::string, bool> switches;
  /// Texts of any name, such as the tab in front and the last folder.
  std::map<std::string, std::string> texts;
  bool operator==(const Remembered&) const = default;
};

/// The files `window.json` and `recent.json` of a folder, which is created at the first write.
/// Files are replaced as a whole, and additions to the list are made one after another, so that
/// several apps may run at once. In window.json, the app that is closed last wins; in recent.json,
/// nothing is lost. Any thread. No call throws. An unreadable file counts as missing, and if a file
/// cannot be written, its contents are not remembered. warn() reports both, once for each file, in
/// one sentence.
class UserFiles {
 public:
  static constexpr size_t kMostRecent = 20;  // the most sessions that are listed

  /// With an empty folder, nothing is remembered. `warn` is called on the caller's thread.
  UserFiles(std::filesystem::path folder, std::function<void(const std::string&)> warn);

  Remembered load();
  void save(const Remembered& remembered);

  /// Returns the sources that were opened last, the newest first, each with all cameras of its
  /// session. Files and folders have absolute paths. Sessions with a missing file are left out.
  /// Sources that are no paths (`camera:0`, URLs, `synth:...`) never count as missing.
  std::vector<std::vector<Address>> recent();
  /// Puts `sources` in front of the list. Relative paths begin at the working folder. The file gets
  /// addresses without their secrets; recent() knows the secrets of addresses that were added since
  /// the program began.
  void addRecent(const std::vector<Address>& sources);

 private:
  std::string file(const char* name) const { return (folder_ / name).string(); }
  void warnOnce(const char* name, const std::string& problem);
  std::vector<std::vector<Address>> readRecent();
  void write(const char* name, const std::string& text);

  std::filesystem::path folder_;
  std::function<void(const std::string&)> warn_;
  std::set<std::string> warned_;             // files about which warn_ was called
  std::vector<std::vector<Address>> added_;  // sources of addRecent(), with their secrets
  std::mutex mutex_;
};

}  // namespace glint::shell
