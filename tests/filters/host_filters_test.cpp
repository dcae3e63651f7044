// Runs the tests of filters with those that the host computes, and says which these are.
#include "app/capture/filter/host_filters.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "config/filter_use.h"
#include "gpu/filters/filter_run.h"
#include "tests/filters/filter_rig.h"

namespace glint {
namespace {

/// Makes the device of this program one with filters of the host. The other tests of the program
/// compare these with the same references as they compare kernels in the program without this file.
const bool hosted = [] {
  test::useHostFilters(capture::hostFilters());
  return true;
}();

/// Returns true if the host computes the filter for images of this format.
bool onHost(const std::string& text, const gpu::ImageFormat& image) {
  const FilterUse use = filters::parseUse(text, "--filters");
  const auto& head = filters::catalog().get(use.name, "filters").head;
  return bool{test::device().hostFilters()->find(head, use.values, image)};
}

TEST(HostFilters, AreThoseWithEqualResults) {
  ASSERT_TRUE(hosted);
  if (test::device().info().type != "cpu") {
    EXPECT_EQ(test::device().hostFilters(), nullptr);
    GTEST_SKIP() << "kernels compute all filters on this device";
  }
  const gpu::ImageFormat grey{64, 48, 1, 8}, colour{64, 48, 3, 8}, deep{64, 48, 1, 16};
  for (const char* use : {"box:radius=6", "median:radius=2", "morphology:op=tophat:size=31"}) {
    EXPECT_TRUE(onHost(use, grey)) << use;
    EXPECT_TRUE(onHost(use, colour)) << use;
    EXPECT_TRUE(onHost(use, deep)) << use;
  }
  for (const char* use : {"box:radius=63", "median:radius=7", "canny:low=20", "adaptive_threshold"})
    EXPECT_TRUE(onHost(use, grey)) << use;
  for (const char* use : {"box:radius=7", "median:radius=3", "canny", "adaptive_threshold"})
    EXPECT_FALSE(onHost(use, deep)) << use;
  for (const char* use : {"canny:sigma=1", "bilateral", "lbp", "average"})
    EXPECT_FALSE(onHost(use, grey)) << use;
}

TEST(HostFilters, RunInsteadOfKernels) {
  if (test::device().info().type != "cpu") GTEST_SKIP() << "kernels compute all filters";
  const gpu::FrameFormat format{{61, 40, 1, 8}, 1};
  const auto uses = test::chainOf({"box:radius=2", "gaussian:sigma=1", "brightness:amount=0.1"});
  gpu::FilterRun run(test::device(), format, uses, nullptr, {"", false, {}});
  const auto slot = std::move(gpu::makeSlots(test::device(), format, 1)[0]);
  slot->set(0, {.sequence = FrameNumber(0)});
  run.run(*slot, uses);
  std::vector<std::string> names;
  for (const gpu::PassTime& time : run.times()) names.push_back(time.name);
  EXPECT_EQ(names.front(), "box");
  EXPECT_EQ(std::ranges::count(names, "point"), 1);
  EXPECT_GT(std::ranges::count_if(names, [](const auto& n) { return n.starts_with("gaussian"); }),
            0);
}

}  // namespace
}  // namespace glint
