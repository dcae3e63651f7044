//! help Shows an earlier frame; the first frames pass unchanged.
//! feeds response
//! planes grey colour
//! border none
//! param frames: default 1; whole; range 1 to 16; unit frames; help How many frames earlier.
//! memory frames + 1
uint value(ivec2 p, int c) {
  const uint v = at(p, c);
  remember(p, c, v);
  return P.frame < uint(P.frames) ? v : remembered(uint(P.frames), p, c);
}
