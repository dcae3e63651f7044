// Learns a rigid body from points that are chosen in space.
#pragma once

#include <array>

#include "ui/context/context.h"

namespace glint::ui {

/// A bar over the views that is shown while points are chosen. It names the points and, with three
/// or more, has a field for the body's name and a button. For one session. Main thread.
class BodyLearner {
 public:
  void draw(Context& context);

 private:
  void learn(Context& context) const;

  std::array<char, 64> name_{"body"};
};

}  // namespace glint::ui
