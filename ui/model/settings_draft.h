// The settings as the user sees and changes them, ahead of those in force.
#pragma once

#include <atomic>
#include <string_view>
#include <utility>

#include "app/shell/desk/settings_history.h"
#include "config/settings.h"
#include "ui/model/player.h"

namespace glint::ui {

/// Main thread.
class SettingsDraft {
 public:
  /// Goes on with `history`: what is in force becomes its last step.
  SettingsDraft(Player& player, std::shared_ptr<Messages> messages, std::function<void()> wake,
                shell::SettingsHistory history);

  /// What is in force, since `epoch`, where the user is not ahead of it. `editing`: a widget is
  /// held.
  void follow(const Settings& inForce, Epoch epoch, bool editing);

  /// To be edited; then apply().
  Settings& settings() { return settings_; }
  const Settings& settings() const { return settings_; }
  /// Sends the draft to the session, as a step that can be undone. Reports a refusal, and drops the
  /// change.
  void apply();
  /// All of them at once, as one step of this name. The device, which cannot change, stays.
  void become(Settings settings, const std::string& name);
  /// The next change is a step of its own.
  void endStep() { history_.endStep(); }
  /// Before a snapshot of the session is taken: what was answered until now is in it.
  void look() { seenAnswers_ = *answers_; }
  /// Whether the session has taken everything, and the snapshot that was taken last shows it.
  bool applied() const { return seenAnswers_ == sent_; }

  /// A TOML file, whole, as one step. Says what is wrong with it; whether it did.
  bool load(const std::string& path);
  void undo();
  void redo();
  void forgetRedo() { history_.forgetRedo(); }
  const shell::SettingsHistory& history() const { return history_; }
  /// Into the file that they came from, or glint.toml. Says what happened; whether it did.
  bool save();

 private:
  void send(const Settings& settings);

  Player& player_;
  std::shared_ptr<Messages> messages_;
  std::function<void()> wake_;
  std::shared_ptr<std::atomic<uint64_t>> answers_ = std::make_shared<std::atomic<uint64_t>>(0);
  uint64_t sent_ = 0, seenAnswers_ = 0;
  Settings settings_;
  shell::SettingsHistory history_;
  std::pair<Epoch, uint64_t> seen_{Epoch::most(), 0};  // epoch and revision that were compared
};

/// Whether a setting can have an effect on these sources and filters, whatever others say.
bool appliesHere(std::string_view key, const Settings& settings, bool live);

/// Why a setting has no effect at present, or empty. `live`: of cameras, not of recordings.
std::string whyUnused(std::string_view key, const Settings& settings, bool live);

}  // namespace glint::ui
