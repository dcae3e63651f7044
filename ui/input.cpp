#include "ui/input.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>

namespace glint::ui {
namespace {

/// A key by GLFW's number, with its name in chords (null if the name is its letter) and its number
/// in ImGui.
struct Key {
  int code;
  const char* name;
  int imGui = ImGuiKey_COUNT;
};
constexpr Key kKeys[] = {{GLFW_KEY_ESCAPE, "Esc", ImGuiKey_Escape},
                         {GLFW_KEY_ENTER, "Enter", ImGuiKey_Enter},
                         {GLFW_KEY_TAB, "Tab", ImGuiKey_Tab},
                         {GLFW_KEY_BACKSPACE, "Backspace", ImGuiKey_Backspace},
                         {GLFW_KEY_DELETE, "Delete", ImGuiKey_Delete},
                         {GLFW_KEY_RIGHT, "Right", ImGuiKey_RightArrow},
                         {GLFW_KEY_LEFT, "Left", ImGuiKey_LeftArrow},
                         {GLFW_KEY_DOWN, "Down", ImGuiKey_DownArrow},
                         {GLFW_KEY_UP, "Up", ImGuiKey_UpArrow},
                         {GLFW_KEY_PAGE_UP, "PgUp", ImGuiKey_PageUp},
                         {GLFW_KEY_PAGE_DOWN, "PgDn", ImGuiKey_PageDown},
                         {GLFW_KEY_HOME, "Home", ImGuiKey_Home},
                         {GLFW_KEY_END, "End", ImGuiKey_End},
                         {GLFW_KEY_INSERT, "Insert", ImGuiKey_Insert},
                         {GLFW_KEY_KP_ENTER, "Enter", ImGuiKey_KeyPadEnter},
                         {GLFW_KEY_F1, "F1"},
                         {GLFW_KEY_F2, "F2"},
                         {GLFW_KEY_F3, "F3"},
                         {GLFW_KEY_F4, "F4"},
                         {GLFW_KEY_F5, "F5"},
                         {GLFW_KEY_F6, "F6"},
                         {GLFW_KEY_F7, "F7"},
                         {GLFW_KEY_F8, "F8"},
                         {GLFW_KEY_F9, "F9"},
                         {GLFW_KEY_F10, "F10"},
                         {GLFW_KEY_F11, "F11"},
                         {GLFW_KEY_F12, "F12"},
                         {GLFW_KEY_SPACE, nullptr, ImGuiKey_Space},
                         {GLFW_KEY_A, nullptr, ImGuiKey_A},
                         {GLFW_KEY_C, nullptr, ImGuiKey_C},
                         {GLFW_KEY_V, nullptr, ImGuiKey_V},
                         {GLFW_KEY_X, nullptr, ImGuiKey_X},
                         {GLFW_KEY_Y, nullptr, ImGuiKey_Y},
                         {GLFW_KEY_Z, nullptr, ImGuiKey_Z}};

std::string upper(std::string text) {
  if (text.size() == 1 && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string withMods(int mods, const std::string& key) {
  std::string name;
  if (mods & GLFW_MOD_CONTROL) name += "Ctrl+";
  if (mods & GLFW_MOD_ALT) name += "Alt+";
  if (mods & GLFW_MOD_SHIFT) name += "Shift+";
  return name + key;
}

/// Returns the key that has `letter` on the user's layout, so that ImGui's own shortcuts (copy,
/// undo) are found by letter. Returns `key` if the letter is not one of A to Z.
int onOwnLayout(int key, const std::string& letter) {
  const std::string big = upper(letter);
  return big.size() == 1 && big[0] >= 'A' && big[0] <= 'Z' ? GLFW_KEY_A + (big[0] - 'A') : key;
}

/// Returns true for GLFW's numbers of Shift, Ctrl, Alt and Super, left and right.
bool isModifier(int key) {
  return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER;
}

/// An event that arrives sooner than this many seconds after the loop began to wait had been
/// waiting itself.
constexpr double kAtOnce = 1e-3;
/// The most frames in a row that are given no events although some are pending. Windows of ImGui
/// need one or two frames until they can be used. A window that never becomes ready must not block
/// the others.
constexpr int kMostFramesWithout = 3;

}  // namespace

Input::Input(GLFWwindow* window) : window_(window), time_(glfwGetTime()) {
  glfwSetWindowUserPointer(window, this);
  connect();
  glfwGetWindowSize(window, &extent_.width, &extent_.height);
  glfwGetFramebufferSize(window, &extent_.pixelsX, &extent_.pixelsY);
  extent_.minimised = glfwGetWindowAttrib(window, GLFW_ICONIFIED) == GLFW_TRUE;
  glfwGetCursorPos(window, &cursorX_, &cursorY_);  // the cursor may be over the window already
  add({.kind = Event::Kind::move, .x = cursorX_, .y = cursorY_});
  ImGuiIO& io = ImGui::GetIO();
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  for (const Key& key : kKeys)
    if (key.imGui != ImGuiKey_COUNT) io.KeyMap[key.imGui] = key.code;
  io.ClipboardUserData = window;
  io.GetClipboardTextFn = [](void* user) {
    return glfwGetClipboardString(static_cast<GLFWwindow*>(user));
  };
  io.SetClipboardTextFn = [](void* user, const char* text) {
    glfwSetClipboardString(static_cast<GLFWwindow*>(user), text);
  };
}

bool Input::hasKey(std::string_view name) {
  return std::ranges::any_of(kKeys, [&](const Key& key) { return key.name && name == key.name; });
}

Input& Input::of(GLFWwindow* window) {
  return *static_cast<Input*>(glfwGetWindowUserPointer(window));
}

void Input::wait(std::optional<double> seconds) {
  waitBegan_ = glfwGetTime();
  if (!seconds)
    glfwWaitEvents();
  else if (*seconds > 0)
    glfwWaitEventsTimeout(*seconds);
  else
    glfwPollEvents();
  lastWaitEnded_ = glfwGetTime();
}

/// Adds an event with the earliest time at which it can have happened, because GLFW does not tell
/// the time. An event that waited while the window was busy is taken to have happened when the
/// window became busy. Otherwise, two presses with a slowly drawn picture between them would not be
/// a double click.
void Input::add(Event event) {
  const double now = glfwGetTime();
  event.time = now - waitBegan_ < kAtOnce ? lastWaitEnded_ : now;
  events_.push_back(std::move(event));
}

void Input::connect() {
  using Kind = Event::Kind;
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scan, int action, int mods) {
    const char* letter = glfwGetKeyName(key, scan);
    of(w).add({.kind = Kind::key,
               .code = key,
               .action = action,
               .mods = mods,
               .letter = letter ? letter : ""});
  });
  glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned int text) {
    of(w).add({.kind = Kind::text, .text = text});
  });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
    Input& input = of(w);
    input.cursorX_ = x;
    input.cursorY_ = y;
    // Replaces a pending move, because only the last of several moves in a row counts.
    if (!input.events_.empty() && input.events_.back().kind == Kind::move) input.events_.pop_back();
    input.add({.kind = Kind::move, .x = x, .y = y});
  });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
    if (!entered) of(w).add({.kind = Kind::leave});
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int mods) {
    // Notes where the cursor is at this event. Asked later, GLFW would return where it has moved
    // since.
    Input& input = of(w);
    input.add({.kind = Kind::button,
               .code = button,
               .action = action,
               .mods = mods,
               .x = input.cursorX_,
               .y = input.cursorY_});
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double x, double y) {
    of(w).add({.kind = Kind::scroll, .x = x, .y = y});
  });
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** names) {
    for (int i = 0; i < count; ++i) of(w).dropped_.emplace_back(names[i]);
  });
  glfwSetWindowSizeCallback(window_, [](GLFWwindow* w, int width, int height) {
    of(w).extent_.width = width;
    of(w).extent_.height = height;
  });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int width, int height) {
    of(w).extent_.pixelsX = width;
    of(w).extent_.pixelsY = height;
    of(w).refresh_ = true;
  });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { of(w).refresh_ = true; });
  glfwSetWindowIconifyCallback(window_, [](GLFWwindow* w, int minimised) {
    of(w).extent_.minimised = minimised == GLFW_TRUE;
    of(w).refresh_ = true;
  });
}

Input::Size Input::size() const {
  if (extent_.minimised) return {};
  return {static_cast<uint32_t>(std::max(0, extent_.pixelsX)),
          static_cast<uint32_t>(std::max(0, extent_.pixelsY))};
}

/// Returns true while the last events have an effect that ImGui completes in its next frame. A list
/// or dialog that still measures itself cannot be clicked. A field that is about to get the
/// keyboard does not have it yet, and one that loses it has not given it back.
bool Input::mustWait() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const bool opens = std::ranges::any_of(context.Windows, [](const ImGuiWindow* window) {
    return window->Active && window->Appearing;
  });
  const bool focuses = context.NavMoveSubmitted;
  const bool returnsKeyboard = context.WantTextInputNextFrame == 1 && context.ActiveId == 0;
  const bool changes = opens || focuses || returnsKeyboard;
  framesWithout_ = changes && framesWithout_ < kMostFramesWithout ? framesWithout_ + 1 : 0;
  return framesWithout_ > 0;
}

/// Returns true if ImGui could not tell the order of this event and those that the frame was given
/// already.
bool Input::conflicts(const Event& event) const {
  switch (event.kind) {
    case Event::Kind::key:
      // A mouse button may open a field that the next key is meant for.
      if (given_.buttons != 0) return true;
      // ImGui applies modifiers to all keys and steps of the wheel in a frame.
      if (isModifier(event.code) &&
          (given_.scrolled ||
           std::ranges::any_of(given_.keys, [](int key) { return !isModifier(key); })))
        return true;
      return std::find(given_.keys.begin(), given_.keys.end(), event.code) != given_.keys.end() ||
             given_.typed;
    case Event::Kind::text:
      return false;
    case Event::Kind::move:
    case Event::Kind::leave:
      return given_.buttons != 0 || given_.scrolled;
    case Event::Kind::button:
      return given_.buttons != 0 || given_.scrolled || given_.moved;
    case Event::Kind::scroll:
      return given_.buttons != 0;
  }
  return false;
}

void Input::give(const Event& event) {
  ImGuiIO& io = ImGui::GetIO();
  switch (event.kind) {
    case Event::Kind::key: {
      const bool down = event.action != GLFW_RELEASE;
      repeating_ = event.action == GLFW_REPEAT;
      given_.keys.push_back(event.code);
      if (event.action == GLFW_PRESS && !isModifier(event.code)) ++given_.pressedKeys;
      const int key = onOwnLayout(event.code, event.letter);
      if (key >= 0 && key < IM_ARRAYSIZE(io.KeysDown)) io.KeysDown[key] = down;
      // ImGui needs the modifiers after the event, but X11 tells those before it.
      const auto held = [&](int mod, int left, int right) {
        const bool own = event.code == left || event.code == right;
        return own ? io.KeysDown[left] || io.KeysDown[right] : (event.mods & mod) != 0;
      };
      io.KeyCtrl = held(GLFW_MOD_CONTROL, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
      io.KeyShift = held(GLFW_MOD_SHIFT, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
      io.KeyAlt = held(GLFW_MOD_ALT, GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT);
      if (!down) return;
      for (const Key& named : kKeys)
        if (named.code == event.code && named.name)
          chords_.push_back({withMods(event.mods, named.name), repeating_});
      if ((event.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT)) && event.letter.size() == 1)
        chords_.push_back({withMods(event.mods, upper(event.letter)), repeating_});
      return;
    }
    case Event::Kind::text:
      given_.typed = true;
      io.AddInputCharacter(event.text);
      if (event.text == ' ')
        chords_.push_back({"Space", repeating_});
      else if (event.text > ' ' && event.text < 127)
        chords_.push_back({upper(std::string(1, static_cast<char>(event.text))), repeating_});
      return;
    case Event::Kind::move:
      given_.moved = true;
      io.MousePos = {static_cast<float>(event.x), static_cast<float>(event.y)};
      return;
    case Event::Kind::leave:
      given_.moved = true;
      if (!ImGui::IsAnyMouseDown()) io.MousePos = {-FLT_MAX, -FLT_MAX};
      return;
    case Event::Kind::button:
      if (event.code < 0 || event.code >= ImGuiMouseButton_COUNT) return;
      given_.buttons |= 1U << event.code;
      if (event.action == GLFW_RELEASE) ++given_.releasedButtons;
      io.MousePos = {static_cast<float>(event.x), static_cast<float>(event.y)};
      io.MouseDown[event.code] = event.action == GLFW_PRESS;
      io.KeyCtrl = (event.mods & GLFW_MOD_CONTROL) != 0;
      io.KeyShift = (event.mods & GLFW_MOD_SHIFT) != 0;
      return;
    case Event::Kind::scroll:
      given_.scrolled = true;
      given_.wheel += std::abs(event.y);
      io.MouseWheel += static_cast<float>(event.y);
      io.MouseWheelH += static_cast<float>(event.x);
      return;
  }
}

void Input::beginFrame() {
  chords_.clear();
  given_ = {};
  double now = events_.empty() ? glfwGetTime() : time_;
  for (bool waits = mustWait(); !waits && !events_.empty() && !conflicts(events_.front());) {
    now = std::max(now, events_.front().time);
    give(events_.front());
    events_.pop_front();
  }
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(extent_.width), static_cast<float>(extent_.height)};
  if (extent_.width > 0 && extent_.height > 0) {
    io.DisplayFramebufferScale = {static_cast<float>(extent_.pixelsX) / io.DisplaySize.x,
                                  static_cast<float>(extent_.pixelsY) / io.DisplaySize.y};
  }
  io.DeltaTime = std::max(1e-4F, static_cast<float>(now - time_));
  time_ = now;
}

std::vector<std::string> Input::takeDropped() {
  return std::exchange(dropped_, {});
}

bool Input::takeRefresh() {
  return std::exchange(refresh_, false);
}

void Input::endFrame() {
  const int wanted = ImGui::GetMouseCursor();
  if (wanted == std::exchange(cursor_, wanted)) return;
  // GLFW frees the cursors when it terminates.
  static const std::map<int, GLFWcursor*> cursors{
      {ImGuiMouseCursor_Hand, glfwCreateStandardCursor(GLFW_HAND_CURSOR)},
      {ImGuiMouseCursor_TextInput, glfwCreateStandardCursor(GLFW_IBEAM_CURSOR)},
      {ImGuiMouseCursor_ResizeEW, glfwCreateStandardCursor(GLFW_HRESIZE_CURSOR)},
      {ImGuiMouseCursor_ResizeNS, glfwCreateStandardCursor(GLFW_VRESIZE_CURSOR)}};
  const auto found = cursors.find(wanted);
  glfwSetCursor(window_, found == cursors.end() ? nullptr : found->second);
}

}  // namespace glint::ui
