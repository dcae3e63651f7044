// Masks painted on the views.
#pragma once

#include "app/shell/desk/mask_canvas.h"
#include "app/shell/desk/mask_learning.h"
#include "ui/context/context.h"
#include "ui/draw/mask_overlay.h"

struct ImDrawList;

namespace glint::ui {

/// The masks of all cameras: the one in force, or the one that is painted. Main thread.
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

  /// Takes the masks in force, unless others are being painted. Call it before each picture.
  void follow();

  /// Lets the mouse paint in a camera's view, which is ImGui's last item. The wheel and the middle
  /// button have other uses.
  void paint(size_t camera, const View& view);
  /// Draws the ignored pixels, and the brush.
  void drawOver(ImDrawList& list, const View& view, size_t camera);

  /// Draws the tab.
  void draw(Context& context);
  /// Writes whether the mask is painted, and how many pixels are ignored, into `to`, for tests.
  void describe(nlohmann::json& to) const;

  /// Returns true if something was painted, or removed, that is not in force.
  bool pending() const;
  /// Saves the masks, and puts them into force. Returns false, and tells the user, if that fails.
  bool use();
  /// Returns the number of ignored pixels of all cameras.
  size_t ignored() const;

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
  bool on_ = false;  // true while the mouse paints
  // The settings from which the canvases were made, as pixelsOf() reduces them.
  std::optional<Settings::Detect> made_;
  std::vector<shell::MaskCanvas> canvases_;  // one for each camera
  std::vector<MaskOverlay> overlays_;        // one for each canvas
  size_t last_ = 0;                          // the camera that was painted last
  Tool tool_ = Tool::brush;
  // True if painting makes pixels measured, and false if it makes them ignored.
  bool measures_ = false;
  double radius_ = 12;  // px of the image
  /// A stroke or rectangle that is being drawn; px of the image.
  struct Drag {
    size_t camera;
    ImagePoint begin, now;
  };
  std::optional<Drag> drag_;
  std::unique_ptr<shell::MaskLearning> learning_;
};

}  // namespace glint::ui
