// What the app remembers from one start to the next, in the user's own folders.
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

/// $XDG_STATE_HOME/glint or ~/.local/state/glint, as the XDG Base Directory Specification 0.8 has
/// it; empty where there is no home. `environment` gives the value of a variable or null; relative
/// folders are passed over, as the specification says. Makes nothing.
std::filesystem::path stateFolder(
    const std::function<const char*(const char*)>& environment = std::getenv);
/// Returns $XDG_CONFIG_HOME/glint/presets or ~/.config/glint/presets, by the same rules.
std::filesystem::path presetFolder(
    const std::function<const char*(const char*)>& environment = std::getenv);

/// Where a window was.
struct WindowPlace {
  int x = 0, y = 0;           ///< of its top left corner on the desktop, screen coordinates
  int width = 0, height = 0;  ///< without its frame, screen coordinates, 1 to 65,535
  bool maximised = false;
  bool operator==(const WindowPlace&) const = default;
};

/// What a window looked like when it was closed.
struct Remembered {
  std::optional<WindowPlace> window;
  std::map<std::string, double> numbers;     ///< of any name: splitters, sizes, zoom; finite
  std::map<std::string, bool> switches;      ///< panels that are open, hints that were seen
  std::map<std::string, std::string> texts;  ///< the tab in front, the last folder
  bool operator==(const Remembered&) const = default;
};

/// The files `window.json` and `recent.json` of a folder, which is made when it is written to.
/// Files are replaced as a whole, and additions to the list made one after the other, so that
/// several apps may run: of window.json the one closed last wins, in recent.json nothing is lost.
/// Any thread. No call throws: an unreadable file counts as missing, and an unwritable one is not
/// remembered. warn() reports either, once for each file, in one sentence.
class UserFiles {
 public:
  static constexpr size_t kMostRecent = 20;

  /// An empty folder: nothing is remembered. `warn` is called by whoever calls.
  UserFiles(std::filesystem::path folder, std::function<void(const std::string&)> warn);

  Remembered load();
  void save(const Remembered& remembered);

  /// The sources opened last, the newest first, each with all cameras of its session: paths from
  /// the root where they are files or folders. Without those any of whose files is missing; what is
  /// no path (`camera:0`, URLs, `synth:...`) is never missing.
  std::vector<std::vector<Address>> recent();
  /// Puts `sources` in front. Relative paths are taken from the working folder. The file gets what
  /// is shown of addresses; recent() knows the secrets of those added since the program began.
  void addRecent(const std::vector<Address>& sources);

 private:
  std::string file(const char* name) const { return (folder_ / name).string(); }
  void warnOnce(const char* name, const std::string& problem);
  std::vector<std::vector<Address>> readRecent();
  void write(const char* name, const std::string& text);

  std::filesystem::path folder_;
  std::function<void(const std::string&)> warn_;
  std::set<std::string> warned_;             // files
  std::vector<std::vector<Address>> added_;  // by addRecent(), with secrets
  std::mutex mutex_;
};

}  // namespace glint::shell
