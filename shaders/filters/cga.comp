//! help Draws the picture in four colours on 320x200 cells, like a CGA screen of 1981.
//! feeds view
//! planes colour
//! border none
const ivec3 kColours[4] = {{0, 0, 0}, {255, 255, 255}, {255, 255, 85}, {255, 85, 255}};  // blue, green, red

// Returns the first pixel of the cell that contains pixel i, along an axis of n pixels and `cells` cells.
int cellStart(int i, int n, int cells) {
  const int cell = cells * (2 * i + 1) / (2 * n);
  // This is the first i for which cells * (2 i + 1) / (2 n) >= cell.
  return max((2 * n * cell - cells + 2 * cells - 1) / (2 * cells), 0);
}

uint value(ivec2 p, int c) {
  const ivec2 q = ivec2(cellStart(p.x, size().x, 320), cellStart(p.y, size().y, 200));
  const int scale = int(kFull / 255u);
  int best = 0;
  uint least = 0xffffffffu;
  for (int i = 0; i < 4; ++i) {
    uint sum = 0u;
    for (int k = 0; k < 3; ++k) {
      const uint d = uint(abs(int(at(q, k)) - kColours[i][k] * scale));
      sum += kBits == 8u ? d * d : (d * d) >> 2;
    }
    if (sum < least) {
      least = sum;
      best = i;
    }
  }
  return uint(kColours[best][c] * scale);
}
