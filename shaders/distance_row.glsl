// Finds the nearest feature of a row from the record that `distance_rows` made for one word of the row.

const uint kNoColumn = 0xffffu;

// Returns x of the feature that is nearest to column `x` in its row. Of two equally near ones it is the lower. Returns
// kNoColumn if the row has no feature. `record` must be that of the word that contains column `x`.
uint nearestInRow(uvec2 record, uint x) {
  const uint bit = x % 32;
  const uint low = record.x & 0xffffffffu >> (31 - bit);
  const uint high = record.x >> bit;
  const uint left = low != 0 ? x - bit + uint(findMSB(low)) : record.y & 0xffffu;
  const uint right = high != 0 ? x + uint(findLSB(high)) : record.y >> 16;
  if (left == kNoColumn) return right;
  return right != kNoColumn && right - x < x - left ? right : left;
}
