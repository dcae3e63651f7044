// The nearest feature of a row, from the record that `distance_rows` made of a word of it.

const uint kNoColumn = 0xffffu;

// x of the nearest feature, of two the lower; kNoColumn if the row has none.
uint nearestInRow(uvec2 record, uint x) {
  const uint bit = x % 32;
  const uint low = record.x & 0xffffffffu >> (31 - bit);
  const uint high = record.x >> bit;
  const uint left = low != 0 ? x - bit + uint(findMSB(low)) : record.y & 0xffffu;
  const uint right = high != 0 ? x + uint(findLSB(high)) : record.y >> 16;
  if (left == kNoColumn) return right;
  return right != kNoColumn && right - x < x - left ? right : left;
}
