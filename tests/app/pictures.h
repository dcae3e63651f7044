// Provides pictures, folders and readers for the tests of capture and export.
#pragma once

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "app/capture/source/source_kinds.h"
#include "config/error.h"
#include "tests/numbers.h"

namespace glint {

/// A picture whose rows are longer than the format needs. The padding behind each row has a known
/// filling.
struct Picture {
  explicit Picture(const gpu::ImageFormat& f)
      : format(f),
        pitch(size_t{f.width} * f.bytesPerPixel() + kPadding),
        bytes(pitch * f.height, kFilling) {}

  gpu::ImageView view() { return {format, bytes.data(), pitch}; }
  int value(uint32_t x, uint32_t y, uint32_t channel = 0) const {
    const std::byte* at =
        bytes.data() + y * pitch + (x * format.channels + channel) * (format.bits / 8);
    if (format.bits == 8) return std::to_integer<int>(*at);
    uint16_t wide = 0;
    std::memcpy(&wide, at, 2);
    return wide;
  }
  bool paddingIsIntact() const {
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (i % pitch >= pitch - kPadding && bytes[i] != kFilling) return false;
    }
    return true;
  }

  static constexpr size_t kPadding = 22;  // The padding is even, so that 16-bit rows stay aligned.
  static constexpr std::byte kFilling{0xA5};
  gpu::ImageFormat format;
  size_t pitch;
  std::vector<std::byte> bytes;
};

inline Picture noise(const gpu::ImageFormat& format, uint32_t seed) {
  Picture picture(format);
  std::mt19937 random(seed);
  const size_t rowBytes = picture.pitch - Picture::kPadding;
  for (uint32_t y = 0; y < format.height; ++y) {
    for (size_t i = 0; i < rowBytes; ++i) {
      picture.view().row(y)[i] = static_cast<std::byte>(random() & 0xFF);
    }
  }
  return picture;
}

/// The pictures that a source gave until it ended or failed.
struct Contents {
  std::vector<Picture> pictures;
  std::vector<double> times;
  std::vector<uint64_t> numbers;  ///< of the frames
  std::string error;              ///< what() of the Error; empty at a regular end
};

inline Contents readAll(const std::string& spec) {
  Contents reading;
  try {
    const auto source = capture::openSource(Address(spec));
    for (;;) {
      Picture picture(source->format());
      const capture::Reading read = source->read(picture.view());
      if (read.gap) continue;
      if (read.state != gpu::CameraState::frame) break;
      if (!reading.numbers.empty()) {
        EXPECT_GT(read.stamp.sequence.value(), reading.numbers.back());
      }
      reading.numbers.push_back(read.stamp.sequence.value());
      EXPECT_TRUE(picture.paddingIsIntact());
      reading.pictures.push_back(std::move(picture));
      reading.times.push_back(read.stamp.time);
    }
  } catch (const Error& error) {
    reading.error = error.what();
  }
  return reading;
}

/// A test with a folder of its own, which is removed afterwards.
class FolderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "glint-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

}  // namespace glint
