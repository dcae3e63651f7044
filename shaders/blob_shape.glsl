// Computes the centre and the shape of a Blob from its sums. All decisions use integers, or floats that every device
// rounds in the same way: sums and products without contraction (`precise`).

// Returns the weighted centroid, rounded to a pixel, halves up.
uvec2 centreOf(Blob b) {
  const Wide mass = Wide(b.mass.low, b.mass.high);
  const Wide half_ = Wide(mass.low >> 1 | mass.high << 31, mass.high >> 1);
  return uvec2(quotient(add(Wide(b.massX.low, b.massX.high), half_), mass),
               quotient(add(Wide(b.massY.low, b.massY.high), half_), mass));
}

// The shape of a blob: its area in px, and the second central moments (variances and covariance in px^2) of its pixels
// times the square of the area. Each pixel is a square of side 1.
struct Shape {
  float area;
  float xx, xy, yy;
};

// Computes the moments in integers relative to the nearby point `about`, so that only the last step rounds to floats.

Shape shapeOf(Blob b, uvec2 about) {
  const Wide area = Wide(b.area, 0);
  const Wide x = subtract(Wide(b.x.low, b.x.high), times(area, about.x));
  const Wide y = subtract(Wide(b.y.low, b.y.high), times(area, about.y));
  // With about = (p, q): sum (X - p)(Y - q) = sum XY - p sum Y - q sum (X - p).
  const Wide sumX = Wide(b.x.low, b.x.high);
  const Wide sumY = Wide(b.y.low, b.y.high);
  const Wide xx = subtract(Wide(b.xx.low, b.xx.high), add(times(sumX, about.x), times(x, about.x)));
  const Wide xy = subtract(Wide(b.xy.low, b.xy.high), add(times(sumY, about.x), times(x, about.y)));
  const Wide yy = subtract(Wide(b.yy.low, b.yy.high), add(times(sumY, about.y), times(y, about.y)));
  precise const float a = float(b.area);
  precise const float fx = toFloat(x);
  precise const float fy = toFloat(y);
  precise const float own = a * a * (1.0 / 12.0);
  precise const float sxx = a * toFloat(xx) - fx * fx + own;
  precise const float sxy = a * toFloat(xy) - fx * fy;
  precise const float syy = a * toFloat(yy) - fy * fy + own;
  return Shape(a, sxx, sxy, syy);
}

// Returns true if the square of (major - minor) / (major + minor) exceeds `most`, where major and minor are the
// variances along the principal axes. If `most` is 1 or more, the result is false.
bool isElongated(Shape s, float most) {
  const float scale = s.area > 65536.0 ? 8.6736174e-19 : 1.0;  // 2^-60 keeps the squares of large blobs finite
  precise const float sum = (s.xx + s.yy) * scale;
  precise const float difference = (s.xx - s.yy) * scale;
  precise const float cross_ = 2 * s.xy * scale;
  precise const float left = difference * difference + cross_ * cross_;
  precise const float right = most * (sum * sum);
  return most < 1.0 && left > right;
}
