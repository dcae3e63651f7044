// The images with what was found in them, and space beside them where there is a rig.
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

class Views {
 public:
  /// `masks` and `calibrator` draw over the images.
  Views(MaskEditor& masks, const Calibrator& calibrator) : masks_(masks), calibrator_(calibrator) {}

  void draw(Context& context);
  /// Tells tests what is drawn, and why what is under the cursor is no marker.
  void describe(nlohmann::json& to) const;

 private:
  void drawAll(Context& context, const Rect& all);
  void drawCamera(Context& context, size_t camera, const Rect& cell);
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
  struct Told {
    std::string rejection;        // why what is under the cursor is no marker, as in files
    std::string rejectionWords;   // the same with both values
    std::string legend;           // what is drawn at another size than it has
    std::vector<TrackId> labels;  // of tracks of the first camera
    size_t pixelValues = 0;       // written into the image of the first camera
  };
  Told told_;
};

}  // namespace glint::ui
