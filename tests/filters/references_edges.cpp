// Holds the references of filters that search for shapes: edges, and a template in the image.
#include <array>
#include <numbers>
#include <vector>

#include "tests/filters/plain.h"

namespace glint::reference {
namespace {

/// A gradient and its length.
struct Slope {
  int64_t x = 0, y = 0, length = -1;
};

class Edges {
 public:
  Edges(const Image& small, const Parameters& p) : image_(small) {
    const int64_t aperture = p.is("aperture", "3") ? 3 : p.is("aperture", "5") ? 5 : 7;
    long_ = p.is("norm", "L2");
    const int64_t w = image_.format.width, h = image_.format.height;
    for (int64_t y = 0; y < h; ++y)
      for (int64_t x = 0; x < w; ++x) slopes_.push_back(slopeAt(x, y, aperture));
  }

  int64_t length(int64_t x, int64_t y) const {
    const int64_t w = image_.format.width, h = image_.format.height;
    return x < 0 || y < 0 || x >= w || y >= h ? 0 : slopes_[size_t(y * w + x)].length;
  }

  /// Returns true if the gradient is greater than those on both sides of its edge.
  bool isCrest(int64_t x, int64_t y) const {
    const Slope& s = slopes_[size_t(y * image_.format.width + x)];
    const int64_t m = s.length, ax = std::abs(s.x), ay = std::abs(s.y) << 15;
    const int64_t t = 13573 * ax;
    if (ay < t) return m > length(x - 1, y) && m >= length(x + 1, y);
    if (ay > t + 65536 * ax) return m > length(x, y - 1) && m >= length(x, y + 1);
    const int64_t d = s.x * s.y < 0 ? -1 : 1;
    return m > length(x - d, y - 1) && m > length(x + d, y + 1);
  }

 private:
  static double weight(const std::vector<int>& of, int64_t i) {
    return of[size_t(i + int64_t(of.size() / 2))];
  }

  Slope slopeAt(int64_t x, int64_t y, int64_t aperture) const {
    const std::vector<int> derivative = aperture == 3   ? std::vector{-1, 0, 1}
                                        : aperture == 5 ? std::vector{-1, -2, 0, 2, 1}
                                                        : std::vector{-1, -4, -5, 0, 5, 4, 1};
    const std::vector<int> smooth = aperture == 3   ? std::vector{1, 2, 1}
                                    : aperture == 5 ? std::vector{1, 4, 6, 4, 1}
                                                    : std::vector{1, 6, 15, 20, 15, 6, 1};
    Slope best;
    for (uint32_t c = 0; c < image_.format.channels; ++c) {
      double gx = 0, gy = 0;
      for (int64_t j = -aperture / 2; j <= aperture / 2; ++j) {
        for (int64_t i = -aperture / 2; i <= aperture / 2; ++i) {
          const auto v = double(at(image_, x + i, y + j, c));
          gx += v * weight(derivative, i) * weight(smooth, j);
          gy += v * weight(derivative, j) * weight(smooth, i);
        }
      }
      if (aperture == 7) gx = std::nearbyint(gx / 16), gy = std::nearbyint(gy / 16);
      Slope s{int64_t(gx), int64_t(gy), 0};
      s.length = long_ ? s.x * s.x + s.y * s.y : std::abs(s.x) + std::abs(s.y);
      if (s.length > best.length) best = s;
    }
    return best;
  }

  const Image& image_;
  bool long_ = false;
  std::vector<Slope> slopes_;
};

int64_t limitOf(double t, const Parameters& p) {
  if (p.is("aperture", "7")) t /= 16;
  if (p.is("norm", "L2")) {
    t = std::min(t, 32767.0);
    if (t > 0) t *= t;
  }
  return int64_t(std::floor(t));
}

Image canny(const Input& in, const Parameters& p) {
  Image small = in.now();
  const int shift = small.format.bits == 16 ? int(p["shift"]) : 0;
  for (uint16_t& v : small.values) v = static_cast<uint16_t>(std::min(v >> shift, 255));
  small.format.bits = 8;
  if (p["sigma"] > 0) small = filterReferences().at("gaussian")({{small}}, p);
  const Edges edges(small, p);
  const int64_t low = limitOf(std::min(p["low"], p["high"]), p),
                high = limitOf(std::max(p["low"], p["high"]), p);
  const int64_t w = small.format.width, h = small.format.height;
  std::vector<int> state(size_t(w * h));  // The state of each pixel: 1 is a candidate, 2 is kept.
  std::vector<int64_t> open;
  for (int64_t i = 0; i < w * h; ++i) {
    const int64_t m = edges.length(i % w, i / w);
    if (m > low && edges.isCrest(i % w, i / w)) state[size_t(i)] = m > high ? 2 : 1;
    if (state[size_t(i)] == 2) open.push_back(i);
  }
  while (!open.empty()) {
    const int64_t i = open.back();
    open.pop_back();
    for (int64_t k = 0; k < 9; ++k) {
      const int64_t x = i % w + k % 3 - 1, y = i / w + k / 3 - 1;
      if (x < 0 || y < 0 || x >= w || y >= h || state[size_t(y * w + x)] != 1) continue;
      state[size_t(y * w + x)] = 2;
      open.push_back(y * w + x);
    }
  }
  return made(
      in.now(),
      [&](int64_t x, int64_t y, uint32_t) {
        return state[size_t(y * w + x)] == 2 ? full(in.now()) : 0;
      },
      1);
}

/// A template that was turned and scaled. `pixels` are those that count.
struct Variant {
  struct Pixel {
    int64_t x, y, value;
  };
  int64_t width = 1, height = 1;
  double angle = 0, scale = 1;
  std::vector<Pixel> pixels;
};

Variant variantOf(const Image& part, double degrees, double scale) {
  const double a = degrees * std::numbers::pi / 180, w = part.format.width, h = part.format.height;
  const double c = std::cos(a), s = std::sin(a), near = 1e-6;
  Variant variant;
  variant.angle = degrees, variant.scale = scale;
  variant.width =
      std::max<int64_t>(1, int64_t(std::ceil(scale * (w * std::abs(c) + h * std::abs(s)) - near)));
  variant.height =
      std::max<int64_t>(1, int64_t(std::ceil(scale * (h * std::abs(c) + w * std::abs(s)) - near)));
  for (int64_t j = 0; j < variant.height; ++j) {
    for (int64_t i = 0; i < variant.width; ++i) {
      const double x = double(i) - double(variant.width - 1) / 2,
                   y = double(j) - double(variant.height - 1) / 2;
      const double u = (c * x + s * y) / scale + (w - 1) / 2,
                   v = (-s * x + c * y) / scale + (h - 1) / 2;
      if (std::abs(u - (w - 1) / 2) > w / 2 + near || std::abs(v - (h - 1) / 2) > h / 2 + near)
        continue;
      const auto qx = int64_t(std::floor(u)), qy = int64_t(std::floor(v));
      double value = 0;
      for (int64_t k = 0; k < 4; ++k) {
        const double weight = std::abs(1 - double(k & 1) - (u - double(qx))) *
                              std::abs(1 - double(k >> 1) - (v - double(qy)));
        value += weight * double(at(part, qx + (k & 1), qy + (k >> 1), 0));
      }
      variant.pixels.push_back({i, j, rnd(value)});
    }
  }
  return variant;
}

/// Returns how well the template fits at (left, top); 1 is a perfect fit.
double scoreOf(const Image& image, const Variant& variant, int64_t left, int64_t top,
               bool differences) {
  const auto n = double(variant.pixels.size());
  double meanI = 0, meanT = 0;
  for (const auto& [x, y, value] : variant.pixels) {
    meanI += double(at(image, left + x, top + y, 0)) / n;
    meanT += double(value) / n;
  }
  if (differences) meanI = meanT = 0;
  double both = 0, ii = 0, tt = 0, apart = 0;
  for (const auto& [x, y, value] : variant.pixels) {
    const double i = double(at(image, left + x, top + y, 0)) - meanI, t = double(value) - meanT;
    both += i * t, ii += i * i, tt += t * t, apart += (i - t) * (i - t);
  }
  if (ii < 1e-6 || tt < 1e-6) return 0;
  return differences ? 1 - apart / std::sqrt(ii * tt) : both / std::sqrt(ii * tt);
}

Image sought(const Input& in, const Parameters& p) {
  const Image &image = in.now(), &whole = in.further.at("look");
  const auto& cut = p.list("part");
  Image part = whole;
  if (cut[2] > 0) {
    part.format.width = uint32_t(cut[2]), part.format.height = uint32_t(cut[3]);
    part.values.clear();
    for (int64_t y = 0; y < int64_t(cut[3]); ++y)
      for (int64_t x = 0; x < int64_t(cut[2]); ++x)
        part.values.push_back(uint16_t(at(whole, x + int64_t(cut[0]), y + int64_t(cut[1]), 0)));
  }
  std::vector<Variant> variants;
  for (double scale = p["scale_from"]; scale <= p["scale_to"] + 1e-6; scale += p["scale_step"])
    for (double angle = p["angle_from"]; angle <= p["angle_to"] + 1e-6; angle += p["angle_step"])
      variants.push_back(variantOf(part, angle, scale));
  const auto of = [](double v, double from, double to) {
    return to > from ? (v - from) / (to - from) : 0;
  };
  return made(image, [&](int64_t x, int64_t y, uint32_t) {
    double best = 0, shown = 0;
    for (const Variant& variant : variants) {
      const int64_t left = x - variant.width / 2, top = y - variant.height / 2;
      if (left < 0 || top < 0 || left + variant.width > image.format.width ||
          top + variant.height > image.format.height)
        continue;
      const double score = scoreOf(image, variant, left, top, p.is("method", "sqdiff"));
      if (score <= best) continue;
      best = score;
      shown = p.is("form", "angle") ? of(variant.angle, p["angle_from"], p["angle_to"])
                                    : of(variant.scale, p["scale_from"], p["scale_to"]);
    }
    return rnd((p.is("form", "score") ? best : shown) * double(full(image)));
  });
}

}  // namespace

const std::map<std::string, FilterReference>& edgeReferences() {
  static const std::map<std::string, FilterReference> all{{"canny", canny}, {"template", sought}};
  return all;
}

}  // namespace glint::reference
