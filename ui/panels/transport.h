// The buttons of playback, the speed, and the timeline, whose upper edge can be dragged.
#pragma once

#include <optional>
#include <string>

#include "ui/context/context.h"
#include "ui/panels/timeline.h"

namespace glint::ui {

class Transport {
 public:
  void draw(Context& context);
  /// Writes the contents of the timeline, and the words about the frame under the cursor, into
  /// `to`, for tests.
  void describe(nlohmann::json& to) const;

 private:
  void drawTimeline(Context& context, float width);
  void updateContent(const Context& context, const Scale& scale);
  std::string wordsAt(const WindowModel& model, uint64_t frame) const;

  TimelineContent content_;
  std::string tooltip_;  // words about the frame under the cursor
};

}  // namespace glint::ui
