// Frames that are uploaded while they are written arrive unchanged.
#include "gpu/early_upload.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/detect/detector.h"
#include "gpu/frame_upload.h"
#include "tests/gpu/rig.h"

namespace glint {
namespace {

const gpu::FrameFormat kEarlyFormat{{123, 77, 1, 8}, 3};

size_t bytesOf(const gpu::FrameFormat& format) {
  return gpu::planeBytes(gpu::planeShape(format.image), format.layers);
}

/// Takes a slot whose frames are uploaded in pieces, also on devices that share the host's memory.
std::shared_ptr<gpu::FrameSlot> takeEarly(gpu::FramePool& pool, size_t piece) {
  std::shared_ptr<gpu::FrameSlot> slot = pool.take();
  if (!slot->early)
    slot->early = std::make_unique<gpu::EarlyUpload>(test::device(), slot->buffer,
                                                     bytesOf(slot->format), piece);
  return slot;
}

/// Writes a frame row by row, and reports the progress after every `step` rows of a layer. Returns
/// the number of bytes that were reported.
size_t writeFrame(gpu::FrameSlot& slot, uint32_t seed, uint32_t step) {
  size_t writtenBytes = 0;
  for (uint32_t layer = 0; layer < slot.format.layers; ++layer) {
    const gpu::ImageView view = slot.layer(layer);
    for (uint32_t y = 0; y < view.format.height; ++y) {
      for (uint32_t x = 0; x < view.format.width; ++x)
        view.row(y)[x] =
            static_cast<std::byte>((x + 131 * y + 7 * layer + seed) * 2654435761U >> 13);
      if ((y + 1) % step != 0) continue;
      slot.written(layer, y + 1);
      writtenBytes = static_cast<size_t>(view.row(y + 1) - slot.buffer.mapped().data());
    }
    slot.set(layer, gpu::FrameStamp{});
  }
  return writtenBytes;
}

/// Returns the bytes that a pass would find on the device.
std::vector<std::byte> arrived(const gpu::FrameUpload& upload, const gpu::FrameSlot& slot) {
  const size_t bytes = bytesOf(slot.format);
  const gpu::Buffer there(test::device(), bytes, gpu::MemoryUse::readback, "what arrived");
  test::runNow([&](gpu::Recorder& recorder) {
    recorder.copy(*upload.record(recorder, slot, true).source.buffer, there, bytes);
  });
  return {there.mapped().begin(), there.mapped().begin() + static_cast<std::ptrdiff_t>(bytes)};
}

void expectArrived(const gpu::FrameUpload& upload, const gpu::FrameSlot& slot) {
  const auto got = arrived(upload, slot);
  EXPECT_EQ(std::memcmp(got.data(), slot.buffer.mapped().data(), got.size()), 0);
}

TEST(EarlyUpload, FramesArriveInPiecesOfAllSizes) {
  const gpu::FrameUpload upload(test::device(), kEarlyFormat, test::passes(8));
  const size_t bytes = bytesOf(kEarlyFormat);
  for (const size_t piece : {size_t{64}, size_t{1000}, bytes / 4, bytes - 1, bytes, 2 * bytes}) {
    SCOPED_TRACE("pieces of " + std::to_string(piece));
    gpu::FramePool pool(test::device(), kEarlyFormat, 1);
    for (uint32_t n = 0; n < 3; ++n) {
      const auto slot = takeEarly(pool, piece);
      EXPECT_EQ(slot->early->sent(), 0);
      const size_t writtenBytes = writeFrame(*slot, n, 1 + 10 * n);
      EXPECT_EQ(slot->early->sent(), std::min(writtenBytes / piece, (bytes - 1) / piece) * piece);
      expectArrived(upload, *slot);
      expectArrived(upload, *slot);  // the second time as frame 0, which is measured in advance
    }
  }
}

TEST(EarlyUpload, AFrameThatNobodyUsedLeavesNothingBehind) {
  const gpu::FrameUpload upload(test::device(), kEarlyFormat, test::passes(8));
  gpu::FramePool pool(test::device(), kEarlyFormat, 1);
  for (uint32_t n = 0; n < 20; ++n) {
    const auto slot = takeEarly(pool, 512);
    writeFrame(*slot, n, n % 2 == 0 ? 5 : 1000);  // 1000: the progress is never reported
    if (n % 4 > 1) expectArrived(upload, *slot);
  }
}

TEST(EarlyUpload, MarkersAreTheSame) {
  gpu::DetectionConfig config;
  test::edit(config).detect.threshold = 0.4;
  test::edit(config).detect.separation = 4.5;
  gpu::FramePool whole(test::device(), kEarlyFormat, 1), early(test::device(), kEarlyFormat, 1);
  gpu::Detector detector(test::device(), kEarlyFormat, {});
  const auto feedback = gpu::makeFeedback(*config.settings, kEarlyFormat.image,
                                          std::vector<gpu::LayerExpectation>(kEarlyFormat.layers));
  const auto detect = [&](const gpu::FrameLease& frame) {
    detector.submit(frame, config, feedback);
    return detector.collect().value().layers;
  };
  for (const auto& pattern : test::patterns()) {
    SCOPED_TRACE(pattern.name);
    const gpu::FrameLease frame =
        test::lease(whole, test::makeImages(pattern, kEarlyFormat.image, kEarlyFormat.layers));
    const auto want = detect(frame);
    const auto slot = takeEarly(early, 1024);
    for (uint32_t layer = 0; layer < kEarlyFormat.layers; ++layer) {
      const gpu::ImageView from = frame->layer(layer), to = slot->layer(layer);
      for (uint32_t y = 0; y < to.format.height; ++y) {
        std::memcpy(to.row(y), from.row(y), to.format.width);
        slot->written(layer, y + 1);
      }
      slot->set(layer, gpu::FrameStamp{});
    }
    ASSERT_GT(slot->early->sent(), 0);
    const auto got = detect(slot);
    for (size_t layer = 0; layer < want.size(); ++layer) {
      EXPECT_EQ(
          std::memcmp(&got[layer].response, &want[layer].response, sizeof(shared::PlaneStatistics)),
          0);
      ASSERT_EQ(got[layer].markers.size(), want[layer].markers.size());
      for (size_t k = 0; k < want[layer].markers.size(); ++k)
        EXPECT_EQ(
            std::memcmp(&got[layer].markers[k], &want[layer].markers[k], sizeof(shared::Detection)),
            0);
    }
  }
}

TEST(EarlyUpload, SlotsHaveItWhereItPays) {
  const gpu::FrameFormat small{{640, 480, 1, 8}, 1}, large{{1920, 1080, 1, 8}, 1};
  const auto has = [](const gpu::FrameFormat& format, gpu::Upload upload) {
    return gpu::makeSlots(test::device(), format, 1, upload).front()->early != nullptr;
  };
  EXPECT_FALSE(has(small, gpu::Upload::early));
  EXPECT_FALSE(has(large, gpu::Upload::whole));
  EXPECT_EQ(has(large, gpu::Upload::early), !test::device().unifiedMemory());
}

TEST(EarlyUpload, MayOutliveItsDevice) {
  std::unique_ptr<gpu::FrameSlot> slot;
  {
    const gpu::Device device({.name = std::to_string(test::device().info().index),
                              .cacheFolder = "",
                              .wroteBeside = test::failOfGuards});
    slot = std::move(gpu::makeSlots(device, kEarlyFormat, 1).front());
    slot->early =
        std::make_unique<gpu::EarlyUpload>(device, slot->buffer, bytesOf(kEarlyFormat), 64);
    writeFrame(*slot, 1, 1);
  }
  EXPECT_GT(slot->early->sent(), 0);
}

}  // namespace
}  // namespace glint
