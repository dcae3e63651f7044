#include "app/calibrate/doubts.h"

#include <string>

#include <gtest/gtest.h>

#include "app/calibrate/account.h"
#include "app/calibrate/solve.h"
#include "config/error.h"
#include "tests/calibrate/waving.h"

namespace glint {
namespace {

using test::wave;
using test::Waving;

CalibrationOptions withWand(const std::string& wand) {
  CalibrationOptions options;
  options.target = parseWand(wand);
  return options;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Doubts, AnImageOfWhichLittleIsCoveredLowersTheGrade) {
  LightRecording recording = wave({.cameras = 3, .frames = 800, .fps = 40}).recording;
  const CalibrationOptions options = withWand("500");
  EXPECT_EQ(gradeOf(calibrate(recording, options), options.target).word, "excellent");
  // The right half of what camera 1 sees, and the lower one of that.
  for (Moment& moment : recording.moments)
    std::erase_if(moment.views[1].dots,
                  [](const Dot& dot) { return dot.at.x() < 640 || dot.at.y() < 512; });
  const Calibration found = calibrate(recording, options);
  const Grade grade = gradeOf(found, options.target);
  EXPECT_EQ(grade.word, "fair");
  EXPECT_TRUE(has(grade.because, "; of camera 1's image 1")) << grade.because;
  const std::string told = accountText(found, recording, options);
  EXPECT_TRUE(has(told, "would help most: move the wand through the left third of camera 1's") ||
              has(told, "would help most: move the wand through the upper third of camera 1's"))
      << told;
}

TEST(Doubts, AnImageOfAnotherSizeLowersTheGrade) {
  LightRecording recording = wave({.cameras = 3, .frames = 400, .fps = 40}).recording;
  recording.sizes[2] = {1920, 1536};
  const CalibrationOptions options = withWand("500");
  const Calibration found = calibrate(recording, options);
  const Grade grade = gradeOf(found, options.target);
  EXPECT_EQ(grade.word, "fair");
  EXPECT_TRUE(has(grade.because, "; the centre of camera 2's lens is ")) << grade.because;
  EXPECT_TRUE(has(accountText(found, recording, options),
                  "would help most: check the size of camera 2's image"));
}

TEST(Doubts, AWandOfThreeTellsThatItIsAnother) {
  Waving waving{.cameras = 3, .frames = 300, .fps = 30};
  waving.target = parseWand("150,350");
  const LightRecording recording = wave(waving).recording;
  EXPECT_TRUE(calibrate(recording, withWand("150,350")).doubts.empty());
  std::string refused;
  try {
    calibrate(recording, withWand("200,300"));
  } catch (const Error& error) {
    refused = error.what();
  }
  EXPECT_EQ(refused,
            "the wand's middle light is seen 150.0 mm from the nearer end, not 200.0 mm; measure "
            "the wand (--wand A,B)");
  // 5 mm are what a ruler may be off.
  const CalibrationOptions near = withWand("155,345");
  const Calibration found = calibrate(recording, near);
  ASSERT_EQ(found.doubts.size(), 1U);
  EXPECT_TRUE(has(found.doubts[0].what, "mm from the nearer end, not 155.0 mm"));
  EXPECT_EQ(gradeOf(found, near.target).word, "fair");
}

}  // namespace
}  // namespace glint
