// Learns a rigid body from points that are chosen in space.
#pragma once

#include <array>

#include "ui/model/messages.h"
#include "ui/model/window_model.h"

namespace glint::ui {

/// Over the views while points are chosen: which, and with three or more the body's name and a
/// button. Of one session. Main thread.
class BodyLearner {
 public:
  explicit BodyLearner(Messages& messages) : messages_(messages) {}

  void draw(const WindowModel& model, SpaceLooks& space, const Actions& actions,
            const Rect& views);

 private:
  void learn(const WindowModel& model, SpaceLooks& space, const Actions& actions);

  Messages& messages_;
  std::array<char, 64> name_{"body"};
};

}  // namespace glint::ui
