// The window's loop: events in, one picture out whenever something has changed.
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

/// What the window keeps for all sessions that are shown in it, one after another.
struct Host {
  std::optional<Window> window;  ///< with its place, size and focus
  WindowMemory memory;
  shell::UserFiles files{shell::stateFolder(), [](const std::string& problem) {
                           base::log(base::LogLevel::warning, problem);
                         }};
  UiState state;
  std::shared_ptr<Messages> messages = std::make_shared<Messages>();
  Listeners listeners;             ///< of the session that is shown
  std::atomic<bool> news = false;  ///< the session has something new
  capture::CameraWatch cameras{[this] { wake(); }};
  /// From when on planes of frames are to be drawn.
  std::atomic<FramePacer::Clock::time_point> wanted{};

  /// Any thread. Once is enough until the window has looked.
  void wake();
};

/// Of one session. Main thread.
class MainLoop {
 public:
  using Clock = FramePacer::Clock;

  MainLoop(const shell::WindowTask& task, Host& host);
  ~MainLoop() { host_.memory.remember(gui_); }
  MainLoop(const MainLoop&) = delete;
  MainLoop& operator=(const MainLoop&) = delete;

  /// Gives what Screen::run() does.
  std::optional<shell::Opening> run();

 private:
  float wantedScale() const;
  void followScale();
  bool leaves();
  void waitForWork();
  void takeNews();
  void tellFailure(const session::SessionState& state);
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
  float scale_ = 1;  // of what is drawn
  FramePacer pacer_;
  Clock::time_point told_{};                // of what goes on beside the frame that is shown
  std::optional<Clock::time_point> later_;  // when it is to be told of again
  std::string failure_, reported_;          // that were told
  std::string banner_;                      // of the picture before
};

}  // namespace glint::ui
