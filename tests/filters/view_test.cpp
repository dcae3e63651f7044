// Tests the view of one filter's plane while the chain runs.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/filters/filter_rig.h"

namespace glint {
namespace {

using test::ChainRig, test::chainOf;

/// The chain has fused point filters, filters that make no plane of their own, a part of the frame,
/// planes whose buffers are used again, and a filter that remembers frames.
TEST(FilterViews, AreThePlanesAndChangeNothing) {
  for (const uint32_t channels : {1U, 3U}) {
    const gpu::FrameFormat format{{61, 40, channels, 8}, 2};
    const auto uses = chainOf({"first=average", "brightness:amount=0.1", "contrast:factor=1.5",
                               "level=brightness:amount=light.mean*0.1", "light=average", "median",
                               "still=background", "gamma:gamma=2", "box",
                               "part=crop:size_x=0.5:size_y=0.4", "last=invert"});
    for (const FilterUse& use : uses) {
      SCOPED_TRACE(use.id);
      ChainRig plain(format, uses), keeping(format, uses, nullptr, use.id), viewing(format, uses);
      for (uint64_t n = 0; n < 3; ++n) {
        const auto images = test::makeImages(test::patterns()[n == 1 ? 0 : 7], format.image, 2);
        const auto expected = plain.run(images, n), kept = keeping.run(images, n);
        const auto got = viewing.run(images, n, n == 0 ? "" : use.id);
        for (size_t l = 0; l < 2; ++l) {
          EXPECT_EQ(got[l].values, expected[l].values);
          if (n == 0) continue;
          EXPECT_EQ(viewing.view()[l].format, kept[l].format);
          EXPECT_EQ(viewing.view()[l].values, kept[l].values);
        }
      }
    }
  }
}

}  // namespace
}  // namespace glint
