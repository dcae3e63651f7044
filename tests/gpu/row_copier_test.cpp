// Images that several threads copy equal those that one thread copies.
#include "gpu/row_copier.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace glint {
namespace {

std::vector<std::byte> numbered(size_t bytes, uint32_t from) {
  std::vector<std::byte> all(bytes);
  for (size_t i = 0; i < bytes; ++i)
    all[i] = static_cast<std::byte>((i + from) * 2654435761U >> 13);
  return all;
}

/// Copies images of one format, each different from the one before, and compares every byte.
void checkCopies(gpu::RowCopier& copier, const gpu::ImageFormat& format, size_t fromPad,
                 size_t toPad) {
  const size_t row = size_t{format.width} * format.bytesPerPixel();
  const size_t pitch = row + fromPad, toPitch = row + toPad;
  for (uint32_t n = 0; n < 20; ++n) {
    const auto from = numbered(pitch * format.height, n);
    const auto before = numbered(toPitch * format.height, n + 77);
    auto to = before;
    uint32_t checked = 0;
    copier.copy(from.data(), pitch, {format, to.data(), toPitch}, [&](uint32_t rows) {
      ASSERT_GT(rows, checked);
      for (; checked < rows; ++checked)
        ASSERT_EQ(std::memcmp(&to[checked * toPitch], &from[checked * pitch], row), 0)
            << "row " << checked;
    });
    ASSERT_EQ(checked, format.height);
    for (uint32_t y = 0; y < format.height; ++y) {
      ASSERT_EQ(std::memcmp(&to[y * toPitch], &from[y * pitch], row), 0) << "row " << y;
      if (toPad == 0) continue;
      ASSERT_EQ(std::memcmp(&to[y * toPitch + row], &before[y * toPitch + row], toPad), 0)
          << "the padding of row " << y;
    }
  }
}

TEST(RowCopier, CopiesAllRowsAndNoPadding) {
  for (const uint32_t helpers : {0U, 1U, 3U}) {
    SCOPED_TRACE(std::to_string(helpers) + " helpers");
    gpu::RowCopier copier(helpers);
    checkCopies(copier, {1, 1, 1, 8}, 0, 15);
    checkCopies(copier, {1500, 801, 1, 8}, 0, 0);
    checkCopies(copier, {1500, 801, 1, 8}, 3, 4);
    checkCopies(copier, {333, 600, 3, 16}, 0, 2);
    checkCopies(copier, {200'000, 7, 1, 8}, 1, 0);  // a row is larger than a piece
  }
}

TEST(RowCopier, EndsWhetherItWasUsedOrNot) {
  for (int i = 0; i < 50; ++i) {
    gpu::RowCopier copier(3);
    if (i % 2 == 0) checkCopies(copier, {4, 4, 1, 8}, 0, 0);
  }
}

}  // namespace
}  // namespace glint
