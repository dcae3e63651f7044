// The window on the screen, and ImGui's life.
#pragma once

#include <optional>
#include <string>

#include <imgui.h>

#include "app/shell/desk/user_files.h"

struct GLFWwindow;

namespace glint::ui {

/// GLFW's one window here. Throws Error where it cannot be made.
class Window {
 public:
  /// `place`: where it was before, if that is known; what is on no screen now is passed over.
  Window(const std::string& title, const std::optional<shell::WindowPlace>& place);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const { return window_; }
  float scale() const;  ///< px a point: 1, or 2 on fine screens
  bool closing() const;
  /// It is not to be closed after all.
  void stay();
  shell::WindowPlace place() const;

 private:
  GLFWwindow* window_;
};

/// ImGui's context; one at a time.
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
