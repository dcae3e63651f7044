// The settings as the user sees and changes them, ahead of those in force.
#pragma once

#include <atomic>
#include <string_view>
#include <utility>

#include "app/shell/desk/settings_history.h"
#include "config/settings.h"
#include "ui/model/player.h"

namespace glint::ui {

/// The settings that the user edits, and their steps for undo. Main thread.
class SettingsDraft {
 public:
  /// Continues `history`: the settings in force become its last step.
  SettingsDraft(Player& player, std::shared_ptr<Messages> messages, std::function<void()> wake,
                shell::SettingsHistory history);

  /// Takes the settings in force since `epoch`, unless the user has newer changes. `editing` is
  /// true while a widget is held; then the draft stays.
  void follow(const Settings& inForce, Epoch epoch, bool editing);

  /// Returns the draft for editing. Call apply() afterwards.
  Settings& settings() { return settings_; }
  const Settings& settings() const { return settings_; }
  /// Sends the draft to the session, as a step that can be undone. Tells the user if it is refused,
  /// and drops the change.
  void apply();
  /// Replaces all settings at once, as one step of this name. The device, which cannot change,
  /// stays.
  void become(Settings settings, const std::string& name);
  /// Makes the next change a step of its own.
  void endStep() { history_.endStep(); }
  /// Notes which answers have arrived. Call it before taking a snapshot of the session, which then
  /// shows the effect of these answers.
  void noteAnswers() { seenAnswers_ = *answers_; }
  /// Returns true if the session has taken all changes, and the last snapshot shows them.
  bool applied() const { return seenAnswers_ == sent_; }

  /// Replaces all settings by those of a TOML file, as one step. Returns false, and tells the user
  /// why, if the file is not valid.
  bool load(const std::string& path);
  void undo();
  void redo();
  void forgetRedo() { history_.forgetRedo(); }
  const shell::SettingsHistory& history() const { return history_; }
  /// Saves the settings into the file that they came from, or glint.toml, and tells the user.
  /// Returns false if that fails.
  bool save();
  /// Notes that the project keeps the settings.
  void noteSaved() { history_.noteSaved(); }

 private:
  void send(const Settings& settings);

  Player& player_;
  std::shared_ptr<Messages> messages_;
  std::function<void()> wake_;
  std::shared_ptr<std::atomic<uint64_t>> answers_ = std::make_shared<std::atomic<uint64_t>>(0);
  // Numbers of changes that were sent, and of the answers that noteAnswers() has seen.
  uint64_t sent_ = 0, seenAnswers_ = 0;
  Settings settings_;
  shell::SettingsHistory history_;
  std::pair<Epoch, uint64_t> seen_{Epoch::most(), 0};  // epoch and revision that were compared last
};

/// Returns true if a setting can have an effect with these sources and filters, whatever the other
/// settings are. `live` is true for cameras, false for recordings.
bool appliesHere(std::string_view key, const Settings& settings, bool live);

/// Returns why a setting has no effect at present; empty if it has one. `live` is true for cameras,
/// false for recordings.
std::string whyUnused(std::string_view key, const Settings& settings, bool live);

}  // namespace glint::ui
