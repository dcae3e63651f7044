//! help Finds spots of one size: minus the Laplacian of a Gaussian, at least 0.
//! feeds response
//! planes grey colour
//! border replicate
//! param sigma: default 2; range 0.1 to 20; slider 0.5 to 8; unit px; help Best is the marker's radius divided by 1.4.
//! param gain: default 4; whole; range 1 to 64; slider 1 to 16; help Factor on the Laplacian.
//! value reach: whole ceil(3 * sigma)
//! value total: 1 + 2 * sum(k, 1, reach, exp(-k * k / (2 * sigma * sigma)))
//! value outer: 2 * sum(k, 1, reach, rnd(65536 * exp(-k * k / (2 * sigma * sigma)) / total))
//! table taps(i): whole reach + 4: i > reach ? 0 : i == 0 ? 65536 - outer : rnd(65536 * exp(-i * i / (2 * sigma * sigma)) / total)
//! pass columns -> middle double block 4x8
//! pass rows -> blurred block 8x1
//! pass laplace block 4x1
//! check cv::Laplacian of the filter gaussian
#if defined(PASS_columns)
#define WEIGHED_COLUMNS
#elif defined(PASS_rows)
#define WEIGHED_ROWS
#else
// Computes four values at once from the four values at each of the diagonal neighbours.
void block(int e, int y) {
  const int step = int(kChannels);
  const uvec4 corners = blurred_any(e - step, y - 1) + blurred_any(e + step, y - 1) +
                        blurred_any(e - step, y + 1) + blurred_any(e + step, y + 1);
  const ivec4 laplacian = 2 * ivec4(corners) - 8 * ivec4(blurred_four(e, y));
  put(e, y, uvec4(clamp((4 - P.gain * laplacian) >> 3, 0, int(kFull))));
}
#endif
