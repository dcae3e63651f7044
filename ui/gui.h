// The whole of the window's content for one session.
#pragma once

#include "ui/context/context.h"
#include "ui/input.h"
#include "ui/panels/panels.h"

namespace glint::ui {

/// The session, its panels, and their places. Main thread.
struct Gui {
  /// `wake` has the window drawn again, from any thread; `recent` gives what was opened before;
  /// `watch` looks for cameras.
  Gui(const shell::WindowTask& task, std::shared_ptr<Messages> messages, const Listeners& listeners,
      const std::optional<shell::SettingsHistory>& history, const std::function<void()>& wake,
      const RecentSources& recent, capture::CameraWatch& watch);
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  /// Performs what the keys ask for and draws every panel; between ImGui::NewFrame() and Render().
  void draw(const std::vector<Chord>& chords);
  /// Tells tests what the picture that was drawn last holds.
  void describe(nlohmann::json& to) const;

  const std::shared_ptr<Messages> messages;
  WindowModel model;
  ViewState looks = {};
  Layout layout = {};
  Scene scene = {};  ///< of the picture that was drawn last
  Actions actions;
  Context context;
  Panels panels;
  bool minimised = false;

 private:
  void handleKeys(const std::vector<Chord>& chords);
  void follow();
  void arrange();

  uint64_t followed_ = 0;                       // the frame that the timeline was moved to last
  double remembered_ = Layout().recentSeconds;  // s, that the session was told last
};

}  // namespace glint::ui
