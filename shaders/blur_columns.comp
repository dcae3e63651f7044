// Computes the first half of the responses "blur" and "dog": Gaussians down the columns of the luminance. `blur_rows`
// computes the second half from the intermediate plane that this kernel writes (blur.glsl).
//
// One invocation computes kSpan rows of four neighbouring columns. Outside of the image, the pixels at its border are
// repeated. The integer weights add up to 65,536 (see gpu/detect/gaussian.h). Sums are rounded to 16 bits. If the
// pixels have 8 bits, the lower 8 of these 16 bits are a fraction.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "shared/params.h"
#include "plane.glsl"
#include "blur.glsl"

layout(local_size_x = 32) in;

layout(push_constant) uniform Push { BlurParams params; };
layout(std430, binding = 0) readonly buffer Plane { uint plane[]; };
layout(std430, binding = 2) writeonly buffer Middle { uvec4 middle[]; };

// Four neighbouring columns of pixels.
struct Column {
  ivec4 x;
  uint word;  // index in the row of the word with all four pixels of 8 bits, or with the first two of 16 bits
  uint next;  // index in the row of the word with the last two pixels of 16 bits
};

uvec4 pixelsAt(Column column, uint layer, int y) {
  const uint row = layer * params.plane.layerStride +
                   uint(clamp(y, 0, int(params.plane.height) - 1)) * params.plane.pitch;
  const uvec4 shift = uvec4(column.x) % kPerWord * kBits;
  const uint word = plane[row + column.word];
  if (kBits == 8) return uvec4(word) >> shift & kFull;
  const uint next = plane[row + column.next];
  return uvec4(word, word, next, next) >> shift & kFull;
}

void main() {
  const uint layer = gl_GlobalInvocationID.z;
  const int y = int(gl_GlobalInvocationID.y) * kSpan;
  const int x = int(gl_GlobalInvocationID.x) * 4 - kMargin;
  if (x >= int(params.plane.pitch * kPerWord) + kMargin) return;
  const ivec4 columns = clamp(x + ivec4(0, 1, 2, 3), 0, int(params.plane.width) - 1);
  const Column column = Column(columns, uint(columns.x) / kPerWord, uint(columns.z) / kPerWord);

  uvec4 narrow[kSpan];
  uvec4 wide[kSpan];
  [[unroll]] for (int k = 0; k < kSpan; ++k) narrow[k] = wide[k] = uvec4(1u << (kBits - 1));
  [[unroll]] for (int i = -kReach; i < kReach + kSpan; ++i) {
    const uvec4 pixels = pixelsAt(column, layer, y + i);
    [[unroll]] for (int k = 0; k < kSpan; ++k) {
      const int d = abs(i - k);
      if (d <= kNarrowReach) narrow[k] += narrowTap(d) * pixels;
      if (kBand != 0 && d <= kWideReach) wide[k] += wideTap(d) * pixels;
    }
  }
  [[unroll]] for (int k = 0; k < kSpan; ++k) {
    if (y + k >= int(params.plane.height)) break;
    uvec4 both = narrow[k] >> kBits;
    if (kBand != 0) both |= wide[k] >> kBits << 16;
    middle[middleLoad(params.plane, layer, uint(x + kMargin), uint(y + k))] = both;
  }
}
