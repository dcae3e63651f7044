#include "tests/filters/references.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "config/filter_catalog.h"
#include "tests/filters/plain.h"

namespace glint::reference {
namespace {

template <class Point>
Image points(const Image& in, Point point) {
  return made(in, [&](int64_t x, int64_t y, uint32_t c) { return point(at(in, x, y, c)); });
}

Image brightness(const Input& in, const Parameters& p) {
  return points(in.now(), [&](int64_t v) { return v + rnd(p["amount"] * double(full(in.now()))); });
}
Image contrast(const Input& in, const Parameters& p) {
  const int64_t f = full(in.now()), q = rnd(4096 * p["factor"]);
  return points(in.now(), [&](int64_t v) { return ((2 * v - f) * q + 4096 * (f + 1)) >> 13; });
}
Image invert(const Input& in, const Parameters&) {
  return points(in.now(), [&](int64_t v) { return full(in.now()) - v; });
}
Image levels(const Input& in, const Parameters& p) {
  const auto f = double(full(in.now()));
  return points(in.now(), [&](int64_t v) {
    const double span = std::max(p["in_max"] - p["in_min"], 1e-6);
    const double t =
        std::pow(std::clamp((double(v) / f - p["in_min"]) / span, 0.0, 1.0), 1 / p["gamma"]);
    return rnd(f * (p["out_min"] + (p["out_max"] - p["out_min"]) * t));
  });
}
Image channelLevels(const Input& in, const Parameters& p) {
  Image out = in.now();
  const Image all = levels(in, p);
  const size_t c = p.is("channel", "red") ? 2 : p.is("channel", "green") ? 1 : 0;
  for (size_t i = c; i < out.values.size(); i += 3) out.values[i] = all.values[i];
  return out;
}
Image gamma(const Input& in, const Parameters& p) {
  const auto f = double(full(in.now()));
  return points(in.now(), [&](int64_t v) { return rnd(f * std::pow(double(v) / f, p["gamma"])); });
}
Image threshold(const Input& in, const Parameters& p) {
  const int64_t f = full(in.now());
  const auto least = static_cast<int64_t>(std::ceil(p["level"] * double(f)));
  return points(in.now(), [&](int64_t v) -> int64_t {
    if (p.is("form", "inverse")) return v >= least ? 0 : f;
    if (p.is("form", "truncate")) return std::min(v, std::max<int64_t>(least - 1, 0));
    if (p.is("form", "to_zero")) return v >= least ? v : 0;
    return v >= least ? f : 0;
  });
}

Image colorMatrix(const Input& in, const Parameters& p) {
  const Image& image = in.now();
  return made(image, [&](int64_t x, int64_t y, uint32_t c) {
    const size_t row = 4 * (2 - c);  // The matrix has its rows in the order red, green, blue.
    const auto& m = p.list("matrix");
    double sum = m[row + 3] * double(full(image));
    for (uint32_t k = 0; k < 3; ++k) sum += m[row + k] * double(at(image, x, y, 2 - k));
    const double before = double(at(image, x, y, c));
    return rnd(before + (sum - before) * p["intensity"]);
  });
}
Image grey(const Input& in, const Parameters& p) {
  const Image& image = in.now();
  const auto& w = p.list("weights");
  return made(
      image,
      [&](int64_t x, int64_t y, uint32_t) {
        double sum = p["offset"] * double(full(image));
        for (uint32_t k = 0; k < 3; ++k) sum += w[k] * double(at(image, x, y, 2 - k));
        return rnd(sum);
      },
      1);
}
Image convolution3(const Input& in, const Parameters& p) {
  const Image& image = in.now();
  return made(image, [&](int64_t x, int64_t y, uint32_t c) {
    double sum = p["offset"] * double(full(image));
    for (int64_t i = 0; i < 9; ++i)
      sum += p.list("kernel")[static_cast<size_t>(i)] *
             double(at(image, x + i % 3 - 1, y + i / 3 - 1, c));
    return rnd(sum);
  });
}

/// Returns the means of the squares around every value, from sums along rows and then along
/// columns.
std::vector<int64_t> boxMeans(const Image& image, int64_t r, Border border) {
  const int64_t w = image.format.width, h = image.format.height, n = image.format.channels;
  std::vector<int64_t> rows, means;
  for (int64_t i = 0; i < w * h * n; ++i) {
    rows.push_back(0);
    for (int64_t k = -r; k <= r; ++k)
      rows.back() += at(image, i / n % w + k, i / n / w, static_cast<uint32_t>(i % n), border);
  }
  for (int64_t i = 0; i < w * h * n; ++i) {
    int64_t sum = 0;
    for (int64_t k = -r; k <= r; ++k) {
      const int64_t y = i / n / w + k;
      const int64_t row =
          border == Border::mirror ? mirrored(y, h) : std::clamp<int64_t>(y, 0, h - 1);
      sum += rows[static_cast<size_t>(row * w * n + i % (w * n))];
    }
    means.push_back(divided(sum, (2 * r + 1) * (2 * r + 1)));
  }
  return means;
}
size_t indexOf(const Image& image, int64_t x, int64_t y, uint32_t c) {
  return static_cast<size_t>((y * image.format.width + x) * image.format.channels + c);
}
Image box(const Input& in, const Parameters& p) {
  const auto means = boxMeans(in.now(), int64_t(p["radius"]), Border::mirror);
  return made(in.now(),
              [&](int64_t x, int64_t y, uint32_t c) { return means[indexOf(in.now(), x, y, c)]; });
}
Image adaptiveThreshold(const Input& in, const Parameters& p) {
  const int64_t less = rnd(p["offset"] * double(full(in.now())));
  const auto means = boxMeans(in.now(), int64_t(p["radius"]), Border::replicate);
  return made(in.now(), [&](int64_t x, int64_t y, uint32_t c) -> int64_t {
    const int64_t mean = means[indexOf(in.now(), x, y, c)];
    return at(in.now(), x, y, c) > mean - less ? full(in.now()) : 0;
  });
}

/// Returns an image whose channels are made one by one with the reference `ofGrey`.
template <class OfGrey>
Image byChannel(const Image& image, OfGrey ofGrey) {
  Image result{image.format, std::vector<uint16_t>(image.values.size())};
  const uint32_t channels = image.format.channels;
  for (uint32_t c = 0; c < channels; ++c) {
    Image one{image.format, {}};
    one.format.channels = 1;
    for (size_t i = c; i < image.values.size(); i += channels)
      one.values.push_back(image.values[i]);
    const Image out = ofGrey(one);
    for (size_t i = 0; i < out.values.size(); ++i) result.values[i * channels + c] = out.values[i];
  }
  return result;
}
Image gaussian(const Input& in, const Parameters& p) {
  return byChannel(in.now(), [&](const Image& one) { return blurred(one, 2 * p["sigma"]); });
}
Image dog(const Input& in, const Parameters& p) {
  return byChannel(in.now(), [&](const Image& one) {
    return differenceOfGaussians(one, p["radius"], uint64_t(p["gain"]));
  });
}
Image logOf(const Input& in, const Parameters& p) {
  const Image g = gaussian(in, p);
  const auto gain = int64_t(p["gain"]);
  return made(g, [&](int64_t x, int64_t y, uint32_t c) {
    const int64_t laplacian = 2 * (at(g, x - 1, y - 1, c) + at(g, x + 1, y - 1, c) +
                                   at(g, x - 1, y + 1, c) + at(g, x + 1, y + 1, c)) -
                              8 * at(g, x, y, c);
    return rnd(double(-gain * laplacian) / 8);
  });
}

int64_t medianAt(const Image& image, int64_t x, int64_t y, uint32_t c, int64_t r,
                 int64_t step = 1) {
  std::vector<int64_t> values;
  for (int64_t j = -r; j <= r; ++j)
    for (int64_t i = -r; i <= r; ++i) values.push_back(at(image, x + i * step, y + j * step, c));
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}
Image median(const Input& in, const Parameters& p) {
  return made(in.now(), [&](int64_t x, int64_t y, uint32_t c) {
    return medianAt(in.now(), x, y, c, int64_t(p["radius"]));
  });
}
Image hotPixel(const Input& in, const Parameters& p) {
  return made(in.now(), [&](int64_t x, int64_t y, uint32_t c) {
    const bool hot = at(in.further.at("marked"), x, y, c) != 0;
    return hot ? medianAt(in.now(), x, y, c, 1, p["bayer"] != 0 ? 2 : 1) : at(in.now(), x, y, c);
  });
}

/// Returns true if the shape of size k has a pixel in column i and row j.
bool inShape(const Parameters& p, int64_t k, int64_t i, int64_t j) {
  const int64_t a = k / 2;
  if (p.is("shape", "rect")) return true;
  if (p.is("shape", "cross")) return i == a || j == a;
  if (k == 1) return true;
  const double t = double(j - a) / double(a);
  const auto h = static_cast<int64_t>(std::nearbyint(double(a) * std::sqrt(1 - t * t)));
  return i >= std::max<int64_t>(a - h, 0) && i <= std::min(a + h, k - 1);
}
Image extreme(const Image& image, const Parameters& p, bool greatest) {
  const auto k = int64_t(p["size"]);
  const int64_t w = image.format.width, h = image.format.height;
  std::vector<std::array<int64_t, 2>> shape;
  for (int64_t i = 0; i < k * k; ++i)
    if (inShape(p, k, i % k, i / k)) shape.push_back({i % k - k / 2, i / k - k / 2});
  return made(image, [&](int64_t x, int64_t y, uint32_t c) {
    int64_t best = greatest ? 0 : full(image);
    for (const auto& [i, j] : shape) {
      if (x + i < 0 || y + j < 0 || x + i >= w || y + j >= h) continue;
      const int64_t v = at(image, x + i, y + j, c);
      best = greatest ? std::max(best, v) : std::min(best, v);
    }
    return best;
  });
}
Image difference(const Image& a, const Image& b) {
  return made(a, [&](int64_t x, int64_t y, uint32_t c) { return at(a, x, y, c) - at(b, x, y, c); });
}
Image morphology(const Input& in, const Parameters& p) {
  const Image& f = in.now();
  const auto dilate = [&](const Image& image) { return extreme(image, p, true); };
  const auto erode = [&](const Image& image) { return extreme(image, p, false); };
  if (p.is("op", "dilate")) return dilate(f);
  if (p.is("op", "erode")) return erode(f);
  if (p.is("op", "open")) return dilate(erode(f));
  if (p.is("op", "close")) return erode(dilate(f));
  if (p.is("op", "gradient")) return difference(dilate(f), erode(f));
  if (p.is("op", "tophat")) return difference(f, dilate(erode(f)));
  return difference(erode(dilate(f)), f);
}

/// Returns the background B after all frames: B += ((v 2^16 - B) q + 2^15) >> 16. Where |v - B| >
/// most, B keeps its value, or takes that of the frame if `replaces` is set.
std::vector<int64_t> backgroundOf(const Input& in, int64_t q, int64_t most, bool replaces) {
  std::vector<int64_t> b;
  for (const Image& frame : in.frames) {
    for (size_t i = 0; i < frame.values.size(); ++i) {
      const int64_t v = int64_t{frame.values[i]} << 16;
      if (b.size() < frame.values.size()) {
        b.push_back(v);
      } else if (std::abs(v - b[i]) > most << 16) {
        if (replaces) b[i] = v;
      } else {
        b[i] += ((v - b[i]) * q + (1 << 15)) >> 16;
      }
    }
  }
  return b;
}
Image background(const Input& in, const Parameters& p) {
  const auto f = double(full(in.now()));
  const auto b = backgroundOf(in, rnd(65536 * p["rate"]), rnd(p["hold"] * f), false);
  Image out = in.now();
  for (size_t i = 0; i < b.size(); ++i) {
    const int64_t d = out.values[i] - ((b[i] + (1 << 15)) >> 16);
    int64_t v = std::max<int64_t>(d, 0);
    if (p.is("form", "difference")) v = std::abs(d);
    if (p.is("form", "mask")) v = d > rnd(p["limit"] * f) ? full(in.now()) : 0;
    out.values[i] = static_cast<uint16_t>(v);
  }
  return out;
}
Image denoiseTime(const Input& in, const Parameters& p) {
  const auto b =
      backgroundOf(in, rnd(65536 * p["rate"]), rnd(p["motion"] * double(full(in.now()))), true);
  Image out = in.now();
  for (size_t i = 0; i < b.size(); ++i)
    out.values[i] = static_cast<uint16_t>((b[i] + (1 << 15)) >> 16);
  return out;
}
Image delay(const Input& in, const Parameters& p) {
  const auto n = static_cast<size_t>(p["frames"]);
  return in.frames.size() <= n ? in.now() : in.frames[in.frames.size() - 1 - n];
}

Image darkFlat(const Input& in, const Parameters&) {
  const Image &dark = in.further.at("dark_frame"), &flat = in.further.at("flat_frame");
  double sum = 0;
  for (size_t i = 0; i < flat.values.size(); ++i)
    sum += double(flat.values[i]) - double(dark.values[i]);
  const int64_t level = rnd(4096 * std::max(sum / double(flat.values.size()), 0.0));
  return made(in.now(), [&](int64_t x, int64_t y, uint32_t c) {
    const int64_t above = std::max<int64_t>(at(in.now(), x, y, c) - at(dark, x, y, c), 0);
    const int64_t range = at(flat, x, y, c) - at(dark, x, y, c);
    return range <= 0 ? above : (above * divided(level, range) + 2048) >> 12;
  });
}

Image chromaKey(const Input& in, const Parameters& p) {
  const Image& image = in.now();
  const auto chroma = [&](double r, double g, double b) {
    const double y = 0.2989 * r + 0.5866 * g + 0.1145 * b,
                 divisor = p["relative"] != 0 ? std::max(y, 1.0 / 16) : 1;
    return std::array{0.7132 * (r - y) / divisor, 0.5647 * (b - y) / divisor};
  };
  const auto key = chroma(p["red"], p["green"], p["blue"]);
  const auto f = double(full(image));
  const auto luma = luminance(image);
  return made(
      image,
      [&](int64_t x, int64_t y, uint32_t) {
        const auto own = chroma(double(at(image, x, y, 2)) / f, double(at(image, x, y, 1)) / f,
                                double(at(image, x, y, 0)) / f);
        const double d = std::hypot(own[0] - key[0], own[1] - key[1]);
        double t = d >= p["threshold"] ? 1 : 0;
        if (p["smoothing"] > 0) t = std::clamp((d - p["threshold"]) / p["smoothing"], 0.0, 1.0);
        const double k = t * t * (3 - 2 * t);
        return rnd((p.is("form", "matte") ? f : double(luma.at(x, y))) * (1 - k));
      },
      1);
}

Image bilateral(const Input& in, const Parameters& p) {
  const Image& image = in.now();
  const double sigma = p["sigma_space"], spread = p["sigma_range"] * double(full(image));
  const int64_t r = p["radius"] > 0 ? int64_t(p["radius"])
                                    : std::max<int64_t>(1, int64_t(std::nearbyint(1.5 * sigma)));
  const bool wide = image.format.bits == 16;
  const auto alike = [&](int64_t d) {
    const double at = wide ? (d >> 4 == 0 ? 0 : double((d >> 4) * 16 + 8)) : double(d);
    return rnd(4095 * std::exp(-at * at / (2 * spread * spread)));
  };
  return made(image, [&](int64_t x, int64_t y, uint32_t c) {
    int64_t sum = 0, all = 0;
    for (int64_t j = -r; j <= r; ++j) {
      for (int64_t i = -r; i <= r; ++i) {
        if (i * i + j * j > r * r) continue;
        int64_t d = 0;
        for (uint32_t k = 0; k < image.format.channels; ++k)
          d += std::abs(at(image, x + i, y + j, k, Border::mirror) - at(image, x, y, k));
        const int64_t w =
            (rnd(4095 * std::exp(double(-(i * i + j * j)) / (2 * sigma * sigma))) * alike(d) +
             2048) >>
            12;
        all += w;
        sum += w * at(image, x + i, y + j, c, Border::mirror);
      }
    }
    return (sum + all / 2) / all;
  });
}

Image localContrast(const Input& in, const Parameters& p) {
  const Image& image = in.now();
  const auto r = int64_t(p["radius"]);
  const double n = double((2 * r + 1) * (2 * r + 1)), f = double(full(image));
  return made(image, [&](int64_t x, int64_t y, uint32_t c) {
    double sum = 0, squares = 0;
    for (int64_t j = -r; j <= r; ++j) {
      for (int64_t i = -r; i <= r; ++i) {
        const auto v = double(at(image, x + i, y + j, c, Border::mirror));
        sum += v;
        squares += v * v;
      }
    }
    const double deviation = std::sqrt(std::max(n * squares - sum * sum, 0.0)) / n;
    return rnd(f *
               (0.5 + (double(at(image, x, y, c)) - sum / n) / std::max(deviation, 0.01 * f) / 8));
  });
}

Image lbp(const Input& in, const Parameters& p) {
  constexpr std::array<std::array<int64_t, 2>, 8> kBits{
      {{1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}}};
  return made(in.now(), [&](int64_t x, int64_t y, uint32_t c) {
    int64_t code = 0;
    for (size_t i = 0; i < 8; ++i)
      if (at(in.now(), x + kBits[i][0], y + kBits[i][1], c) >=
          at(in.now(), x, y, c) + int64_t(p["tolerance"]))
        code |= 1 << i;
    return code * (full(in.now()) / 255);
  });
}

Image fast(const Input& in, const Parameters& p) {
  constexpr std::array<std::array<int64_t, 2>, 16> kRing{{{0, 3},
                                                          {1, 3},
                                                          {2, 2},
                                                          {3, 1},
                                                          {3, 0},
                                                          {3, -1},
                                                          {2, -2},
                                                          {1, -3},
                                                          {0, -3},
                                                          {-1, -3},
                                                          {-2, -2},
                                                          {-3, -1},
                                                          {-3, 0},
                                                          {-3, 1},
                                                          {-2, 2},
                                                          {-1, 3}}};
  const Image& image = in.now();
  const int64_t w = image.format.width, h = image.format.height,
                least = int64_t(p["threshold"]) * full(image) / 255;
  const Image scores = made(image, [&](int64_t x, int64_t y, uint32_t) -> int64_t {
    if (x < 3 || y < 3 || x >= w - 3 || y >= h - 3) return 0;
    int64_t most = -full(image);
    for (size_t from = 0; from < 16; ++from) {
      int64_t brighter = full(image), darker = full(image);
      for (size_t i = 0; i < 9; ++i) {
        const auto& o = kRing[(from + i) % 16];
        const int64_t d = at(image, x + o[0], y + o[1], 0) - at(image, x, y, 0);
        brighter = std::min(brighter, d);
        darker = std::min(darker, -d);
      }
      most = std::max({most, brighter, darker});
    }
    return most > least ? most - 1 : 0;
  });
  return made(image, [&](int64_t x, int64_t y, uint32_t) {
    const int64_t s = at(scores, x, y, 0);
    for (int64_t j = -1; p["suppress"] != 0 && j <= 1; ++j)
      for (int64_t i = -1; i <= 1; ++i)
        if ((i != 0 || j != 0) && at(scores, x + i, y + j, 0) >= s && x >= 3 && y >= 3 &&
            x < w - 3 && y < h - 3)
          return int64_t{0};
    return s;
  });
}

Image cga(const Input& in, const Parameters&) {
  constexpr std::array<std::array<int64_t, 3>, 4> kColours{
      {{0, 0, 0}, {255, 255, 255}, {255, 255, 85}, {255, 85, 255}}};
  const Image& image = in.now();
  const int64_t w = image.format.width, h = image.format.height, scale = full(image) / 255;
  const auto first = [](int64_t i, int64_t n, int64_t cells) {
    const int64_t cell = cells * (2 * i + 1) / (2 * n);
    while (i > 0 && cells * (2 * i - 1) / (2 * n) == cell) --i;
    return i;
  };
  return made(image, [&](int64_t x, int64_t y, uint32_t c) {
    const int64_t u = first(x, w, 320), v = first(y, h, 200);
    int64_t least = INT64_MAX;
    size_t best = 0;
    for (size_t i = 0; i < 4; ++i) {
      int64_t sum = 0;
      for (uint32_t k = 0; k < 3; ++k) {
        const int64_t d = at(image, u, v, k) - kColours[i][k] * scale;
        sum += d * d;
      }
      if (sum < least) least = sum, best = i;
    }
    return kColours[best][c] * scale;
  });
}

using Rgb = std::array<double, 3>;
double lum(const Rgb& c) {
  return 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2];
}
double sat(const Rgb& c) {
  return std::max({c[0], c[1], c[2]}) - std::min({c[0], c[1], c[2]});
}
Rgb setLum(Rgb c, double l) {
  const double d = l - lum(c);
  for (double& v : c) v += d;
  const double now = lum(c), n = std::min({c[0], c[1], c[2]}), m = std::max({c[0], c[1], c[2]});
  for (double& v : c) {
    if (n < 0) v = now + (v - now) * now / (now - n);
    if (m > 1) v = now + (v - now) * (1 - now) / (m - now);
  }
  return c;
}
Rgb setSat(Rgb c, double s) {
  const double n = std::min({c[0], c[1], c[2]}), range = sat(c);
  for (double& v : c) v = range > 0 ? (v - n) * s / range : 0;
  return c;
}
double screen(double b, double s) {
  return b + s - b * s;
}
double hardLight(double b, double s) {
  return s <= 0.5 ? 2 * b * s : screen(b, 2 * s - 1);
}
double softLight(double b, double s) {
  const double d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : std::sqrt(b);
  return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (d - b);
}
const std::map<std::string, double (*)(double, double)> kSeparate{
    {"alpha", [](double, double s) { return s; }},
    {"burn",
     [](double b, double s) { return b >= 1   ? 1
                                     : s <= 0 ? 0
                                              : 1 - std::min(1.0, (1 - b) / s); }},
    {"dodge",
     [](double b, double s) { return b <= 0   ? 0
                                     : s >= 1 ? 1
                                              : std::min(1.0, b / (1 - s)); }},
    {"multiply", [](double b, double s) { return b * s; }},
    {"screen", screen},
    {"hard_light", hardLight},
    {"overlay", [](double b, double s) { return hardLight(s, b); }},
    {"soft_light", softLight},
    {"darken", [](double b, double s) { return std::min(b, s); }},
    {"lighten", [](double b, double s) { return std::max(b, s); }},
    {"difference", [](double b, double s) { return std::abs(b - s); }},
    {"exclusion", [](double b, double s) { return b + s - 2 * b * s; }},
    {"subtract", [](double b, double s) { return std::max(0.0, b - s); }},
    {"divide", [](double b, double s) { return s <= 0 ? 1 : std::min(1.0, b / s); }},
    {"dissolve", [](double, double s) { return s; }},
    {"linear_burn", [](double b, double s) { return std::max(0.0, b + s - 1); }}};

/// Returns the result of blend modes that are defined with integers, and nothing for other modes.
std::optional<int64_t> exactBlend(const Parameters& p, int64_t b, int64_t s, int64_t f) {
  if (p.is("mode", "multiply")) return divided(b * s, f);
  if (p.is("mode", "screen")) return b + s - divided(b * s, f);
  if (p.is("mode", "dodge")) return b == 0 ? 0 : s == f ? f : std::min(f, divided(b * f, f - s));
  if (p.is("mode", "burn"))
    return b == f ? f : s == 0 ? 0 : f - std::min(f, divided((f - b) * f, s));
  return std::nullopt;
}

Image blend(const Input& in, const Parameters& p) {
  const Image &back = in.now(), &over = in.further.at("over");
  const auto f = double(full(back));
  const bool colour = back.format.channels == 3;
  const auto rgb = [&](const Image& i, int64_t x, int64_t y) {
    Rgb all{};
    for (uint32_t k = 0; k < 3; ++k) all[k] = double(at(i, x, y, colour ? 2 - k : 0)) / f;
    return all;
  };
  return made(back, [&](int64_t x, int64_t y, uint32_t c) {
    const double b = double(at(back, x, y, c)) / f, s = double(at(over, x, y, c)) / f;
    if (p["opacity"] == 1) {
      if (const auto v = exactBlend(p, at(back, x, y, c), at(over, x, y, c), full(back))) return *v;
    }
    if (p.is("mode", "add")) return rnd(f * std::min(1.0, b + p["opacity"] * s));
    double result = 0;
    const Rgb cb = rgb(back, x, y), cs = rgb(over, x, y);
    const size_t k = colour ? 2 - c : 0;
    if (p.is("mode", "color"))
      result = setLum(cs, lum(cb))[k];
    else if (p.is("mode", "hue"))
      result = setLum(setSat(cs, sat(cb)), lum(cb))[k];
    else if (p.is("mode", "saturation"))
      result = setLum(setSat(cb, sat(cs)), lum(cb))[k];
    else if (p.is("mode", "luminosity"))
      result = setLum(cb, lum(cs))[k];
    else
      for (const auto& [name, mode] : kSeparate)
        if (p.is("mode", name)) result = mode(b, s);
    return rnd(f * (b + (result - b) * p["opacity"]));
  });
}

Image crosshatch(const Input& in, const Parameters& p) {
  const Image& image = in.now();
  return made(image, [&](int64_t x, int64_t y, uint32_t) -> int64_t {
    const double u = (double(x) + 0.5) / image.format.width,
                 v = (double(y) + 0.5) / image.format.height;
    const double l = double(at(image, x, y, 0)) / double(full(image)), s = p["spacing"];
    const auto line = [&](double t) { return t - s * std::floor(t / s) <= p["width"]; };
    const bool black = (l < 1 && line(u + v)) || (l < 0.75 && line(u - v)) ||
                       (l < 0.5 && line(u + v - s / 2)) || (l < 0.3 && line(u - v - s / 2));
    return black ? 0 : full(image);
  });
}
Image bulge(const Input& in, const Parameters& p) {
  const Image& image = in.now();
  const double w = image.format.width, h = image.format.height;
  return made(image, [&](int64_t x, int64_t y, uint32_t c) {
    const double u = (double(x) + 0.5) / w - p["centre_x"],
                 v = (double(y) + 0.5) / h - p["centre_y"];
    const double d = std::hypot(u, v * h / w);
    if (d >= p["radius"]) return at(image, x, y, c);
    const double s = std::pow(1 - (1 - d / p["radius"]) * p["scale"], 2);
    const double fx = (p["centre_x"] + u * s) * w - 0.5, fy = (p["centre_y"] + v * s) * h - 0.5;
    const auto qx = int64_t(std::floor(fx)), qy = int64_t(std::floor(fy));
    const double a = fx - double(qx), b = fy - double(qy);
    const auto value = [&](int64_t i, int64_t j) { return double(at(image, qx + i, qy + j, c)); };
    return rnd((1 - b) * ((1 - a) * value(0, 0) + a * value(1, 0)) +
               b * ((1 - a) * value(0, 1) + a * value(1, 1)));
  });
}

Image unchanged(const Input& in, const Parameters&) {
  return in.now();
}

}  // namespace

const std::vector<double>& FilterParameters::list(std::string_view name) const {
  return filters::valueOf(use_, *filters::catalog().get(use_.name, "test").head.find(name));
}

bool FilterParameters::is(std::string_view name, std::string_view choice) const {
  const auto& choices = filters::catalog().get(use_.name, "test").head.find(name)->choices;
  return choices.at(static_cast<size_t>((*this)[name])) == choice;
}

const std::map<std::string, FilterReference>& filterReferences() {
  static const auto all = [] {
    std::map<std::string, FilterReference> both{
        {"adaptive_threshold", adaptiveThreshold},
        {"average", unchanged},
        {"background", background},
        {"bilateral", bilateral},
        {"blend", blend},
        {"box", box},
        {"brightness", brightness},
        {"bulge", bulge},
        {"cga", cga},
        {"chroma_key", chromaKey},
        {"color_matrix", colorMatrix},
        {"contrast", contrast},
        {"convolution3", convolution3},
        {"crosshatch", crosshatch},
        {"dark_flat", darkFlat},
        {"delay", delay},
        {"denoise_time", denoiseTime},
        {"dog", dog},
        {"fast", fast},
        {"gamma", gamma},
        {"gaussian", gaussian},
        {"grey", grey},
        {"hot_pixel", hotPixel},
        {"channel_levels", channelLevels},
        {"invert", invert},
        {"lbp", lbp},
        {"levels", levels},
        {"local_contrast", localContrast},
        {"log", logOf},
        {"median", median},
        {"morphology", morphology},
        {"threshold", threshold},
    };
    both.insert(edgeReferences().begin(), edgeReferences().end());
    both.insert(pictureReferences().begin(), pictureReferences().end());
    return both;
  }();
  return all;
}

}  // namespace glint::reference
