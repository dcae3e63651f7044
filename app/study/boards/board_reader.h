// Looks for a calibration board in recordings and images.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/capture/source/source.h"
#include "app/motion/calibrate/board_views.h"
#include "gpu/frame.h"

namespace glint::study {

/// Returns the image in grey, with 8 bits per pixel and without gaps between rows. Uses the high
/// byte of channels with 16 bits, and the luminance of colours (Rec. 709).
std::vector<uint8_t> greyPixels(const gpu::ImageView& image);

/// Looks for the board in the frames of a source, from its current place to its end, and adds the
/// views of it to `views` as camera `camera`. Uses every frame if the source has at most 300
/// frames, else five frames per second. Throws as Source::read(), and Interrupted after an
/// interrupt.
void readBoard(capture::Source& source, size_t camera, motion::BoardViews& views,
               const capture::Interrupt& interrupt);

/// Returns the width and height of the frames of each source, in the order of the sources.
std::vector<motion::FrameExtent> extentsOf(const capture::SourceList& sources);

}  // namespace glint::study
