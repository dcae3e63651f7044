// How markers are distributed, with the limits laid on them as handles; and the image's brightness.
#pragma once

#include <string>

#include "app/shell/desk/luminance_histogram.h"
#include "ui/context/context.h"
#include "ui/draw/of_picture.h"

namespace glint::ui {

/// How bright the pixels of a frame are.
struct Brightness {
  motion::FramePtr frame;  ///< null: not looked at yet
  size_t camera = 0;
  double looked = 0;  ///< s
  shell::LuminanceHistogram histogram = {};
};

class LimitsPanel {
 public:
  /// Draws the tab.
  void draw(Context& context);
  /// Tells tests what is counted, and the limit under the cursor.
  void describe(nlohmann::json& to) const;

 private:
  Brightness brightness_;
  struct Told {
    std::string limit;   // under the cursor, with its value
    std::string counts;  // of found and rejected markers
  };
  OfPicture<Told> told_;
};

}  // namespace glint::ui
