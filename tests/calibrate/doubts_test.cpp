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

TEST(Doubts, AWandOfTwoTellsThatItHasThree) {
  Waving waving{.cameras = 3, .frames = 300, .fps = 30};
  waving.target = parseWand("150,350");
  const CalibrationOptions options = withWand("500");
  // Any two may have been taken for the ends.
  std::string told;
  try {
    const Calibration found = calibrate(wave(waving).recording, options);
    EXPECT_EQ(gradeOf(found, options.target).word, "fair");
    for (const Doubt& doubt : found.doubts) told += doubt.what + "; " + doubt.mend;
  } catch (const Error& error) {
    told = error.what();
  }
  EXPECT_TRUE(told ==
                  "the wand has a third light, 150 mm from one end; tell of all its lights "
                  "(--wand 150,350)" ||
              told ==
                  "three lights are seen on the wand, so its 500 mm may be the distance of any "
                  "two: give both distances between them (--wand A,B)")
      << told;
  // As many dots that are no lights lie on the wand by chance only.
  Waving cluttered{.cameras = 3, .frames = 300, .fps = 30};
  cluttered.clutter = 0.5;
  EXPECT_TRUE(calibrate(wave(cluttered).recording, options).doubts.empty());
}

}  // namespace
}  // namespace glint
