// The values of pixels, written into them where they are large.
#pragma once

#include "gpu/frame.h"
#include "ui/model/view.h"

struct ImDrawList;

namespace glint::ui {

/// `black` and `white`, of full scale, are how the image is drawn, so that text on it is readable.
/// Draws nothing where there is no room. Gives the number of pixels.
size_t drawPixelValues(ImDrawList& list, const View& view, const ImageView& image, float black,
                       float white);

}  // namespace glint::ui
