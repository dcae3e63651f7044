#include "app/motion/calibrate/doubts.h"

#include <string>

#include <gtest/gtest.h>

#include "app/motion/calibrate/account.h"
#include "app/motion/calibrate/solve.h"
#include "config/error.h"
#include "tests/calibrate/waving.h"

namespace glint {
namespace {

using test::wave;
using test::Waving;

motion::CalibrationOptions withWand(const std::string& wand) {
  motion::CalibrationOptions options;
  options.target = motion::parseWand(wand);
  return options;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Doubts, AnImageOfWhichLittleIsCoveredIsTold) {
  motion::LightRecording recording = wave({.cameras = 3, .frames = 800, .fps = 40}).recording;
  const motion::CalibrationOptions options = withWand("500");
  const motion::Calibration covered = motion::calibrate(recording, options);
  EXPECT_EQ(motion::gradeOf(covered, options.target).word, "excellent");
  EXPECT_EQ(motion::coverageOf(covered, options.target).word, "good");
  // Camera 1 sees lights only in the lower right quarter of its image.
  for (motion::Moment& moment : recording.moments)
    std::erase_if(moment.views[1].dots,
                  [](const motion::Dot& dot) { return dot.at.x() < 640 || dot.at.y() < 512; });
  const motion::Calibration found = motion::calibrate(recording, options);
  const motion::Grade coverage = motion::coverageOf(found, options.target);
  EXPECT_NE(coverage.word, "good");
  EXPECT_TRUE(has(coverage.because, " % of camera 1's image, the least")) << coverage.because;
  // The accuracy of what was seen is another figure.
  EXPECT_EQ(motion::gradeOf(found, options.target).word, "excellent");
  const std::string told = motion::accountText(found, recording, options);
  EXPECT_TRUE(has(told, "would help most: move the wand through the left third of camera 1's") ||
              has(told, "would help most: move the wand through the upper third of camera 1's"))
      << told;
}

TEST(Doubts, AnImageOfAnotherSizeLowersTheGrade) {
  motion::LightRecording recording = wave({.cameras = 3, .frames = 400, .fps = 40}).recording;
  recording.sizes[2] = {1920, 1536};
  const motion::CalibrationOptions options = withWand("500");
  const motion::Calibration found = motion::calibrate(recording, options);
  const motion::Grade grade = motion::gradeOf(found, options.target);
  EXPECT_EQ(grade.word, "fair");
  EXPECT_TRUE(has(grade.because, "; the centre of camera 2's lens is ")) << grade.because;
  EXPECT_TRUE(has(motion::accountText(found, recording, options),
                  "would help most: check the size of camera 2's image"));
}

TEST(Doubts, AWandOfThreeTellsThatItIsAnother) {
  Waving waving{.cameras = 3, .frames = 300, .fps = 30};
  waving.target = motion::parseWand("150,350");
  const motion::LightRecording recording = wave(waving).recording;
  EXPECT_TRUE(motion::calibrate(recording, withWand("150,350")).doubts.empty());
  std::string refused;
  try {
    motion::calibrate(recording, withWand("200,300"));
  } catch (const Error& error) {
    refused = error.what();
  }
  EXPECT_EQ(refused,
            "the wand's middle light is seen 150.0 mm from the nearer end, not 200.0 mm; measure "
            "the wand (--wand A,B)");
  // A ruler may be off by 5 mm.
  const motion::CalibrationOptions near = withWand("155,345");
  const motion::Calibration found = motion::calibrate(recording, near);
  ASSERT_EQ(found.doubts.size(), 1U);
  EXPECT_TRUE(has(found.doubts[0].what, "mm from the nearer end, not 155.0 mm"));
  EXPECT_EQ(motion::gradeOf(found, near.target).word, "fair");
}

TEST(Doubts, AWandOfTwoTellsThatItHasThree) {
  Waving waving{.cameras = 3, .frames = 300, .fps = 30};
  waving.target = motion::parseWand("150,350");
  const motion::CalibrationOptions options = withWand("500");
  // Any two of the three lights may have been taken for the ends.
  std::string told;
  try {
    const motion::Calibration found = motion::calibrate(wave(waving).recording, options);
    EXPECT_EQ(motion::gradeOf(found, options.target).word, "fair");
    for (const motion::Doubt& doubt : found.doubts) told += doubt.what + "; " + doubt.mend;
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
  // If there are as many dots that are no lights, they lie on the wand only by chance.
  Waving cluttered{.cameras = 3, .frames = 300, .fps = 30};
  cluttered.clutter = 0.5;
  EXPECT_TRUE(motion::calibrate(wave(cluttered).recording, options).doubts.empty());
}

}  // namespace
}  // namespace glint
