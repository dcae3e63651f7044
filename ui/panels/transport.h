// Buttons, speed, and the timeline, whose upper edge can be dragged.
#pragma once

#include <optional>
#include <string>

#include "ui/context/context.h"
#include "ui/panels/timeline.h"

namespace glint::ui {

class Transport {
 public:
  void draw(Context& context);
  /// Tells tests what the timeline holds, and what it says of the frame under the cursor.
  void describe(nlohmann::json& to) const;

 private:
  void drawTimeline(Context& context, float width);
  void look(const Context& context, const Scale& scale);
  std::string wordsAt(const WindowModel& model, uint64_t frame) const;

  TimelineContent content_;
  std::string told_;  // of the frame under the cursor
};

}  // namespace glint::ui
