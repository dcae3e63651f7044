// The distribution of markers, with the limits as handles in it, and the brightness of the image.
#pragma once

#include <string>

#include "app/shell/desk/luminance_histogram.h"
#include "ui/context/context.h"
#include "ui/draw/of_picture.h"

namespace glint::ui {

/// The brightness of a frame's pixels.
struct Brightness {
  motion::FramePtr frame;  ///< null until a frame was read
  size_t camera = 0;
  double readAt = 0;  ///< time, s, at which the pixels were read
  shell::LuminanceHistogram histogram = {};
};

/// The tab *Limits*. Main thread.
class LimitsPanel {
 public:
  /// Draws the tab.
  void draw(Context& context);
  /// Writes the counts, and the limit under the cursor, into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  Brightness brightness_;
  struct Displayed {
    std::string limit;   // the limit under the cursor, with its value
    std::string counts;  // numbers of found and rejected markers
  };
  OfPicture<Displayed> displayed_;
};

}  // namespace glint::ui
