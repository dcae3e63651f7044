// The precision of refined positions compared with the Cramer-Rao bound, their stated uncertainty,
// and influences that must not pull them: the place within a pixel, neighbours, the image border,
// and the start on a plateau.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/gpu/refine_cases.h"
#include "tests/gpu/refine_reference.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

using test::Marker;
using test::Sample;
using test::Sensor;

class RefineLimit : public testing::TestWithParam<size_t> {};

TEST_P(RefineLimit, IsReachedAndKnown) {
  const auto& c = test::cases()[GetParam()];
  SCOPED_TRACE(c.name);
  const auto s = test::summarise(test::measure(c.marker, c.sensor, 1024));
  EXPECT_LT(s.rmse, c.mostRatio * test::bound(c.marker, c.sensor));
  EXPECT_GT(s.relative, 0.8);
  EXPECT_LT(s.relative, 1.25);
}

INSTANTIATE_TEST_SUITE_P(Cases, RefineLimit, testing::Range<size_t>(0, test::cases().size()));

TEST(Refine, AgreesWithItsReferenceOnMarkers) {
  for (const auto& c : test::cases()) {
    SCOPED_TRACE(c.name);
    const auto field = test::makeField(c.marker, c.sensor, 36);
    const auto found = test::refineOnDevice(field.image, field.starts);
    for (size_t i = 0; i < found.size(); ++i) {
      const auto want = reference::refine(field.image, field.starts[i], 0);
      EXPECT_NEAR(found[i].x, want.x, 1e-3);
      EXPECT_NEAR(found[i].y, want.y, 1e-3);
      EXPECT_NEAR(found[i].sigmaX, want.sigmaX, 0.02 * want.sigmaX + 1e-4);
      EXPECT_NEAR(found[i].radius, want.radius, 2e-2);
    }
  }
}

/// The neighbour lies on the rings from which the slope is found. Images have 16 bits, in which the
/// rings' sums are largest.
TEST(Refine, ABrightNeighbourIsNoSlope) {
  const Sensor sensor{.background = 1000, .readNoise = 30, .shotGain = 0, .bits = 16};
  std::mt19937_64 random(5);
  std::vector<Marker> scene;
  std::vector<reference::Peak> starts;
  for (int i = 0; i < 8; ++i) {
    const double x = 40 + 60 * i, a = 0.4 * i;
    scene.push_back({.x = x, .y = 40, .amplitude = 9000, .sigma = 1.2});
    scene.push_back(
        {.x = x + 9 * std::cos(a), .y = 40 + 9 * std::sin(a), .amplitude = 62000, .sigma = 1.2});
  }
  const auto image =
      test::expose(test::render(520, 80, scene, sensor.background), 520, sensor, random);
  for (size_t i = 0; i < scene.size(); i += 2)
    starts.push_back(test::brightest(image, scene[i].x, scene[i].y, 1));
  const auto found = test::refineOnDevice(image, starts);
  for (size_t i = 0; i < found.size(); ++i) {
    const auto want = reference::refine(image, starts[i], 0);
    EXPECT_NEAR(found[i].x, want.x, 1e-3) << i;
    EXPECT_NEAR(found[i].y, want.y, 1e-3) << i;
    EXPECT_NEAR(found[i].sigmaX, want.sigmaX, 0.02 * want.sigmaX + 1e-4) << i;
  }
}

/// Returns the mean error in x by the place of the marker within its pixel, in ten classes.
std::array<double, 10> errorByPhase(const std::vector<Sample>& samples) {
  std::array<double, 10> sum{}, count{};
  for (const Sample& s : samples) {
    const double phase = s.truth.x - std::floor(s.truth.x);
    const auto bin = static_cast<size_t>(phase * 10);
    sum[bin] += s.errorX();
    ++count[bin];
  }
  for (size_t i = 0; i < 10; ++i) sum[i] /= count[i];
  return sum;
}

TEST(Refine, PhaseWithinThePixelDoesNotPull) {
  const Sensor quiet{.readNoise = 0.5, .shotGain = 0};
  for (const Marker& m :
       {Marker{.amplitude = 180, .sigma = 1}, Marker{.amplitude = 180, .sigma = 2},
        Marker{.amplitude = 180, .sigma = 0.6, .radius = 5},
        Marker{.amplitude = 400, .sigma = 0.6, .radius = 5}}) {
    for (const double error : errorByPhase(test::measure(m, quiet, 1000)))
      EXPECT_LT(std::abs(error), 0.004) << "sigma " << m.sigma << ", radius " << m.radius;
  }
}

TEST(Refine, SmallAndLargeMarkers) {
  struct Row {
    Marker marker;
    uint32_t count;
    double mostError;  // px, root mean square
  };
  for (const Row& row :
       {Row{{.amplitude = 180, .sigma = 0.5}, 400, 0.03},
        Row{{.amplitude = 180, .sigma = 4}, 400, 0.02},
        Row{{.amplitude = 180, .sigma = 0.6, .radius = 3}, 200, 0.02},
        Row{{.amplitude = 180, .sigma = 0.6, .radius = 20}, 40, 0.01},
        Row{{.amplitude = 180, .sigma = 0.6, .radius = 60}, 9, 0.01},
        Row{{.amplitude = 400, .sigma = 0.6, .radius = 60}, 9, 0.02},
        Row{{.amplitude = 180, .sigma = 2.5, .aspect = 0.436, .angle = 0.5}, 400, 0.03}}) {
    SCOPED_TRACE("sigma " + std::to_string(row.marker.sigma) + ", radius " +
                 std::to_string(row.marker.radius));
    const auto s = test::summarise(test::measure(row.marker, {}, row.count));
    EXPECT_LT(s.rmse, row.mostError);
    EXPECT_LT(s.worst, 6 * row.mostError);
  }
}

TEST(Refine, SizeAndShape) {
  for (const double sigma : {1.0, 2.0, 3.0}) {
    // The width of a pixel adds 1/12 to the variance.
    const double want = 2 * std::sqrt(sigma * sigma + 1.0 / 12);
    for (const Sample& s : test::measure({.amplitude = 180, .sigma = sigma}, {}, 30)) {
      EXPECT_NEAR(s.found.radius, want, 0.1 * want);
      EXPECT_NEAR(s.found.mass, 180 * 2 * 3.14159 * sigma * sigma,
                  0.1 * 180 * 2 * 3.14159 * sigma * sigma);
      EXPECT_NEAR(s.found.background, 10, 1.5);
      EXPECT_LT(s.found.eccentricity, 0.5);
    }
  }
  for (const Sample& s : test::measure({.amplitude = 180, .sigma = 0.6, .radius = 8}, {}, 30))
    EXPECT_NEAR(s.found.radius, 8, 0.3);
  const Marker ellipse{.amplitude = 180, .sigma = 2.5, .aspect = 0.6, .angle = 0.5};
  for (const Sample& s : test::measure(ellipse, {}, 30))
    EXPECT_NEAR(s.found.eccentricity, 0.8, 0.06);
}

/// Returns the mean error, px, of markers with a neighbour each, towards the neighbour.
double pull(const Marker& marker, const Marker& neighbour, double distance) {
  constexpr uint32_t kColumns = 20, kCell = 48;
  std::mt19937_64 random(99);
  std::uniform_real_distribution<double> phase(-0.5, 0.5);
  std::vector<Marker> scene, wanted;
  for (uint32_t i = 0; i < kColumns * kColumns; ++i) {
    Marker a = marker, b = neighbour;
    a.x = i % kColumns * kCell + 18 + phase(random);
    a.y = i / kColumns * kCell + 24 + phase(random);
    b.x = a.x + distance;
    b.y = a.y + 0.5;
    wanted.push_back(a);
    scene.push_back(a);
    scene.push_back(b);
  }
  const auto image = test::expose(test::render(kColumns * kCell, kColumns * kCell, scene, 10),
                                  kColumns * kCell, {}, random);
  std::vector<reference::Peak> starts;
  for (const Marker& m : wanted) starts.push_back(test::brightest(image, m.x, m.y, 1));
  const auto found = test::refineOnDevice(image, starts);
  double sum = 0;
  for (size_t i = 0; i < wanted.size(); ++i) sum += found[i].x - wanted[i].x;
  return sum / static_cast<double>(wanted.size());
}

TEST(Refine, NeighboursDoNotPull) {
  struct Row {
    double sigma, radius, distance;
  };
  for (const Row& row : {Row{1, 0, 8}, Row{1.5, 0, 8}, Row{1.5, 0, 12}, Row{2, 0, 10},
                         Row{2, 0, 12}, Row{0.6, 3, 9}, Row{0.6, 3, 12}}) {
    for (const auto& [own, other] : {std::pair{180.0, 180.0}, {60.0, 180.0}, {180.0, 60.0}}) {
      const double bias =
          pull({.amplitude = own, .sigma = row.sigma, .radius = row.radius},
               {.amplitude = other, .sigma = row.sigma, .radius = row.radius}, row.distance);
      EXPECT_LT(std::abs(bias), 0.055)
          << "sigma " << row.sigma << ", radius " << row.radius << ", at " << row.distance
          << " px, " << own << " beside " << other;
    }
  }
}

/// Measures markers whose centre lies `distance` px from the left border, one in an image each.
test::Summary atBorder(const Marker& marker, double distance, uint32_t& flags) {
  constexpr uint32_t kCell = 40, kRows = 200;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> phase(-0.5, 0.5);
  std::vector<Sample> samples(kRows);
  std::vector<Marker> scene;
  for (uint32_t i = 0; i < kRows; ++i) {
    samples[i].truth = marker;
    samples[i].truth.x = distance + phase(random) * 0.5;
    samples[i].truth.y = i * kCell + kCell / 2 + phase(random);
    scene.push_back(samples[i].truth);
  }
  const auto image = test::expose(test::render(60, kRows * kCell, scene, 10), 60, {}, random);
  std::vector<reference::Peak> starts;
  for (const Marker& m : scene)
    starts.push_back(test::brightest(image, m.x, m.y, static_cast<int>(m.radius + 1)));
  const auto found = test::refineOnDevice(image, starts);
  flags = ~0U;
  for (uint32_t i = 0; i < kRows; ++i) {
    samples[i].found = found[i];
    flags &= found[i].flags;
  }
  return test::summarise(samples);
}

TEST(Refine, WorksAtTheBorder) {
  struct Row {
    Marker marker;
    double distance, mostError, mostBias;
  };
  const Marker spot{.amplitude = 180, .sigma = 1.5},
      disc{.amplitude = 180, .sigma = 0.6, .radius = 5};
  for (const Row& row :
       {Row{spot, 1, 0.03, 0.015}, Row{spot, 2, 0.02, 0.01}, Row{spot, 3, 0.02, 0.01},
        Row{disc, 1, 0.1, 0.05}, Row{disc, 2, 0.05, 0.02}, Row{disc, 3, 0.02, 0.01}}) {
    uint32_t flags = 0;
    const auto s = atBorder(row.marker, row.distance, flags);
    SCOPED_TRACE("radius " + std::to_string(row.marker.radius) + ", at " +
                 std::to_string(row.distance) + " px");
    EXPECT_LT(s.rmse, row.mostError);
    EXPECT_LT(std::abs(s.biasX), row.mostBias);
    EXPECT_TRUE(flags & shared::kFlagBorder);
    EXPECT_GT(s.relative, 0.75);
    EXPECT_LT(s.relative, 1.25);
  }
}

TEST(Refine, SigmaOfSmallSpotsIsRight) {
  for (const double sigma : {0.5, 0.6, 0.8, 1.0, 1.5}) {
    SCOPED_TRACE("sigma " + std::to_string(sigma));
    const auto s = test::summarise(test::measure({.amplitude = 180, .sigma = sigma}, {}, 600));
    EXPECT_GT(s.relative, 0.8);
    EXPECT_LT(s.relative, 1.25);
  }
}

TEST(Refine, EveryStartOnAPlateauLeadsToTheSamePlace) {
  for (const double radius : {3.0, 5.0, 8.0, 20.0, 60.0}) {
    SCOPED_TRACE("radius " + std::to_string(radius));
    const auto side = static_cast<uint32_t>(4 * radius + 60);
    const Marker marker{
        .x = side / 2 + 0.3, .y = side / 2 - 0.2, .amplitude = 400, .sigma = 0.6, .radius = radius};
    std::mt19937_64 random(5);
    const auto image = test::expose(test::render(side, side, {marker}, 10), side, {}, random);
    const auto step = static_cast<uint32_t>(std::max(1.0, radius / 6));
    std::vector<reference::Peak> starts;
    for (uint32_t y = 0; y < side; y += step) {
      for (uint32_t x = 0; x < side; x += step) {
        if (image.at(x, y) == 255) starts.push_back({x, y, 255});
      }
    }
    ASSERT_GT(starts.size(), 20U);
    for (const auto& d : test::refineOnDevice(image, starts)) {
      EXPECT_LT(std::hypot(d.x - marker.x, d.y - marker.y), 0.03)
          << "from " << d.peakX << ", " << d.peakY;
      EXPECT_TRUE(d.flags & shared::kFlagSaturated);
    }
  }
}

void expectSane(const shared::Detection& d, const gpu::ImageFormat& format) {
  EXPECT_TRUE(d.x >= -0.5F && d.x <= static_cast<float>(format.width) - 0.5F) << d.x;
  EXPECT_TRUE(d.y >= -0.5F && d.y <= static_cast<float>(format.height) - 0.5F) << d.y;
  EXPECT_TRUE(d.sigmaX > 0 && d.sigmaX < 1000 && d.sigmaY > 0 && d.sigmaY < 1000);
  EXPECT_TRUE(std::isfinite(d.mass) && std::isfinite(d.background));
  EXPECT_TRUE(d.radius >= 0 && d.radius < 1000);
  EXPECT_TRUE(d.eccentricity >= 0 && d.eccentricity <= 1);
}

TEST(Refine, IsSaneOnWhatIsNoMarker) {
  for (const uint32_t bits : {8U, 16U}) {
    const gpu::ImageFormat format{64, 48, 1, bits};
    for (const auto& pattern : test::patterns()) {
      SCOPED_TRACE(pattern.name);
      const auto image = test::makeImages(pattern, format, 1)[0];
      const auto starts = reference::peaks(image, 0, 5, 100);
      for (const auto& d : test::refineOnDevice(image, starts)) expectSane(d, format);
    }
    reference::Image hot{format, std::vector<uint16_t>(format.pixels(), 10)};
    std::vector<reference::Peak> starts;
    for (const auto& [x, y] : {std::pair{20U, 20U}, {0U, 0U}, {63U, 30U}, {33U, 47U}}) {
      hot.values[y * 64 + x] = 200;
      starts.push_back({x, y, 200});
    }
    for (const auto& d : test::refineOnDevice(hot, starts)) {
      expectSane(d, format);
      EXPECT_NEAR(d.x, d.peakX, 0.5);
      EXPECT_NEAR(d.y, d.peakY, 0.5);
    }
  }
}

}  // namespace
}  // namespace glint
