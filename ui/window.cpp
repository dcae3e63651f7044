#include "ui/window.h"

#include <algorithm>
#include <cstdint>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include "config/error.h"

namespace glint::ui {
namespace {

constexpr int kWidth = 1280, kHeight = 800;
constexpr int kLeastWidth = 480, kLeastHeight = 320;

/// What of the screen there is room on.
void clampToScreen(int& width, int& height) {
  int x = 0, y = 0, screenWidth = 0, screenHeight = 0;
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (!monitor) return;
  glfwGetMonitorWorkarea(monitor, &x, &y, &screenWidth, &screenHeight);
  if (screenWidth > kLeastWidth) width = std::min(width, screenWidth);
  if (screenHeight > kLeastHeight) height = std::min(height, screenHeight);
}

}  // namespace

Window::Window(const std::string& title) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "glint");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "glint");
  int width = kWidth, height = kHeight;
  clampToScreen(width, height);
  window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (!window_) throw Error("no window can be opened on this display");
  glfwSetWindowSizeLimits(window_, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
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

void Window::close() {
  glfwSetWindowShouldClose(window_, GLFW_TRUE);
}

void Window::size(uint32_t& width, uint32_t& height) const {
  int pixelsX = 0, pixelsY = 0;
  glfwGetFramebufferSize(window_, &pixelsX, &pixelsY);
  const bool hidden = glfwGetWindowAttrib(window_, GLFW_ICONIFIED) != 0;
  width = hidden ? 0 : static_cast<uint32_t>(std::max(0, pixelsX));
  height = hidden ? 0 : static_cast<uint32_t>(std::max(0, pixelsY));
}

ImGuiLife::ImGuiLife() {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().LogFilename = nullptr;
}

ImGuiLife::~ImGuiLife() {
  ImGui::DestroyContext();
}

}  // namespace glint::ui
