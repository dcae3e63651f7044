//! help Takes the greater of a pixel and its right neighbour.
//! planes grey
//! border replicate
//! pass all block 4x2
void block(int e, int y) {
  for (int k = y; k < y + 2; ++k) put(e, k, max(at_four(e, k), at_any(e + 1, k)));
}
