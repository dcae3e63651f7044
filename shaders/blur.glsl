// Constants and functions that `blur_columns` and `blur_rows` share. The intermediate plane between the two passes has
// one word per pixel: 16 bits of the narrow Gaussian in the lower half, and 16 bits of the wide one above them. Its
// rows have kMargin more pixels on either side. Reaches are constants, so all loops over taps are unrolled. Then the
// compiler knows every index of a tap, and the sums stay in registers.

layout(constant_id = 1) const uint kBand = 0u;        // 1: a narrow and a wide Gaussian; 0: only the narrow one
layout(constant_id = 2) const int kNarrowReach = 1;   // px, taps on either side of the middle one
layout(constant_id = 3) const int kWideReach = 1;     // px, the same for the wide Gaussian
const int kReach = kBand != 0 ? kWideReach : kNarrowReach;
const int kMargin = (kReach + 3) / 4 * 4;  // px

const int kSpan = 8;       // outputs along the Gaussian that one invocation computes from the same reads
const int kWideTap = 28;   // index of the wide Gaussian's first tap
layout(std140, binding = 1) uniform Taps { uvec4 taps[20]; };

uint narrowTap(int i) { return taps[i / 4][i % 4]; }
uint wideTap(int i) { return taps[(kWideTap + i) / 4][i % 4]; }

// Returns the index of a load of the intermediate plane: 4 pixels, of which the first is x, counted from the left end
// of the margin.
uint middleLoad(PlaneShape shape, uint layer, uint x, uint y) {
  const uint pitch = shape.pitch * kPerWord + 2 * kMargin;
  return ((layer * shape.height + y) * pitch + x) / 4;
}
