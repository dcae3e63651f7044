#include "ui/model/settings_draft.h"

#include <algorithm>

#include "config/error.h"
#include "config/setting_key.h"
#include "ui/model/timings.h"

namespace glint::ui {
namespace {

/// Returns the id of each camera; empty for a camera whose id is not known yet.
std::vector<std::string> idsOf(const session::SessionState& state) {
  std::vector<std::string> ids;
  for (const capture::Feeds::CameraStatus& camera : state.cameras)
    ids.push_back(camera.offer ? camera.offer->id : std::string());
  return ids;
}

}  // namespace

SettingsDraft::SettingsDraft(Player& player, std::shared_ptr<Messages> messages,
                             std::function<void()> wake, shell::SettingsHistory history)
    : player_(player),
      messages_(std::move(messages)),
      wake_(std::move(wake)),
      settings_(*player.state().settings),
      history_(std::move(history)) {
  history_.goOnWith(settings_, monotonicSeconds());
}

void SettingsDraft::follow(const Settings& inForce, Epoch epoch, bool editing) {
  if (editing || !applied()) return;
  settings_ = inForce;
  const std::pair seen(epoch, history_.revision());
  if (seen == seen_) return;
  seen_ = seen;
  if (!shell::changedKeys(history_.now(), inForce).empty())
    history_.edit(inForce, monotonicSeconds());
}

void SettingsDraft::send(const Settings& settings) {
  ++sent_;
  player_.change(
      [settings](Settings& all) {
        const auto device = all.device;  // the device cannot change
        all = settings;
        all.device = device;
      },
      [messages = messages_, wake = wake_, answers = answers_](const std::string& problem) {
        ++*answers;
        if (!problem.empty()) messages->fail(problem);
        wake();
      });
}

void SettingsDraft::apply() {
  history_.edit(settings_, monotonicSeconds());
  send(settings_);
}

void SettingsDraft::become(Settings settings, const std::string& name) {
  settings.device = settings_.device;
  if (player_.state().live) placeCameras(settings, idsOf(player_.state()));
  settings_ = std::move(settings);
  history_.endStep();
  history_.edit(settings_, monotonicSeconds(), name);
  send(settings_);
}

bool SettingsDraft::load(const std::string& path) {
  try {
    history_.load(path, monotonicSeconds());
  } catch (const Error& error) {
    messages_->fail(error.what());
    return false;
  }
  settings_ = history_.now();
  if (player_.state().live) placeCameras(settings_, idsOf(player_.state()));
  send(settings_);
  messages_->note("settings of " + path);
  return true;
}

void SettingsDraft::undo() {
  const std::string name = history_.undoName();
  if (!history_.undo()) return messages_->say("nothing to undo");
  settings_ = history_.now();
  send(settings_);
  messages_->say("undone: " + name);
}

void SettingsDraft::redo() {
  const std::string name = history_.redoName();
  if (!history_.redo()) return messages_->say("nothing to redo");
  settings_ = history_.now();
  send(settings_);
  messages_->say("redone: " + name);
}

bool SettingsDraft::save() {
  const std::string path = history_.path().empty() ? "glint.toml" : history_.path();
  try {
    history_.save(path);
    messages_->note("settings saved in " + path);
    return true;
  } catch (const Error& error) {
    messages_->fail(error.what());
    return false;
  }
}

bool appliesHere(std::string_view key, const Settings& s, bool live) {
  if (key == "detect.min_score"_key || key == "detect.score_ratio"_key)
    return std::ranges::any_of(s.filters,
                               [](const FilterUse& use) { return use.name == "template"; });
  return live ||
         !(key.starts_with("camera.") || key == "live.window"_key || key == "live.wait"_key);
}

std::string whyUnused(std::string_view key, const Settings& s, bool live) {
  const bool blobs = s.detect.method == DetectMethod::blobs;
  const bool smooth = s.response.kind == ResponseKind::blur || s.response.kind == ResponseKind::dog;
  const gpu::MarkerLimit* limit = gpu::findLimit(key);
  if (!appliesHere(key, s, live))
    return key.starts_with("detect.") ? "applies only with the filter template"
                                      : "applies only to live cameras";
  if (key == "response.radius"_key && !smooth)
    return "applies only where \"Detect on\" is blur or dog";
  if (key == "response.gain"_key && s.response.kind != ResponseKind::dog)
    return "applies only where \"Detect on\" is dog";
  if (key == "response.dark"_key && s.response.kind == ResponseKind::inverted)
    return "is implied where \"Detect on\" is inverted";
  if (key == "detect.threshold_sigma"_key && s.detect.threshold)
    return "applies only to an automatic threshold: the threshold is fixed";
  if (limit != nullptr && limit->onlyPeaks && blobs) return "applies only to the method peaks";
  if (s.refine.method == RefineMethod::none) {
    if (key == "refine.radius"_key) return "applies only where \"Refinement\" is fit";
    if (limit != nullptr && !blobs)
      return "applies only where \"Refinement\" is fit, which measures markers";
  }
  return "";
}

}  // namespace glint::ui
