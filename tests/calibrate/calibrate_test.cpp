#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "app/motion/calibrate/account.h"
#include "app/motion/calibrate/placing.h"
#include "app/motion/calibrate/solve.h"
#include "app/motion/calibrate/volume.h"
#include "config/error.h"
#include "tests/calibrate/waving.h"

namespace glint {
namespace {

using test::spaceError;
using test::wave;
using test::Waved;
using test::Waving;

std::string refusal(const motion::LightRecording& recording,
                    const motion::CalibrationOptions& options) {
  try {
    motion::calibrate(recording, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

motion::CalibrationOptions wandOf(const Waving& waving) {
  motion::CalibrationOptions options;
  options.target = waving.target;
  return options;
}

TEST(Calibrate, AWandOfTwoGivesWhatTheTrueRigGives) {
  const Waving waving{.cameras = 4, .frames = 300, .fps = 30};
  const Waved waved = wave(waving);
  const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
  const auto exact = spaceError(waved, waved.truth, waving.sigma);
  const auto error = spaceError(waved, found.rig, waving.sigma);
  EXPECT_LT(error.rms, 1.1 * exact.rms);
  EXPECT_LT(error.lengthSigma, 1.05 * exact.lengthSigma);
  EXPECT_NEAR(error.lengthMean, 500, 0.05);
  for (size_t c = 0; c < 4; ++c) {
    EXPECT_NEAR(found.rig.cameras[c].lens.fx, waved.truth.cameras[c].lens.fx,
                4 * found.cameras[c].focalSigma);
    EXPECT_LT(found.cameras[c].focalSigma, 0.5);
    EXPECT_EQ(found.rig.cameras[c].timeOffset, 0);
    EXPECT_GT(found.heldOut.cameras[c].within, 0.99);
    EXPECT_NEAR(found.cameras[c].misfit, 1, 0.15);
  }
  EXPECT_TRUE(found.scaled);
  EXPECT_NEAR(found.misfit, 1, 0.05);
  EXPECT_NEAR(found.heldOut.lengthMean, 500, 0.1);
  EXPECT_NEAR(found.heldOut.lengthSigma, exact.lengthSigma, 0.3 * exact.lengthSigma);
  EXPECT_GE(found.heldOut.moments, 58U);
  EXPECT_TRUE(found.held.empty());
}

TEST(Calibrate, ClutterGapsAndALateCameraAreFoundOut) {
  const Waving waving{.cameras = 4,
                      .frames = 400,
                      .fps = 50,
                      .clutter = 0.05,
                      .missing = 0.1,
                      .lateCamera = 2,
                      .late = 0.008};
  const Waved waved = wave(waving);
  const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
  const auto exact = spaceError(waved, waved.truth, waving.sigma);
  EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms, 1.25 * exact.rms);
  for (size_t c = 0; c < 4; ++c)
    EXPECT_NEAR(found.rig.cameras[c].timeOffset, c == 2 ? 0.008 : 0, 0.001) << c;
}

TEST(Calibrate, CamerasInStepAreInStepInShortRecordings) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Waving waving{.cameras = 4, .frames = 35, .fps = 30, .seed = seed};
    const motion::Calibration found = motion::calibrate(wave(waving).recording, wandOf(waving));
    for (const motion::RigCamera& camera : found.rig.cameras)
      EXPECT_EQ(camera.timeOffset, 0) << seed;
  }
}

TEST(Calibrate, ACameraThatRunsFreelyIsTakenAtItsOwnTimes) {
  const Waving waving{
      .cameras = 3, .frames = 400, .fps = 50, .lateCamera = 0, .late = 0.009, .lateKnown = true};
  const Waved waved = wave(waving);
  const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
  EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms,
            1.2 * spaceError(waved, waved.truth, waving.sigma).rms);
  for (const motion::RigCamera& camera : found.rig.cameras)
    EXPECT_LT(std::abs(camera.timeOffset), 0.0005);
}

TEST(Calibrate, ACameraThatWasMovedIsNamed) {
  const Waving waving{.cameras = 4, .frames = 400, .fps = 40};
  const Waved waved = wave(waving);
  EXPECT_FALSE(motion::calibrate(waved.recording, wandOf(waving)).disturbed);
  // From three quarters of the time on, the dots of camera 2 are shifted by half a pixel.
  motion::LightRecording recording = waved.recording;
  for (size_t m = 300; m < recording.moments.size(); ++m)
    for (motion::Dot& dot : recording.moments[m].views[2].dots)
      dot.at += Eigen::Vector2d(0.4, -0.3);
  const motion::Calibration found = motion::calibrate(recording, wandOf(waving));
  ASSERT_TRUE(found.disturbed);
  EXPECT_EQ(found.disturbed->camera, 2U);
  EXPECT_NEAR(found.disturbed->time, 7.5, 0.7);
  EXPECT_NEAR(found.disturbed->pixels, 0.5, 0.06);
  const std::string told = motion::accountText(found, recording, wandOf(waving));
  EXPECT_NE(told.find("camera 2 seems to have moved after 7."), std::string::npos) << told;
}

TEST(Calibrate, AMoveIsToldWhole) {
  // After a shift of 8 px, half of the camera's dots are no longer taken for lights.
  const Waving waving{.cameras = 4, .frames = 300, .fps = 30};
  const Waved waved = wave(waving);
  for (const double step : {2.0, 8.0}) {
    motion::LightRecording recording = waved.recording;
    for (size_t m = 150; m < recording.moments.size(); ++m)
      for (motion::Dot& dot : recording.moments[m].views[1].dots) dot.at.x() += step;
    const motion::Calibration found = motion::calibrate(recording, wandOf(waving));
    ASSERT_TRUE(found.disturbed) << step;
    EXPECT_EQ(found.disturbed->camera, 1U);
    EXPECT_NEAR(found.disturbed->time, 5, 0.7);
    EXPECT_NEAR(found.disturbed->pixels, step, 0.1 * step);
    const motion::Grade grade = motion::gradeOf(found, waving.target);
    EXPECT_TRUE(grade.word == "fair" || grade.word == "poor") << grade.word;
    EXPECT_NE(grade.because.find("; camera 1 was moved"), std::string::npos) << grade.because;
  }
}

TEST(Calibrate, TheRigIsThatAfterAPush) {
  // A camera is turned by a third of a degree and shifted by 8 mm, which is about 7 px: the first
  // one, in whose frame the rig is, or another, and early or late.
  for (const int camera : {0, 2})
    for (const int frame : {60, 230}) {
      const Waving waving{.cameras = 4,
                          .frames = 300,
                          .fps = 30,
                          .pushedCamera = camera,
                          .pushedAt = frame,
                          .push = {{0.004, -0.003, 0.003}, {6, 5, -3}}};
      const Waved waved = wave(waving);
      const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
      ASSERT_TRUE(found.disturbed) << camera << " at " << frame;
      EXPECT_EQ(found.disturbed->camera, static_cast<size_t>(camera));
      EXPECT_NEAR(found.disturbed->time, frame / 30.0, 0.04);
      ASSERT_EQ(found.rig.cameras.size(), 4U);
      EXPECT_EQ(found.cameras.size(), 4U);
      EXPECT_EQ(found.heldOut.cameras.size(), 4U);
      EXPECT_NEAR(found.rig.cameras[0].pose.translation.norm(), 0, 1e-9);
      EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms,
                1.15 * spaceError(waved, waved.truth, waving.sigma).rms);
      EXPECT_LT(test::largestError(waved, found.rig), 4.5);
      EXPECT_NEAR(found.misfit, 1, 0.1);
      EXPECT_EQ(motion::gradeOf(found, waving.target).word, "fair");
    }
}

TEST(Calibrate, APushThatIsTooFarIsDoubted) {
  // The camera is turned by 7 degrees near the end. Nothing that it sees then fits.
  const Waving waving{.cameras = 4,
                      .frames = 300,
                      .fps = 30,
                      .pushedCamera = 1,
                      .pushedAt = 270,
                      .push = {{0.1, -0.07, 0}, {0, 0, 0}}};
  const motion::LightRecording recording = wave(waving).recording;
  const motion::Calibration found = motion::calibrate(recording, wandOf(waving));
  const motion::Grade grade = motion::gradeOf(found, waving.target);
  EXPECT_EQ(grade.word, "fair");
  EXPECT_NE(grade.because.find("hardly any dot of camera 1 fits at the end"), std::string::npos)
      << grade.because;
}

TEST(Calibrate, APushBetweenTwoCamerasIsFound) {
  // Two cameras do not show which of them was pushed. The push is a hundred times as large as the
  // noise. Its time is known exactly only if both cameras see the wand then.
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    const Waving waving{.cameras = 2,
                        .frames = 350,
                        .fps = 60,
                        .sigma = 0.05,
                        .randomRig = true,
                        .webcams = true,
                        .pushedCamera = static_cast<int>(seed % 2),
                        .pushedAt = 130,
                        .push = {{-0.003, 0.003, 0.004}, {0, 0, 0}},
                        .seed = seed};
    const Waved waved = wave(waving);
    const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
    ASSERT_TRUE(found.disturbed) << seed;
    EXPECT_GT(found.disturbed->pixels, 2) << seed;
    EXPECT_LT(test::largestError(waved, found.rig), 4.5) << seed;
    const std::string told = motion::accountText(found, waved.recording, wandOf(waving));
    EXPECT_NE(told.find("one of the two cameras seems to have moved"), std::string::npos) << told;
    EXPECT_EQ(told.find("touch camera"), std::string::npos) << told;
  }
}

TEST(Calibrate, TheGradeIsThatOfTheRigAmongStrayLights) {
  // Some views show nothing but stray lights, which say nothing about the rig.
  for (const unsigned seed : {1U, 2U, 3U}) {
    Waving waving{
        .cameras = 4, .frames = 300, .fps = 30, .missing = 0.1, .randomRig = true, .seed = seed};
    const auto gradeAmong = [&](int strays) {
      waving.strays = strays;
      const Waved waved = wave(waving);
      const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
      EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms,
                1.2 * spaceError(waved, waved.truth, waving.sigma).rms);
      return motion::gradeOf(found, waving.target);
    };
    const motion::Grade among = gradeAmong(2);
    EXPECT_EQ(among.word, gradeAmong(0).word) << seed << ": " << among.because;
    EXPECT_EQ(among.because.find("% fit"), std::string::npos) << among.because;
  }
}

TEST(Calibrate, TheSameRecordingGivesTheSameRig) {
  const Waving waving{.cameras = 4, .frames = 200, .fps = 20};
  const motion::LightRecording recording = wave(waving).recording;
  const motion::Calibration one = motion::calibrate(recording, wandOf(waving));
  const motion::Calibration other = motion::calibrate(recording, wandOf(waving));
  for (size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(one.rig.cameras[c].lens.numbers(), other.rig.cameras[c].lens.numbers());
    EXPECT_EQ(one.rig.cameras[c].pose.rotation, other.rig.cameras[c].pose.rotation);
    EXPECT_EQ(one.rig.cameras[c].pose.translation, other.rig.cameras[c].pose.translation);
  }
  EXPECT_EQ(one.rig.covariance.matrix, other.rig.covariance.matrix);
}

TEST(Calibrate, AnEarlyMoveIsNamed) {
  // Camera 3 is pushed within the first tenth.
  const Waving waving{.cameras = 4, .frames = 300, .fps = 30};
  const Waved waved = wave(waving);
  for (const double step : {1.0, 4.0}) {
    motion::LightRecording recording = waved.recording;
    for (size_t m = 0; m < 24; ++m)
      for (motion::Dot& dot : recording.moments[m].views[3].dots) dot.at.x() += step;
    const motion::Calibration found = motion::calibrate(recording, wandOf(waving));
    ASSERT_TRUE(found.disturbed) << step;
    EXPECT_EQ(found.disturbed->camera, 3U);
    EXPECT_NEAR(found.disturbed->time, 0.8, 0.3);
    EXPECT_NEAR(found.disturbed->pixels, step, 0.2 * step);
  }
}

TEST(Calibrate, AShortWhileBeforeAMoveIsEnough) {
  // 21 moments alone would not determine the lens of camera 4 before it is turned by 0.14 degrees.
  const Waving waving{.cameras = 5,
                      .frames = 300,
                      .fps = 60,
                      .randomRig = true,
                      .webcams = true,
                      .pushedCamera = 4,
                      .pushedAt = 21,
                      .push = {{0.0015, -0.002, 0}, {0, 0, 0}},
                      .seed = 7};
  const Waved waved = wave(waving);
  const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
  ASSERT_TRUE(found.disturbed);
  EXPECT_EQ(found.disturbed->camera, 4U);
  EXPECT_NEAR(found.disturbed->time, 21 / 60.0, 0.02);
  // A turn by a small angle shifts what is near the middle of the image by f times this angle.
  const double turned = 0.0025 * waved.truth.cameras[4].lens.fx;
  EXPECT_NEAR(found.disturbed->pixels, turned, 0.15 * turned);
  EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms,
            1.15 * spaceError(waved, waved.truth, waving.sigma).rms);
}

/// Returns true if any note about a calibration contains `words`.
bool isNoted(const motion::Calibration& found, const motion::LightRecording& recording,
             const motion::CalibrationOptions& options, const std::string& words) {
  for (const std::string& note : motion::notesOf(found, recording, options))
    if (note.find(words) != std::string::npos) return true;
  return false;
}

TEST(Calibrate, ImagesThatAreReadRowByRowAreNoMove) {
  const Waving waving{.cameras = 4, .frames = 300, .fps = 60, .readout = 0.9 / 60};
  const Waved waved = wave(waving);
  const motion::CalibrationOptions options = wandOf(waving);
  const motion::Calibration found = motion::calibrate(waved.recording, options);
  EXPECT_FALSE(found.disturbed);
  for (const motion::CameraFigures& f : found.cameras) {
    EXPECT_NEAR(f.readout, waving.readout, 0.0005);
    EXPECT_EQ(f.timeOffset, 0);
  }
  for (const motion::RigCamera& camera : found.rig.cameras)
    EXPECT_NEAR(camera.readout, waving.readout, 0.0005);
  EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms,
            1.15 * spaceError(waved, waved.truth, waving.sigma).rms);
  EXPECT_TRUE(
      isNoted(found, waved.recording, options, "camera 2 reads its rows one after the other"));
}

TEST(Calibrate, ACameraThatIsLateByWholeFramesIsFound) {
  for (const int frames : {2, -3}) {
    const Waving waving{
        .cameras = 4, .frames = 300, .fps = 60, .lateCamera = 1, .late = frames / 60.0};
    const Waved waved = wave(waving);
    const motion::CalibrationOptions options = wandOf(waving);
    const motion::Calibration found = motion::calibrate(waved.recording, options);
    EXPECT_FALSE(found.disturbed) << frames;
    for (size_t c = 0; c < 4; ++c)
      EXPECT_NEAR(found.rig.cameras[c].timeOffset, c == 1 ? waving.late : 0, 0.0003) << c;
    EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms,
              1.15 * spaceError(waved, waved.truth, waving.sigma).rms)
        << frames;
    EXPECT_TRUE(
        isNoted(found, waved.recording, options,
                frames > 0 ? "camera 1 sees moments 2 frames" : "camera 1 sees moments 3 frames"));
  }
}

TEST(Calibrate, OffsetsInFramesAreNotWrittenAsSeconds) {
  const Waving waving{
      .cameras = 4, .frames = 400, .fps = 50, .lateCamera = 2, .late = 0.008, .bare = true};
  const motion::LightRecording recording = wave(waving).recording;
  const motion::Calibration found = motion::calibrate(recording, wandOf(waving));
  EXPECT_NEAR(found.cameras[2].timeOffset, 0.4, 0.05);
  for (const motion::RigCamera& camera : found.rig.cameras) EXPECT_EQ(camera.timeOffset, 0);
  EXPECT_TRUE(isNoted(found, recording, wandOf(waving), "the rig cannot say that"));
}

TEST(Calibrate, ALostFrameIsNoMove) {
  // From moment 180 on, camera 2 shows what it should have shown a frame later.
  const Waving waving{.cameras = 4, .frames = 300, .fps = 60, .bare = true};
  const Waved waved = wave(waving);
  motion::LightRecording recording = waved.recording;
  for (size_t m = 180; m + 1 < recording.moments.size(); ++m)
    recording.moments[m].views[2] = waved.recording.moments[m + 1].views[2];
  recording.moments.back().views[2] = {};
  const motion::CalibrationOptions options = wandOf(waving);
  const motion::Calibration found = motion::calibrate(recording, options);
  EXPECT_FALSE(found.disturbed);
  ASSERT_EQ(found.shifts.size(), 4U);
  for (size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(found.shifts[c].before, 0) << c;
    EXPECT_EQ(found.shifts[c].after, c == 2 ? -1 : 0) << c;
  }
  EXPECT_NEAR(static_cast<double>(found.shifts[2].from), 180, 10);
  EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms,
            1.15 * spaceError(waved, waved.truth, waving.sigma).rms);
  EXPECT_TRUE(isNoted(found, recording, options, "camera 2 lost 1 frame near frame 1"));
}

TEST(Calibrate, ACameraOfWhichNextToNothingFitsIsRefused) {
  Waving waving{.cameras = 4, .frames = 200, .fps = 20};
  motion::LightRecording mirrored = wave(waving).recording;
  for (motion::Moment& moment : mirrored.moments)
    for (motion::Dot& dot : moment.views[1].dots) dot.at.x() = 1279 - dot.at.x();
  EXPECT_NE(refusal(mirrored, wandOf(waving)).find("dots of camera 1 only "), std::string::npos)
      << refusal(mirrored, wandOf(waving));
  waving = {.cameras = 4, .frames = 100, .fps = 10, .lateCamera = 2, .late = 3.1};
  const std::string late = refusal(wave(waving).recording, wandOf(waving));
  EXPECT_NE(late.find("camera 2"), std::string::npos) << late;
}

TEST(Calibrate, CoverageNeedsMomentsKeptBack) {
  const Waving waving{.cameras = 4, .frames = 75, .fps = 15};
  motion::LightRecording recording = wave(waving).recording;
  motion::Calibration few = motion::calibrate(recording, wandOf(waving));
  for (motion::CameraFigures& f : few.cameras) f.fields = ~uint64_t{0};
  const motion::Grade coverage = motion::coverageOf(few, waving.target);
  EXPECT_EQ(coverage.word, "fair");
  EXPECT_NE(coverage.because.find("; only 15 moments are kept back"), std::string::npos)
      << coverage.because;
  // The camera's image is stated to be twice as large as it is.
  recording.sizes[2] = {2560, 2048};
  motion::CalibrationOptions options = wandOf(waving);
  options.terms = motion::LensTerms::none;
  motion::Calibration found;
  found.cameras.resize(4);
  found.rig.cameras.resize(4);
  found.heldOut.cameras.resize(4);
  found.cameras[2].fields = 0x0000000006040000;
  const auto notes = motion::notesOf(found, recording, options);
  EXPECT_NE(std::find(notes.begin(), notes.end(),
                      "all that camera 2 sees lies in the upper left quarter of its 2560x2048 "
                      "pixels: check its size"),
            notes.end());
}

TEST(Calibrate, ARecordingGivenTwiceIsRefused) {
  const Waving waving{.cameras = 3, .frames = 100, .fps = 10};
  motion::LightRecording recording = wave(waving).recording;
  recording.sizes.push_back(recording.sizes[1]);
  for (motion::Moment& moment : recording.moments) moment.views.push_back(moment.views[1]);
  EXPECT_EQ(refusal(recording, wandOf(waving)).substr(0, 36),
            "cameras 1 and 3 stand in one place; ");
}

TEST(Calibrate, TheGradeCountsDotsThatDoNotFit) {
  const Waving waving{.cameras = 4, .frames = 200, .fps = 20};
  motion::LightRecording recording = wave(waving).recording;
  // In two of five frames, camera 1 sees something else.
  for (size_t m = 0; m < recording.moments.size(); ++m)
    for (motion::Dot& dot : recording.moments[m].views[1].dots)
      if (m % 5 < 2) dot.at = Eigen::Vector2d(1279, 1023) - dot.at;
  const motion::Calibration found = motion::calibrate(recording, wandOf(waving));
  EXPECT_NEAR(motion::shareThatFits(found.cameras[1]), 0.6, 0.05);
  EXPECT_GT(motion::shareThatFits(found.cameras[0]), 0.95);
  const motion::Grade grade = motion::gradeOf(found, waving.target);
  EXPECT_EQ(grade.word, "fair");
  EXPECT_NE(grade.because.find("of camera 1's dots "), std::string::npos) << grade.because;
}

TEST(Calibrate, AWandOfThreeIsTakenTheSame) {
  Waving waving{.cameras = 3, .frames = 300, .fps = 30};
  waving.target = motion::parseWand("150,350");
  const Waved waved = wave(waving);
  const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
  const auto exact = spaceError(waved, waved.truth, waving.sigma);
  EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms, 1.15 * exact.rms);
}

TEST(Calibrate, ASingleLightGivesAllButTheScale) {
  Waving waving{.cameras = 4, .frames = 600, .fps = 40};
  waving.target = {};
  const Waved waved = wave(waving);
  const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
  EXPECT_FALSE(found.scaled);
  const auto exact = spaceError(waved, waved.truth, waving.sigma);
  // Without a length the focal lengths are known to some pixels only. The error of that is larger
  // than with a wand.
  EXPECT_LT(spaceError(waved, found.rig, waving.sigma, true).rms, 3 * exact.rms);
  for (size_t c = 0; c < 4; ++c)
    EXPECT_LT(std::abs(found.rig.cameras[c].lens.fx - waved.truth.cameras[c].lens.fx),
              3 * found.cameras[c].focalSigma);

  motion::CalibrationOptions options = wandOf(waving);
  const double distance =
      (waved.truth.cameras[1].pose.centre() - waved.truth.cameras[3].pose.centre()).norm();
  options.base = motion::BaseLine{1, 3, distance};
  const motion::Calibration scaled = motion::calibrate(waved.recording, options);
  EXPECT_TRUE(scaled.scaled);
  EXPECT_LT(spaceError(waved, scaled.rig, waving.sigma).rms, 4 * exact.rms);
}

TEST(Calibrate, TwoCamerasAndALightNeedTheirLenses) {
  // Without lenses each of these recordings is refused, because the result would follow from the
  // assumed lenses alone.
  for (const unsigned seed : {204U, 208U}) {
    Waving waving{.cameras = 2, .frames = 500, .fps = 25, .randomRig = true, .seed = seed};
    waving.target = {};
    const Waved waved = wave(waving);
    EXPECT_EQ(refusal(waved.recording, wandOf(waving)).substr(0, 33),
              "two cameras and a single light do");
    motion::CalibrationOptions options = wandOf(waving);
    for (const motion::RigCamera& camera : waved.truth.cameras)
      options.intrinsics.push_back(camera.lens);
    const std::string kept = refusal(waved.recording, options);
    EXPECT_NE(kept.find("or keep the lenses given (--fix intrinsics)"), std::string::npos) << kept;
    options.fixIntrinsics = true;
    EXPECT_LT(
        spaceError(waved, motion::calibrate(waved.recording, options).rig, waving.sigma, true).rms,
        1.2 * spaceError(waved, waved.truth, waving.sigma, true).rms);
  }
}

TEST(Calibrate, CamerasWhoseFocalLengthsDiffer) {
  // If the cameras were assumed to be alike, the result would be a wrong rig.
  Waving waving{.cameras = 3,
                .frames = 500,
                .fps = 25,
                .clutter = 0.02,
                .missing = 0.15,
                .randomRig = true,
                .bare = true,
                .seed = 303};
  waving.target = {};
  const Waved waved = wave(waving);
  EXPECT_NEAR(motion::calibrate(waved.recording, wandOf(waving)).misfit, waving.sigma, 0.01);
}

TEST(Calibrate, AShortRecordingIsLookedAtAllOver) {
  // 240 moments are not kept back. Moments within a second of each other lie nearly in a plane, so
  // the start must use moments from the whole recording.
  Waving waving{.cameras = 3, .frames = 300, .fps = 120, .seed = 3};
  waving.target = {};
  const Waved waved = wave(waving);
  EXPECT_NEAR(motion::calibrate(waved.recording, wandOf(waving)).misfit, 1, 0.1);
}

TEST(Calibrate, AnyRigIsFoundWithoutAGuess) {
  for (int cameras = 2; cameras <= 8; cameras += 2) {
    const Waving waving{.cameras = cameras,
                        .frames = 250,
                        .fps = 25,
                        .randomRig = true,
                        .seed = static_cast<unsigned>(cameras)};
    const Waved waved = wave(waving);
    const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
    EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms,
              1.2 * spaceError(waved, waved.truth, waving.sigma).rms)
        << cameras;
  }
}

TEST(Calibrate, ASingleLightWithGapsIsEnoughForRandomRigs) {
  // With seed 20 the pair of cameras that shares most moments gives a wrong start. With seed 26
  // half of the moments have no neighbours.
  for (const unsigned seed : {20U, 26U}) {
    const Waving waving{.cameras = 3,
                        .frames = 870,
                        .fps = 25,
                        .target = {},
                        .sigma = 0.35,
                        .clutter = 0.01,
                        .missing = 0.3,
                        .randomRig = true,
                        .strongLenses = true,
                        .bare = true,
                        .seed = seed};
    const Waved waved = wave(waving);
    const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
    EXPECT_LT(spaceError(waved, found.rig, waving.sigma, true).rms,
              2 * spaceError(waved, waved.truth, waving.sigma, true).rms)
        << seed;
    EXPECT_NEAR(found.misfit, waving.sigma, 0.1 * waving.sigma) << seed;
    for (const motion::CameraFigures& f : found.cameras)
      EXPECT_GT(static_cast<double>(f.dots), 0.9 * static_cast<double>(f.offered)) << seed;
  }
}

TEST(Calibrate, TheMapOfItsErrorsIsWhatTheyAre) {
  // The rms error of positions agrees with the map, and the map is the same in every world frame.
  const Waving waving{.cameras = 4, .frames = 100, .fps = 10};
  const Waved waved = wave(waving);
  const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
  const auto map = motion::mapVolume(found);
  ASSERT_TRUE(map);
  const double rms = spaceError(waved, found.rig, waving.sigma).rms;
  // The largest of the three axes' squared sigmas is at least a third of their sum.
  EXPECT_LT(map->best, rms);
  EXPECT_GT(map->worst, rms / std::sqrt(3.0));
  EXPECT_LT(map->worst, 1.5 * rms);
  size_t cells = 0;
  for (const auto& slice : map->sigmas) cells += slice.size();
  EXPECT_EQ(cells, 3 * motion::VolumeMap::kCells * motion::VolumeMap::kCells);

  const motion::Pose far{{0.3, -0.2, 0.1}, {4000, -3000, 1000}};
  const auto other = motion::mapVolume(motion::moved(found, far));
  ASSERT_TRUE(other);
  EXPECT_NEAR(other->best, map->best, 0.2 * map->best);
  EXPECT_EQ(found.shared[0][1], found.shared[1][0]);
  EXPECT_GT(found.shared[0][1], 80U);
}

TEST(Calibrate, ItsCovarianceIsThatOfItsErrors) {
  test::Coverage sum;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const Waving waving{.cameras = 3, .frames = 150, .fps = 15, .seed = seed};
    const Waved waved = wave(waving);
    const auto one =
        test::coverageOf(waved, motion::calibrate(waved.recording, wandOf(waving)).rig);
    sum.within += one.within;
    sum.all += one.all;
  }
  // The numbers of one camera are correlated: some 200 of them count like some 60 independent ones.
  EXPECT_GT(static_cast<double>(sum.within), 0.88 * static_cast<double>(sum.all));
  EXPECT_GT(sum.all, 200U);
}

TEST(Calibrate, GivenLensesStay) {
  const Waving waving{.cameras = 3, .frames = 200, .fps = 20};
  const Waved waved = wave(waving);
  motion::CalibrationOptions options = wandOf(waving);
  for (const motion::RigCamera& camera : waved.truth.cameras)
    options.intrinsics.push_back(camera.lens);
  options.fixIntrinsics = true;
  const motion::Calibration found = motion::calibrate(waved.recording, options);
  for (size_t c = 0; c < 3; ++c)
    EXPECT_TRUE(found.rig.cameras[c].lens.numbers() == waved.truth.cameras[c].lens.numbers());
  for (const std::string& name : found.rig.covariance.names)
    EXPECT_EQ(name.find(".fx"), std::string::npos);
}

TEST(Calibrate, TheLensesOfWebcamsAreFound) {
  // fy / fx differs from 1 by up to 0.006, and p1 and p2 from 0 by up to 0.002.
  const Waving waving{.cameras = 4, .frames = 300, .fps = 30, .webcams = true};
  const Waved waved = wave(waving);
  const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
  EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms,
            1.1 * spaceError(waved, waved.truth, waving.sigma).rms);
  for (size_t c = 0; c < 4; ++c) {
    const motion::Lens &is = found.rig.cameras[c].lens, &shall = waved.truth.cameras[c].lens;
    EXPECT_NEAR(is.fy / is.fx, shall.fy / shall.fx, 0.0005) << c;
    EXPECT_NEAR(is.p1, shall.p1, 0.0008) << c;
    EXPECT_NEAR(is.p2, shall.p2, 0.0008) << c;
  }
  EXPECT_NEAR(found.misfit, 1, 0.05);
}

TEST(Calibrate, StatedErrorsOfWebcamsAreTrue) {
  // Each seed has another rig. A normal distribution exceeds 4.5 once in 150,000 numbers, of which
  // there are some 300.
  test::Coverage numbers, ellipsoids;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Waving waving{.cameras = 3 + static_cast<int>(seed % 3),
                        .frames = 250,
                        .fps = 25,
                        .randomRig = true,
                        .webcams = true,
                        .seed = seed};
    const Waved waved = wave(waving);
    const motion::Rig rig = motion::calibrate(waved.recording, wandOf(waving)).rig;
    EXPECT_LT(test::largestError(waved, rig), 4.5) << seed;
    const auto add = [](test::Coverage& sum, const test::Coverage& one) {
      sum.within += one.within;
      sum.all += one.all;
    };
    add(numbers, test::coverageOf(waved, rig));
    add(ellipsoids, test::ellipsoidsOf(waved, rig, waving.sigma));
  }
  EXPECT_GT(static_cast<double>(numbers.within), 0.88 * static_cast<double>(numbers.all));
  // All points of a rig share its errors, so five rigs tell little more than five points.
  EXPECT_GT(static_cast<double>(ellipsoids.within), 0.85 * static_cast<double>(ellipsoids.all));
}

TEST(Calibrate, StrayLightsInEachImageAreLeftOut) {
  for (const int strays : {1, 5})
    for (const double missing : {0.0, 0.2}) {
      const Waving waving{
          .cameras = 4, .frames = 400, .fps = 50, .strays = strays, .missing = missing};
      const Waved waved = wave(waving);
      const motion::Calibration found = motion::calibrate(waved.recording, wandOf(waving));
      EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms,
                1.15 * spaceError(waved, waved.truth, waving.sigma).rms)
          << strays << " " << missing;
    }
}

/// Returns the recording with the cameras in another order: the new camera c is order[c].
motion::LightRecording inOrder(const motion::LightRecording& recording,
                               const std::array<size_t, 4>& order) {
  motion::LightRecording other = recording;
  for (size_t c = 0; c < order.size(); ++c) {
    other.sizes[c] = recording.sizes[order[c]];
    for (size_t m = 0; m < other.moments.size(); ++m)
      other.moments[m].views[c] = recording.moments[m].views[order[c]];
  }
  return other;
}

TEST(Calibrate, TheOrderOfTheCamerasDoesNotMatter) {
  const Waving waving{.cameras = 4, .frames = 250, .fps = 50, .strays = 1, .seed = 5};
  const Waved waved = wave(waving);
  std::array<size_t, 4> order{0, 1, 2, 3};
  const auto distance = [](const motion::Rig& rig, size_t a, size_t b) {
    return (rig.cameras[a].pose.centre() - rig.cameras[b].pose.centre()).norm();
  };
  const double first = distance(waved.truth, 0, 2), second = distance(waved.truth, 1, 3);
  do {
    const auto at = [&](size_t camera) {
      return static_cast<size_t>(std::find(order.begin(), order.end(), camera) - order.begin());
    };
    const motion::Rig rig = motion::calibrate(inOrder(waved.recording, order), wandOf(waving)).rig;
    EXPECT_NEAR(distance(rig, at(0), at(2)), first, 5);
    EXPECT_NEAR(distance(rig, at(1), at(3)), second, 5);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Calibrate, APlaneIsEnoughForCamerasWhoseLensesAreKnown) {
  for (const int cameras : {2, 4}) {
    const Waving waving{.cameras = cameras, .frames = 200, .fps = 20, .planar = true};
    const Waved waved = wave(waving);
    motion::CalibrationOptions options = wandOf(waving);
    for (const motion::RigCamera& camera : waved.truth.cameras)
      options.intrinsics.push_back(camera.lens);
    EXPECT_NE(refusal(waved.recording, options), "taken") << cameras;
    options.fixIntrinsics = true;
    const motion::Calibration found = motion::calibrate(waved.recording, options);
    EXPECT_LT(spaceError(waved, found.rig, waving.sigma).rms,
              1.1 * spaceError(waved, waved.truth, waving.sigma).rms)
        << cameras;
    const auto distance = [](const motion::Rig& rig) {
      return (rig.cameras[0].pose.centre() - rig.cameras[1].pose.centre()).norm();
    };
    EXPECT_NEAR(distance(found.rig), distance(waved.truth), 2) << cameras;
  }
}

TEST(Calibrate, UnknownSigmasAreEstimated) {
  const Waving waving{.cameras = 3, .frames = 250, .fps = 25, .sigma = 0.4};
  Waved waved = wave(waving);
  waved.recording.sigmasKnown = false;
  for (motion::Moment& moment : waved.recording.moments)
    for (motion::View& view : moment.views)
      for (motion::Dot& dot : view.dots) dot.sigma = {1, 1};
  EXPECT_NEAR(motion::calibrate(waved.recording, wandOf(waving)).misfit, 0.4, 0.04);
}

TEST(Calibrate, WhatDoesNotSufficeIsRefused) {
  const Waving waving{.cameras = 3, .frames = 100, .fps = 10};
  const Waved waved = wave(waving);
  const auto options = wandOf(waving);

  motion::LightRecording one = waved.recording;
  one.sizes.resize(1);
  for (motion::Moment& moment : one.moments) moment.views.resize(1);
  EXPECT_EQ(refusal(one, options),
            "one camera alone cannot be calibrated by lights; two or more must see them");

  motion::LightRecording few = waved.recording;
  few.moments.resize(20);
  EXPECT_EQ(refusal(few, options).substr(0, 46), "two cameras see the whole wand in 20 moments o");

  motion::LightRecording apart = waved.recording;
  for (size_t m = 0; m < apart.moments.size(); ++m) {
    auto& views = apart.moments[m].views;
    if (m % 2)
      views[0].dots.clear(), views[1].dots.clear();
    else
      views[2].dots.clear();
  }
  EXPECT_EQ(refusal(apart, options).substr(0, 47),
            "camera 2 shares fewer than 10 moments with the ");

  motion::LightRecording half = waved.recording;
  for (motion::Moment& moment : half.moments)
    if (!moment.views[1].dots.empty()) moment.views[1].dots.resize(1);
  EXPECT_EQ(refusal(half, options).substr(0, 36), "camera 1 never sees the whole wand (");

  // In one recording the wand never moves, in the other its ends stay on one line in space.
  motion::LightRecording still = waved.recording, line = waved.recording;
  for (size_t m = 0; m < still.moments.size(); ++m)
    for (size_t c = 0; c < 3; ++c) {
      const motion::RigCamera& camera = waved.truth.cameras[c];
      auto &resting = still.moments[m].views[c].dots, &sliding = line.moments[m].views[c].dots;
      resting.clear(), sliding.clear();
      const double at = 600 * std::sin(0.1 * static_cast<double>(m));
      const double noise = 0.1 * std::sin(static_cast<double>(7 * m + c));
      for (const double end : {-250.0, 250.0}) {
        const auto seen = [&](double x) -> Eigen::Vector2d {
          return motion::project(camera.lens, camera.pose, {x, 50, 30}).pixel +
                 Eigen::Vector2d(noise, -noise);
        };
        resting.push_back({seen(end), {0.1, 0.1}});
        sliding.push_back({seen(at + end), {0.1, 0.1}});
      }
    }
  EXPECT_EQ(refusal(still, options).substr(0, 21), "the wand did not move");
  EXPECT_EQ(refusal(line, options).substr(0, 36), "the wand moved along a straight line");

  Waving planar = waving;
  planar.planar = true;
  EXPECT_EQ(refusal(wave(planar).recording, options).substr(0, 32),
            "the lights moved in a plane, whi");

  // The cameras' recordings show different moments.
  motion::LightRecording strangers = waved.recording;
  for (size_t m = 0; m < strangers.moments.size(); ++m)
    for (size_t c = 0; c < 3; ++c)
      strangers.moments[m].views[c] =
          waved.recording.moments[(m + 31 * c) % strangers.moments.size()].views[c];
  EXPECT_NE(refusal(strangers, options), "taken");
}

motion::Calibration as(const motion::Rig& rig) {
  motion::Calibration calibration;
  calibration.rig = rig;
  return calibration;
}

TEST(Placing, TheCornerOfThreeMarkersBecomesTheOrigin) {
  Waved waved = wave({.cameras = 4, .frames = 3});
  const Eigen::Vector3d corner(200, -100, 30), x(0.6, 0.8, 0), y(-0.8, 0.6, 0);
  const Eigen::Vector3d markers[] = {corner + 250 * y, corner, corner + 400 * x};
  motion::Moment& moment = waved.recording.moments[1];
  for (size_t c = 0; c < 4; ++c) {
    const motion::RigCamera& camera = waved.truth.cameras[c];
    moment.views[c].dots.clear();
    for (const auto& at : markers)
      moment.views[c].dots.push_back(
          {motion::project(camera.lens, camera.pose, at).pixel, {0.1, 0.1}});
  }
  const motion::Pose world = motion::worldOf(as(waved.truth), waved.recording, {},
                                             motion::parsePlacing("markers:1", ""), size_t{1});
  EXPECT_LT(world.apply(corner).norm(), 1e-3);
  EXPECT_LT((world.apply(markers[2]) - Eigen::Vector3d(400, 0, 0)).norm(), 1e-3);
  EXPECT_LT((world.apply(markers[0]) - Eigen::Vector3d(0, 250, 0)).norm(), 1e-3);
  EXPECT_GT(world.apply(waved.truth.cameras[0].pose.centre()).z(), 0);
  const motion::Pose upright = motion::worldOf(as(waved.truth), waved.recording, {},
                                               motion::parsePlacing("markers:1", "y"), size_t{1});
  EXPECT_LT((upright.apply(markers[0]) - Eigen::Vector3d(0, 0, -250)).norm(), 1e-3);
  EXPECT_GT(upright.apply(waved.truth.cameras[0].pose.centre()).y(), 0);

  moment.views[0].dots.clear();
  moment.views[1].dots.pop_back();
  moment.views[2].dots.clear();
  EXPECT_THROW(motion::worldOf(as(waved.truth), waved.recording, {},
                               motion::parsePlacing("markers:1", ""), 1),
               Error);
  EXPECT_THROW(motion::worldOf(as(waved.truth), waved.recording, {},
                               motion::parsePlacing("markers:9", ""), {}),
               Error);
}

TEST(Placing, AWandThatLiesStillGivesTheOrigin) {
  Waving waving{.cameras = 3, .frames = 60, .fps = 50};
  waving.target = motion::parseWand("150,350");
  Waved waved = wave(waving);
  const auto options = motion::parsePlacing("wand", "z");
  EXPECT_THROW(motion::worldOf(as(waved.truth), waved.recording, waving.target, options, {}),
               Error);  // The wand moves.
  const Eigen::Vector3d from(100, 200, 0), along(0, 1, 0);
  for (motion::Moment& moment : waved.recording.moments)
    for (size_t c = 0; c < 3; ++c) {
      const motion::RigCamera& camera = waved.truth.cameras[c];
      moment.views[c].dots.clear();
      for (const double part : {0.0, 150.0, 500.0})
        moment.views[c].dots.push_back(
            {motion::project(camera.lens, camera.pose, from + part * along).pixel, {0.1, 0.1}});
    }
  const motion::Pose world =
      motion::worldOf(as(waved.truth), waved.recording, waving.target, options, {});
  EXPECT_LT(world.apply(from).norm(), 0.1);
  EXPECT_LT((world.apply(from + 500 * along) - Eigen::Vector3d(500, 0, 0)).norm(), 0.1);
  // The cameras stand upright, so their up is also the world's up.
  EXPECT_GT((world.apply(from + Eigen::Vector3d(0, 0, 1)) - world.apply(from)).z(), 0.95);
}

TEST(Placing, WhatIsNoOriginIsRefused) {
  EXPECT_EQ(motion::parsePlacing("", "").origin, motion::Placing::Origin::camera);
  EXPECT_EQ(motion::parsePlacing("markers:12", "").frame, 12);
  for (const char* bad : {"floor", "markers", "markers:", "markers:x", "markers:-1", "markers:1x"})
    EXPECT_THROW(motion::parsePlacing(bad, ""), UsageError) << bad;
  for (const char* bad : {"x", "zz", "-z"})
    EXPECT_THROW(motion::parsePlacing("", bad), UsageError) << bad;
  // The camera's own up direction is that of its image.
  const motion::Pose level = motion::worldOf({}, {}, {}, motion::parsePlacing("camera", "z"), {});
  EXPECT_LT((level.apply({0, -1, 0}) - Eigen::Vector3d(0, 0, 1)).norm(), 1e-12);
  EXPECT_LT((level.apply({0, 0, 1}) - Eigen::Vector3d(0, 1, 0)).norm(), 1e-12);
}

TEST(Target, WandsAreReadAndAmbiguousOnesRefused) {
  EXPECT_EQ(motion::parseWand("500").lights.size(), 2U);
  EXPECT_EQ(motion::parseWand("500").length, 500);
  const motion::Target three = motion::parseWand("350,150");
  EXPECT_EQ(three.length, 500);
  EXPECT_EQ(three.lights[1], 0.3);
  for (const char* bad : {"", "0", "-5", "nan", "500,", "1,2,3", "250,250", "240,260", "5e9", "x"})
    EXPECT_THROW(motion::parseWand(bad), UsageError) << bad;
}

}  // namespace
}  // namespace glint
