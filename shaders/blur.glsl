// What `blur_columns` and `blur_rows` share. The plane between them has one word a pixel, 16 bits of
// the narrow Gaussian below 16 of the wide one, and kMargin pixels more on either side of a row.
// Reaches are constants and all loops over taps are unrolled, so that taps are constants of the
// instructions and sums stay in registers.

layout(constant_id = 1) const uint kBand = 0u;        // 1: narrow and wide Gaussian; 0: narrow one only
layout(constant_id = 2) const int kNarrowReach = 1;   // px, taps on either side of the middle one
layout(constant_id = 3) const int kWideReach = 1;
const int kReach = kBand != 0 ? kWideReach : kNarrowReach;
const int kMargin = (kReach + 3) / 4 * 4;  // px

const int kSpan = 8;       // outputs of an invocation that share what it reads
const int kWideTap = 28;   // where the wide Gaussian's taps begin
layout(std140, binding = 1) uniform Taps { uvec4 taps[20]; };

uint narrowTap(int i) { return taps[i / 4][i % 4]; }
uint wideTap(int i) { return taps[(kWideTap + i) / 4][i % 4]; }

// 16 bytes of the plane between: 4 pixels of which the first, counted with the margin, is x.
uint middleLoad(PlaneShape shape, uint layer, uint x, uint y) {
  const uint pitch = shape.pitch * kPerWord + 2 * kMargin;
  return ((layer * shape.height + y) * pitch + x) / 4;
}
