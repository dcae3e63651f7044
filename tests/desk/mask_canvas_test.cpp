// Compares painted masks with definitions pixel by pixel.
#include "app/shell/desk/mask_canvas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "app/capture/mask/mask.h"
#include "config/error.h"
#include "tests/desk/folder.h"

namespace glint {
namespace {

using Ink = shell::MaskCanvas::Ink;

/// Expects that exactly those pixels are ignored for which `ignored` returns true.
void expectIgnored(const shell::MaskCanvas& canvas,
                   const std::function<bool(double, double)>& ignored) {
  size_t count = 0;
  for (uint32_t y = 0; y < canvas.height(); ++y) {
    for (uint32_t x = 0; x < canvas.width(); ++x) {
      const bool expected = ignored(x, y);
      count += expected ? 1 : 0;
      ASSERT_EQ(canvas.measured(x, y), !expected) << x << ", " << y;
    }
  }
  EXPECT_EQ(canvas.ignored(), count);
}

TEST(MaskCanvas, ABrushCoversWhatIsNearItsLine) {
  for (const auto& [x0, y0, x1, y1] :
       {std::array{5.0, 5.0, 5.0, 5.0}, std::array{2.3, 4.9, 30.1, 17.2},
        std::array{30.0, 3.0, 4.0, 3.0}, std::array{-10.0, 10.0, 60.0, 12.0}}) {
    shell::MaskCanvas canvas(41, 23);
    canvas.brush(x0, y0, x1, y1, 3.5, Ink::ignore);
    // The distance to the nearest of many points of the line.
    const auto near = [&, ax = x0, ay = y0, bx = x1, by = y1](double x, double y) {
      double least = 1e9;
      for (int i = 0; i <= 4000; ++i) {
        const double t = i / 4000.0;
        least = std::min(least, std::hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)));
      }
      return least;
    };
    for (uint32_t y = 0; y < canvas.height(); ++y) {
      for (uint32_t x = 0; x < canvas.width(); ++x) {
        const double distance = near(x, y);
        if (std::abs(distance - 3.5) < 1e-3) continue;
        ASSERT_EQ(canvas.measured(x, y), distance > 3.5) << x << ", " << y;
      }
    }
  }
}

TEST(MaskCanvas, ARectangleHasItsEdgesAndAnyCornersAndIsCutOff) {
  shell::MaskCanvas canvas(20, 10);
  canvas.rectangle(7, 8, 2.5, 3, Ink::ignore);
  expectIgnored(canvas, [](double x, double y) { return x >= 2.5 && x <= 7 && y >= 3 && y <= 8; });
  canvas.rectangle(-5, 5, 100, 100, Ink::measure);
  expectIgnored(canvas, [](double x, double y) { return x >= 2.5 && x <= 7 && y >= 3 && y < 5; });
  const uint64_t revision = canvas.revision();
  canvas.rectangle(50, 50, 60, 60, Ink::ignore);
  canvas.rectangle(4.2, 3.2, 4.8, 3.8, Ink::measure);
  EXPECT_EQ(canvas.revision(), revision) << "no pixel's centre is in it";
}

TEST(MaskCanvas, InvertsAndClears) {
  shell::MaskCanvas canvas(9, 7);
  canvas.rectangle(0, 0, 3, 3, Ink::ignore);
  canvas.invert();
  expectIgnored(canvas, [](double x, double y) { return x > 3 || y > 3; });
  canvas.clear();
  expectIgnored(canvas, [](double, double) { return false; });
  EXPECT_TRUE(canvas.undo());
  expectIgnored(canvas, [](double x, double y) { return x > 3 || y > 3; });
}

TEST(MaskCanvas, ADragIsOneStroke) {
  shell::MaskCanvas canvas(40, 40);
  canvas.beginStroke();
  for (int i = 0; i < 10; ++i) canvas.brush(i, i, i + 1, i + 1, 2, Ink::ignore);
  canvas.endStroke();
  EXPECT_GT(canvas.ignored(), 0U);
  EXPECT_TRUE(canvas.undo());
  EXPECT_EQ(canvas.ignored(), 0U);
  EXPECT_FALSE(canvas.undo());
}

TEST(MaskCanvas, WhatChangesNothingIsNoStroke) {
  shell::MaskCanvas canvas(10, 10);
  canvas.clear();
  canvas.brush(5, 5, 5, 5, 2, Ink::measure);
  EXPECT_FALSE(canvas.canUndo());
}

/// Undo and redo are compared with copies of the whole mask.
TEST(MaskCanvas, UndoAndRedoOfRandomStrokesGiveEveryMaskBack) {
  std::mt19937 random(11);
  const auto number = [&](double most) {
    return std::uniform_real_distribution(-5.0, most)(random);
  };
  shell::MaskCanvas canvas(37, 29);
  std::vector<std::vector<uint8_t>> masks{canvas.mask().pixels};
  while (masks.size() < 40) {
    const Ink ink = random() % 2 == 0 ? Ink::ignore : Ink::measure;
    canvas.beginStroke();
    for (auto left = random() % 3 + 1; left > 0; --left) {
      switch (random() % 4) {
        case 0:
          canvas.rectangle(number(40), number(30), number(40), number(30), ink);
          break;
        case 1:
          canvas.invert();
          break;
        default:
          canvas.brush(number(40), number(30), number(40), number(30), 3, ink);
      }
    }
    canvas.endStroke();
    if (canvas.mask().pixels != masks.back()) masks.push_back(canvas.mask().pixels);
  }
  for (size_t i = masks.size() - 1; i-- > 0;) {
    ASSERT_TRUE(canvas.undo());
    ASSERT_EQ(canvas.mask().pixels, masks[i]) << i;
  }
  EXPECT_FALSE(canvas.undo());
  for (size_t i = 1; i < masks.size(); ++i) {
    ASSERT_TRUE(canvas.redo());
    ASSERT_EQ(canvas.mask().pixels, masks[i]) << i;
  }
  EXPECT_FALSE(canvas.redo());
}

TEST(MaskCanvas, HoldsAHundredStrokes) {
  shell::MaskCanvas canvas(200, 2);
  for (int i = 0; i < 150; ++i) canvas.brush(i, 0, i, 0, 0.5, Ink::ignore);
  size_t strokes = 0;
  while (canvas.undo()) ++strokes;
  EXPECT_EQ(strokes, shell::MaskCanvas::kDeepest);
  EXPECT_EQ(canvas.ignored(), 50U);
}

TEST(MaskCanvas, TheFileIsWhatDetectMaskReads) {
  const test::Folder folder;
  const std::string file = shell::maskFileBeside(folder / "lab.toml", 1);
  EXPECT_EQ(file, folder / "lab.mask.png");
  EXPECT_EQ(shell::maskFileBeside("lab.toml", 3), "lab.mask%d.png");
  shell::MaskCanvas canvas(31, 17);
  canvas.brush(10, 10, 20, 5, 4, Ink::ignore);
  EXPECT_TRUE(canvas.unsaved());
  canvas.save(file);
  EXPECT_FALSE(canvas.unsaved());
  EXPECT_EQ(capture::loadMask(file, {31, 17}).pixels, canvas.mask().pixels);
  shell::MaskCanvas other(31, 17);
  other.load(file);
  EXPECT_EQ(other.mask().pixels, canvas.mask().pixels);
  EXPECT_FALSE(other.unsaved());
  EXPECT_TRUE(other.undo());
  EXPECT_EQ(other.ignored(), 0U);
  EXPECT_TRUE(other.unsaved());
}

TEST(MaskCanvas, RefusesWhatCannotBeAMask) {
  const test::Folder folder;
  shell::MaskCanvas canvas(31, 17);
  canvas.invert();
  EXPECT_THROW(canvas.save(folder / "all.png"), UsageError);
  EXPECT_FALSE(std::filesystem::exists(folder / "all.png"));
  canvas.undo();
  EXPECT_THROW(canvas.save(folder / "missing/a.png"), Error);
  EXPECT_THROW(canvas.load(folder / "none.png"), UsageError);
  shell::MaskCanvas other(30, 17);
  other.rectangle(0, 0, 3, 3, Ink::ignore);
  other.save(folder / "other.png");
  EXPECT_THROW(canvas.load(folder / "other.png"), UsageError);
  EXPECT_THROW(canvas.add(other.mask()), UsageError);
  EXPECT_EQ(canvas.ignored(), 0U);
}

TEST(MaskCanvas, WhatWasLearnedIsAdded) {
  shell::MaskCanvas canvas(20, 10), learned(20, 10);
  canvas.rectangle(0, 0, 4, 4, Ink::ignore);
  learned.rectangle(3, 3, 8, 8, Ink::ignore);
  canvas.add(learned.mask());
  expectIgnored(canvas, [](double x, double y) {
    return (x <= 4 && y <= 4) || (x >= 3 && x <= 8 && y >= 3 && y <= 8);
  });
  EXPECT_TRUE(canvas.undo());
  EXPECT_EQ(canvas.ignored(), 25U);
}

}  // namespace
}  // namespace glint
