// The images with the markers and tracks in them and, with a rig, the 3D view beside them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/context/context.h"
#include "ui/panels/calibrate.h"
#include "ui/panels/first_levels.h"
#include "ui/panels/mask_editor.h"
#include "ui/panels/space.h"

namespace glint::ui {

/// The images of all cameras with the marks that are drawn over them. Main thread.
class Views {
 public:
  /// `masks` and `calibrator` draw over the images.
  Views(MaskEditor& masks, const Calibrator& calibrator) : masks_(masks), calibrator_(calibrator) {}

  void draw(Context& context);
  /// Writes what is drawn, and why the candidate under the cursor is no marker, into `to`, for
  /// tests.
  void describe(nlohmann::json& to) const;

 private:
  void drawAll(Context& context, const Rect& all);
  void drawCamera(Context& context, size_t camera, const Rect& tile);
  void drawFrame(Context& context, size_t camera, const Rect& cell);
  void drawEnlarged(const OverlayOptions& overlay, const Rect& place);
  void handleMouse(Context& context, size_t camera);
  bool dragEnd(Context& context, size_t camera, Point cursor) const;
  void explainRejected(Context& context, const gpu::Rejected& rejected, size_t camera,
                       bool clicked);

  MaskEditor& masks_;
  const Calibrator& calibrator_;
  SpaceView space_;
  FirstLevels firstLevels_;
  /// The words and numbers of the picture that was drawn last.
  struct Displayed {
    // The reason why the candidate under the cursor is no marker, in the words of files.
    std::string rejection;
    std::string rejectionWords;   // that reason, with the value and the limit
    std::string legend;           // the marks that are drawn larger than they are
    std::vector<TrackId> labels;  // tracks of the first camera whose numbers are drawn
    size_t pixelValues = 0;       // number of values written into the first camera's image
  };
  Displayed displayed_;
};

}  // namespace glint::ui
