#include "ui/panels/first_levels.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/shell/desk/luminance_histogram.h"

namespace glint::ui {

void FirstLevels::fit(Context& context) {
  const WindowModel& model = context.model;
  constexpr double kDark = 1.0 / 16;   // share of full scale that no value may exceed
  constexpr double kFlat = 1.0 / 256;  // the smallest range that is shown, as a share of full scale
  constexpr double kDarkest = 0.01;    // share of the pixels that may be black
  if (fitted_ || model.state().live || !model.shown.frame) return;
  fitted_ = true;
  double black = 1, white = 0;
  for (size_t camera = 0; camera < model.cameras(); ++camera) {
    const auto image = model.shown.pixels(model.place(camera));
    if (!image) continue;
    if (image->format.bits <= 8) return;
    const shell::LuminanceHistogram histogram = shell::luminanceHistogram(*image);
    const shell::DisplayRange range = shell::fittedRange(histogram, kDarkest, 0, kFlat);
    black = std::min(black, range.black / histogram.fullScale());
    white = std::max(white, range.white / histogram.fullScale());
  }
  if (white <= 0 || white > kDark) return;
  context.viewState.black = static_cast<float>(black);
  context.viewState.white = static_cast<float>(white);
  context.messages.note(fmt::format(
      "the image is dark, and shown brighter: {:.1f} to {:.1f} % of full scale (see Drawing)",
      100 * black, 100 * white));
}

}  // namespace glint::ui
