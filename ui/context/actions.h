// The actions of keys and buttons that concern more than one panel.
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

/// The actions of one session. Main thread.
class Actions {
 public:
  /// `context` and `panels` must outlive it. They are used only once both are complete.
  Actions(Context& context, Panels& panels, std::function<void()> wakeWindow)
      : wake(std::move(wakeWindow)), context_(context), panels_(panels) {}

  /// Makes the window draw again; from any thread.
  const std::function<void()> wake;

  /// Does what a key or button asks for.
  void perform(Action action);
  /// Shows this plane of the frame.
  void show(DisplayPlane plane);
  /// Shows the output of the filter with this id, or the source if that output is shown already.
  void showFilter(const std::string& id);
  /// Opens the dialog that proposes settings for the open sources.
  void propose();
  /// Opens the dialog that tries a range of this setting on the recording. If `key` is empty, the
  /// dialog chooses a setting.
  void tryRange(const std::string& key);
  /// Leaves these sources for others. Loads files of settings (TOML) among `sources`; if there are
  /// no others, the session stays.
  void open(std::vector<Address> sources);
  void open(shell::Opening opening);
  /// Asks to close the window.
  void quit();
  /// Leaves as was requested last, because a dialog has allowed it.
  void leave() { leaving_ = true; }
  /// Postpones leaving, because the user is asked first.
  void wait() { leaving_ = false; }
  /// Forgets the sources that were to be opened, unless the session is being left for them, because
  /// the user has said no.
  void stay();

  /// Returns true if the session is to be left.
  bool leaving() const { return leaving_; }
  /// Returns the sources to open instead; empty if there are none.
  const std::optional<shell::Opening>& next() const { return next_; }

 private:
  Context& context_;
  Panels& panels_;
  std::optional<shell::Opening> next_;
  bool leaving_ = false;
};

}  // namespace glint::ui
