// A board in recordings and images.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/capture/source/source.h"
#include "app/motion/calibrate/board_views.h"
#include "gpu/frame.h"

namespace glint::study {

/// 8 bits a pixel, rows without gaps; of 16 bits the high byte, of colours the luminance (Rec.
/// 709).
std::vector<uint8_t> greyPixels(const gpu::ImageView& image);

/// Looks for the board in every frame of a source of up to 300, in five frames a second of a longer
/// one, to its end. Throws as Source::read(), and Interrupted.
void readBoard(capture::Source& source, size_t camera, motion::BoardViews& views,
               const capture::Interrupt& interrupt);

/// Of each source.
std::vector<motion::FrameExtent> extentsOf(const capture::SourceList& sources);

}  // namespace glint::study
