// The window on the screen, and the lifetime of ImGui's context.
#pragma once

#include <optional>
#include <string>

#include <imgui.h>

#include "app/shell/desk/user_files.h"

struct GLFWwindow;

namespace glint::ui {

/// The only GLFW window. Throws Error if it cannot be created.
class Window {
 public:
  /// `place` is where the window was when it was last closed, if that is known. A position that is
  /// on no screen now is ignored.
  Window(const std::string& title, const std::optional<shell::WindowPlace>& place);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const { return window_; }
  float scale() const;  ///< px a point, 1 to 4: 1 on usual screens, 2 on fine ones
  bool closing() const;
  /// Takes back the user's request to close the window.
  void stay();
  shell::WindowPlace place() const;

 private:
  GLFWwindow* window_;
};

/// ImGui's context. Only one may exist at a time.
class ImGuiLife {
 public:
  ImGuiLife() {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = ImGui::GetIO().LogFilename = nullptr;
  }
  ~ImGuiLife() { ImGui::DestroyContext(); }
  ImGuiLife(const ImGuiLife&) = delete;
  ImGuiLife& operator=(const ImGuiLife&) = delete;
};

}  // namespace glint::ui
