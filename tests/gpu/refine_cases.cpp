#include "tests/gpu/refine_cases.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/gpu/rig.h"

namespace glint::test {
namespace {

std::vector<Case> makeCases() {
  std::vector<Case> list;
  const auto text = [](double v) {
    auto s = std::to_string(v);
    return s.substr(0, s.find_last_not_of("0") + (s.find_last_not_of("0") == s.find('.') ? 0 : 1));
  };
  for (const double sigma : {1.0, 1.5, 2.0}) {
    for (const double amplitude : {180.0, 120.0, 60.0}) {
      for (const double noise : {2.0, 3.0, 4.0}) {
        list.push_back({"Gaussian, sigma " + text(sigma) + " px, amplitude " + text(amplitude) +
                            ", read noise " + text(noise),
                        {.amplitude = amplitude, .sigma = sigma},
                        {.readNoise = noise},
                        1.1});
      }
    }
  }
  for (const double radius : {5.0, 8.0}) {
    for (const double noise : {2.0, 3.0, 4.0}) {
      list.push_back({"disc, radius " + text(radius) + " px, read noise " + text(noise),
                      {.amplitude = 180, .sigma = 0.6, .radius = radius},
                      {.readNoise = noise},
                      1.4});
    }
  }
  for (const double slope : {0.5, 1.0, 2.0}) {
    const Sensor sensor{.background = 70, .shotGain = 0, .slope = slope};
    for (const double amplitude : {40.0, 120.0}) {
      if (16 * slope > 0.5 * amplitude)
        // The slope across the ring is steeper than what is corrected.
        continue;
      const auto where = ", amplitude " + text(amplitude) + ", on a slope of " + text(slope);
      list.push_back(
          {"Gaussian, sigma 1.5 px" + where, {.amplitude = amplitude, .sigma = 1.5}, sensor, 1.4});
      list.push_back({"disc, radius 3 px" + where,
                      {.amplitude = amplitude, .sigma = 0.6, .radius = 3},
                      sensor,
                      1.6});
    }
  }
  for (const double noise : {2.0, 3.0, 4.0}) {
    list.push_back({"saturated disc, radius 5 px, read noise " + text(noise),
                    {.amplitude = 400, .sigma = 0.6, .radius = 5},
                    {.readNoise = noise},
                    3.0});
  }
  return list;
}

/// Adds a slope to every cell, in a random direction. It is 0 in the middle of the cell.
void addSlopes(std::vector<double>& scene, uint32_t width, uint32_t cell, double slope,
               std::mt19937_64& random) {
  std::uniform_real_distribution<double> angle(0, 2 * std::numbers::pi);
  std::vector<double> angles(width / cell * (scene.size() / width / cell));
  for (double& a : angles) a = angle(random);
  for (size_t i = 0; i < scene.size(); ++i) {
    const size_t x = i % width, y = i / width;
    const double a = angles[y / cell * (width / cell) + x / cell];
    scene[i] += slope * (std::cos(a) * (double(x % cell) - cell / 2.0) +
                         std::sin(a) * (double(y % cell) - cell / 2.0));
  }
}

}  // namespace

const std::vector<Case>& cases() {
  static const auto all = makeCases();
  return all;
}

Field makeField(const Marker& marker, const Sensor& sensor, uint32_t count) {
  // A large marker needs more room around it, to be distinguished from its background.
  const double room = 10 * marker.sigma + 14 + (marker.radius > 8 ? 2 * marker.radius : 0);
  const auto cell = static_cast<uint32_t>(std::ceil(2 * marker.radius + room));
  const auto columns = static_cast<uint32_t>(std::ceil(std::sqrt(count)));
  const uint32_t rows = (count + columns - 1) / columns, width = columns * cell;
  std::mt19937_64 random(12345);
  std::uniform_real_distribution<double> phase(-0.5, 0.5);
  Field field;
  for (uint32_t i = 0; i < count; ++i) {
    Marker& m = field.truth.emplace_back(marker);
    m.x = i % columns * cell + cell / 2 + phase(random);
    m.y = i / columns * cell + cell / 2 + phase(random);
  }
  auto scene = render(width, rows * cell, field.truth, sensor.background);
  if (sensor.slope != 0) addSlopes(scene, width, cell, sensor.slope, random);
  field.image = expose(scene, width, sensor, random);
  const int reach = static_cast<int>(marker.radius + marker.sigma + 1);
  for (const Marker& m : field.truth)
    field.starts.push_back(brightest(field.image, m.x, m.y, reach));
  return field;
}

std::vector<Sample> measure(const Marker& marker, const Sensor& sensor, uint32_t count) {
  const Field field = makeField(marker, sensor, count);
  const auto found = refineOnDevice(field.image, field.starts);
  std::vector<Sample> samples;
  for (uint32_t i = 0; i < count; ++i) samples.push_back({field.truth[i], found[i]});
  return samples;
}

std::vector<shared::Detection> refineOnDevice(const reference::Image& image,
                                              const std::vector<reference::Peak>& starts,
                                              bool elongated) {
  const auto count = static_cast<uint32_t>(starts.size());
  const DevicePlane plane({image});
  const DeviceArray<shared::Feedback> feedback(1);
  const DeviceArray<shared::LayerResult> results(1), outcome(1);
  const DeviceArray<shared::Candidate> found(count);
  const DeviceArray<shared::Detection> markers(count);
  feedback.values()[0] = {};
  results.values()[0] = {};
  results.values()[0].candidates = results.values()[0].markers = count;
  for (uint32_t i = 0; i < count; ++i)
    found.values()[i] = {starts[i].value, starts[i].y << 16 | starts[i].x};
  runNow([&](gpu::Recorder& recorder) {
    passes(image.format.bits)
        .refineFound(recorder, plane.plane(), feedback.buffer,
                     {.fullScale = image.format.fullScale(), .elongated = elongated}, count,
                     {gpu::FoundMemory::What::peaks, results.buffer, found.buffer}, outcome.buffer,
                     markers.buffer);
  });
  // The kernel sorts markers by rank; this restores the order of the starts.
  std::vector<shared::Detection> ordered(count);
  std::map<std::pair<uint32_t, uint32_t>, shared::Detection> byPeak;
  for (const auto& d : markers.values()) byPeak[{d.peakX, d.peakY}] = d;
  for (uint32_t i = 0; i < count; ++i) ordered[i] = byPeak.at({starts[i].x, starts[i].y});
  return ordered;
}

reference::Peak brightest(const reference::Image& image, double x, double y, int reach) {
  const auto limit = [](double v, uint32_t size) {
    return static_cast<uint32_t>(std::clamp(v, 0.0, size - 1.0));
  };
  const double cx = std::round(x), cy = std::round(y);
  reference::Peak best{limit(cx, image.format.width), limit(cy, image.format.height), 0};
  for (uint32_t v = limit(cy - reach, image.format.height);
       v <= limit(cy + reach, image.format.height); ++v) {
    for (uint32_t u = limit(cx - reach, image.format.width);
         u <= limit(cx + reach, image.format.width); ++u) {
      if (image.at(u, v) > best.value) best = {u, v, image.at(u, v)};
    }
  }
  return best;
}

Summary summarise(const std::vector<Sample>& samples) {
  Summary s;
  const auto n = static_cast<double>(samples.size());
  for (const Sample& sample : samples) {
    const double x = sample.errorX(), y = sample.errorY();
    s.rmse += (x * x + y * y) / (2 * n);
    s.relative +=
        (std::pow(x / sample.found.sigmaX, 2) + std::pow(y / sample.found.sigmaY, 2)) / (2 * n);
    s.worst = std::max(s.worst, std::hypot(x, y));
    s.biasX += x / n;
    s.biasY += y / n;
  }
  s.rmse = std::sqrt(s.rmse);
  s.relative = std::sqrt(s.relative);
  return s;
}

}  // namespace glint::test
