#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "app/capture/source/source_kinds.h"
#include "app/capture/synth/scene.h"
#include "config/error.h"
#include "tests/app/synth_picture.h"
#include "tests/numbers.h"

namespace glint {
namespace {

Picture renderFrame(capture::Scene& scene, uint64_t frame) {
  Picture picture(scene.format());
  scene.render(frame, picture.view());
  return picture;
}

Picture renderFrame(const std::string& spec, uint64_t frame) {
  return renderFrame(*capture::makeScene(capture::parseSynth(spec)), frame);
}

TEST(SynthSpots, CentroidsAndMassesEqualTheTruth) {
  for (const std::string shape : {"sigma=1.5", "radius=3.5&blur=0.7"}) {
    const capture::SynthOptions options = capture::parseSynth(
        "synth:spots?size=320x240&markers=20&noise=0&gain=0&bits=16&amplitude=150&" + shape);
    const auto scene = capture::makeScene(options);
    const Picture picture = renderFrame(*scene, 3);
    const double area =
        options.radius > 0 ? options.radius * options.radius : 2 * options.sigma * options.sigma;
    const std::vector<capture::TruthMarker> truth = scene->truth(3);
    ASSERT_EQ(truth.size(), 20U);
    for (const capture::TruthMarker& t : truth) {
      const auto x = static_cast<size_t>(std::lround(t.x)),
                 y = static_cast<size_t>(std::lround(t.y));
      const size_t r = std::min({size_t{10}, x, y, 319 - x, 239 - y});
      const Moments m = moments(x - r, x + r, y - r, y + r, [&](size_t u, size_t v) {
        return picture.at(u, v) / 257 - options.background;
      });
      EXPECT_NEAR(m.x, t.x, 1e-3);
      EXPECT_NEAR(m.y, t.y, 1e-3);
      EXPECT_NEAR(m.sum, std::numbers::pi * area * 150, 0.002 * m.sum);
      EXPECT_TRUE(t.visible);
    }
  }
}

TEST(SynthSpots, NeverTouchAndCoverEverySubpixelPhase) {
  const auto truth = capture::makeScene(capture::parseSynth("synth:spots?markers=400"))->truth(0);
  double least = 1e9;
  int phases[4] = {};
  for (const capture::TruthMarker& a : truth) {
    ++phases[static_cast<int>(4 * (a.x - std::floor(a.x)))];
    for (const capture::TruthMarker& b : truth)
      if (a.id != b.id) least = std::min(least, std::hypot(a.x - b.x, a.y - b.y));
  }
  EXPECT_GE(least, 12);  // The limit is 2 * 4 * sigma.
  for (const int count : phases) EXPECT_GT(count, 60);
}

TEST(SynthScene, FrameDependsOnlyOnItsNumberAndTheOptions) {
  for (const std::string name : {"dancer", "spots", "crossing"}) {
    const std::string spec = "synth:" + name + "?size=320x240";
    const auto scene = capture::makeScene(capture::parseSynth(spec));
    for (uint64_t f = 0; f < 7; ++f) renderFrame(*scene, f);
    const auto after = renderFrame(*scene, 7).bytes;
    EXPECT_EQ(after, renderFrame(spec, 7).bytes) << name;
    EXPECT_NE(after, renderFrame(*scene, 8).bytes) << name;
    EXPECT_NE(after, renderFrame(spec + "&seed=2", 7).bytes) << name;
    EXPECT_NE(after, renderFrame(spec + "&cameras=4&camera=1", 7).bytes) << name;
  }
}

TEST(SynthScene, AmplitudeSaturatesAndSixteenBitsScale) {
  const Picture bright = renderFrame("synth:dancer?amplitude=2000&size=640x360", 0);
  EXPECT_EQ(std::to_integer<int>(*std::max_element(bright.bytes.begin(), bright.bytes.end())), 255);
  const std::string spec = "synth:dancer?size=640x360&noise=0&gain=0&amplitude=150";
  const Picture eight = renderFrame(spec, 5), sixteen = renderFrame(spec + "&bits=16", 5);
  for (size_t y = 0; y < 360; ++y)
    for (size_t x = 0; x < 640; ++x)
      EXPECT_LE(std::abs(eight.at(x, y) - sixteen.at(x, y) / 257), 0.51);
}

TEST(SynthScene, TruthIsWrittenAsRows) {
  const auto scene =
      capture::makeScene(capture::parseSynth("synth:spots?markers=2&cameras=2&camera=1"));
  std::ostringstream out;
  capture::writeTruthHeader(out);
  capture::writeTruth(*scene, 12, out);
  std::istringstream in(out.str());
  std::string header, row;
  ASSERT_TRUE(std::getline(in, header));
  EXPECT_EQ(header, "camera,frame,id,x,y,visible");
  for (const capture::TruthMarker& t : scene->truth(12)) {
    ASSERT_TRUE(std::getline(in, row));
    int camera = -1, frame = -1, id = -1, visible = -1;
    double x = 0, y = 0;
    ASSERT_EQ(
        std::sscanf(row.c_str(), "%d,%d,%d,%lf,%lf,%d", &camera, &frame, &id, &x, &y, &visible), 6);
    EXPECT_EQ(camera, 1);
    EXPECT_EQ(frame, 12);
    EXPECT_EQ(id, t.id);
    EXPECT_NEAR(x, t.x, 6e-5);
    EXPECT_NEAR(y, t.y, 6e-5);
    EXPECT_EQ(visible, t.visible);
  }
  EXPECT_FALSE(std::getline(in, row));
}

TEST(SynthCrossing, MarkersMoveAtTheStatedStepInsideTheImageAndCross) {
  const auto scene =
      capture::makeScene(capture::parseSynth("synth:crossing?markers=30&step=6&frames=400"));
  double way = 0, longest = 0;
  int steps = 0, meetings = 0, covered = 0;
  std::vector<capture::TruthMarker> before;
  for (uint64_t f = 0; f < 400; ++f) {
    const std::vector<capture::TruthMarker> now = scene->truth(f);
    for (size_t i = 0; i < now.size(); ++i) {
      EXPECT_TRUE(now[i].x >= 2.5 - 1e-9 && now[i].x <= 1276.5 + 1e-9);
      EXPECT_TRUE(now[i].y >= 2.5 - 1e-9 && now[i].y <= 716.5 + 1e-9);
      covered += !now[i].visible;
      for (size_t j = 0; j < i; ++j)
        meetings += std::hypot(now[i].x - now[j].x, now[i].y - now[j].y) < 6;
      if (before.empty()) continue;
      const double step = std::hypot(now[i].x - before[i].x, now[i].y - before[i].y);
      way += step;
      longest = std::max(longest, step);
      ++steps;
    }
    before = now;
  }
  EXPECT_NEAR(way / steps, 6, 0.2);
  EXPECT_LT(longest, 9.5);
  EXPECT_GT(meetings, 10);  // Discs of radius 3 touch in these frames.
  EXPECT_GT(covered, 0);
}

TEST(SynthCrossing, AbsentMarkersHaveTheStatedShare) {
  for (const std::string key : {"missed", "occluded"}) {
    const auto scene =
        capture::makeScene(capture::parseSynth("synth:crossing?" + key + "=0.1&frames=1000"));
    double absent = 0, changes = 0;
    std::vector<capture::TruthMarker> before;
    for (uint64_t f = 0; f < 1000; ++f) {
      const std::vector<capture::TruthMarker> now = scene->truth(f);
      for (size_t i = 0; i < now.size(); ++i) {
        absent += !now[i].visible;
        if (!before.empty()) changes += before[i].visible != now[i].visible;
      }
      before = now;
    }
    EXPECT_NEAR(absent / 30000, 0.1, 0.02) << key;
    // If frames are independent, the state changes with a probability of 2 * 0.1 * 0.9. Stretches
    // of 8 frames change an eighth as often.
    EXPECT_NEAR(changes / 30000, key == "missed" ? 0.18 : 0.0225, 0.01) << key;
  }
}

TEST(SynthOptions, EveryOptionIsReadAndEveryBadOneIsRefusedByName) {
  const capture::SynthOptions o =
      capture::parseSynth("synth:crossing?size=64x48&bits=16&step=2.5&seed=9&markers=5");
  EXPECT_EQ(o.size.width, 64U);
  EXPECT_EQ(o.size.height, 48U);
  EXPECT_EQ(o.bits, 16);
  EXPECT_EQ(o.step, 2.5);
  EXPECT_EQ(o.seed, 9U);
  EXPECT_EQ(o.markers, 5);
  EXPECT_EQ(o.frames, 300U);

  std::set<std::string> refused;
  for (const capture::SynthOptionInfo& info : capture::listSynthOptions())
    for (size_t scene = 0; scene < capture::kSynthSceneNames.size(); ++scene) {
      const std::string start =
          "synth:" + std::string(capture::kSynthSceneNames[scene]) + "?" + info.key + "=";
      std::vector<std::string> bad{"", "x", "-1", "1e30", "nan", "1 "};
      if (info.defaults[scene].empty())
        bad.push_back("1");
      else
        EXPECT_NO_THROW(capture::parseSynth(start + info.defaults[scene]));
      for (const std::string& text : bad) {
        try {
          capture::parseSynth(start + text);
          ADD_FAILURE() << start + text << " was taken";
        } catch (const UsageError& e) {
          const std::string what = e.what();
          EXPECT_NE(what.substr(what.find(':', 7)).find(info.key), std::string::npos) << what;
          refused.insert(info.key);
        }
      }
    }
  EXPECT_EQ(refused.size(), capture::listSynthOptions().size());
}

TEST(SynthOptions, OtherBadSpecsAreRefused) {
  const std::pair<std::string, std::string> cases[] = {
      {"synth:", "dancer, spots, crossing"},
      {"synth:wave", "'wave'"},
      {"synth:dancer?colour=1", "'colour'"},
      {"synth:dancer?colour=1", "diameter"},
      {"synth:dancer?seed", "key=value"},
      {"synth:dancer?seed=1&&fps=2", "key=value"},
      {"synth:dancer?seed=1&seed=2", "seed is given twice"},
      {"synth:dancer?camera=4", "0 to 3"},
      {"synth:dancer?bits=12", "8 or 16"},
      {"synth:dancer?frames=1.5", "whole numbers"},
      {"synth:dancer?size=640", "WIDTHxHEIGHT"},
      {"synth:dancer?size=640x8", "16 to 16384"},
      {"synth:board?marker=40", "its side must be less"},
      {"synth:board?columns=11&rows=11", "have 60 markers"},
      {"synth:spots?markers=4000&size=100x100", "markers is 4000"}};
  for (const auto& [spec, part] : cases) {
    try {
      capture::makeScene(capture::parseSynth(spec));
      ADD_FAILURE() << spec << " was taken";
    } catch (const UsageError& e) {
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
  }
}

TEST(SynthSource, DeliversTheScenesFrames) {
  const std::string spec = "synth:dancer?size=160x120&frames=3&fps=50&cameras=4&camera=2";
  const auto source = capture::openSource(Address(spec));
  EXPECT_EQ(source->name(), spec);
  EXPECT_EQ(source->frameCount(), 3U);
  EXPECT_EQ(source->format(), (gpu::ImageFormat{160, 120, 1, 8}));
  Picture picture(source->format());
  for (uint64_t f = 0; f < 3; ++f) {
    const capture::Reading read = source->read(picture.view());
    ASSERT_EQ(read.state, gpu::CameraState::frame);
    EXPECT_EQ(read.stamp.sequence, f);
    EXPECT_EQ(read.stamp.time, static_cast<double>(f) / 50);
    EXPECT_EQ(picture.bytes, renderFrame(spec, f).bytes);
  }
  EXPECT_EQ(source->read(picture.view()).state, gpu::CameraState::ended);
  EXPECT_EQ(source->read(picture.view()).state, gpu::CameraState::ended);
}

}  // namespace
}  // namespace glint
