// Reasons why candidates that the device left out are no markers, compared with the plain
// definition.
#include "gpu/detect/explain.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "gpu/statistics.h"
#include "tests/gpu/blob_reference.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

using reference::Image;
using reference::Peak;

struct Reason {
  gpu::Rejection reason{};
  uint32_t nearestRank = 0;
  uint32_t candidates = 1;
  bool operator==(const Reason&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Reason& r) {
  return out << gpu::nameOf(r.reason) << " " << r.nearestRank << " for " << r.candidates;
}

double squaredDistance(const Peak& a, const Peak& b) {
  const double dx = double(a.x) - b.x, dy = double(a.y) - b.y;
  return dx * dx + dy * dy;
}

/// Returns the reason for a candidate, by looking at the accepted peaks in turn, the best first.
Reason reasonOf(const Image& response, const Peak& peak, const std::vector<Peak>& accepted,
                double separation) {
  if (!response.counts(size_t{peak.y} * response.format.width + peak.x))
    return {gpu::Rejection::masked};
  for (uint32_t i = 0; i < accepted.size(); ++i) {
    if (squaredDistance(peak, accepted[i]) < separation * separation) {
      EXPECT_GE(accepted[i].value, peak.value);
      return {gpu::Rejection::tooNear, i + 1};
    }
  }
  return {gpu::Rejection::beyondMost};
}

/// Returns the reasons in order of rank, for all candidates except the accepted ones. Candidates
/// that are too near are listed only once for all that are nearer than half a separation to one
/// listed before.
std::vector<std::pair<Peak, Reason>> reasonsFor(const Image& response, uint32_t threshold,
                                                double separation,
                                                const std::vector<Peak>& accepted) {
  auto all = reference::candidates({response.format, response.values}, threshold);
  std::stable_sort(all.begin(), all.end(),
                   [](const Peak& a, const Peak& b) { return a.value > b.value; });
  std::vector<std::pair<Peak, Reason>> result;
  for (const Peak& peak : all) {
    if (std::find(accepted.begin(), accepted.end(), peak) != accepted.end()) continue;
    const Reason reason = reasonOf(response, peak, accepted, separation);
    const auto known = std::find_if(result.begin(), result.end(), [&](const auto& other) {
      return other.second.reason == gpu::Rejection::tooNear &&
             squaredDistance(other.first, peak) < separation * separation / 4;
    });
    if (reason.reason == gpu::Rejection::tooNear && known != result.end())
      ++known->second.candidates;
    else
      result.emplace_back(peak, reason);
  }
  return result;
}

Peak peakOf(const shared::Detection& d) {
  return {d.peakX, d.peakY, d.peak};
}

std::vector<shared::Detection> detectionsAt(const std::vector<Peak>& peaks) {
  std::vector<shared::Detection> found;
  for (const Peak& peak : peaks) {
    auto& d = found.emplace_back();
    d.peakX = peak.x;
    d.peakY = peak.y;
    d.peak = peak.value;
  }
  return found;
}

void maskSome(std::vector<Image>& images) {
  for (size_t l = 0; l < images.size(); ++l) {
    for (size_t i = 0; i < images[l].format.pixels(); ++i)
      images[l].mask.push_back((i / 3 * 2654435761U >> 7 ^ l) % 5 != 0);
  }
}

/// A frame that was measured with a detector that explains.
class Explained {
 public:
  Explained(const gpu::ImageFormat& image, const Settings& settings,
            const std::vector<Image>& images)
      : format_{image, static_cast<uint32_t>(images.size())},
        settings_(settings),
        pool_(test::device(), format_, 2),
        detector_(test::device(), format_, {}) {
    const auto feedback =
        gpu::makeFeedback(settings, image, std::vector<gpu::LayerExpectation>(format_.layers));
    threshold = feedback.layers[0].threshold;
    detector_.submit(test::lease(pool_, images), config(images), feedback);
    layers = detector_.collect()->layers;
  }

  std::vector<gpu::LayerMeasurement> layers;
  uint32_t threshold = 0;

 private:
  gpu::DetectionConfig config(const std::vector<Image>& images) const {
    std::vector<gpu::LayerMask> masks;
    for (const auto& image : images) {
      if (!image.mask.empty())
        masks.push_back({format_.image.width, format_.image.height, image.mask});
    }
    return {.settings = std::make_shared<const Settings>(settings_),
            .masks = masks.empty()
                         ? nullptr
                         : std::make_shared<const std::vector<gpu::LayerMask>>(std::move(masks)),
            .rejected = true};
  }

  gpu::FrameFormat format_;
  Settings settings_;
  gpu::FramePool pool_;
  gpu::Detector detector_;
};

void expectReasons(const std::vector<gpu::Rejected>& rejected, const Image& response,
                   uint32_t threshold, double separation, const std::vector<Peak>& accepted) {
  const auto want = reasonsFor(response, threshold, separation, accepted);
  ASSERT_EQ(rejected.size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    ASSERT_EQ(peakOf(rejected[i].seen), want[i].first) << "at " << i;
    ASSERT_EQ((Reason{rejected[i].reason, rejected[i].nearestRank, rejected[i].candidates}),
              want[i].second)
        << "at " << i;
    EXPECT_FALSE(rejected[i].measured);
  }
}

/// Returns the pixels as bytes, with one row right after another.
std::vector<std::byte> bytesOf(const Image& image) {
  const size_t each = image.format.bits / 8;
  std::vector<std::byte> bytes(image.values.size() * each);
  for (size_t i = 0; i < image.values.size(); ++i)
    std::memcpy(bytes.data() + i * each, &image.values[i], each);
  return bytes;
}

class ExplainPeaks : public testing::TestWithParam<uint32_t> {};

TEST_P(ExplainPeaks, EqualsItsDefinition) {
  const gpu::ImageFormat format{93, 61, 1, GetParam()};
  std::map<gpu::Rejection, size_t> seen;
  for (const auto& pattern : test::patterns()) {
    auto images = test::makeImages(pattern, format, 2);
    maskSome(images);
    images[0].mask.clear();
    for (const auto& image : images) {
      auto bytes = bytesOf(image);
      const gpu::ImageView view{format, bytes.data(), size_t{format.width} * format.bits / 8};
      for (const auto& [threshold, separation, most] :
           {std::tuple{1U, 4.3, 60U}, {1U, 1.0, 900U}, {0U, 70000.0, 5U}, {70U, 9.0, 2U}}) {
        SCOPED_TRACE(pattern.name + (image.mask.empty() ? "" : " masked") + ", N " +
                     std::to_string(most));
        const auto accepted = reference::peaks(image, threshold, separation, most);
        const auto found = detectionsAt(accepted);
        const gpu::LayerMask mask{format.width, format.height, image.mask};
        const auto rejected = gpu::explainPeaks(view, mask, threshold, separation, found);
        expectReasons(rejected, image, threshold, separation, accepted);
        for (const auto& r : rejected) ++seen[r.reason];
      }
    }
  }
  for (const auto reason :
       {gpu::Rejection::masked, gpu::Rejection::tooNear, gpu::Rejection::beyondMost})
    EXPECT_GT(seen[reason], 100U) << gpu::nameOf(reason);
}

INSTANTIATE_TEST_SUITE_P(Bits, ExplainPeaks, testing::Values(8U, 16U));

/// The reasons are those for several cameras' responses, which are not the frames themselves.
TEST(ExplainPeaksOfDetector, TellsOfTheResponse) {
  const gpu::ImageFormat format{131, 77, 1, 16};
  Settings settings;
  settings.response = {.kind = ResponseKind::blur, .radius = 2, .gain = 1, .dark = true};
  settings.refine.method = RefineMethod::none;  // only the selection rejects
  settings.detect.threshold = 0.4;
  settings.detect.maxMarkers = 40;
  settings.detect.separation = 7;
  for (const size_t pattern : {0U, 6U}) {
    SCOPED_TRACE(test::patterns()[pattern].name);
    auto images = test::makeImages(test::patterns()[pattern], format, 2);
    maskSome(images);
    const Explained explained(format, settings, images);
    for (size_t l = 0; l < 2; ++l) {
      Image response = reference::blurred(reference::inverted(images[l]), 2);
      response.mask = images[l].mask;
      const auto accepted = reference::peaks(response, explained.threshold, 7, 40);
      ASSERT_EQ(accepted.size(), 40U);
      expectReasons(explained.layers[l].rejected, response, explained.threshold, 7, accepted);
    }
  }
}

/// Every pixel of a flat image is a candidate. The image has as many peaks as there can be.
TEST(Explain, EveryPixelOfALargeFlatImage) {
  const gpu::ImageFormat format{2048, 1024, 1, 8};
  std::vector<uint8_t> pixels(format.pixels(), 77);
  const gpu::ImageView view{format, reinterpret_cast<std::byte*>(pixels.data()), format.width};
  std::vector<Peak> accepted;
  for (uint32_t i = 0; i < 4096; ++i) accepted.push_back({i % 512 * 4, i / 512 * 4, 77});
  std::map<gpu::Rejection, size_t> counts;
  size_t rows = 0;
  for (const auto& r : gpu::explainPeaks(view, {}, 1, 4, detectionsAt(accepted))) {
    counts[r.reason] += r.candidates;
    rows += r.reason == gpu::Rejection::tooNear ? 1 : 0;
  }
  // The last row of peaks is row 28. Pixels less than 4 px below it are too near.
  size_t far = 0;
  for (uint32_t y = 0; y < format.height; ++y) {
    for (uint32_t x = 0; x < format.width; ++x) {
      const uint32_t nearestY = std::min(y / 4 * 4, 28U);
      bool near = false;
      for (uint32_t px : {x / 4 * 4, x / 4 * 4 + 4}) {
        for (uint32_t py : {nearestY, std::min(nearestY + 4, 28U)}) {
          if (px >= format.width) continue;
          near = near || squaredDistance({x, y, 0}, {px, py, 0}) < 16;
        }
      }
      far += near ? 0 : 1;
    }
  }
  EXPECT_EQ(counts[gpu::Rejection::beyondMost], far);
  EXPECT_EQ(counts[gpu::Rejection::tooNear], format.pixels() - far - accepted.size());
  EXPECT_LT(3 * rows, counts[gpu::Rejection::tooNear]) << "one row stands for several";
}

using Reasons = std::map<gpu::Rejection, std::vector<reference::Blob>>;

/// Applies every limit on the blobs' own measures, then rank and separation.
Reasons blobReasons(const std::vector<reference::Blob>& all, const Settings::Detect& limits,
                    std::vector<reference::Blob>& within) {
  Reasons reasons;
  for (const auto& b : all) {
    const double radius = std::sqrt(static_cast<double>(b.area) / M_PI);
    if (radius < limits.minRadius || static_cast<double>(b.mass) < limits.minMass) {
      reasons[gpu::Rejection::tooSmall].push_back(b);
    } else if (radius > limits.maxRadius) {
      reasons[gpu::Rejection::tooLarge].push_back(b);
    } else if (b.eccentricity() > limits.maxEccentricity) {
      reasons[gpu::Rejection::notRound].push_back(b);
    } else {
      within.push_back(b);
    }
  }
  return reasons;
}

/// The blobs are small components of noise, none of which is examined for a cut.
TEST(ExplainBlobs, EqualsItsDefinition) {
  const gpu::ImageFormat format{320, 240, 1, 8};
  Settings settings;
  settings.refine.method = RefineMethod::none;
  settings.detect.method = DetectMethod::blobs;
  settings.detect.threshold = 0.93;
  settings.detect.minMass = 5;
  settings.detect.maxRadius = 1.1;
  settings.detect.maxEccentricity = 0.9;
  settings.detect.maxMarkers = 300;
  settings.detect.separation = 6;
  auto images = test::makeImages(test::patterns()[0], format, 1);
  maskSome(images);
  const Explained explained(format, settings, images);
  const auto& layer = explained.layers[0];

  const auto all = reference::blobs(images[0], explained.threshold).all;
  for (const auto& b : all) ASSERT_LT(b.area, 16U);
  std::vector<reference::Blob> within;
  auto reasons = blobReasons(all, settings.detect, within);
  const auto accepted = reference::rank(within, settings.detect.separation, 300);
  ASSERT_EQ(accepted.size(), 300U);
  ASSERT_EQ(layer.markers.size(), 300U);
  for (const auto& b : within) {
    if (std::find(accepted.begin(), accepted.end(), b) != accepted.end()) continue;
    const bool near = std::any_of(accepted.begin(), accepted.end(), [&](const auto& a) {
      return squaredDistance({a.centreX, a.centreY, 0}, {b.centreX, b.centreY, 0}) < 36;
    });
    reasons[near ? gpu::Rejection::tooNear : gpu::Rejection::beyondMost].push_back(b);
  }
  std::map<gpu::Rejection, std::vector<const gpu::Rejected*>> byReason;
  for (const auto& r : layer.rejected) byReason[r.reason].push_back(&r);
  for (auto& [reason, blobs] : reasons) {
    SCOPED_TRACE(gpu::nameOf(reason));
    std::stable_sort(blobs.begin(), blobs.end(),
                     [](const auto& a, const auto& b) { return a.mass > b.mass; });
    ASSERT_EQ(byReason[reason].size(), blobs.size());
    EXPECT_GT(blobs.size(), 5U);
    for (size_t i = 0; i < blobs.size(); ++i) {
      const auto& seen = byReason[reason][i]->seen;
      EXPECT_EQ(peakOf(seen), blobs[i].peak);
      EXPECT_EQ(seen.mass, static_cast<float>(blobs[i].mass));
      EXPECT_NEAR(seen.x, double(blobs[i].massX) / double(blobs[i].mass), 1e-4);
      EXPECT_NEAR(seen.eccentricity, blobs[i].eccentricity(), 1e-4);
      EXPECT_TRUE(byReason[reason][i]->measured);
    }
  }
  for (const gpu::Rejected* r : byReason[gpu::Rejection::tooNear]) {
    const auto& better = accepted.at(r->nearestRank - 1);
    EXPECT_LE(std::hypot(r->seen.x - float(better.centreX), r->seen.y - float(better.centreY)), 7);
    EXPECT_GE(static_cast<float>(better.mass), r->seen.mass);
  }
  size_t masked = 0;
  for (const Peak& peak : reference::candidates({format, images[0].values}, explained.threshold))
    masked += images[0].counts(size_t{peak.y} * format.width + peak.x) ? 0 : 1;
  EXPECT_EQ(byReason[gpu::Rejection::masked].size(), masked);
}

/// Two discs touch. The limits apply to the parts.
TEST(ExplainBlobs, PartsAreToldInPlaceOfTheWhole) {
  const gpu::ImageFormat format{80, 50, 1, 8};
  Image image{format, {}};
  for (int y = 0; y < 50; ++y) {
    for (int x = 0; x < 80; ++x) {
      const bool left = std::hypot(x - 25, y - 25) < 9.6, right = std::hypot(x - 42, y - 25) < 8.4;
      image.values.push_back(left || right ? 200 : 10);
    }
  }
  Settings settings;
  settings.refine.method = RefineMethod::none;
  settings.detect.method = DetectMethod::blobs;
  settings.detect.threshold = 0.5;
  {
    const Explained both(format, settings, {image});
    EXPECT_EQ(both.layers[0].candidates, 1U);
    EXPECT_EQ(both.layers[0].markers.size(), 2U);
    EXPECT_TRUE(both.layers[0].rejected.empty());
  }
  settings.detect.minRadius = 9;
  const Explained one(format, settings, {image});
  ASSERT_EQ(one.layers[0].markers.size(), 1U);
  EXPECT_NEAR(one.layers[0].markers[0].x, 25, 1);
  ASSERT_EQ(one.layers[0].rejected.size(), 1U);
  EXPECT_EQ(one.layers[0].rejected[0].reason, gpu::Rejection::tooSmall);
  EXPECT_NEAR(one.layers[0].rejected[0].seen.x, 42, 1);
  EXPECT_NEAR(one.layers[0].rejected[0].seen.radius, 8.4, 0.5);
  settings.detect.minRadius = 11;  // the whole would be within the limit
  const Explained none(format, settings, {image});
  EXPECT_TRUE(none.layers[0].markers.empty());
  EXPECT_EQ(none.layers[0].rejected.size(), 2U);
}

/// The refined radius of a blurred spot differs from that of its pixels above a low threshold.
/// Limits apply to the blob's own measures, and are not applied a second time.
TEST(ExplainBlobs, LimitsAreOnTheirOwnMeasuresOnly) {
  const gpu::ImageFormat format{60, 60, 1, 8};
  Image image{format, {}};
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 60; ++x) {
      const double r2 = (x - 30.3) * (x - 30.3) + (y - 29.8) * (y - 29.8);
      image.values.push_back(static_cast<uint16_t>(20 + 200 * std::exp(-r2 / (2 * 2.5 * 2.5))));
    }
  }
  Settings settings;
  settings.detect.method = DetectMethod::blobs;
  // The radius of the pixels is 7 px, and the refined one is 5 px.
  settings.detect.threshold = 0.1;
  settings.detect.minRadius = 6;
  const Explained kept(format, settings, {image});
  ASSERT_EQ(kept.layers[0].markers.size(), 1U);
  EXPECT_NEAR(kept.layers[0].markers[0].radius, 5, 0.3);
  settings.detect.minRadius = 0;
  settings.detect.maxRadius = 6;
  const Explained dropped(format, settings, {image});
  EXPECT_TRUE(dropped.layers[0].markers.empty());
  ASSERT_EQ(dropped.layers[0].rejected.size(), 1U);
  EXPECT_EQ(dropped.layers[0].rejected[0].reason, gpu::Rejection::tooLarge);
  EXPECT_GT(dropped.layers[0].rejected[0].seen.radius, 6);
}

/// The frame has more blobs than llvmpipe has room for.
TEST(ExplainBlobs, AFrameThatIsTooFullIsTold) {
  if (test::device().info().type != "cpu") GTEST_SKIP() << "there is room on this device";
  const gpu::ImageFormat format{2100, 2100, 1, 8};
  Image image{format, std::vector<uint16_t>(format.pixels())};
  for (size_t i = 0; i < image.values.size(); ++i)
    image.values[i] = i % 2100 % 2 == 0 && i / 2100 % 2 == 0 ? 200 : 0;
  Settings settings;
  settings.detect.method = DetectMethod::blobs;
  settings.detect.threshold = 0.5;
  settings.detect.maxMarkers = 4;
  image.mask.assign(format.pixels(), 1);
  const Explained full(format, settings, {image});
  EXPECT_TRUE(full.layers[0].partial);
  EXPECT_TRUE(full.layers[0].markers.empty());
  EXPECT_TRUE(full.layers[0].rejected.empty()) << "nothing was measured";
  std::fill_n(image.mask.begin(), 2100 * 1000, uint8_t{0});
  const Explained rest(format, settings, {image});
  EXPECT_FALSE(rest.layers[0].partial);
  EXPECT_EQ(rest.layers[0].markers.size(), 4U);
  EXPECT_EQ(rest.layers[0].rejected.size(), 1050U * 1050 - 4) << "the masked ones, too";
}

}  // namespace
}  // namespace glint
