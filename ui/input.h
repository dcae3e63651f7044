// Everything that the user does reaches ImGui, in order. ImGui 1.86 has no queue of its own: it
// looks at keys and buttons once a frame, and so misses what is pressed and let go between two
// frames.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
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
///
/// A slow machine may deliver a second's worth of events at once. Nothing of that may be lost, so a
/// frame is given no more events than ImGui can tell apart, and none while something that the last
/// events have opened is not yet ready for the next ones.
class Input {
 public:
  /// The events that one frame is given.
  struct Given {
    std::vector<int> keys = {};  ///< GLFW's numbers of all keys that changed
    uint32_t buttons = 0;        ///< a bit for each mouse button that changed
    bool moved = false, scrolled = false, typed = false;
    uint32_t pressedKeys = 0;      ///< without modifiers and without repeated keys
    uint32_t releasedButtons = 0;  ///< their number
    double wheel = 0;              ///< steps of the wheel, in either direction
  };

  /// Sets the window's callbacks and user pointer, and ImGui's key map and clipboard.
  explicit Input(GLFWwindow* window);

  /// Takes the events that have come. If there are none, sleeps until one comes or the loop is
  /// woken, but at most so many seconds (nothing: without a limit).
  void wait(std::optional<double> seconds);
  bool pending() const { return !events_.empty(); }

  /// Gives ImGui as many events as one of its frames can distinguish, and the frame's size and
  /// time. Call it before each ImGui::NewFrame(). What was pressed is in chords().
  void beginFrame();
  const std::vector<Chord>& chords() const { return chords_; }
  const Given& given() const { return given_; }

  /// Size of the framebuffer in px, as of the last event: asking the X server for each frame costs
  /// more than ImGui. 0 x 0 while the window is minimised.
  struct Size {
    uint32_t width = 0, height = 0;
  };
  Size size() const;

  /// Files dropped on the window since the last call.
  std::vector<std::string> takeDropped();

  /// Returns true once after the window was uncovered or resized, and has to be drawn again.
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
    double time = 0;  ///< s, when it came at the earliest
  };
  /// Sizes of the window and of its framebuffer, px.
  struct Extent {
    int width = 0, height = 0, pixelsX = 0, pixelsY = 0;
    bool minimised = false;
  };
  void add(Event event);
  void give(const Event& event);
  bool conflicts(const Event& event) const;
  bool mustWait();
  static Input& of(GLFWwindow* window);
  void connect();

  GLFWwindow* window_;
  std::deque<Event> events_;
  std::vector<Chord> chords_;
  std::vector<std::string> dropped_;
  bool refresh_ = true;
  Extent extent_;
  Given given_;
  bool repeating_ = false;                    // the last key event was a repeated one
  double cursorX_ = 0, cursorY_ = 0;          // after the last event
  double waitBegan_ = 0, lastWaitEnded_ = 0;  // s
  double time_ = 0;                           // s, of the last frame
  int framesWithout_ = 0;                     // since the last frame that was given events
  int cursor_ = -1;                           // of ImGui, as it is shown
};

}  // namespace glint::ui
