// Tests the store of the latest frames of live cameras, and which frames of a lost camera it keeps.
#include "app/session/recent_frames.h"

#include <cstring>

#include <gtest/gtest.h>

#include "gpu/device.h"
#include "gpu/frame_pool.h"

namespace glint {
namespace {

/// Returns a set of two cameras whose images are one pixel with the set's index as its value. There
/// are 10 sets per second. If `lost`, the second camera is missing.
std::shared_ptr<motion::Frame> setWithPixels(gpu::FramePool& pool, uint64_t set, bool lost) {
  const std::shared_ptr<gpu::FrameSlot> slot = pool.take();
  auto frame = std::make_shared<motion::Frame>();
  frame->set = SetIndex(set);
  frame->cameras.resize(lost ? 1 : 2);
  for (uint32_t i = 0; i < frame->cameras.size(); ++i) {
    motion::CameraFrame& camera = frame->cameras[i];
    *slot->layer(i).row(0) = static_cast<std::byte>(set);
    slot->stamps[i] = camera.measured.stamp =
        gpu::FrameStamp{.time = static_cast<double>(set) / 10};
    camera.layer = i;
  }
  const gpu::FrameLease lease = slot;
  for (motion::CameraFrame& camera : frame->cameras) camera.pixels = lease;
  frame->cameras.resize(2);
  if (lost) frame->cameras[1].measured.state = gpu::CameraState::lost;
  return frame;
}

TEST(RecentFramesTest, TheLastImageOfALostCameraOutlivesItsFrames) {
  const gpu::Device device({});
  gpu::FramePool pool(device, {{1, 1, 1, 8}, 2}, 2);
  session::RecentFrames recent;
  const auto keep = [&](uint64_t set, bool lost, double seconds) {
    recent.keep(*setWithPixels(pool, set, lost), {}, seconds);
  };
  const auto imageOf = [&](size_t camera, uint64_t set) {
    const auto image = recent.imageOf(camera, SetIndex(set));
    if (!image) return std::pair(uint64_t{999}, 999);
    return std::pair(image->set.value(), static_cast<int>(image->shot.pixels->front()));
  };
  for (uint64_t set = 0; set < 40; ++set) keep(set, set >= 20, 0.55);
  EXPECT_EQ(recent.first(), SetIndex(34));
  EXPECT_EQ(imageOf(0, 36), std::pair(uint64_t{36}, 36));
  EXPECT_EQ(imageOf(1, 36), std::pair(uint64_t{19}, 19)) << "not of memory that is used again";
  EXPECT_EQ(imageOf(0, 33).first, 999U);
  // The second camera is back, and is lost again.
  for (uint64_t set = 40; set < 60; ++set) keep(set, set >= 45, 0.55);
  EXPECT_EQ(imageOf(1, 59), std::pair(uint64_t{44}, 44));
  keep(60, true, 0);
  EXPECT_TRUE(recent.empty());
  EXPECT_EQ(imageOf(1, 60).first, 999U) << "nothing is to be kept";
}

}  // namespace
}  // namespace glint
