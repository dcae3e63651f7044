// The GLSL source of a filter's kernels. It consists of declarations that follow from the filter's
// head, and of the filter's own code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/filter_head.h"

namespace glint::filters {

/// Returns the source of one pass. It contains the texts of shaders/filters/common/, and the
/// declarations and code of the head.
///
/// Specialisation constants: 0: the bits of a value (8 or 16). 1: the channels of the input (1 or
/// 3), plus 4 for the form of the kernel whose blocks are far from the image's edges (see kMargin).
///
/// Push constants: width and height (px), and the words per row of a grey plane. Passes with blocks
/// also have: the number of blocks of a row before a gap, the width of the gap in blocks, and the
/// number of all blocks of a row that are computed.
///
/// Bindings: 0: the parameters, one struct per layer, which start as BlockStart. 1: tables. 2: the
/// input. Then further inputs, the planes of passes in the order of Head::scratches(), memory, and
/// the output, if the pass writes it.
///
/// A pass with tiles needs one workgroup per tile.
std::string passSource(const Head& head, size_t pass);

/// The greatest distance along a row, px, at which a pass may read beyond its block.
inline constexpr uint32_t kMargin = 72;

/// Invocations of a workgroup in a pass with tiles.
inline constexpr uint32_t kTileLanes = 256;
/// Most bytes of shared memory of such a workgroup.
inline constexpr uint32_t kTileBytes = 32768;

/// Returns the source of the kernel that all point filters share. It replaces every value by the
/// entry of a table. Its interface is that of passSource(). In the form with 4 more channels it
/// copies a table of 8 bits to shared memory first, which is faster on devices other than CPUs.
std::string pointSource();

/// Returns the source of the kernel that copies a part of a plane to another plane, whose other
/// pixels become 0. Bindings: 0: the input; 1: the output. Push constants: width, height and words
/// per row of a grey plane of the output; the same of the input; the position of the output's upper
/// left pixel in the input (x, y).
std::string placeSource();

/// Compiles GLSL to SPIR-V with glslangValidator. `where` is the path of the filter's file. Throws
/// UsageError with the first message of the compiler and its line in that file, and Error if the
/// compiler is not installed.
std::vector<uint32_t> compile(const std::string& source, const std::string& where);

/// Returns the number of 32-bit words of a layer's parameters in binding 0, a multiple of 4.
size_t blockWords(const Head& head);

/// The first words of a layer's parameters in binding 0. The beginnings of the tables, the
/// parameters and the derived numbers follow.
struct BlockStart {
  uint32_t frame = 0;    ///< number of the frame, from 0 where the filter's memory began
  uint32_t present = 1;  ///< 0: the camera has no frame, so nothing is written
  uint32_t slots = 1;    ///< frames that the memory has room for
  /// Beginning of the table of a point filter; words of one frame in the memory of other filters.
  uint32_t extra = 0;
};
inline constexpr size_t kBlockStart = sizeof(BlockStart) / 4;

}  // namespace glint::filters
