#include "ui/panels/pointed.h"

#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "ui/draw/pixel_values.h"
#include "ui/draw/scene.h"

namespace glint::ui {
namespace {

std::string wordsOf(const PixelValue& pixel, bool grey) {
  if (pixel.channels < 3 || grey) return fmt::format("{}", pixel.value[0]);
  return fmt::format("R {} G {} B {}", pixel.value[2], pixel.value[1], pixel.value[0]);
}

/// Returns the words for a pixel of the image as it came from the source; empty if the host does
/// not have it.
std::optional<std::string> sourceWords(const WindowModel& model, size_t camera, uint32_t x,
                                       uint32_t y) {
  const auto image = model.shown.pixels(model.place(camera));
  if (!image || x >= image->format.width || y >= image->format.height) return std::nullopt;
  PixelValue pixel{.channels = image->format.channels};
  for (uint32_t c = 0; c < pixel.channels; ++c) pixel.value[c] = channelAt(*image, x, y, c);
  const auto& stamp = model.tracks.cameras()[camera].measured->stamp;
  return wordsOf(pixel, stamp && stamp->neutral);
}

}  // namespace

void describePointed(Context& context, size_t camera, Point cursor) {
  const WindowModel& model = context.model;
  const ViewState& viewState = context.viewState;
  PointedPixel& pointed = context.model.pointed;
  const gpu::ImageFormat& format = model.format(camera);
  const ImagePoint at = viewState.views[camera].toImage(cursor);
  const double x = std::floor(at.x + 0.5), y = std::floor(at.y + 0.5);
  if (!model.shown.frame || x < 0 || y < 0 || x >= format.width || y >= format.height) return;
  const auto column = static_cast<uint32_t>(x), row = static_cast<uint32_t>(y);
  std::string& words = pointed.words;
  words = fmt::format("x {:.1f}  y {:.1f}", at.x, at.y);
  const auto source = sourceWords(model, camera, column, row);
  const auto shown = planeShown(model, viewState, camera);
  const bool same = !shown || (shown->plane == DisplayPlane::source && source);
  if (same) {
    if (source) words += "  value " + *source;
    return;
  }
  // The output of a filter may cover only a part of the frame.
  const gpu::PlaneImage& plane = *shown->image;
  const auto left = column - static_cast<uint32_t>(plane.left);
  const auto top = row - static_cast<uint32_t>(plane.top);
  if (left < plane.format.width && top < plane.format.height) {
    context.scene.probe =
        PixelProbe{shown->planes, shown->image, model.place(camera).layer, left, top};
    if (pointed.probed && pointed.probed->plane == shown->plane) {
      const std::string value = wordsOf(pointed.probed->value, false);
      std::string name(kPlaneNames[static_cast<size_t>(shown->plane)]);
      if (shown->plane == DisplayPlane::intensity) name = "response";
      if (shown->plane == DisplayPlane::candidates) name = "candidate";
      name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
      words += fmt::format("  {} {}", name, value);
    }
    pointed.probing = shown->plane;
  }
  if (source && shown->plane != DisplayPlane::source) words += "  source " + *source;
}

std::string zoomWords(const ViewState& viewState) {
  if (viewState.views.empty()) return {};
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const View* view =
      &viewState.views[std::min(viewState.enlarged.value_or(0), viewState.views.size() - 1)];
  if (!viewState.enlarged)
    for (const View& one : viewState.views)
      if (one.area().contains({mouse.x, mouse.y})) view = &one;
  const double percent = 100 * view->zoom();
  return percent < 10 ? fmt::format("zoom {:.1f} %", percent)
                      : fmt::format("zoom {:.0f} %", percent);
}

}  // namespace glint::ui
