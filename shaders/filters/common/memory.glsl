// Access to the frames that a filter remembers, with one word for each value. `back` counts frames backwards from the
// present one.
uint remembered_(uint frame, ivec2 p, int c) {
  return frame % P.slots * P.extra + worded_(p, kOut, uint(c));
}
uint remembered(uint back, ivec2 p, int c) { return memory_[remembered_(P.frame - back, p, c)]; }
void remember(ivec2 p, int c, uint v) { memory_[remembered_(P.frame, p, c)] = v; }
