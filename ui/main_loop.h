// The window's loop: it takes events, and draws a picture whenever something has changed.
#pragma once

#include <atomic>

#include "app/base/log.h"
#include "app/capture/cameras/camera_watch.h"
#include "ui/draw/renderer.h"
#include "ui/frame_pacer.h"
#include "ui/gui.h"
#include "ui/input.h"
#include "ui/ui_state.h"
#include "ui/window.h"
#include "ui/window_memory.h"

namespace glint::ui {

/// State that outlives a session. All sessions that the window shows one after another share it.
struct Host {
  /// The window, which keeps its place, size and focus from one session to the next.
  std::optional<Window> window;
  WindowMemory memory;
  shell::UserFiles files{shell::stateFolder(), [](const std::string& problem) {
                           base::log(base::LogLevel::warning, problem);
                         }};
  UiState state;
  std::shared_ptr<Messages> messages = std::make_shared<Messages>();
  Listeners listeners;             ///< listeners of the session that is shown
  std::atomic<bool> news = false;  ///< the session has something new
  capture::CameraWatch cameras{[this] { wake(); }};
  /// The time from which on the session keeps the planes of a frame for drawing.
  std::atomic<FramePacer::Clock::time_point> wanted{};

  /// Wakes the loop because the session has something new. Any thread. Further calls do nothing
  /// until the loop has looked.
  void wake();
};

/// The window's loop for one session. Main thread.
class MainLoop {
 public:
  using Clock = FramePacer::Clock;

  MainLoop(const shell::WindowTask& task, Host& host);
  ~MainLoop() { host_.memory.remember(gui_); }
  MainLoop(const MainLoop&) = delete;
  MainLoop& operator=(const MainLoop&) = delete;

  /// Runs until the user leaves the session. Returns the same as Screen::run(): the sources to open
  /// next, or nothing if the window closes.
  std::optional<shell::Opening> run();

 private:
  float wantedScale() const;
  void followScale();
  bool leaves();
  void waitForWork();
  void takeNews();
  void reportFailure(const session::SessionState& state);
  void saveCopy();
  void takeProbed();
  void buildFrame();
  void drawFrame();

  const shell::WindowTask& task_;
  Host& host_;
  ImGuiLife life_;
  Input input_;
  Gui gui_;
  std::unique_ptr<Renderer> renderer_;
  float scale_ = 1;     // scale at which the window is drawn, in px a point
  size_t letters_ = 0;  // number of the further letters that the font has
  FramePacer pacer_;
  // The last time at which changes other than the frame on the screen were drawn.
  Clock::time_point sidesDrawn_{};
  // The time at which such changes have to be drawn again.
  std::optional<Clock::time_point> later_;
  // The failure of the session, and the name of the recorded file, that were last reported to the
  // user.
  std::string failure_, reported_;
  std::string banner_;  // words of the banner in the previous picture
};

}  // namespace glint::ui
