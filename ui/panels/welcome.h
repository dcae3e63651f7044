// The empty window: a place to drop recordings on, the cameras, and the sources that were opened
// before.
#pragma once

#include <string>
#include <vector>

#include "ui/context/context.h"
#include "ui/panels/camera_chooser.h"
#include "ui/panels/file_chooser.h"

namespace glint::ui {

/// The only panel while no sources are open. Main thread.
class Welcome {
 public:
  Welcome(Context& context, const RecentSources& recent, CameraChooser& cameras,
          const FileChooser& chooser);

  void draw(Context& context);

 private:
  void drawRecordings(Context& context, const Rect& place) const;

  CameraChooser& cameras_;
  const FileChooser& chooser_;
  std::vector<std::vector<Address>> recent_;  // sources that were opened before, the latest first
};

}  // namespace glint::ui
