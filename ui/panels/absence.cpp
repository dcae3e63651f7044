#include "ui/panels/absence.h"

#include <cmath>

#include <fmt/format.h>

#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

/// Draws the number of the frame that an image comes from, in the lower right corner of a tile.
void drawAge(SetIndex frame, size_t camera, const Rect& cell, ImDrawList& list) {
  const std::string words = fmt::format("image of frame {}", frame);
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  const Rect badge{cell.x + cell.width - size.x - wholePx(14),
                   cell.y + cell.height - size.y - wholePx(8), size.x + wholePx(10),
                   size.y + wholePx(4)};
  list.AddRectFilled(upperLeft(badge), lowerRight(badge), IM_COL32(20, 23, 28, 220), 3 * unit());
  list.AddText({badge.x + wholePx(5), badge.y + wholePx(2)}, kText, words.c_str());
  namePlace(fmt::format("earlier:{}", camera), badge);
}

/// Writes since when a camera is lost across its last image, which is dimmed.
void drawLost(const Health& health, size_t camera, const Rect& seen, ImDrawList& list) {
  list.AddRectFilled(upperLeft(seen), lowerRight(seen), IM_COL32(0, 0, 0, 150));
  const ImVec2 size = ImGui::CalcTextSize(health.words.c_str());
  const Point middle = seen.centre();
  const float em = ImGui::GetFontSize();
  const Rect band{seen.x, middle.y - size.y / 2 - em / 2, seen.width, size.y + em};
  list.AddRectFilled(upperLeft(band), lowerRight(band), IM_COL32(20, 23, 28, 220));
  list.AddText({std::round(middle.x - size.x / 2), std::round(middle.y - size.y / 2)},
               kLights[static_cast<size_t>(Light::lost)], health.words.c_str());
  namePlace(fmt::format("lost:{}", camera), band);
}

}  // namespace

void drawAbsence(const WindowModel& model, size_t camera, bool hasImage, const View& view,
                 const Rect& cell, ImDrawList& list) {
  const gpu::LayerMeasurement& measured = *model.tracks.cameras()[camera].measured;
  const Rect seen = view.visible();
  const auto& health = model.health.cameras();
  const bool lost = camera < health.size() && health[camera].light == Light::lost;
  // A user who looks back may see a frame from before the loss.
  const bool then = !model.showsRecent() || measured.state == gpu::CameraState::lost;
  if (lost && then && hasImage) return drawLost(health[camera], camera, seen, list);
  if (measured.stamp) return;
  const bool gone = measured.state != gpu::CameraState::none;
  // While playing, the image of a slower camera is no older than necessary, so nothing is said.
  const auto earlier = gone || model.playing() ? std::nullopt : model.shown.earlier(camera);
  if (hasImage && (gone || earlier))
    list.AddRectFilled(upperLeft(seen), lowerRight(seen), IM_COL32(0, 0, 0, 130));
  if (hasImage && earlier) drawAge(*earlier, camera, cell, list);
  if (hasImage) return;
  const char* words = measured.state == gpu::CameraState::ended ? "ended" : "no frame";
  const ImVec2 size = ImGui::CalcTextSize(words);
  const Point middle = seen.centre();
  list.AddText({middle.x - size.x / 2, middle.y - size.y / 2}, kFaint, words);
}

}  // namespace glint::ui
