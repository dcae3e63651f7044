// The banner over the views. It tells what is wrong for as long as it is wrong, and has a button
// that corrects it.
#pragma once

#include <string>

#include "ui/context/context.h"

namespace glint::ui {

class BannerPanel {
 public:
  /// Draws the banner, unless the picture is to be saved. Messages are shown below it.
  void draw(Context& context);
  /// Writes its words into `to`, for tests.
  void describe(nlohmann::json& to) const;
  /// Returns the words in the picture that was drawn last; empty if nothing is wrong.
  const std::string& words() const { return words_; }

 private:
  std::string words_;
};

}  // namespace glint::ui
