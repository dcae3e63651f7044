// Small pictures of a camera that is being chosen.
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

/// Opens a source of its own and reads until it is cancelled: nobody else can have that camera
/// meanwhile. Its problem is why there is no picture.
class CameraPreview : public BackgroundTask {
 public:
  static constexpr uint32_t kMostWidth = 160, kMostHeight = 120;  ///< px

  using Picture = SmallPicture;

  /// `changed`: at most ten times a second, see BackgroundTask.
  CameraPreview(Address source, Settings::Camera request, std::function<void()> changed);
  ~CameraPreview() { end(); }

  const Address& source() const { return source_; }
  const Settings::Camera& request() const { return request_; }
  /// Null before the first one. Any thread.
  std::shared_ptr<const Picture> picture() const;

 private:
  void read();

  const Address source_;
  const Settings::Camera request_;
  std::shared_ptr<const Picture> picture_;  // with the lock
};

}  // namespace glint::shell
