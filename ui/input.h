// What the user does, in order, and nothing lost: ImGui 1.86 looks at keys and buttons once a frame
// and so misses what is pressed and let go in between.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

struct GLFWwindow;

namespace glint::ui {

/// A key with what is held beside it, as the table of shortcuts writes it: "Space", "Shift+Left",
/// "Ctrl+Z", "[". Letters are those of the user's own keyboard layout.
struct Chord {
  std::string name;
  bool repeated = false;  ///< the key is held
};

/// Takes GLFW's events of one window and gives them to ImGui step by step. Main thread.
class Input {
 public:
  /// Sets the window's callbacks and user pointer, and ImGui's key map and clipboard.
  explicit Input(GLFWwindow* window);

  bool pending() const { return !events_.empty(); }

  /// Gives ImGui as many events as one of its frames can distinguish, and the frame's size and
  /// time. Call it before each ImGui::NewFrame(). What was pressed is in chords().
  void beginFrame();
  const std::vector<Chord>& chords() const { return chords_; }

  /// Of the framebuffer, px, as of the last event: asking the X server for each frame costs more
  /// than ImGui. 0 x 0 while it is minimised.
  struct Size {
    uint32_t width = 0, height = 0;
  };
  Size size() const;

  /// Files dropped on the window since the last call.
  std::vector<std::string> takeDropped();

  /// Whether to draw the window again: it was uncovered or resized.
  bool takeRefresh();

  /// Shows the cursor that ImGui wants.
  void endFrame();

 private:
  struct Event {
    enum class Kind { key, text, move, button, scroll, leave } kind;
    int code = 0, action = 0, mods = 0;
    uint32_t text = 0;
    std::string letter = {};  ///< of a key, on the user's layout
    double x = 0, y = 0;
  };
  void add(Event event) { events_.push_back(std::move(event)); }
  void give(const Event& event);
  bool conflicts(const Event& event) const;
  static Input& of(GLFWwindow* window);
  void connect();

  GLFWwindow* window_;
  std::deque<Event> events_;
  std::vector<Chord> chords_;
  std::vector<std::string> dropped_;
  bool refresh_ = true, minimised_ = false;
  int width_ = 0, height_ = 0, pixelsX_ = 0, pixelsY_ = 0;  // of the window, and its framebuffer
  bool repeating_ = false;                                  // the last key event was a repeated one
  double time_ = 0;
  double cursorX_ = 0, cursorY_ = 0;  // after the last event
  // What this frame was given.
  std::vector<int> keys_;
  uint32_t buttons_ = 0;
  bool moved_ = false, scrolled_ = false, typed_ = false;
  int cursor_ = -1;
};

}  // namespace glint::ui
