// Tests masks that are learned from a part of a recording.
#include "app/shell/desk/mask_learning.h"

#include <gtest/gtest.h>

#include "app/capture/mask/mask.h"
#include "app/capture/source/source_kinds.h"

namespace glint {
namespace {

using State = shell::MaskLearning::Progress::State;

constexpr const char* kMaskScene = "synth:spots?size=96x64&frames=30&seed=3&markers=4";

/// Returns the mask by its definition: a learner gets the frames one by one.
gpu::LayerMask learned(const Address& name, uint64_t first, uint64_t last, double share) {
  const auto source = capture::openSource(name);
  std::vector<std::byte> pixels(source->format().pixels());
  capture::MaskLearner learner(Settings(), source->format());
  const gpu::ImageView image{source->format(), pixels.data(), source->format().width};
  for (uint64_t frame = 0; source->read(image).state == gpu::CameraState::frame; ++frame)
    if (frame >= first && frame <= last) learner.add(image);
  return learner.mask(share, 3);  // The second argument is half of detect.separation, which is 6.
}

shell::MaskRequest requestFor(uint64_t first, uint64_t last) {
  return {.sources = {kMaskScene, "synth:spots?size=64x48&frames=30&seed=4&markers=5"},
          .settings = {},
          .first = first,
          .last = last,
          .share = 0.2};
}

TEST(MaskLearning, LearnsWhatTheLearnerDoesOfEachCamera) {
  for (const auto& [first, last] : {std::pair<uint64_t, uint64_t>{0, 9}, {12, 17}, {25, 100}}) {
    shell::MaskLearning learning(requestFor(first, last));
    learning.wait();
    ASSERT_EQ(learning.progress().state, State::done) << learning.progress().problem;
    const auto masks = learning.masks();
    ASSERT_EQ(masks.size(), 2U);
    for (size_t i = 0; i < 2; ++i) {
      const gpu::LayerMask expected = learned(requestFor(0, 0).sources[i], first, last, 0.2);
      EXPECT_LT(expected.measured(), expected.pixels.size()) << "something shines";
      EXPECT_EQ(masks[i].pixels, expected.pixels);
      EXPECT_EQ(masks[i].width, expected.width);
    }
  }
}

TEST(MaskLearning, EndsWhenCancelledAndTellsProblems) {
  shell::MaskLearning beyond(requestFor(30, 40));
  beyond.wait();
  EXPECT_EQ(beyond.progress().state, State::failed);
  EXPECT_NE(beyond.progress().problem.find("no frame 30"), std::string::npos);
  shell::MaskLearning missing({.sources = {"/nowhere/a.mp4"}, .settings = {}});
  missing.wait();
  EXPECT_NE(missing.progress().problem.find("/nowhere/a.mp4"), std::string::npos);
  shell::MaskLearning longOne({.sources = {"synth:spots?size=96x64&frames=1000000"},
                               .settings = {},
                               .first = 0,
                               .last = 999'999});
  longOne.cancel();
  longOne.wait();
  EXPECT_EQ(longOne.progress().state, State::cancelled);
  EXPECT_TRUE(longOne.masks().empty());
}

}  // namespace
}  // namespace glint
