#include "ui/draw/intensity_key.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/draw/false_colour.h"
#include "ui/draw/style.h"

namespace glint::ui {
namespace {

constexpr float kBelow = 1.0F / 3;  // share of the key that is below the threshold

}  // namespace

Rect drawIntensityKey(ImDrawList& list, const Rect& area, double threshold) {
  const float em = ImGui::GetFontSize(), width = std::min(18 * em, area.width - 2 * em);
  if (width < 9 * em || area.height < 8 * em) return {};
  const float limit = std::clamp(static_cast<float>(threshold), 0.0F, 1.0F);
  const float x = std::round(area.x + area.width - width - em * 0.7F);
  const float y = std::round(area.y + area.height - 2.6F * em), high = std::round(em * 0.7F);
  list.AddRectFilled({x - em / 2, y - em / 2}, {x + width + em / 2, y + high + 1.5F * em},
                     IM_COL32(20, 23, 28, 215), 3);
  constexpr int kPieces = 96;
  for (int i = 0; i < kPieces; ++i) {
    const float at = (static_cast<float>(i) + 0.5F) / kPieces;
    const float value =
        at < kBelow ? limit * at / kBelow : limit + (1 - limit) * (at - kBelow) / (1 - kBelow);
    const Colour c = falseColour(value, limit, 1, 1e-3F);
    const ImU32 colour = ImGui::ColorConvertFloat4ToU32({c[0], c[1], c[2], 1});
    list.AddRectFilled({x + width * static_cast<float>(i) / kPieces, y},
                       {x + width * static_cast<float>(i + 1) / kPieces, y + high}, colour);
  }
  const float place = std::round(x + width * kBelow);
  list.AddLine({place, y - 2}, {place, y + high + 3}, kText, unit());
  const auto write = [&](const std::string& words, float left) {
    list.AddText({std::round(left), y + high + 2}, kText, words.c_str());
  };
  const std::string middle = fmt::format("threshold {:.3f}", threshold);
  write("0", x);
  write(middle, place - ImGui::CalcTextSize("threshold").x / 3);
  write("1", x + width - ImGui::CalcTextSize("1").x);
  return {x, y, width, high};
}

}  // namespace glint::ui
