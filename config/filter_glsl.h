// The kernels of a filter, as GLSL: declarations from its head, then its code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/filter_head.h"

namespace glint::filters {

/// Returns the source of one pass: shaders/filters/common/ and the head's declarations and code.
/// Specialisation constants: 0 the bits of a value (8 or 16), 1 the channels of the input (1 or 3),
/// and 4 more for blocks that are far from the image's edges (see kMargin). Push constants: width,
/// height (px), words a row of a grey plane; of passes with blocks also how many blocks of a row
/// there are before a gap, how wide that is, and how many there are. Bindings: 0 the blocks, a
/// layer each, 1 tables, 2 the input, then further inputs, planes of passes in the order of
/// Head::scratches(), memory, and the output, if the pass writes it. A pass with tiles has a
/// workgroup for each.
std::string passSource(const Head& head, size_t pass);

/// How far beyond its block a pass may read along a row, px.
inline constexpr uint32_t kMargin = 72;

/// Invocations of a workgroup of a pass with tiles.
inline constexpr uint32_t kTileLanes = 256;
/// Memory that they may share.
inline constexpr uint32_t kTileBytes = 32768;

/// Returns the source of the one kernel of all point filters, which looks every value up in a
/// table. It has the same interface; with 4 more channels it is for devices where a workgroup's own
/// copy of the table is faster.
std::string pointSource();

/// Returns the source of the kernel that puts a part of a plane into another one; what is outside
/// of it becomes 0. Bindings: 0 the input, 1 the output. Push constants: width, height and words a
/// row of a grey plane of the output, then of the input, and where the output's upper left pixel
/// lies in the input (x, y).
std::string placeSource();

/// Compiles with glslangValidator. `where` is the filter's file. Throws UsageError with the first
/// message of the compiler and its line in that file, Error where there is no compiler.
std::vector<uint32_t> compile(const std::string& source, const std::string& where);

/// 32-bit words of a layer's block, a multiple of 4.
size_t blockWords(const Head& head);

/// The first words of a block, before where the tables begin, parameters and derived numbers.
struct BlockStart {
  uint32_t frame = 0;    ///< counts from 0 where memory begins
  uint32_t present = 1;  ///< 0: the camera has no frame; nothing is written
  uint32_t slots = 1;    ///< of the memory, frames
  uint32_t extra = 0;    ///< of a point filter where its table begins; words of a frame of memory
};
inline constexpr size_t kBlockStart = sizeof(BlockStart) / 4;

}  // namespace glint::filters
