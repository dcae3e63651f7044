#include "tests/gpu/spots.h"

#include <algorithm>
#include <cmath>

namespace glint::test {
namespace {

/// Returns the part of a Gaussian of unit integral that falls into [x - 1/2, x + 1/2].
double inPixel(double x, double sigma) {
  const double s = sigma * std::sqrt(2.0);
  return 0.5 * (std::erf((x + 0.5) / s) - std::erf((x - 0.5) / s));
}

/// Returns the value of a blurred disc at a distance `r`. For radius >> blur, its edge is that of a
/// half-plane.
double disc(double r, const Marker& m) {
  return 0.5 * std::erfc((r - m.radius) / (m.sigma * std::sqrt(2.0)));
}

double ellipse(double dx, double dy, const Marker& m) {
  const double u = dx * std::cos(m.angle) + dy * std::sin(m.angle);
  const double v = (-dx * std::sin(m.angle) + dy * std::cos(m.angle)) / m.aspect;
  return std::exp(-(u * u + v * v) / (2 * m.sigma * m.sigma));
}

double value(double dx, double dy, const Marker& m) {
  if (m.radius == 0 && m.aspect == 1) {
    const double norm = 2 * 3.14159265358979 * m.sigma * m.sigma;
    return m.amplitude * norm * inPixel(dx, m.sigma) * inPixel(dy, m.sigma);
  }
  constexpr int kSub = 8;
  if (m.radius > 0 && std::abs(std::hypot(dx, dy) - m.radius) > 6 * m.sigma + 1)
    return std::hypot(dx, dy) < m.radius ? m.amplitude : 0;
  double sum = 0;
  for (int i = 0; i < kSub; ++i) {
    for (int j = 0; j < kSub; ++j) {
      const double x = dx + (i + 0.5) / kSub - 0.5, y = dy + (j + 0.5) / kSub - 0.5;
      sum += m.radius > 0 ? disc(std::hypot(x, y), m) : ellipse(x, y, m);
    }
  }
  return m.amplitude * sum / (kSub * kSub);
}

}  // namespace

std::vector<double> render(uint32_t width, uint32_t height, const std::vector<Marker>& markers,
                           double background) {
  std::vector<double> scene(size_t{width} * height, background);
  for (const Marker& m : markers) {
    const double reach = m.radius + 7 * m.sigma + 2;
    const auto from = [](double v) { return static_cast<uint32_t>(std::max(0.0, std::ceil(v))); };
    const auto to = [](double v, uint32_t size) {
      return static_cast<uint32_t>(std::clamp(v + 1, 0.0, double(size)));
    };
    for (uint32_t y = from(m.y - reach); y < to(m.y + reach, height); ++y) {
      for (uint32_t x = from(m.x - reach); x < to(m.x + reach, width); ++x)
        scene[size_t{y} * width + x] += value(x - m.x, y - m.y, m);
    }
  }
  return scene;
}

reference::Image expose(const std::vector<double>& scene, uint32_t width, const Sensor& sensor,
                        std::mt19937_64& random) {
  const auto height = static_cast<uint32_t>(scene.size() / width);
  reference::Image image{{width, height, 1, sensor.bits}, {}};
  std::normal_distribution<double> normal;
  const double full = image.format.fullScale();
  for (const double s : scene) {
    const double noise = std::sqrt(sensor.readNoise * sensor.readNoise + sensor.shotGain * s);
    image.values.push_back(
        static_cast<uint16_t>(std::clamp(std::floor(s + noise * normal(random) + 0.5), 0.0, full)));
  }
  return image;
}

double bound(const Marker& marker, const Sensor& sensor) {
  const double full = sensor.bits == 8 ? 255 : 65535;
  double information = 0, both = 0, tilt = 0;
  constexpr int kPhases = 4;
  for (int p = 0; p < kPhases * kPhases; ++p) {
    Marker m = marker;
    m.x = (p % kPhases + 0.5) / kPhases - 0.5, m.y = (p / kPhases + 0.5) / kPhases - 0.5;
    const int reach = static_cast<int>(m.radius + 6 * m.sigma + 2);
    for (int y = -reach; y <= reach; ++y) {
      for (int x = -reach; x <= reach; ++x) {
        const double step = 1e-3;
        const double s = sensor.background + value(x - m.x, y - m.y, m);
        if (s >= full) continue;
        const double slope =
            (value(x - m.x + step, y - m.y, m) - value(x - m.x - step, y - m.y, m)) / (2 * step);
        const double weight =
            1 / (sensor.readNoise * sensor.readNoise + sensor.shotGain * s + 1.0 / 12);
        information += weight * slope * slope;
        both += weight * slope * x;
        tilt += weight * x * x;
      }
    }
  }
  if (sensor.slope != 0) information -= both * both / tilt;
  return 1 / std::sqrt(information / (kPhases * kPhases));
}

}  // namespace glint::test
