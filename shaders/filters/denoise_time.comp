//! help Reduces noise where nothing moves: a running mean of the frames so far.
//! feeds response
//! planes grey colour
//! border none
//! memory 2
//! param rate: default 0.25; range 0 to 1; neutral 1; help The share of each frame that goes into the mean.
//! param motion: default 0.1; range 0 to 1; unit of full scale; help Pixels that differ from the mean by more than this pass unchanged.
//! value q: whole rnd(65536 * rate)
//! value most: whole rnd(motion * full)
//! check the formula in double
uint followed(uint before, uint v) {
  const bool up = v << 16 >= before;
  const uint distance = up ? (v << 16) - before : before - (v << 16);
  if (distance > uint(P.most) << 16) return v << 16;
  uint high, low, carry;
  umulExtended(distance, uint(P.q), high, low);
  low = uaddCarry(low, up ? 0x8000u : 0x7fffu, carry);
  const uint step = (high + carry) << 16 | low >> 16;
  return up ? before + step : before - step;
}

uint value(ivec2 p, int c) {
  const uint v = at(p, c);
  const uint b = P.frame == 0u ? v << 16 : followed(remembered(1u, p, c), v);
  remember(p, c, b);
  return (b + 0x8000u) >> 16;
}
