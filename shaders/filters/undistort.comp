//! help Removes lens distortion (Brown's model, as in OpenCV).
//!   For measurements, undistort positions instead: each output pixel is a weighted mean of four, which changes the noise.
//! feeds view
//! planes grey colour
//! border none
//! param fx: default 1000; range 1 to 100000; slider 100 to 4000; unit px; help Focal length along x.
//! param fy: default 1000; range 1 to 100000; slider 100 to 4000; unit px; help Focal length along y.
//! param cx: default -1; range -1 to 65535; unit px; help Principal point along x; -1: the centre.
//! param cy: default -1; range -1 to 65535; unit px; help Principal point along y; -1: the centre.
//! param k1: default 0; range -100 to 100; slider -1 to 1; help First radial coefficient.
//! param k2: default 0; range -100 to 100; slider -1 to 1; help Second radial coefficient.
//! param k3: default 0; range -100 to 100; slider -1 to 1; help Third radial coefficient.
//! param p1: default 0; range -10 to 10; slider -0.1 to 0.1; help First tangential coefficient.
//! param p2: default 0; range -10 to 10; slider -0.1 to 0.1; help Second tangential coefficient.
//! value mx: cx < 0 ? (width - 1) / 2 : cx
//! value my: cy < 0 ? (height - 1) / 2 : cy
//! table map_x(i): whole width * height: sum(x, (i % width - mx) / fx, (i % width - mx) / fx,
//!   sum(y, (floor(i / width) - my) / fy, (floor(i / width) - my) / fy, sum(r, x * x + y * y, x * x + y * y, clamp(rint(32 *
//!   (fx * (x * (1 + r * (k1 + r * (k2 + r * k3))) + 2 * p1 * x * y + p2 * (r + 2 * x * x)) + mx)), -1000000000, 1000000000))))
//! table map_y(i): whole width * height: sum(x, (i % width - mx) / fx, (i % width - mx) / fx,
//!   sum(y, (floor(i / width) - my) / fy, (floor(i / width) - my) / fy, sum(r, x * x + y * y, x * x + y * y, clamp(rint(32 *
//!   (fy * (y * (1 + r * (k1 + r * (k2 + r * k3))) + p1 * (r + 2 * y * y) + 2 * p2 * x * y) + my)), -1000000000, 1000000000))))
//! check cv::initUndistortRectifyMap and cv::remap
uint inside0(ivec2 p, int c) { return inImage(p) ? at(p, c) : 0u; }

uint value(ivec2 p, int c) {
  const int i = p.y * size().x + p.x;
  const ivec2 from = ivec2(map_x(i), map_y(i)), q = from >> 5;  // `from` is in units of 1/32 px
  const uvec2 f = uvec2(from & 31);
  return ((32u - f.x) * (32u - f.y) * inside0(q, c) + f.x * (32u - f.y) * inside0(q + ivec2(1, 0), c) +
          (32u - f.x) * f.y * inside0(q + ivec2(0, 1), c) + f.x * f.y * inside0(q + ivec2(1, 1), c) + 512u) >> 10;
}
