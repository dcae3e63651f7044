//! help Subtracts the background: a slow running mean of the frames so far.
//! feeds response
//! planes grey colour
//! border none
//! memory 2
//! param rate: default 0.01; range 0 to 1; slider 0 to 0.2; help The share of each frame that goes into the background.
//! param hold: default 1; range 0 to 1; unit of full scale; help Pixels that differ from the background by more than this do not enter it.
//! param form: default above; choices above difference mask; help
//!   above: how much brighter a pixel is than the background; difference: how much brighter or darker; mask: white where brighter by more than
//!   limit.
//! param limit: default 0.1; range 0 to 1; unit of full scale; help With form=mask, a pixel turns white if it is brighter by more than this.
//! value q: whole rnd(65536 * rate)
//! value held: whole rnd(hold * full)
//! value least: whole rnd(limit * full)
//! check cv::accumulateWeighted
// Moves the background `before` towards the value v by the share q, and returns the new background. A background has
// 16 bits of fraction. Values farther away than P.held do not change it.
uint followed(uint before, uint v) {
  const bool up = v << 16 >= before;
  const uint distance = up ? (v << 16) - before : before - (v << 16);
  if (distance > uint(P.held) << 16) return before;
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
  const uint rounded = (b + 0x8000u) >> 16;
  if (P.form == 1) return v > rounded ? v - rounded : rounded - v;
  const uint above = v - min(v, rounded);
  return P.form == 0 ? above : above > uint(P.least) ? kFull : 0u;
}
