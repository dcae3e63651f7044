//! help Shows how many standard deviations a pixel lies above its surroundings' mean.
//!   Mid-grey stands for the mean, white for 4 deviations above it, black for 4 below. A deviation counts as at least 1 % of full scale.
//! kind float
//! feeds response
//! planes grey colour
//! border mirror
//! param radius: default 15; whole; range 1 to 31; unit px; help The surroundings are a square with a side of 2 * radius + 1.
//! pass sums -> sum words block 4x40
//! pass squares -> low words block 4x40
//! pass high_squares -> high words block 4x40 when bits > 8
//! pass rows block 64x1
//! check cv::boxFilter, cv::sqrBoxFilter
#ifndef PASS_rows
// Computes sums down a strip of four values. From row to row it adds the row that enters the window and subtracts the
// row that leaves it. Sums of squares have 64 bits.
void block(int e, int y) {
  uvec4 low = uvec4(0u), high = uvec4(0u), carry;
  for (int i = -P.radius; i <= P.radius; ++i) {
    const uvec4 v = at_row(e, y + i);
#ifdef PASS_sums
    low += v;
#else
    low = uaddCarry(low, v * v, carry);
    high += carry;
#endif
  }
  for (int k = y; k < min(y + 40, size().y); ++k) {
    const uvec4 in_ = at_row(e, k + 1 + P.radius), out_ = at_row(e, k - P.radius);
#ifdef PASS_high_squares
    put(e, k, high);
#else
    put(e, k, low);
#endif
#ifdef PASS_sums
    low += in_ - out_;
#else
    low = uaddCarry(low, in_ * in_, carry);
    high += carry;
    low = usubBorrow(low, out_ * out_, carry);
    high -= carry;
#endif
  }
}
#else
const int kStep = int(kChannels);  // values from one pixel to the next

// Sums of values and of their squares for four windows. The sums of squares have 64 bits. For images of 8 bits the
// upper words are 0.
struct Sums {
  uvec4 values, low, high;
};

Sums sumsAt(int e, int y) { return Sums(sum_four(e, y), low_four(e, y), kBits == 8u ? uvec4(0u) : high_four(e, y)); }
Sums shiftedSums(Sums a, Sums b, int s) {
  return Sums(shifted(a.values, b.values, s), shifted(a.low, b.low, s), shifted(a.high, b.high, s));
}
Sums add(Sums a, Sums b) {
  uvec4 carry;
  const uvec4 low = uaddCarry(a.low, b.low, carry);
  return Sums(a.values + b.values, low, a.high + b.high + carry);
}
// Returns a - b.
Sums subtract(Sums a, Sums b) {
  uvec4 borrow;
  const uvec4 low = usubBorrow(a.low, b.low, borrow);
  return Sums(a.values - b.values, low, a.high - b.high - borrow);
}
// Returns the sums of window i for all four windows.
Sums lane(Sums a, int i) { return Sums(uvec4(a.values[i]), uvec4(a.low[i]), uvec4(a.high[i])); }
Sums onlyLanes(Sums a, bvec4 which) {
  return Sums(mix(uvec4(0u), a.values, which), mix(uvec4(0u), a.low, which), mix(uvec4(0u), a.high, which));
}

// Returns the sums of the windows around the four values before e. From them, next() computes those of the following
// windows. For grey images only the last one matters.
Sums sumsBefore(int e, int y) {
  Sums all = Sums(uvec4(0u), uvec4(0u), uvec4(0u));
  const int from = kStep == 1 ? e - 1 - P.radius : e - 4 - P.radius * kStep, count = 2 * P.radius + 1;
  for (int i = 0; i < count; i += kStep == 1 ? 4 : 1) {
    const int x = kStep == 1 ? from + i : from + i * kStep, t = x & 3;
    const Sums here = shiftedSums(sumsAt(x - t, y), sumsAt(x - t + 4, y), t);
    all = add(all, kStep == 1 ? onlyLanes(here, lessThan(ivec4(i, i + 1, i + 2, i + 3), ivec4(count))) : here);
  }
  if (kStep != 1) return all;
  return add(add(lane(all, 0), lane(all, 1)), add(lane(all, 2), lane(all, 3)));
}

// Returns the sums of the next four windows. `d` is the difference of each to the window one pixel before it.
Sums next(Sums before, Sums d) {
  Sums now = before;
  [[unroll]] for (int i = 0; i < 4; ++i) {
    const int from = (i + 4 - kStep) % 4;
    const Sums sum = add(lane(d, i), i < kStep ? lane(before, from) : lane(now, from));
    now.values[i] = sum.values.x;
    now.low[i] = sum.low.x;
    now.high[i] = sum.high.x;
  }
  return now;
}

// Returns the result for the value v: its deviation from the mean of the window in units of the standard deviation.
// `above` is the upper word of the sum of squares.
uint contrasted(uint v, uint total, uint squares, uint above) {
  const float full = float(kFull), pixels = float((2 * P.radius + 1) * (2 * P.radius + 1));
  // Computes pixels * squares - total^2 in 64 bits.
  uint h1, l1, h2, l2, borrow;
  umulExtended(squares, uint(pixels), h1, l1);
  h1 += above * uint(pixels);
  umulExtended(total, total, h2, l2);
  const uint l = usubBorrow(l1, l2, borrow);
  const float spread = float(h1 - h2 - borrow) * 4294967296.0 + float(l);
  const float deviation = sqrt(spread) / pixels;
  const float z = (float(v) - float(total) / pixels) / max(deviation, 0.01 * full);
  return uint(clamp(floor(full * (0.5 + z / 8.0) + 0.5), 0.0, full));
}

// Walks along a row, and adds the sums that enter the window and subtracts those that leave it.
void block(int e, int y) {
  Sums now = sumsBefore(e, y);
  const int enter = e + P.radius * kStep, leave = e - (P.radius + 1) * kStep;
  const int enters = enter & 3, leaves = leave & 3;
  Sums in0 = sumsAt(enter - enters, y), out0 = sumsAt(leave - leaves, y);
  for (int k = 4; k <= 64; k += 4) {
    const Sums in1 = sumsAt(enter - enters + k, y), out1 = sumsAt(leave - leaves + k, y);
    now = next(now, subtract(shiftedSums(in0, in1, enters), shiftedSums(out0, out1, leaves)));
    in0 = in1;
    out0 = out1;
    const uvec4 v = at_four(e + k - 4, y);
    uvec4 result;
    [[unroll]] for (int i = 0; i < 4; ++i) result[i] = contrasted(v[i], now.values[i], now.low[i], now.high[i]);
    put(e + k - 4, y, result);
  }
}
#endif
