// Compares distances and angles with values that were worked out by hand.
#include "app/output/edit/measure.h"

#include <cmath>

#include <gtest/gtest.h>

namespace glint {
namespace {

using Places = std::vector<std::optional<output::MeasurePlace>>;

TEST(Measures, DistancesArePythagorasOwn) {
  EXPECT_EQ(output::valueOf(output::MeasureKind::distance, Places{{{1, 2}}, {{4, 6}}}), 5);
  EXPECT_EQ(output::valueOf(output::MeasureKind::distance, Places{{{1, 2}}, {{1, 2}}}), 0);
}

TEST(Measures, AnglesAreThoseAtTheSecondPoint) {
  const auto angle = [](output::MeasurePlace a, output::MeasurePlace b, output::MeasurePlace c) {
    return output::valueOf(output::MeasureKind::angle, Places{{a}, {b}, {c}}).value();
  };
  EXPECT_DOUBLE_EQ(angle({1, 0}, {0, 0}, {0, 5}), 90);
  EXPECT_DOUBLE_EQ(angle({0, 5}, {0, 0}, {1, 0}), 90);
  EXPECT_DOUBLE_EQ(angle({11, 10}, {10, 10}, {12, 12}), 45);
  EXPECT_DOUBLE_EQ(angle({-3, 0}, {0, 0}, {5, 0}), 180);
  EXPECT_EQ(angle({3, 4}, {0, 0}, {6, 8}), 0);
  // Tiny angles are as exact as large ones.
  EXPECT_NEAR(angle({1, 0}, {0, 0}, {1, 1e-9}), 1e-9 * 180 / 3.141592653589793, 1e-20);
}

TEST(Measures, NothingIsMeasuredToNowhere) {
  EXPECT_EQ(output::valueOf(output::MeasureKind::distance, Places{{{1, 2}}, std::nullopt}),
            std::nullopt);
  EXPECT_EQ(output::valueOf(output::MeasureKind::distance, Places{{{1, 2}}}), std::nullopt);
  EXPECT_EQ(output::valueOf(output::MeasureKind::angle, Places{{{1, 2}}, {{1, 2}}, {{3, 4}}}),
            std::nullopt);
  EXPECT_EQ(output::valueOf(output::MeasureKind::angle, Places{{{1, 2}}, {{3, 4}}, {{3, 4}}}),
            std::nullopt);
}

TEST(Measures, AreWrittenInPixelsAndMillimetres) {
  EXPECT_EQ(output::wordsOf(output::MeasureKind::distance, 123.44, {}), "123.4 px");
  EXPECT_EQ(output::wordsOf(output::MeasureKind::distance, 123.44, 0.1), "123.4 px, 12.34 mm");
  EXPECT_EQ(output::wordsOf(output::MeasureKind::angle, 34.56, 0.1), "34.6\u00b0");
}

}  // namespace
}  // namespace glint
