// Masks painted on the views.
#pragma once

#include "app/shell/desk/mask_canvas.h"
#include "app/shell/desk/mask_learning.h"
#include "ui/context/context.h"
#include "ui/draw/mask_overlay.h"

struct ImDrawList;

namespace glint::ui {

/// One mask a camera: the one in force, or what is painted on it. Main thread.
class MaskEditor {
 public:
  explicit MaskEditor(Context& context)
      : task_(context.model.task),
        player_(context.model.player),
        draft_(context.model.draft),
        messages_(context.messages),
        layout_(context.layout),
        wake_(context.actions.wake) {}

  bool on() const { return on_; }
  void toggle();

  /// Takes the masks that are in force, unless others are being painted; before each frame is
  /// drawn.
  void follow();

  /// What the mouse does over a camera's view, ImGui's last item; the wheel and the middle button
  /// apart.
  void paint(size_t camera, const View& view);
  /// Draws what is ignored, and the brush.
  void drawOver(ImDrawList& list, const View& view, size_t camera);

  /// Draws the tab.
  void draw(Context& context);
  /// Tells tests whether it is painted, and how many pixels are ignored.
  void describe(nlohmann::json& to) const;

  /// True if something was painted, or taken away, that is not in force.
  bool pending() const;
  /// Puts it into files and into force. Says what is wrong; whether it did.
  bool use();
  size_t ignored() const;  ///< pixels, of all cameras

 private:
  enum class Tool { brush, rectangle };
  bool unsaved() const;
  void load(const Settings::Detect& detect);
  void putInForce(const std::string& mask);
  void learn();
  void followLearning();
  void drawTools();
  void drawActions(shell::MaskCanvas& mask);

  const shell::WindowTask& task_;
  Player& player_;
  SettingsDraft& draft_;
  Messages& messages_;
  Layout& layout_;
  std::function<void()> wake_;
  bool on_ = false;
  std::optional<Settings::Detect> made_;     // what the canvases were made of, as pixelsOf() has it
  std::vector<shell::MaskCanvas> canvases_;  // a camera each
  std::vector<MaskOverlay> overlays_;        // of them
  size_t last_ = 0;                          // the camera that was painted on last
  Tool tool_ = Tool::brush;
  bool measures_ = false;  // the ink
  double radius_ = 12;     // px of the image
  struct Drag {
    size_t camera;
    ImagePoint begin, now;
  };
  std::optional<Drag> drag_;
  std::unique_ptr<shell::MaskLearning> learning_;
};

}  // namespace glint::ui
