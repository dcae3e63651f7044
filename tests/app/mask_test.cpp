// Tests masks: they are learned from frames, written, read back, and refused.
#include "app/capture/mask/mask.h"

#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>
#include <opencv2/core.hpp>
#include <sys/resource.h>

#include "app/base/whole_file.h"
#include "app/output/pictures/image_writer.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr gpu::ImageFormat kFormat{40, 30, 1, 8};

/// Learns from frames of faint noise. They have a steady light at (10, 8), a light at (30, 8) in
/// every third frame, and a marker that moves along row 20.
capture::MaskLearner learnFrom(const Settings& settings, uint32_t background, uint32_t light) {
  capture::MaskLearner learner(settings, kFormat);
  std::vector<std::byte> pixels(kFormat.pixels());
  for (uint32_t frame = 0; frame < 30; ++frame) {
    for (uint32_t i = 0; i < pixels.size(); ++i)
      pixels[i] = std::byte(background + ((i * 2654435761U + frame * 40503U) >> 7) % 4);
    const auto at = [&](uint32_t x, uint32_t y) -> std::byte& { return pixels[y * 40 + x]; };
    at(10, 8) = std::byte(light);
    if (frame % 3 == 0) at(30, 8) = std::byte(light);
    at(5 + frame, 20) = std::byte(light);
    learner.add({kFormat, pixels.data(), 40});
  }
  return learner;
}

std::vector<size_t> ignored(const gpu::LayerMask& mask) {
  std::vector<size_t> list;
  for (size_t i = 0; i < mask.pixels.size(); ++i) {
    if (mask.pixels[i] == 0) list.push_back(i);
  }
  return list;
}

TEST(MaskLearner, IgnoresWhatIsBrightInEnoughFrames) {
  const auto learner = learnFrom(Settings(), 10, 200);
  EXPECT_EQ(learner.frames(), 30U);
  const size_t steady = 8 * 40 + 10, blinking = 8 * 40 + 30;
  EXPECT_EQ(ignored(learner.mask(0.5, 0)), (std::vector<size_t>{steady}));
  EXPECT_EQ(ignored(learner.mask(0.3, 0)), (std::vector<size_t>{steady, blinking}));
  EXPECT_EQ(ignored(learner.mask(0, 0)).size(), 2U + 30U) << "where the marker was, too";
  EXPECT_EQ(ignored(learner.mask(0.5, 1)),
            (std::vector<size_t>{steady - 40, steady - 1, steady, steady + 1, steady + 40}));
}

TEST(MaskLearner, DarkSpotsDisturbWhereMarkersAreDark) {
  Settings settings;
  EXPECT_TRUE(ignored(learnFrom(settings, 200, 20).mask(0.5, 0)).empty());
  settings.response.dark = true;
  EXPECT_EQ(ignored(learnFrom(settings, 200, 20).mask(0.5, 0)), (std::vector<size_t>{8 * 40 + 10}));
}

/// The mean and deviation are dominated by the strong glare, which must not hide the dimmer one
/// beside it.
TEST(MaskLearner, StrongGlareDoesNotHideTheWeak) {
  capture::MaskLearner learner(Settings(), kFormat);
  std::vector<std::byte> pixels(kFormat.pixels(), std::byte{10});
  for (size_t i = 0; i < 60; ++i) pixels[i] = std::byte{255};
  pixels[600] = std::byte{90};
  learner.add({kFormat, pixels.data(), 40});
  EXPECT_EQ(ignored(learner.mask(0.5, 0)).size(), 61U);
}

class MaskFile : public testing::Test {
 protected:
  std::string path(const std::string& name) {
    paths_.push_back(testing::TempDir() + "glint_mask_test_" + name);
    return paths_.back();
  }
  ~MaskFile() override {
    for (const auto& path : paths_) std::filesystem::remove(path);
  }
  std::vector<std::string> paths_;
};

/// Returns the masks of a session whose cameras all have one format.
std::vector<gpu::LayerMask> loadMasks(const std::string& mask, const gpu::FrameFormat& format) {
  std::vector<gpu::LayerMask> masks;
  for (const std::string& path : capture::maskPaths(mask, format.layers))
    masks.push_back(capture::loadMask(path, format.image));
  return masks;
}

TEST_F(MaskFile, IsReadBackForEachCamera) {
  gpu::LayerMask a{40, 30, std::vector<uint8_t>(1200, 1)};
  gpu::LayerMask b = a;
  a.pixels[7] = 0;
  b.pixels[1100] = b.pixels[1101] = 0;
  const std::string first = path("0.png");
  capture::saveMask(a, first);
  capture::saveMask(b, path("1.png"));
  const gpu::FrameFormat format{kFormat, 2};
  const auto same = loadMasks(first, format);
  ASSERT_EQ(same.size(), 2U);
  EXPECT_EQ(same[0].pixels, a.pixels);
  EXPECT_EQ(same[1].pixels, a.pixels);
  const auto own = loadMasks(testing::TempDir() + "glint_mask_test_%d.png", format);
  EXPECT_EQ(own[0].pixels, a.pixels);
  EXPECT_EQ(own[1].pixels, b.pixels);
  EXPECT_TRUE(loadMasks("", format).empty());
  EXPECT_THROW(loadMasks(first, {{30, 40, 1, 8}, 1}), UsageError);
  EXPECT_THROW(loadMasks("/no/such/mask.png", format), UsageError);
  gpu::LayerMask nothing{40, 30, std::vector<uint8_t>(1200, 0)};
  capture::saveMask(nothing, first);
  EXPECT_THROW(loadMasks(first, format), UsageError);
}

TEST(Regions, AreReadAndRefused) {
  const auto regions = capture::parseRegions("1,2,3,4; 10, 20 ,30,40;", "here");
  ASSERT_EQ(regions.size(), 2U);
  EXPECT_EQ(regions[1].x, 10U);
  EXPECT_EQ(regions[1].height, 40U);
  EXPECT_TRUE(capture::parseRegions("", "here").empty());
  for (const char* wrong : {"1,2,3", "1,2,3,4,5", "1,2,3,4,", ",1,2,3", "1,2,3,x", "1;2;3;4", ";",
                            "1,2,0,4", "1,2,3,0", "-1,2,3,4", "1.0,2,3,4", "4294967296,0,1,1"})
    EXPECT_THROW(capture::parseRegions(wrong, "here"), UsageError) << wrong;
}

TEST_F(MaskFile, IsCombinedWithRegions) {
  gpu::LayerMask drawn{40, 30, std::vector<uint8_t>(1200, 1)};
  drawn.pixels[5 * 40 + 6] = 0;
  Settings::Detect detect = Settings().detect;
  EXPECT_TRUE(capture::measuredPixels(detect, 0, 1, kFormat).empty());
  detect.mask = path("drawn.png");
  capture::saveMask(drawn, detect.mask);
  EXPECT_EQ(capture::measuredPixels(detect, 0, 1, kFormat).pixels, drawn.pixels);
  detect.region = "5,5,3,2; 39,29,1,1";
  detect.ignore = "7,6,1,1";
  std::vector<uint8_t> want(1200, 0);
  for (const size_t pixel : {5 * 40 + 5, 5 * 40 + 7, 6 * 40 + 5, 6 * 40 + 6, 29 * 40 + 39})
    want[pixel] = 1;
  EXPECT_EQ(capture::measuredPixels(detect, 0, 1, kFormat).pixels, want);
  for (const char* outside :
       {"40,0,1,1", "0,30,1,1", "0,0,41,1", "39,29,1,2", "1,0,4294967295,1"}) {
    detect.region = outside;
    EXPECT_THROW(capture::measuredPixels(detect, 0, 1, kFormat), UsageError) << outside;
  }
  detect.region = "6,5,1,1";
  EXPECT_THROW(capture::measuredPixels(detect, 0, 1, kFormat), UsageError)
      << "the mask hides all of it";
}

TEST_F(MaskFile, AFailedWriteLeavesWhatWasThere) {
  const std::vector<std::byte> bytes(100, std::byte{'x'});
  const std::string name = path("kept");
  base::writeWholeFile(name, bytes);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  // The signal is ignored, so that the write fails with EFBIG instead.
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 150;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(base::writeWholeFile(name, std::vector<std::byte>(200)), Error);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(std::filesystem::file_size(name), 100U);
  EXPECT_THROW(base::writeWholeFile("/dev/full", bytes), Error);
}

/// Except for PNG, OpenCV's own writers of these formats report no error if the disk is full.
TEST_F(MaskFile, PicturesThatDoNotFitAreTold) {
  const cv::Mat image(300, 300, CV_8UC3, cv::Scalar(1, 2, 3));
  for (const std::string suffix : {".jpg", ".bmp", ".ppm", ".png", ".tif"}) {
    const std::string name = path("full" + suffix);
    std::filesystem::create_symlink("/dev/full", name);
    EXPECT_THROW(output::writeImage(name, image), Error) << suffix;
    std::filesystem::remove(name);
    output::writeImage(name, image);
    EXPECT_GT(std::filesystem::file_size(name), 100U) << suffix;
  }
}

}  // namespace
}  // namespace glint
