#include "ui/draw/redraw.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include <imgui.h>

#include "ui/draw/picture_scene.h"

namespace glint::ui {
namespace {

Rect between(float left, float top, float right, float bottom) {
  return {left, top, right - left, bottom - top};
}

Rect around(const Rect& a, const Rect& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return between(std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x + a.width, b.x + b.width),
                 std::max(a.y + a.height, b.y + b.height));
}

Rect wholePixels(const Rect& r) {
  if (r.empty()) return {};
  return between(std::floor(r.x), std::floor(r.y), std::ceil(r.x + r.width),
                 std::ceil(r.y + r.height));
}

template <class T>
void add(uint64_t& hash, const T* values, size_t count) {
  const std::string_view bytes(reinterpret_cast<const char*>(values), count * sizeof(T));
  hash = hash * 0x9e3779b97f4a7c15 + std::hash<std::string_view>()(bytes);
}

DrawnPart imagesOf(const Scene& scene) {
  DrawnPart part{1, wholePixels(scene.background)};
  for (const auto& planes : scene.planes)
    // The value tells frames apart whose planes use the same buffer.
    if (planes) add(part.contents, &planes->value, 1);
  for (const PaintedImage& image : scene.images) {
    add(part.contents, &image.plane, 1);
    const float numbers[] = {image.origin.x,     image.origin.y,        image.visible.x,
                             image.visible.y,    image.visible.width,   image.visible.height,
                             image.black,        image.white,           image.threshold,
                             float(image.layer), float(image.intensity)};
    add(part.contents, numbers, std::size(numbers));
    add(part.contents, &image.zoom, 1);
  }
  return part;
}

DrawnPart partOf(const ImDrawList& list, const ImDrawCmd& command) {
  DrawnPart part{1, {}};
  const auto first = list.IdxBuffer.begin() + command.IdxOffset;
  const auto last = first + command.ElemCount;
  const auto [least, most] = std::minmax_element(first, last);
  const ImDrawVert* const vertices = list.VtxBuffer.begin() + command.VtxOffset + *least;
  add(part.contents, &command.ClipRect, 1);
  add(part.contents, vertices, static_cast<size_t>(*most - *least) + 1);
  ImVec2 corner(1e9F, 1e9F), opposite(-1e9F, -1e9F);
  for (auto index = first; index != last; ++index) {
    part.contents = part.contents * 31 + static_cast<size_t>(*index - *least);
    const ImVec2& at = vertices[*index - *least].pos;
    corner = {std::min(corner.x, at.x), std::min(corner.y, at.y)};
    opposite = {std::max(opposite.x, at.x), std::max(opposite.y, at.y)};
  }
  const ImVec4& clip = command.ClipRect;
  part.bounds = wholePixels(meet(between(corner.x, corner.y, opposite.x, opposite.y),
                                 between(clip.x, clip.y, clip.z, clip.w)));
  return part;
}

std::vector<DrawnPart> partsOf(const ImDrawList& list) {
  std::vector<DrawnPart> parts;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback == ImDrawCallback_ResetRenderState) continue;
    if (command.UserCallback) {  // an image, which is always drawn again
      const auto& inset = *static_cast<const PaintedImage*>(command.UserCallbackData);
      parts.push_back({0, wholePixels(inset.visible)});
    } else if (command.ElemCount > 0) {
      parts.push_back(partOf(list, command));
    }
  }
  return parts;
}

bool same(const DrawnPart& a, const DrawnPart& b) {
  return a.contents != 0 && a.contents == b.contents;
}

}  // namespace

std::vector<Rect> without(const Rect& r, const Rect& hole) {
  const Rect gone = meet(r, hole);
  if (gone.empty()) return {r};
  const float right = r.x + r.width, bottom = r.y + r.height;
  const float goneRight = gone.x + gone.width, goneBottom = gone.y + gone.height;
  std::vector<Rect> left{between(r.x, r.y, right, gone.y), between(r.x, goneBottom, right, bottom),
                         between(r.x, gone.y, gone.x, goneBottom),
                         between(goneRight, gone.y, right, goneBottom)};
  std::erase_if(left, std::mem_fn(&Rect::empty));
  return left;
}

Rect scissorOf(const Rect& r) {
  const float x = std::max(0.0F, r.x), y = std::max(0.0F, r.y);
  return {std::floor(x), std::floor(y), std::floor(std::max(0.0F, r.x + r.width - x)),
          std::floor(std::max(0.0F, r.y + r.height - y))};
}

Drawn drawnOf(const Scene& scene, const ImDrawData& data) {
  Drawn drawn{{imagesOf(scene)}};
  for (int i = 0; i < data.CmdListsCount; ++i) drawn.push_back(partsOf(*data.CmdLists[i]));
  return drawn;
}

void beginPart(ImDrawList& list) {
  list.AddDrawCmd();
}

/// Compares part by part, because outside of the changed parts each list draws the same as before,
/// or nothing, in the same order.
std::vector<Rect> changedParts(const Drawn& before, const Drawn& now, const Rect& whole) {
  if (before.empty()) return {whole};
  std::vector<Rect> parts;
  const auto take = [&](Rect part) {
    part = meet(part, whole);
    if (part.empty()) return;
    for (size_t i = 0; i < parts.size();) {
      if (meet(parts[i], part).empty()) {
        ++i;
        continue;
      }
      part = around(parts[i], part);
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;  // the part is larger now, and may meet others
    }
    parts.push_back(part);
  };
  const std::vector<DrawnPart> none;
  for (size_t l = 0; l < std::max(before.size(), now.size()); ++l) {
    const auto& was = l < before.size() ? before[l] : none;
    const auto& is = l < now.size() ? now[l] : none;
    for (size_t i = 0; i < std::max(was.size(), is.size()); ++i) {
      if (i < was.size() && i < is.size() && same(was[i], is[i])) continue;
      if (i < was.size()) take(was[i].bounds);
      if (i < is.size()) take(is[i].bounds);
    }
  }
  return parts;
}

void clipTo(ImDrawData& data, const std::vector<Rect>& parts) {
  for (int l = 0; l < data.CmdListsCount; ++l) {
    ImVector<ImDrawCmd> left;
    for (const ImDrawCmd& command : data.CmdLists[l]->CmdBuffer) {
      if (command.UserCallback) {
        left.push_back(command);
        continue;
      }
      const ImVec4& clip = command.ClipRect;
      for (const Rect& part : parts) {
        const Rect seen = meet(part, scissorOf(between(clip.x, clip.y, clip.z, clip.w)));
        if (seen.empty()) continue;
        left.push_back(command);
        left.back().ClipRect = {seen.x, seen.y, seen.x + seen.width, seen.y + seen.height};
      }
    }
    data.CmdLists[l]->CmdBuffer.swap(left);
  }
}

}  // namespace glint::ui
