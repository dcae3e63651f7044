// Masks painted on the views.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/desk/mask_canvas.h"
#include "app/desk/mask_learning.h"
#include "ui/mask_overlay.h"
#include "ui/view.h"

struct ImDrawList;

namespace glint::ui {

struct Context;

/// One mask a camera: the one in force, or what is painted on it. Main thread.
class Painting {
 public:
  bool on() const { return on_; }
  void toggle(Context& context);

  /// Takes the masks that are in force, unless others are being painted; before each frame is
  /// drawn.
  void follow(Context& context);

  /// What the mouse does over a camera's view, ImGui's last item; the wheel and the middle button
  /// apart.
  void paint(size_t camera, const View& view);
  /// What is ignored, and the brush.
  void drawOver(ImDrawList& list, const View& view, size_t camera);

  /// The tab.
  void draw(Context& context);

  /// Whether something was painted, or taken away, that is not in force.
  bool pending(const Context& context) const;
  /// Puts it into files and into force. Says what is wrong; whether it did.
  bool use(Context& context);

 private:
  enum class Tool { brush, rectangle };
  MaskCanvas& canvas(const Context& context);
  bool unsaved() const;
  size_t ignored() const;
  void load(Context& context, const std::string& mask);
  void learn(Context& context);
  void followLearning(Context& context);
  void drawTools(Context& context);
  void drawActions(Context& context);
  void drawSteps(Context& context);

  bool on_ = false;
  std::optional<std::string> mask_;    // detect.mask that the canvases were made of
  std::vector<MaskCanvas> canvases_;   // a camera each
  std::vector<MaskOverlay> overlays_;  // of them
  size_t last_ = 0;                    // the camera that was painted on last
  Tool tool_ = Tool::brush;
  bool measures_ = false;  // the ink
  float radius_ = 12;      // px of the image
  struct Drag {
    size_t camera;
    ImagePoint begin, now;
  };
  std::optional<Drag> drag_;
  std::unique_ptr<MaskLearning> learning_;
};

}  // namespace glint::ui
