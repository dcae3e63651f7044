// Holds the references of filters that change pictures as a whole: colours, tables, drawing, raw
// pictures, lenses.
#include <array>
#include <bit>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/filters/plain.h"

namespace glint::reference {
namespace {

using Rgb = std::array<double, 3>;

/// Returns red, green and blue as shares of full scale. A grey image gives three equal values.
Rgb rgbAt(const Image& image, int64_t x, int64_t y) {
  Rgb all{};
  for (uint32_t k = 0; k < 3; ++k)
    all[k] = double(at(image, x, y, image.format.channels == 3 ? 2 - k : 0)) / double(full(image));
  return all;
}

Image chromaKeyBlend(const Input& in, const Parameters& p) {
  const Image &image = in.now(), &over = in.further.at("over");
  const auto chroma = [&](const Rgb& c) {
    const double y = 0.2989 * c[0] + 0.5866 * c[1] + 0.1145 * c[2];
    const double divisor = p["relative"] != 0 ? std::max(y, 1.0 / 16) : 1;
    return std::array{0.7132 * (c[0] - y) / divisor, 0.5647 * (c[2] - y) / divisor};
  };
  const auto key = chroma({p["red"], p["green"], p["blue"]});
  return made(image, [&](int64_t x, int64_t y, uint32_t c) {
    const auto own = chroma(rgbAt(image, x, y));
    const double d = std::hypot(own[0] - key[0], own[1] - key[1]);
    double t = d >= p["threshold"] ? 1 : 0;
    if (p["smoothing"] > 0) t = std::clamp((d - p["threshold"]) / p["smoothing"], 0.0, 1.0);
    const double k = t * t * (3 - 2 * t);
    return rnd(double(at(image, x, y, c)) * k + double(at(over, x, y, c)) * (1 - k));
  });
}

Image drawn(const Input& in, const Parameters& p,
            const std::function<bool(int64_t, int64_t)>& covers, int64_t reach) {
  const Image &image = in.now(), &marks = in.further.at("marks");
  const int64_t w = image.format.width, h = image.format.height;
  const int64_t b = rnd(p["blue"] * double(full(image))), g = rnd(p["green"] * double(full(image))),
                r = rnd(p["red"] * double(full(image)));
  Image out = image;
  for (int64_t y = 0; y < h; ++y) {
    for (int64_t x = 0; x < w; ++x) {
      int64_t mark = 0;
      for (uint32_t c = 0; c < marks.format.channels; ++c) mark |= at(marks, x, y, c);
      for (int64_t j = -reach; mark != 0 && j <= reach; ++j) {
        for (int64_t i = -reach; i <= reach; ++i) {
          if (!covers(i, j) || x + i < 0 || y + j < 0 || x + i >= w || y + j >= h) continue;
          const size_t pixel = static_cast<size_t>((y + j) * w + x + i) * image.format.channels;
          if (image.format.channels == 1) {
            out.values[pixel] = static_cast<uint16_t>((19 * b + 183 * g + 54 * r + 128) >> 8);
          } else {
            out.values[pixel] = static_cast<uint16_t>(b);
            out.values[pixel + 1] = static_cast<uint16_t>(g);
            out.values[pixel + 2] = static_cast<uint16_t>(r);
          }
        }
      }
    }
  }
  return out;
}
Image crosshair(const Input& in, const Parameters& p) {
  const int64_t arm = (int64_t(p["size"]) - 1) / 2;
  return drawn(
      in, p, [](int64_t i, int64_t j) { return i == 0 || j == 0; }, arm);
}
Image circle(const Input& in, const Parameters& p) {
  return drawn(
      in, p, [&](int64_t i, int64_t j) { return std::hypot(i, j) <= p["radius"]; },
      int64_t(p["radius"]));
}

Image bilateral9(const Input& in, const Parameters& p) {
  const Image& image = in.now();
  constexpr std::array kWeights{5, 9, 12, 15, 18, 15, 12, 9, 5};
  const int64_t w = image.format.width, h = image.format.height, step = int64_t(p["spacing"]);
  std::vector<Rgb> plane;
  for (int64_t i = 0; i < w * h; ++i) plane.push_back(rgbAt(image, i % w, i / w));
  for (const bool rows : {false, true}) {
    const auto before = plane;
    for (int64_t i = 0; i < w * h; ++i) {
      Rgb sum{};
      double all = 0;
      for (int64_t k = -4; k <= 4; ++k) {
        const int64_t x = std::clamp<int64_t>(i % w + (rows ? k * step : 0), 0, w - 1);
        const int64_t y = std::clamp<int64_t>(i / w + (rows ? 0 : k * step), 0, h - 1);
        const Rgb &other = before[size_t(y * w + x)], &own = before[size_t(i)];
        const double d = std::hypot(other[0] - own[0], other[1] - own[1], other[2] - own[2]);
        const double weight = kWeights[size_t(k + 4)] * (1 - std::min(1.0, p["factor"] * d));
        all += weight;
        for (size_t c = 0; c < 3; ++c) sum[c] += weight * other[c];
      }
      for (size_t c = 0; c < 3; ++c) plane[size_t(i)][c] = sum[c] / all;
    }
  }
  return made(image, [&](int64_t x, int64_t y, uint32_t c) {
    return rnd(plane[size_t(y * w + x)][2 - c] * double(full(image)));
  });
}

Image colourFast(const Input& in, const Parameters& p) {
  constexpr std::array<std::array<int, 2>, 8> kRing{
      {{3, 1}, {1, 3}, {-1, 3}, {-3, 1}, {-3, -1}, {-1, -3}, {1, -3}, {3, -1}}};
  const Image& image = in.now();
  const int64_t radius = int64_t(p["radius"]), side = 2 * radius + 1;
  const Image soft = made(image, [&](int64_t x, int64_t y, uint32_t c) {
    int64_t sum = 0;
    for (int64_t j = -radius; j <= radius; ++j)
      for (int64_t i = -radius; i <= radius; ++i) sum += at(image, x + i, y + j, c);
    return divided(sum, side * side);
  });
  return made(image, [&](int64_t x, int64_t y, uint32_t c) {
    // The differences `own` and `e` are multiplied by eight, and directions by sqrt(10), so that
    // all are integers.
    int64_t gx = 0, gy = 0, own = 0;
    for (uint32_t k = 0; k < image.format.channels; ++k) {
      int64_t sum = 0, kx = 0, ky = 0;
      for (const auto& [i, j] : kRing) {
        const int64_t v = at(soft, x + i, y + j, k);
        sum += v;
        kx += v * i;
        ky += v * j;
      }
      const int64_t e = sum - 8 * at(image, x, y, k);
      gx += std::abs(e) * kx;
      gy += std::abs(e) * ky;
      if (k == c) own = e;
    }
    if (p.is("form", "difference")) return rnd((double(own) / 8 + double(full(image))) / 2);
    const double turn = gx == 0 && gy == 0 ? 0 : std::atan2(double(gy), double(gx));
    return rnd((turn + M_PI) / (2 * M_PI) * double(full(image)));
  });
}

Image demosaic(const Input& in, const Parameters& p) {
  const Image& raw = in.now();
  const int64_t w = raw.format.width, h = raw.format.height;
  constexpr std::array kNames{"RGGB", "GRBG", "GBRG", "BGGR"};
  const std::string name = kNames[size_t(p["pattern"])];
  const auto letter = [&](int64_t x, int64_t y) { return name[size_t((y & 1) * 2 + (x & 1))]; };
  const auto inner = [](int64_t i, int64_t n) {
    return n < 3 ? i : std::clamp<int64_t>(i, 1, n - 2);
  };
  return made(
      raw,
      [&](int64_t px, int64_t py, uint32_t c) {
        const int64_t x = inner(px, w), y = inner(py, h);
        const char wanted = "BGR"[c];
        const auto v = [&](int64_t i, int64_t j) {
          return at(raw, x + i, y + j, 0, Border::mirror);
        };
        if (letter(x, y) == wanted) return v(0, 0);
        if (wanted == 'G') return (v(-1, 0) + v(1, 0) + v(0, -1) + v(0, 1) + 2) >> 2;
        if (letter(x + 1, y) == wanted) return (v(-1, 0) + v(1, 0) + 1) >> 1;
        if (letter(x, y + 1) == wanted) return (v(0, -1) + v(0, 1) + 1) >> 1;
        return (v(-1, -1) + v(1, -1) + v(-1, 1) + v(1, 1) + 2) >> 2;
      },
      3);
}

Image undistort(const Input& in, const Parameters& p) {
  const Image& image = in.now();
  const int64_t w = image.format.width, h = image.format.height;
  const double cx = p["cx"] < 0 ? double(w - 1) / 2 : p["cx"];
  const double cy = p["cy"] < 0 ? double(h - 1) / 2 : p["cy"];
  return made(image, [&](int64_t u, int64_t v, uint32_t c) {
    const double x = (double(u) - cx) / p["fx"], y = (double(v) - cy) / p["fy"];
    const double r2 = x * x + y * y;
    const double g = 1 + p["k1"] * r2 + p["k2"] * r2 * r2 + p["k3"] * r2 * r2 * r2;
    const double X = x * g + 2 * p["p1"] * x * y + p["p2"] * (r2 + 2 * x * x);
    const double Y = y * g + p["p1"] * (r2 + 2 * y * y) + 2 * p["p2"] * x * y;
    const auto sx = int64_t(std::nearbyint(32 * (p["fx"] * X + cx)));
    const auto sy = int64_t(std::nearbyint(32 * (p["fy"] * Y + cy)));
    const int64_t a = sx & 31, b = sy & 31;
    const auto pixel = [&](int64_t i, int64_t j) {
      const int64_t qx = (sx >> 5) + i, qy = (sy >> 5) + j;
      return qx < 0 || qy < 0 || qx >= w || qy >= h ? 0 : at(image, qx, qy, c);
    };
    return ((32 - a) * (32 - b) * pixel(0, 0) + a * (32 - b) * pixel(1, 0) +
            (32 - a) * b * pixel(0, 1) + a * b * pixel(1, 1) + 512) >>
           10;
  });
}

Image colour(const Input& in, const Parameters&) {
  return made(
      in.now(), [&](int64_t x, int64_t y, uint32_t) { return at(in.now(), x, y, 0); }, 3);
}

Image crop(const Input& in, const Parameters& p) {
  const Image& image = in.now();
  const auto along = [](double centre, double size, uint32_t n) {
    if (size == 0) return std::pair(std::min<int64_t>(int64_t(centre * n), n - 1), int64_t{1});
    const int64_t count = std::max<int64_t>(1, rnd(size * n));
    return std::pair(std::clamp<int64_t>(rnd(centre * n - double(count) / 2), 0, n - count), count);
  };
  const auto [left, width] = along(p["centre_x"], p["size_x"], image.format.width);
  const auto [top, height] = along(p["centre_y"], p["size_y"], image.format.height);
  Image part{image.format, {}};
  part.format.width = uint32_t(width), part.format.height = uint32_t(height);
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x)
      for (uint32_t c = 0; c < image.format.channels; ++c)
        part.values.push_back(uint16_t(at(image, left + x, top + y, c)));
  return part;
}

/// Returns the result for a first frame, which uses its own mean.
Image averageThreshold(const Input& in, const Parameters& p) {
  const Image& image = in.now();
  const double mean = double(statistics(image).sum) / double(image.values.size());
  return made(image, [&](int64_t x, int64_t y, uint32_t) {
    return double(at(image, x, y, 0)) >= std::ceil(p["factor"] * mean) ? full(image) : 0;
  });
}

/// A table of colours, which is read as the definition of its words says.
class Table {
 public:
  Table(const std::vector<uint32_t>& words, bool tiles) : words_(words), tiles_(tiles) {}

  Rgb of(const Rgb& rgb, bool tetrahedral) const {
    const int64_t n = words_[0];
    std::array<int64_t, 3> i{};
    Rgb f{}, out{};
    for (size_t c = 0; c < 3; ++c) {
      const double p =
          std::clamp((rgb[c] - number(2 + c)) / number(5 + c) * double(n - 1), 0.0, double(n - 1));
      i[c] = int64_t(p);
      f[c] = p - double(i[c]);
    }
    if (words_[1] == 1) {
      for (size_t c = 0; c < 3; ++c)
        out[c] = (1 - f[c]) * number(8 + 3 * size_t(i[c]) + c) +
                 f[c] * number(8 + 3 * size_t(std::min(i[c] + 1, n - 1)) + c);
      return out;
    }
    for (size_t corner = 0; corner < 8; ++corner) {
      const std::array<size_t, 3> up{corner & 1, corner >> 1 & 1, corner >> 2};
      const double weight = tetrahedral ? tetrahedronWeight(f, up) : cubeWeight(f, up);
      for (size_t c = 0; c < 3; ++c)
        out[c] += weight == 0 ? 0
                              : weight * entry(i[0] + int64_t(up[0]), i[1] + int64_t(up[1]),
                                               i[2] + int64_t(up[2]), c);
    }
    return out;
  }

 private:
  double number(size_t i) const { return std::bit_cast<float>(words_[i]); }
  static double cubeWeight(const Rgb& f, const std::array<size_t, 3>& up) {
    double weight = 1;
    for (size_t c = 0; c < 3; ++c) weight *= up[c] == 1 ? f[c] : 1 - f[c];
    return weight;
  }
  /// Returns a corner's share. It is positive if the smallest fraction of the axes along which the
  /// corner is up exceeds the largest one of the other axes.
  static double tetrahedronWeight(const Rgb& f, const std::array<size_t, 3>& up) {
    double least = 1, most = 0;
    for (size_t c = 0; c < 3; ++c)
      (up[c] == 1 ? least : most) = up[c] == 1 ? std::min(least, f[c]) : std::max(most, f[c]);
    return std::max(0.0, least - most);
  }
  double entry(int64_t r, int64_t g, int64_t b, size_t c) const {
    const int64_t n = words_[0];
    r = std::min(r, n - 1), g = std::min(g, n - 1), b = std::min(b, n - 1);
    int64_t index = r + n * g + n * n * b;
    if (tiles_) index = (64 * (b / 8) + g) * 512 + 64 * (b % 8) + r;
    return number(8 + 3 * size_t(index) + c);
  }

  const std::vector<uint32_t>& words_;
  bool tiles_;
};

Image lookup(const Input& in, const Parameters& p) {
  const Image& image = in.now();
  const auto& words = in.tables.at("table");
  const Table table(words, words[1] == 0 && p.is("order", "tiles"));
  return made(image, [&](int64_t x, int64_t y, uint32_t c) {
    const Rgb out = table.of(rgbAt(image, x, y), p.is("interpolation", "tetrahedral"));
    const double looked =
        image.format.channels == 3 ? out[2 - c] : (54 * out[0] + 183 * out[1] + 19 * out[2]) / 256;
    const auto v = double(at(image, x, y, c));
    return rnd(v + (looked * double(full(image)) - v) * p["intensity"]);
  });
}

}  // namespace

const std::map<std::string, FilterReference>& pictureReferences() {
  static const std::map<std::string, FilterReference> all{
      {"average_threshold", averageThreshold},
      {"crop", crop},
      {"bilateral9", bilateral9},
      {"chroma_key_blend", chromaKeyBlend},
      {"circle", circle},
      {"colour", colour},
      {"colour_fast", colourFast},
      {"crosshair", crosshair},
      {"demosaic", demosaic},
      {"lookup", lookup},
      {"undistort", undistort},
  };
  return all;
}

}  // namespace glint::reference
