// The window's loop: events in, one picture out whenever something has changed.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/draw/renderer.h"
#include "ui/frame_pacer.h"
#include "ui/gui.h"
#include "ui/input.h"
#include "ui/ui_state.h"
#include "ui/window.h"
#include "ui/window_memory.h"

namespace glint::ui {

/// Of one session. Main thread.
class MainLoop {
 public:
  using Clock = FramePacer::Clock;

  /// `wanted`: from when on planes of frames are to be drawn.
  MainLoop(const WindowTask& task, Window& window, WindowMemory& memory,
           std::shared_ptr<Messages> messages, const Listeners& listeners,
           const std::function<void()>& wake, const FileChooser::Recent& recent, UiState& state,
           std::atomic<Clock::time_point>& wanted);
  ~MainLoop();
  MainLoop(const MainLoop&) = delete;
  MainLoop& operator=(const MainLoop&) = delete;

  /// `news`: the session has something new. Gives what Screen::run() does.
  std::optional<std::vector<std::string>> run(std::atomic<bool>& news);

 private:
  float wantedScale() const;
  void followScale();
  bool leaves();
  void waitForWork(const std::atomic<bool>& news);
  void takeNews(std::atomic<bool>& news);
  void tellFailure(const SessionState& state);
  void saveCopy();
  void buildFrame();
  void drawFrame();

  const WindowTask& task_;
  std::atomic<Clock::time_point>& wanted_;
  Window& window_;
  WindowMemory& memory_;
  UiState& state_;
  ImGuiLife life_;
  Input input_;
  Gui gui_;
  std::unique_ptr<Renderer> renderer_;
  float scale_ = 1;  // of what is drawn
  FramePacer pacer_;
  Scene scene_;
  std::string failure_, reported_;  // that were told
};

}  // namespace glint::ui
