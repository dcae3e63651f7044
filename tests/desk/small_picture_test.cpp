// Tests small pictures of large images.
#include "app/shell/desk/small_picture.h"

#include <cstring>

#include <gtest/gtest.h>

namespace glint {
namespace {

shell::SmallPicture of16Bits(const std::vector<uint16_t>& values, uint32_t width, uint32_t most) {
  std::vector<std::byte> bytes(2 * values.size());
  std::memcpy(bytes.data(), values.data(), bytes.size());
  const gpu::ImageFormat format{
      .width = width, .height = static_cast<uint32_t>(values.size()) / width, .bits = 16};
  return shell::smallPicture(
      {.format = format, .data = bytes.data(), .rowPitch = 2 * size_t{width}}, most, most);
}

TEST(SmallPicture, MeansOfBlocks) {
  const shell::SmallPicture picture = of16Bits({0, 200, 65535, 65535, 200, 0, 65535, 65535}, 4, 2);
  EXPECT_EQ(picture.block, 2U);
  EXPECT_EQ(picture.grey, (std::vector<uint8_t>{0, 255}));
}

TEST(SmallPicture, ADarkOneOf16BitsCanBeSeen) {
  const shell::SmallPicture picture = of16Bits({10, 100, 1000, 4095}, 2, 2);
  EXPECT_EQ(picture.grey, (std::vector<uint8_t>{0, 6, 62, 255})) << "12 bits are used";
  EXPECT_EQ(of16Bits({10, 100}, 2, 2).grey, (std::vector<uint8_t>{10, 100})) << "no more than 8";
}

}  // namespace
}  // namespace glint
