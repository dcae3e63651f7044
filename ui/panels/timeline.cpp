#include "ui/panels/timeline.h"

#include <algorithm>
#include <cmath>

#include "ui/draw/widgets.h"

namespace glint::ui {

float Scale::of(uint64_t frame) const {
  const auto whole = static_cast<double>(std::max<uint64_t>(first + 1, last) - first);
  const double from = static_cast<double>(frame) - static_cast<double>(first);
  return x + width * static_cast<float>(std::clamp(from / whole, 0.0, 1.0));
}

uint64_t Scale::at(float place) const {
  const double share = std::clamp((place - x) / width, 0.0F, 1.0F);
  return first + static_cast<uint64_t>(std::llround(share * static_cast<double>(last - first)));
}

void drawContent(const TimelineContent& content, const Scale& scale, float top, float height) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto& columns = content.columns;
  const float half = std::round(height * 0.45F);
  // Equal neighbours are drawn as one piece.
  for (size_t i = 0, end = 0; i < columns.size(); i = end) {
    for (end = i + 1; end < columns.size() && columns[end] == columns[i]; ++end) {
    }
    if (!columns[i].known) continue;
    const float from = scale.x + static_cast<float>(i), to = scale.x + static_cast<float>(end);
    const float h = half * static_cast<float>(columns[i].most) / static_cast<float>(content.most);
    list.AddRectFilled({from, top + half - h}, {to, top + half}, IM_COL32(70, 84, 104, 255));
  }
  const float room = height - half - 2;
  const float pitch = std::min(6 * unit(), room / static_cast<float>(content.rows));
  for (const shell::TimelineBar& bar : content.bars) {
    const float y = top + half + 2 + pitch * static_cast<float>(bar.row);
    const float from = scale.of(bar.stretch.first.value());
    list.AddRectFilled(
        {from, y},
        {std::max(scale.of(bar.stretch.last.value()), from + 1), y + std::max(1.0F, pitch - 1)},
        withAlpha(colourOfTrack(bar.stretch.track), 0.75F));
  }
}

void zoomByWheel(shell::TimeZoom& zoom, const Scale& scale, uint64_t last) {
  const ImGuiIO& io = ImGui::GetIO();
  constexpr double kStep = 1.25, kMove = 0.1;
  const auto frames = static_cast<double>(scale.last - scale.first);
  const float side = io.KeyShift && io.MouseWheelH == 0 ? io.MouseWheel : io.MouseWheelH;
  if (side != 0) {
    zoom.moveBy(-kMove * frames * static_cast<double>(side), last);
  } else if (io.MouseWheel != 0) {
    const double share = std::clamp((io.MousePos.x - scale.x) / scale.width, 0.0F, 1.0F);
    zoom.zoomBy(std::pow(kStep, io.MouseWheel), static_cast<double>(scale.first) + share * frames,
                last);
  }
}

}  // namespace glint::ui
