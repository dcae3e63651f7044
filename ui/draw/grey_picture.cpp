#include "ui/draw/grey_picture.h"

#include <algorithm>

#include "ui/draw/names.h"
#include "ui/draw/style.h"

namespace glint::ui {

/// Draws triangles whose corners are the pixels, with the pixels' brightness.
void drawGrey(const shell::SmallPicture& picture, ImVec2 at, float width, float height) {
  if (picture.width < 2 || picture.height < 2) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const uint32_t columns = picture.width, rows = picture.height;
  list.PrimReserve(static_cast<int>(6 * (columns - 1) * (rows - 1)),
                   static_cast<int>(columns * rows));
  const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
  const auto first = list._VtxCurrentIdx;
  for (uint32_t y = 0; y < rows; ++y) {
    for (uint32_t x = 0; x < columns; ++x) {
      const uint8_t value = picture.grey[size_t{y} * columns + x];
      list.PrimWriteVtx({at.x + width * static_cast<float>(x) / static_cast<float>(columns - 1),
                         at.y + height * static_cast<float>(y) / static_cast<float>(rows - 1)},
                        uv, IM_COL32(value, value, value, 255));
    }
  }
  for (uint32_t y = 0; y + 1 < rows; ++y) {
    for (uint32_t x = 0; x + 1 < columns; ++x) {
      const uint32_t corner = first + y * columns + x;
      for (const uint32_t index : {corner, corner + 1, corner + columns + 1, corner,
                                   corner + columns + 1, corner + columns})
        list.PrimWriteIdx(static_cast<ImDrawIdx>(index));
    }
  }
}

ImVec2 sizeWithin(const shell::SmallPicture& picture, ImVec2 room) {
  const float aspect = static_cast<float>(picture.height) / static_cast<float>(picture.width);
  const float width = std::min(room.x, room.y / aspect);
  return {width, width * aspect};
}

void drawFound(const std::string& name, const shell::SmallPicture& picture,
               std::span<const shared::Detection> found, ImVec2 room) {
  const auto [width, height] = sizeWithin(picture, room);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  drawGrey(picture, at, width, height);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float scale = width / static_cast<float>(picture.width * picture.block);
  list.PushClipRect(at, {at.x + width, at.y + height}, true);
  for (const shared::Detection& seen : found)
    list.AddCircle({at.x + (seen.x + 0.5F) * scale, at.y + (seen.y + 0.5F) * scale},
                   std::max(4 * unit(), seen.radius * scale + 2 * unit()), kWarning, 0, unit());
  list.PopClipRect();
  namePlace(name, {at.x, at.y, width, height});
  ImGui::Dummy({width, height});
}

}  // namespace glint::ui
