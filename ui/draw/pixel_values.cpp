#include "ui/draw/pixel_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <imgui.h>

namespace glint::ui {
namespace {

constexpr float kLeastSize = 9;  // px, the smallest size of readable text

/// The size of letters that fill the room, px, and the distance of lines, px.
struct Lettering {
  float size = 0;
  float line() const { return size * 1.05F; }
};

Lettering letteringOf(const View& view, const gpu::ImageFormat& format, uint32_t numbers) {
  const ImVec2 widest = ImGui::CalcTextSize(format.bits == 8 ? "000" : "00000");
  const float room = static_cast<float>(view.zoom()) * 0.86F;
  const float byWidth = ImGui::GetFontSize() * room / widest.x;
  const float byHeight = room / (static_cast<float>(numbers) * 1.05F);
  return {std::min({byWidth, byHeight, ImGui::GetFontSize()})};
}

uint32_t whole(double value, uint32_t most) {
  return static_cast<uint32_t>(std::clamp(value, 0.0, static_cast<double>(most)));
}

}  // namespace

uint32_t channelAt(const gpu::ImageView& image, uint32_t x, uint32_t y, uint32_t channel) {
  const size_t index = size_t{x} * image.format.channels + channel;
  const std::byte* row = image.row(y);
  if (image.format.bits == 8) return static_cast<uint32_t>(row[index]);
  uint16_t value = 0;
  std::memcpy(&value, row + 2 * index, sizeof value);
  return value;
}

size_t drawPixelValues(ImDrawList& list, const View& view, const gpu::ImageView& image, float black,
                       float white, bool grey) {
  const gpu::ImageFormat& format = image.format;
  const uint32_t numbers = grey ? 1 : format.channels;  // values in a pixel
  const Lettering lettering = letteringOf(view, format, numbers);
  if (lettering.size < kLeastSize) return 0;
  const Rect seen = view.visible();
  const ImagePoint first = view.toImage({seen.x, seen.y});
  const ImagePoint last = view.toImage({seen.x + seen.width, seen.y + seen.height});
  const uint32_t right = whole(std::ceil(last.x + 0.5), format.width);
  const uint32_t bottom = whole(std::ceil(last.y + 0.5), format.height);
  const float scale = lettering.size / ImGui::GetFontSize();
  size_t count = 0;
  const auto full = static_cast<float>(format.fullScale());
  // Writes red above green above blue. In memory the order is the reverse.
  for (uint32_t y = whole(std::floor(first.y + 0.5), format.height); y < bottom; ++y) {
    for (uint32_t x = whole(std::floor(first.x + 0.5), format.width); x < right; ++x) {
      ++count;
      const Point centre = view.toScreen({static_cast<double>(x), static_cast<double>(y)});
      float top = centre.y - lettering.line() * static_cast<float>(numbers) / 2;
      float brightness = 0;
      for (uint32_t c = 0; c < format.channels; ++c)
        brightness = std::max(brightness, static_cast<float>(channelAt(image, x, y, c)) / full);
      const bool dark = brightness < (black + white) / 2;
      const ImU32 ink = dark ? IM_COL32(210, 214, 220, 255) : IM_COL32(20, 20, 20, 255);
      for (uint32_t c = numbers; c-- > 0; top += lettering.line()) {
        std::array<char, 8> text{};
        fmt::format_to_n(text.data(), text.size() - 1, "{}", channelAt(image, x, y, c));
        const float width = ImGui::CalcTextSize(text.data()).x * scale;
        list.AddText(ImGui::GetFont(), lettering.size,
                     {std::round(centre.x - width / 2), std::round(top)}, ink, text.data());
      }
    }
  }
  return count;
}

}  // namespace glint::ui
