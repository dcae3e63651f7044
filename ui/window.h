// The window on the screen, and ImGui's life.
#pragma once

#include <string>

struct GLFWwindow;

namespace glint::ui {

/// GLFW's one window here. Throws Error where it cannot be made.
class Window {
 public:
  explicit Window(const std::string& title);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const { return window_; }
  float scale() const;  ///< px a point: 1, or 2 on fine screens
  bool closing() const;
  void close();
  /// Of the framebuffer, px; 0 while it is minimised.
  void size(uint32_t& width, uint32_t& height) const;

 private:
  GLFWwindow* window_;
};

/// ImGui's context; one at a time.
class ImGuiLife {
 public:
  ImGuiLife();
  ~ImGuiLife();
  ImGuiLife(const ImGuiLife&) = delete;
  ImGuiLife& operator=(const ImGuiLife&) = delete;
};

}  // namespace glint::ui
