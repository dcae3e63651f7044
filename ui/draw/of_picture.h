// A value that a panel tells of the picture that it was drawn in.
#pragma once

#include <imgui.h>

namespace glint::ui {

/// Holds a value for the one picture in which it was begun. In pictures in which its panel is not
/// drawn it is T().
template <class T>
class OfPicture {
 public:
  /// Begins anew, for the picture that is being made.
  T& begin() {
    picture_ = ImGui::GetFrameCount();
    return value_ = T();
  }
  /// The value in the picture that is being made, or was made last.
  T get() const { return picture_ == ImGui::GetFrameCount() ? value_ : T(); }
  /// Gives access to the value after begin().
  T& operator*() { return value_; }
  T* operator->() { return &value_; }

 private:
  T value_;
  int picture_ = -1;
};

}  // namespace glint::ui
