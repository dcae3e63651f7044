// Tests where a template lies in an image. Errors are compared with the bound of registration over
// shifts in 16ths of a pixel, noise, gain and different surroundings. The last tests run the whole
// detector.
#include "gpu/filters/template_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "tests/filters/filter_rig.h"

namespace glint {
namespace {

using reference::Image;

constexpr int kWide = 21, kHigh = 17;
constexpr double kGround = 128;

/// A texture whose value is known at every point: a sum of Gaussian bumps with a standard deviation
/// of `blur` px.
class Texture {
 public:
  Texture(double blur, double contrast, uint32_t seed) : blur_(blur) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(0, 1);
    std::normal_distribution<double> height;
    for (int i = 0; i < 400; ++i)
      bumps_.push_back(
          {-10 + place(random) * (kWide + 20), -10 + place(random) * (kHigh + 20), height(random)});
    double sum = 0, squares = 0;
    for (int y = 0; y < kHigh; ++y) {
      for (int x = 0; x < kWide; ++x) {
        const double v = at(x, y);
        sum += v;
        squares += v * v;
      }
    }
    constexpr double kPixels = kWide * kHigh;
    scale_ = contrast / std::sqrt(squares / kPixels - sum * sum / (kPixels * kPixels));
  }

  double at(double x, double y) const {
    double sum = 0;
    for (const auto& [bx, by, height] : bumps_) {
      const double r = ((x - bx) * (x - bx) + (y - by) * (y - by)) / (2 * blur_ * blur_);
      if (r < 12) sum += height * std::exp(-r);
    }
    return sum * scale_;
  }

  /// Returns the smallest standard deviations of x and y that any unbiased estimate can have, for
  /// white noise of standard deviation 1 and a template of which everything but the position is
  /// known.
  std::array<double, 2> bound() const {
    double xx = 0, xy = 0, yy = 0;
    for (int y = 0; y < kHigh; ++y) {
      for (int x = 0; x < kWide; ++x) {
        const double dx = (at(x + 0.01, y) - at(x - 0.01, y)) / 0.02;
        const double dy = (at(x, y + 0.01) - at(x, y - 0.01)) / 0.02;
        xx += dx * dx, xy += dx * dy, yy += dy * dy;
      }
    }
    const double det = xx * yy - xy * xy;
    return {std::sqrt(yy / det), std::sqrt(xx / det)};
  }

 private:
  struct Bump {
    double x, y, height;
  };
  double blur_, scale_ = 1;
  std::vector<Bump> bumps_;
};

/// Returns how much of the pixel at `p` is covered by a thing that reaches from `from` - 1/2 to
/// `from` + n - 1/2.
double covered(double p, double from, int n) {
  return std::clamp(std::min(p + 0.5, from + n - 0.5) - std::max(p - 0.5, from - 0.5), 0.0, 1.0);
}

struct Scene {
  double gain = 1, offset = 0;
  /// The value beyond the template's borders, in counts. Without it the texture goes on there.
  std::optional<double> beside = {};
};

/// Returns the pixel (x, y), without noise, of a scene in which the texture lies at (dx, dy).
double sceneAt(const Texture& texture, const Scene& scene, double x, double y, double dx,
               double dy) {
  double share = 1;
  if (scene.beside) share = covered(x, dx, kWide) * covered(y, dy, kHigh);
  const double own = share > 0 ? texture.at(x - dx, y - dy) * scene.gain : 0;
  return kGround + scene.offset + share * own + (1 - share) * scene.beside.value_or(0);
}

uint16_t count(double value) {
  return static_cast<uint16_t>(std::clamp(std::floor(value + 0.5), 0.0, 255.0));
}

gpu::TemplateShape shapeOf(const Texture& texture) {
  gpu::TemplateShape shape{.width = kWide, .height = kHigh, .pixels = {}};
  for (uint32_t y = 0; y < kHigh; ++y)
    for (uint32_t x = 0; x < kWide; ++x)
      shape.pixels.push_back(count(kGround + texture.at(x, y)) | x << 16 | y << 24);
  return shape;
}

struct Figures {
  std::array<double, 2> error{}, sigma{};  ///< Root mean squares, as multiples of the bound.
  int lost = 0;
};

/// Measures the fit's errors over shifts of -8/16 to 8/16 px in x and y.
Figures measure(const Texture& texture, double noise, bool gain, const Scene& scene) {
  constexpr int kRuns = 136;
  const gpu::TemplateFitter fitter(shapeOf(texture), gain);
  const auto bound = texture.bound();
  std::mt19937 random(static_cast<uint32_t>(noise * 10) + 7);
  std::normal_distribution<double> normal(0, noise);
  Figures sums;
  for (int run = 0; run < kRuns; ++run) {
    const double dx = ((run * 5) % 17 - 8) / 16.0, dy = ((run * 7 + run / 17) % 17 - 8) / 16.0;
    gpu::TemplateImage around{kWide + 2 * gpu::kFitMargin, kHigh + 2 * gpu::kFitMargin, {}};
    for (int64_t y = -gpu::kFitMargin; y < kHigh + gpu::kFitMargin; ++y)
      for (int64_t x = -gpu::kFitMargin; x < kWide + gpu::kFitMargin; ++x)
        around.values.push_back(
            count(sceneAt(texture, scene, double(x), double(y), dx, dy) + normal(random)));
    const auto place = fitter.placeIn(around);
    if (!place) {
      ++sums.lost;
      continue;
    }
    const double unit = noise / scene.gain;
    const std::array error{place->x - dx, place->y - dy}, sigma{place->sigmaX, place->sigmaY};
    for (size_t k = 0; k < 2; ++k) {
      sums.error[k] += std::pow(error[k] / (unit * bound[k]), 2) / kRuns;
      sums.sigma[k] += std::pow(sigma[k] / (unit * bound[k]), 2) / kRuns;
    }
  }
  for (size_t k = 0; k < 2; ++k) {
    sums.error[k] = std::sqrt(sums.error[k]);
    sums.sigma[k] = std::sqrt(sums.sigma[k]);
  }
  return sums;
}

TEST(TemplateFitter, ReachesTheBoundOfRegistration) {
  for (const double blur : {0.8, 1.2, 2.0}) {
    const Texture texture(blur, 30, 3);
    for (const double noise : {2.0, 5.0, 10.0}) {
      for (const auto& [gain, scene] : {std::pair(true, Scene{}), std::pair(false, Scene{}),
                                        std::pair(true, Scene{.gain = 0.7, .offset = -20})}) {
        const Figures f = measure(texture, noise, gain, scene);
        SCOPED_TRACE("blur " + std::to_string(blur) + " noise " + std::to_string(noise) + " gain " +
                     std::to_string(gain) + " " + std::to_string(scene.gain));
        EXPECT_EQ(f.lost, 0);
        for (size_t k = 0; k < 2; ++k) {
          EXPECT_LE(f.error[k], 1.3);
          EXPECT_NEAR(f.sigma[k] / f.error[k], 1, 0.25);
          std::printf("blur %.1f noise %.0f gain %d x%.1f: error %.2f bounds, sigma / error %.2f\n",
                      blur, noise, int{gain}, scene.gain, f.error[k], f.sigma[k] / f.error[k]);
        }
      }
    }
  }
}

/// At the template's borders, its outermost pixels (a fifth of all) are half covered by the
/// surroundings.
TEST(TemplateFitter, LeavesOutTheRimWhereThePictureEnds) {
  for (const double blur : {1.0, 1.5}) {
    const Texture texture(blur, 30, 3);
    for (const double noise : {2.0, 5.0, 10.0}) {
      for (const double beside : {-40.0, 0.0, 90.0}) {
        const Figures f = measure(texture, noise, true, {.beside = beside});
        SCOPED_TRACE("blur " + std::to_string(blur) + " noise " + std::to_string(noise) +
                     " beside " + std::to_string(beside));
        EXPECT_EQ(f.lost, 0);
        for (size_t k = 0; k < 2; ++k) {
          EXPECT_LE(f.error[k], 1.5);
          EXPECT_NEAR(f.sigma[k] / f.error[k], 1, 0.3);
          std::printf(
              "ends, blur %.1f noise %.0f beside %.0f: error %.2f bounds, sigma / error "
              "%.2f\n",
              blur, noise, beside, f.error[k], f.sigma[k] / f.error[k]);
        }
      }
    }
  }
}

TEST(TemplateFitter, FindsNoPlaceWhereNothingTells) {
  const Texture texture(1.2, 30, 3);
  const gpu::TemplateFitter fitter(shapeOf(texture), true);
  gpu::TemplateImage flat{kWide + 2 * gpu::kFitMargin, kHigh + 2 * gpu::kFitMargin, {}};
  flat.values.assign(static_cast<size_t>(flat.width * flat.height), 77);
  EXPECT_FALSE(fitter.placeIn(flat));
  gpu::TemplateShape grey = shapeOf(texture);
  for (uint32_t& pixel : grey.pixels) pixel = (pixel & ~0xffffU) | 90;
  EXPECT_FALSE(gpu::TemplateFitter(grey, true).placeIn(flat));
  EXPECT_FALSE(gpu::TemplateFitter(grey, false).placeIn(flat));
  const gpu::TemplateShape one{.width = 1, .height = 1, .pixels = {50}, .sum = 50, .squares = 2500};
  gpu::TemplateImage few{1 + 2 * gpu::kFitMargin, 1 + 2 * gpu::kFitMargin, {}};
  for (int i = 0; i < few.width * few.height; ++i) few.values.push_back(i % 7);
  EXPECT_FALSE(gpu::TemplateFitter(one, true).placeIn(few));
}

/// A scene with the texture at four places, on a ground that is brighter and darker than the
/// texture.
struct FourPlaces {
  static constexpr std::array<std::array<double, 2>, 4> kPlaces{
      {{12.25, 10.5}, {70.0625, 14.9375}, {20.5, 60.75}, {88.375, 70.3125}}};
  static constexpr uint32_t kWidth = 131, kHeight = 103;

  static std::vector<Image> images(uint32_t layers, uint32_t bits, double noise) {
    const Texture texture(1.2, 30, 3);
    std::vector<Image> all;
    std::mt19937 random(11);
    std::normal_distribution<double> normal(0, noise);
    for (uint32_t l = 0; l < layers; ++l) {
      Image& image = all.emplace_back(Image{{kWidth, kHeight, 1, bits}, {}});
      for (uint32_t y = 0; y < kHeight; ++y) {
        for (uint32_t x = 0; x < kWidth; ++x) {
          double value = kGround + 50 * std::sin(x * 0.11 + l) * std::cos(y * 0.07);
          for (const auto& [left, top] : kPlaces) {
            const double share = covered(x, left, kWide) * covered(y, top, kHigh);
            if (share > 0) value += share * (kGround + texture.at(x - left, y - top) - value);
          }
          image.values.push_back(
              static_cast<uint16_t>(count(value + normal(random)) * (bits == 8 ? 1U : 257U)));
        }
      }
    }
    return all;
  }

  static gpu::FilterImages look(uint32_t layers, uint32_t bits) {
    gpu::FilterImage picture{{kWide, kHigh, 1, bits}, {}};
    for (const uint32_t pixel : shapeOf(Texture(1.2, 30, 3)).pixels)
      picture.values.push_back(static_cast<uint16_t>((pixel & 0xffffU) * (bits == 8 ? 1U : 257U)));
    std::map<std::string, std::vector<gpu::FilterImage>> files;
    files["pattern:t"].assign(layers, picture);
    return std::make_shared<const decltype(files)>(files);
  }
};

gpu::FrameResult detect(const std::vector<Image>& images, const gpu::DetectionConfig& config) {
  const gpu::FrameFormat format{images[0].format, static_cast<uint32_t>(images.size())};
  gpu::Detector detector(test::device(), format, {});
  gpu::FramePool pool(test::device(), format, 2);
  shared::Feedback feedback{};
  for (auto& layer : feedback.layers)
    layer.threshold = static_cast<uint32_t>(
        std::ceil(*config.settings->detect.threshold * images[0].format.fullScale()));
  detector.submit(test::lease(pool, images), config, feedback);
  return *detector.collect();
}

gpu::DetectionConfig configFor(uint32_t layers, uint32_t bits) {
  gpu::DetectionConfig config;
  test::edit(config).filters = test::chainOf({"template:look=file:t"});
  config.images = FourPlaces::look(layers, bits);
  test::edit(config).detect.threshold = 0.75;
  config.rejected = true;
  return config;
}

TEST(TemplateDetection, FindsAPictureWhereItMatches) {
  for (const auto& [layers, bits] : {std::pair(1U, 8U), std::pair(2U, 16U)}) {
    const auto result = detect(FourPlaces::images(layers, bits, 4), configFor(layers, bits));
    for (const gpu::LayerMeasurement& layer : result.layers) {
      ASSERT_EQ(layer.markers.size(), 4U);
      ASSERT_EQ(layer.fits.size(), 4U);
      std::array<int, 4> seen{};
      for (size_t i = 0; i < 4; ++i) {
        const shared::Detection& d = layer.markers[i];
        for (size_t k = 0; k < 4; ++k) {
          const double dx = double{d.x} - (FourPlaces::kPlaces[k][0] + (kWide - 1) / 2.0);
          const double dy = double{d.y} - (FourPlaces::kPlaces[k][1] + (kHigh - 1) / 2.0);
          if (std::hypot(dx, dy) > 1) continue;
          ++seen[k];
          EXPECT_LT(std::abs(dx), 4 * double{d.sigmaX});
          EXPECT_LT(std::abs(dy), 4 * double{d.sigmaY});
        }
        EXPECT_LT(d.sigmaX, 0.05F);
        EXPECT_GT(d.sigmaX, 0.005F);
        EXPECT_LE(std::abs(double(d.peakX) - double{d.x}), 1);
        EXPECT_GT(layer.fits[i]->score, 0.95);
        EXPECT_LE(layer.fits[i]->score, 1);
        EXPECT_TRUE(i == 0 || layer.fits[i]->score <= layer.fits[i - 1]->score);
        EXPECT_NEAR(d.radius, 2 * std::sqrt((kWide * kWide + kHigh * kHigh) / 24.0), 1e-3);
      }
      EXPECT_EQ(seen, (std::array{1, 1, 1, 1}));
    }
  }
}

/// The mass is computed by its definition from the image itself.
TEST(TemplateDetection, SumsTheMassAboveTheRim) {
  const auto images = FourPlaces::images(1, 8, 4);
  const auto result = detect(images, configFor(1, 8));
  ASSERT_EQ(result.layers[0].markers.size(), 4U);
  for (const shared::Detection& d : result.layers[0].markers) {
    double rim = 0, sum = 0;
    for (int y = -1; y <= kHigh; ++y) {
      for (int x = -1; x <= kWide; ++x) {
        const auto at = (d.peakY + static_cast<uint32_t>(y) - kHigh / 2) * FourPlaces::kWidth +
                        d.peakX + static_cast<uint32_t>(x) - kWide / 2;
        const bool inside = x >= 0 && y >= 0 && x < kWide && y < kHigh;
        (inside ? sum : rim) += images[0].values[at];
      }
    }
    const double ground = rim / (2 * (kWide + kHigh) + 4);
    EXPECT_NEAR(d.background, ground, 1e-3);
    EXPECT_NEAR(d.mass, std::max(sum - ground * kWide * kHigh, 0.0), 0.01);
  }
}

TEST(TemplateDetection, HoldsScoresToTheirLimits) {
  const auto images = FourPlaces::images(1, 8, 4);
  gpu::DetectionConfig config = configFor(1, 8);
  std::map<gpu::Rejection, int> reasons;
  const auto scores = [&] {
    const auto result = detect(images, config);
    std::vector<double> all;
    for (const auto& fit : result.layers[0].fits) all.push_back(fit->score);
    reasons.clear();
    for (const gpu::Rejected& one : result.layers[0].rejected) ++reasons[one.reason];
    return all;
  };
  const auto all = scores();
  ASSERT_EQ(all.size(), 4U);
  test::edit(config).detect.minScore = (all[1] + all[2]) / 2;
  EXPECT_EQ(scores(), (std::vector{all[0], all[1]}));
  EXPECT_EQ(reasons[gpu::Rejection::lowScore], 2);
  test::edit(config).detect.minScore = 0;
  test::edit(config).detect.maxMarkers = 1;  // Three more places have nearly the same score.
  EXPECT_EQ(scores(), (std::vector{all[0]}));
  test::edit(config).detect.scoreRatio = 1.1;
  EXPECT_TRUE(scores().empty());
  EXPECT_EQ(reasons[gpu::Rejection::ambiguous], 1);
  test::edit(config).detect.maxMarkers = 4;  // No place is left out.
  EXPECT_EQ(scores(), all);
}

TEST(TemplateDetection, WholePixelsWithoutRefinement) {
  gpu::DetectionConfig config = configFor(1, 8);
  test::edit(config).refine.method = RefineMethod::none;
  const auto result = detect(FourPlaces::images(1, 8, 4), config);
  ASSERT_EQ(result.layers[0].markers.size(), 4U);
  for (size_t i = 0; i < 4; ++i) {
    const auto& d = result.layers[0].markers[i];
    EXPECT_EQ(d.x, static_cast<float>(d.peakX));
    EXPECT_EQ(d.sigmaX, 0);
    EXPECT_DOUBLE_EQ(result.layers[0].fits[i]->score, d.peak / 255.0);
  }
}

}  // namespace
}  // namespace glint
