// The whole content of the window for one session.
#pragma once

#include "ui/context/context.h"
#include "ui/input.h"
#include "ui/panels/panels.h"

namespace glint::ui {

/// The session, its panels, and their places. Main thread.
struct Gui {
  /// `wake` makes the window draw again, and may be called from any thread. `recent` returns the
  /// sources that were opened before, and `watch` looks for cameras.
  Gui(const shell::WindowTask& task, std::shared_ptr<Messages> messages, const Listeners& listeners,
      const std::optional<shell::SettingsHistory>& history, const std::function<void()>& wake,
      const RecentSources& recent, capture::CameraWatch& watch);
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  /// Performs what the keys ask for and draws every panel; between ImGui::NewFrame() and Render().
  void draw(const std::vector<Chord>& chords);
  /// Writes the content of the last picture into `to`, for tests.
  void describe(nlohmann::json& to) const;

  const std::shared_ptr<Messages> messages;
  WindowModel model;
  ViewState viewState = {};
  Layout layout = {};
  /// The images in the picture that was drawn last.
  Scene scene = {};
  Actions actions;
  Context context;
  Panels panels;
  bool minimised = false;

 private:
  void handleKeys(const std::vector<Chord>& chords);
  void follow();
  void arrange();

  uint64_t followed_ = 0;  // the frame that the timeline was last moved to
  // The value of Layout::recentSeconds, s, that the session was given last.
  double remembered_ = Layout().recentSeconds;
};

}  // namespace glint::ui
