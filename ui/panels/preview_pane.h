// What a camera sees, before it is opened as a session.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "app/shell/desk/camera_preview.h"

namespace glint::ui {

/// Of one camera at a time. Main thread.
class PreviewPane {
 public:
  struct Wanted {
    Address source;
    Settings::Camera request;
  };

  /// `wake` makes the window look again, from any thread.
  explicit PreviewPane(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// What is to be seen; empty: nothing. What was seen before is cancelled, and waited for before
  /// another camera is opened, since it may still hold it.
  void follow(const std::optional<Wanted>& wanted);
  /// Why there is no picture of what is to be seen; empty: there is one, or none yet.
  std::string problem() const { return preview_ ? preview_->progress().problem : ""; }
  /// `words`: what is told where there is no picture, and no problem.
  void draw(float width, std::string words) const;

 private:
  void end();

  std::function<void()> wake_;
  std::unique_ptr<shell::CameraPreview> preview_;
  std::list<std::unique_ptr<shell::CameraPreview>> ending_;  // cancelled, and not yet gone
};

}  // namespace glint::ui
