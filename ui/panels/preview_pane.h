// The picture of a camera before it is opened as a session.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "app/shell/desk/camera_preview.h"

namespace glint::ui {

/// The preview of one camera at a time. Main thread.
class PreviewPane {
 public:
  /// The camera to show, and the mode that is asked of it.
  struct Wanted {
    Address source;
    Settings::Camera request;
  };

  /// `wake` makes the window look again. It is called from any thread.
  explicit PreviewPane(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// Sets the camera to show; empty: none. The preview of another camera is cancelled. A new one
  /// begins only when that has ended, since it may still hold the camera.
  void follow(const std::optional<Wanted>& wanted);
  /// Returns why there is no picture; empty if there is one, or none yet.
  std::string problem() const { return preview_ ? preview_->progress().problem : ""; }
  /// Draws the picture, `width` px wide, or the problem. `words` are drawn if there is neither.
  void draw(float width, std::string words) const;

 private:
  void end();

  std::function<void()> wake_;
  std::unique_ptr<shell::CameraPreview> preview_;
  // Cancelled previews that have not ended yet.
  std::list<std::unique_ptr<shell::CameraPreview>> ending_;
};

}  // namespace glint::ui
