// The banner over the views: it says what is wrong for as long as it lasts, with a button that
// mends it.
#pragma once

#include <string>

#include "ui/context/context.h"

namespace glint::ui {

class BannerPanel {
 public:
  /// Draws the banner, unless the picture is to be saved. Messages then have room below it.
  void draw(Context& context);
  /// Tells tests its words.
  void describe(nlohmann::json& to) const;
  /// The words in the picture that was drawn last; empty: nothing is wrong.
  const std::string& words() const { return words_; }

 private:
  std::string words_;
};

}  // namespace glint::ui
