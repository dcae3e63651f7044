// The values of pixels, written into the pixels if they are drawn large enough.
#pragma once

#include "gpu/frame.h"
#include "ui/model/view.h"

struct ImDrawList;

namespace glint::ui {

/// Returns the value of one channel of a pixel, which must be within the image.
uint32_t channelAt(const gpu::ImageView& image, uint32_t x, uint32_t y, uint32_t channel);

/// Writes the values of the visible pixels. `black` and `white` are the shares of full scale at
/// which the image is drawn black and white, so that the text is readable on it. With `grey`, the
/// channels of each pixel are alike, and only one is written. Draws nothing if there is no room.
/// Returns the number of pixels.
size_t drawPixelValues(ImDrawList& list, const View& view, const gpu::ImageView& image, float black,
                       float white, bool grey);

}  // namespace glint::ui
