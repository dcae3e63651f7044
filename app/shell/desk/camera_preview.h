// Small pictures from a camera that the user may choose.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/shell/desk/background_task.h"
#include "app/shell/desk/small_picture.h"
#include "config/secrets.h"
#include "config/settings.h"
#include "gpu/frame.h"

namespace glint::shell {

/// A task that opens a source of its own, and reads it until it is cancelled. Nobody else can use
/// that camera meanwhile. The problem in its progress tells why there is no picture.
class CameraPreview : public BackgroundTask {
 public:
  static constexpr uint32_t kMostWidth = 160, kMostHeight = 120;  ///< px

  using Picture = SmallPicture;

  /// `changed` is called at most ten times a second: see BackgroundTask.
  CameraPreview(Address source, Settings::Camera request, std::function<void()> changed);
  ~CameraPreview() { end(); }

  const Address& source() const { return source_; }
  const Settings::Camera& request() const { return request_; }
  /// Returns the latest picture; null before the first one. Any thread.
  std::shared_ptr<const Picture> picture() const;

 private:
  void read();

  const Address source_;
  const Settings::Camera request_;
  std::shared_ptr<const Picture> picture_;  // guarded by mutex_
};

}  // namespace glint::shell
