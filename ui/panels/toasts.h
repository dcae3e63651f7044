// Messages to the user, shown for a while.
#pragma once

#include "ui/context/context.h"

namespace glint::ui {

class Toasts {
 public:
  explicit Toasts(Context& context) : messages_(context.messages) {}

  /// Draws the messages in their area, but not over the selected marker's card, and not in a
  /// picture that is to be saved.
  void draw(Context& context);
  /// Writes the messages, and the number of unread lines of the log, into `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  Messages& messages_;
};

}  // namespace glint::ui
