// The values of pixels, written into them where they are large.
#pragma once

#include "gpu/frame.h"
#include "ui/model/view.h"

struct ImDrawList;

namespace glint::ui {

/// A channel of a pixel that is there.
uint32_t channelAt(const gpu::ImageView& image, uint32_t x, uint32_t y, uint32_t channel);

/// `black` and `white`, of full scale, are how the image is drawn, so that text on it is readable.
/// `grey`: the channels of each pixel are alike, so one of them is enough. Draws nothing where
/// there is no room. Gives the number of pixels.
size_t drawPixelValues(ImDrawList& list, const View& view, const gpu::ImageView& image, float black,
                       float white, bool grey);

}  // namespace glint::ui
