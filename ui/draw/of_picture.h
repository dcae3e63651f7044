// A value that a panel reports about the picture in which it was drawn.
#pragma once

#include <imgui.h>

namespace glint::ui {

/// A value for the one picture in which it was begun. In a picture in which its panel is not drawn,
/// the value is T().
template <class T>
class OfPicture {
 public:
  /// Resets the value to T() for the picture that is being made, and returns it.
  T& begin() {
    picture_ = ImGui::GetFrameCount();
    return value_ = T();
  }
  /// Returns the value in the picture that is being made, or was made last.
  T get() const { return picture_ == ImGui::GetFrameCount() ? value_ : T(); }
  /// Gives access to the value after begin().
  T& operator*() { return value_; }
  T* operator->() { return &value_; }

 private:
  T value_;
  int picture_ = -1;  // ImGui's number of the picture of begin(); -1: none
};

}  // namespace glint::ui
