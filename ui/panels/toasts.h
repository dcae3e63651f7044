// Messages to the user, shown for a while.
#pragma once

#include "ui/context/context.h"

namespace glint::ui {

class Toasts {
 public:
  explicit Toasts(Context& context) : messages_(context.messages) {}

  /// Draws them where messages have room, but not over the selected marker's card, and not in a
  /// picture that is to be saved.
  void draw(Context& context);
  /// Tells tests what is said, and what nobody has looked at in the log.
  void describe(nlohmann::json& to) const;

 private:
  Messages& messages_;
};

}  // namespace glint::ui
