#include "ui/window.h"

#include <algorithm>
#include <cmath>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "config/error.h"

namespace glint::ui {
namespace {

constexpr int kWidth = 1280, kHeight = 800;
constexpr int kLeastWidth = 480, kLeastHeight = 320;
constexpr int kTitle = 40, kLeastSeen = 120;

/// Converts the size of a window from screens of `scale` px a point to the primary screen, so that
/// it has as much room for its contents. Limits it to the space on that screen.
void fitToScreen(double scale, int& width, int& height) {
  int x = 0, y = 0, screenWidth = 0, screenHeight = 0;
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (!monitor) return;
  float scaleX = 1, scaleY = 1;
  glfwGetMonitorContentScale(monitor, &scaleX, &scaleY);
  const double times = std::max({double{scaleX}, double{scaleY}, 1.0}) / scale;
  width = static_cast<int>(std::lround(width * times));
  height = static_cast<int>(std::lround(height * times));
  glfwGetMonitorWorkarea(monitor, &x, &y, &screenWidth, &screenHeight);
  if (screenWidth > kLeastWidth) width = std::min(width, screenWidth);
  if (screenHeight > kLeastHeight) height = std::min(height, screenHeight);
}

/// Returns true if enough of the title bar is on a screen to take hold of it.
bool onScreen(const shell::WindowPlace& place) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(monitors[i], &x, &y, &width, &height);
    const int across = std::min(place.x + place.width, x + width) - std::max(place.x, x);
    const bool top = place.y >= y - kTitle && place.y < y + height - kTitle;
    if (across >= kLeastSeen && top) return true;
  }
  return false;
}

GLFWwindow* makeWindow(const std::string& title, const std::optional<shell::WindowPlace>& place) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // the window is shown once it has its place
  glfwWindowHint(GLFW_MAXIMIZED, place && place->maximised ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "glint");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "glint");
  int width = place ? std::max(place->width, kLeastWidth) : kWidth;
  int height = place ? std::max(place->height, kLeastHeight) : kHeight;
  fitToScreen(place ? place->scale : 1, width, height);
  GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (!window) throw Error("cannot open a window on this display");
  return window;
}

}  // namespace

Window::Window(const std::string& title, const std::optional<shell::WindowPlace>& place)
    : window_(makeWindow(title, place)) {
  glfwSetWindowSizeLimits(window_, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
  if (place && !place->maximised && onScreen(*place)) glfwSetWindowPos(window_, place->x, place->y);
  glfwShowWindow(window_);
}

shell::WindowPlace Window::place() const {
  shell::WindowPlace place;
  glfwGetWindowPos(window_, &place.x, &place.y);
  glfwGetWindowSize(window_, &place.width, &place.height);
  place.maximised = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) == GLFW_TRUE;
  place.scale = double{scale()};
  return place;
}

Window::~Window() {
  glfwDestroyWindow(window_);
}

float Window::scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return std::clamp(std::max(x, y), 1.0F, 4.0F);
}

bool Window::closing() const {
  return glfwWindowShouldClose(window_) != 0;
}

void Window::stay() {
  glfwSetWindowShouldClose(window_, GLFW_FALSE);
}

}  // namespace glint::ui
