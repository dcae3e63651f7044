// The way of the user's input to ImGui, in order. ImGui 1.86 has no queue of events: it looks at
// keys and buttons once a frame, and so misses those that are pressed and released between two
// frames.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

struct GLFWwindow;

namespace glint::ui {

/// A key with the modifiers that are held, as the table of shortcuts writes it: "Space",
/// "Shift+Left", "Ctrl+Z", "[". Letters are those of the user's own keyboard layout.
struct Chord {
  std::string name;
  bool repeated = false;  ///< true if the key is held and repeats
};

/// The input of one window: it takes GLFW's events and gives them to ImGui step by step. Main
/// thread.
///
/// A slow machine may deliver a second's worth of events at once, and none of them may be lost. So
/// a frame is given no more events than ImGui can tell apart. It is given none while something that
/// the previous events have opened is not ready for the next ones.
class Input {
 public:
  /// The events that one frame is given.
  struct Given {
    std::vector<int> keys = {};  ///< GLFW's numbers of all keys that changed
    uint32_t buttons = 0;        ///< a bit for each mouse button that changed
    bool moved = false, scrolled = false, typed = false;
    /// The number of keys that were pressed, without modifiers and repeated keys.
    uint32_t pressedKeys = 0;
    /// The number of mouse buttons that were released.
    uint32_t releasedButtons = 0;
    double wheel = 0;  ///< steps of the wheel, in either direction
  };

  /// Returns true if this is the name of a key that types no character, such as "F5" or "PgDn".
  static bool hasKey(std::string_view name);

  /// Sets the window's callbacks and user pointer, and ImGui's key map and clipboard.
  explicit Input(GLFWwindow* window);

  /// Takes the events that have arrived. If there are none, sleeps until one arrives or the loop is
  /// woken, but for at most `seconds` (empty: without a limit).
  void wait(std::optional<double> seconds);
  bool pending() const { return !events_.empty(); }

  /// Gives ImGui as many events as one of its frames can distinguish, and the frame's size and
  /// time. Call it before each ImGui::NewFrame(). The keys that were pressed are in chords().
  void beginFrame();
  const std::vector<Chord>& chords() const { return chords_; }
  const Given& given() const { return given_; }

  /// Size of the framebuffer in px, as of the last event, because asking the X server in each frame
  /// costs more than all of ImGui. 0 x 0 while the window is minimised.
  struct Size {
    uint32_t width = 0, height = 0;
  };
  Size size() const;

  /// Returns the files that were dropped on the window since the last call.
  std::vector<std::string> takeDropped();

  /// Returns true once after the window was uncovered or resized, so that it has to be drawn again.
  bool takeRefresh();

  /// Shows the mouse cursor that ImGui asks for.
  void endFrame();

 private:
  struct Event {
    enum class Kind { key, text, move, button, scroll, leave } kind;
    int code = 0, action = 0, mods = 0;
    uint32_t text = 0;
    /// The letter of a key on the user's layout.
    std::string letter = {};
    double x = 0, y = 0;
    /// The earliest time, s, at which the event can have happened.
    double time = 0;
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
  bool repeating_ = false;                    // true if the last key event was a repeated one
  double cursorX_ = 0, cursorY_ = 0;          // px, place of the cursor after the last event
  double waitBegan_ = 0, lastWaitEnded_ = 0;  // s
  double time_ = 0;                           // s, time of the last frame
  int framesWithout_ = 0;                     // frames since the last one that was given events
  int cursor_ = -1;                           // the cursor that is shown, by ImGui's number
};

}  // namespace glint::ui
