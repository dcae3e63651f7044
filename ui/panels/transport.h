// The buttons of playback, the speed, and the timeline, whose upper edge can be dragged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
  void drawRuler(double rate, const Scale& scale, float top, float height);
  void updateContent(const Context& context, const Scale& scale);
  std::string wordsAt(const WindowModel& model, uint64_t frame) const;

  TimelineContent content_;
  std::string tooltip_;  // words about the frame under the cursor
  // The times on the ruler, with the frames at which they stand.
  std::vector<std::pair<uint64_t, std::string>> ruler_;
};

}  // namespace glint::ui
