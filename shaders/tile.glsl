// The best candidate of a tile as one word: value + 1 above, the place in the tile below, so that
// the greatest key is the greatest value that stands first in raster order. 0: no candidate.

uint tileKey(uint value, uint inTile) {
  return (value + 1) << 10 | (kTile * kTile - 1 - inTile);
}
uint keyValue(uint key) { return (key >> 10) - 1; }
uvec2 keyInTile(uint key) {
  const uint inTile = kTile * kTile - 1 - (key & (kTile * kTile - 1));
  return uvec2(inTile % kTile, inTile / kTile);
}
uvec2 keyPosition(uint key, uvec2 tile) { return tile * kTile + keyInTile(key); }

// Candidate bitmap: tile after tile, one word a row of the tile.
uint bitmapWord(uint layer, uint tiles, uint tile, uint row) {
  return (layer * tiles + tile) * kTile + row;
}
