// Learns a rigid body from points that are chosen in space.
#pragma once

#include <array>

#include "ui/context/context.h"

namespace glint::ui {

/// Over the views while points are chosen: which, and with three or more the body's name and a
/// button. Of one session. Main thread.
class BodyLearner {
 public:
  void draw(Context& context);

 private:
  void learn(Context& context) const;

  std::array<char, 64> name_{"body"};
};

}  // namespace glint::ui
