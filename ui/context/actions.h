// The deeds of keys and buttons that reach beyond one panel.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/desk/window_interface.h"
#include "ui/model/shortcuts.h"
#include "ui/model/shown_frame.h"

namespace glint::ui {

struct Context;
struct Panels;

/// One object for each session. Main thread.
class Actions {
 public:
  /// Both must outlive it; they are used only once both are complete.
  Actions(Context& context, Panels& panels, std::function<void()> wakeWindow)
      : wake(std::move(wakeWindow)), context_(context), panels_(panels) {}

  /// Has the window drawn again; from any thread.
  const std::function<void()> wake;

  void perform(Action action);
  void show(DisplayPlane plane);
  /// Shows the output of the filter with this id, or the source again where it is shown already.
  void showFilter(const std::string& id);
  /// Proposes settings for what is open.
  void propose();
  /// Tries a range of this setting on the recording; empty: of one that is chosen then.
  void tryRange(const std::string& key);
  /// Leaves these sources for others, or for none. Files of settings (TOML) among them are loaded;
  /// where there are no others, nothing else happens.
  void open(std::vector<Address> sources);
  void open(shell::Opening opening);
  /// Leaves the window, and opens nothing instead.
  void quit();
  /// Leaves as it was last asked to, which a dialog has allowed.
  void leave() { leaving_ = true; }
  /// Does not leave yet: the user is asked first.
  void wait() { leaving_ = false; }
  /// Forgets what was to be opened, unless the session is being left for it: the answer was no.
  void stay();

  /// True if the window, or the session, is to be left.
  bool leaving() const { return leaving_; }
  /// The sources to open instead; empty: none.
  const std::optional<shell::Opening>& next() const { return next_; }

 private:
  Context& context_;
  Panels& panels_;
  std::optional<shell::Opening> next_;
  bool leaving_ = false;
};

}  // namespace glint::ui
