//! help Turns a pixel white if it exceeds the mean around it minus an offset.
//! feeds response
//! planes grey colour
//! border replicate
//! param radius: default 4; whole; range 1 to 63; slider 1 to 20; unit px; help The mean is that of a square with a side of 2 * radius + 1.
//! param offset: default 0.05; range -1 to 1; slider -0.2 to 0.2; unit of full scale; help How far below the mean a pixel still turns white.
//! value less: whole rnd(offset * full)
//! value pixels: whole (2 * radius + 1) * (2 * radius + 1)
//! value share: 1 / pixels
//! pass columns -> sums double block 4x40
//! pass rows block 64x1
//! check cv::adaptiveThreshold
#ifdef PASS_columns
// Down a strip: add the row that enters the window and subtract the row that leaves it.
void block(int e, int y) {
  uvec4 sum = uvec4(0u);
  for (int i = -P.radius; i <= P.radius; ++i) sum += at_row(e, y + i);
  for (int k = y; k < min(y + 40, size().y); ++k) {
    put(e, k, sum);
    sum += at_row(e, k + 1 + P.radius) - at_row(e, k - P.radius);
  }
}
#else
const int kStep = int(kChannels);  // values from one pixel to the next

// The sums of the windows just before e, from which the next ones follow; grey needs only the last.
uvec4 sumsBefore(int e, int y) {
  uvec4 all = uvec4(0u);
  if (kStep != 1) {
    for (int i = -P.radius; i <= P.radius; ++i) all += sums_any(e - 4 + i * kStep, y);
    return all;
  }
  const int from = e - 1 - P.radius, end = from + 2 * P.radius + 1;
  int x = from;
  for (; x + 4 <= end; x += 4) all += sums_any(x, y);
  all += mix(uvec4(0u), sums_any(x, y), lessThan(ivec4(x, x + 1, x + 2, x + 3), ivec4(end)));
  return uvec4(all.x + all.y + all.z + all.w);
}

uvec4 next(uvec4 before, uvec4 d) {
  uvec4 sum;
  [[unroll]] for (int i = 0; i < 4; ++i) sum[i] = d[i] + (i < kStep ? before[(i + 4 - kStep) % 4] : sum[(i + 4 - kStep) % 4]);
  return sum;
}

// Rounded; corrects the float quotient, which may be off by one.
ivec4 meanOf(uvec4 sum) {
  const ivec4 n = ivec4(sum) + P.pixels / 2;
  const ivec4 q = ivec4(vec4(n) * P.share);
  const ivec4 rest = n - q * P.pixels;
  return q + ivec4(greaterThanEqual(rest, ivec4(P.pixels))) - ivec4(lessThan(rest, ivec4(0)));
}

// Along a row, in the same way.
void block(int e, int y) {
  uvec4 sum = sumsBefore(e, y);
  const int enter = e + P.radius * kStep, leave = e - (P.radius + 1) * kStep;
  const int enters = enter & 3, leaves = leave & 3;
  uvec4 in0 = sums_four(enter - enters, y), out0 = sums_four(leave - leaves, y);
  for (int k = 4; k <= 64; k += 4) {
    const uvec4 in1 = sums_four(enter - enters + k, y), out1 = sums_four(leave - leaves + k, y);
    sum = next(sum, shifted(in0, in1, enters) - shifted(out0, out1, leaves));
    in0 = in1;
    out0 = out1;
    const bvec4 bright = greaterThan(ivec4(at_four(e + k - 4, y)), meanOf(sum) - P.less);
    put(e + k - 4, y, mix(uvec4(0u), uvec4(kFull), bright));
  }
}
#endif
