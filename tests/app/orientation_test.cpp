// Pictures that are stored lying on their side: they are turned as players turn them.
#include "app/capture/source/orientation.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "app/output/pictures/video_writer.h"
#include "tests/app/pictures.h"

namespace glint {
namespace {

constexpr uint32_t kWide = 48, kHigh = 32;

class OrientationTest : public FolderTest {};

std::string bytesOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void putBytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// A dark picture with a bright square of 8 x 8 pixels whose first pixel is at (x, y).
cv::Mat square(int x, int y) {
  cv::Mat picture(kHigh, kWide, CV_8U, cv::Scalar(20));
  picture(cv::Rect(x, y, 8, 8)) = 220;
  return picture;
}

/// The middle of the bright square.
std::pair<int, int> brightest(const Picture& picture) {
  int sumX = 0, sumY = 0, count = 0;
  for (uint32_t y = 0; y < picture.format.height; ++y)
    for (uint32_t x = 0; x < picture.format.width; ++x)
      if (picture.value(x, y) > 150) {
        sumX += static_cast<int>(x);
        sumY += static_cast<int>(y);
        ++count;
      }
  return count == 0 ? std::pair(-1, -1) : std::pair(sumX / count, sumY / count);
}

/// Where the middle of a square at (8, 0) is shown, by the definition of Exif's Orientation: which
/// side of the shown picture the stored first row and first column are.
std::pair<int, int> expectedAt(int orientation) {
  constexpr int x = 11, y = 3;  // (8 + 15) / 2 and (0 + 7) / 2, rounded down
  constexpr int w = kWide, h = kHigh;
  const std::array<std::pair<int, int>, 9> all{{{},
                                                {x, y},              // top, left
                                                {w - 1 - x - 1, y},  // top, right
                                                {w - 1 - x - 1, h - 1 - y - 1},
                                                {x, h - 1 - y - 1},  // bottom, left
                                                {y, x},              // left, top
                                                {h - 1 - y - 1, x},  // right, top
                                                {h - 1 - y - 1, w - 1 - x - 1},
                                                {y, w - 1 - x - 1}}};  // left, bottom
  return all[static_cast<size_t>(orientation)];
}

/// Exif data with the one tag, in one of the two orders of bytes.
std::string exifOf(int orientation, bool bigEndian) {
  std::string exif = bigEndian ? std::string("MM\0*", 4) : std::string("II*\0", 4);
  const auto put = [&](uint32_t number, int count) {
    for (int i = 0; i < count; ++i)
      exif += static_cast<char>(number >> (8 * (bigEndian ? count - 1 - i : i)) & 0xFF);
  };
  put(8, 4);
  put(1, 2);
  put(0x0112, 2);
  put(3, 2);
  put(1, 4);
  put(static_cast<uint32_t>(orientation), 2);
  put(0, 2);
  put(0, 4);
  return exif;
}

TEST_F(OrientationTest, ExifTurnsJpegs) {
  cv::imwrite(path("plain.jpg"), square(8, 0));
  const std::string plain = bytesOf(path("plain.jpg"));
  for (const bool bigEndian : {false, true}) {
    for (int orientation = 1; orientation <= 8; ++orientation) {
      SCOPED_TRACE(testing::Message() << "orientation " << orientation << bigEndian);
      const std::string data = std::string("Exif\0\0", 6) + exifOf(orientation, bigEndian);
      const size_t length = data.size() + 2;
      std::string segment = "\xFF\xE1";
      segment += static_cast<char>(length >> 8);
      segment += static_cast<char>(length & 0xFF);
      putBytes(path("a.jpg"), plain.substr(0, 2) + segment + data + plain.substr(2));
      const Contents reading = readAll(path("a.jpg"));
      ASSERT_EQ(reading.pictures.size(), 1U) << reading.error;
      EXPECT_EQ(reading.pictures[0].format.width, orientation < 5 ? kWide : kHigh);
      EXPECT_EQ(brightest(reading.pictures[0]), expectedAt(orientation));
      const Contents stored = readAll(path("a.jpg?rotate=0"));
      EXPECT_EQ(brightest(stored.pictures.at(0)), expectedAt(1));
      EXPECT_EQ(brightest(readAll(path("a.jpg?rotate=90")).pictures.at(0)), expectedAt(6));
      EXPECT_EQ(brightest(readAll(path("a.jpg?rotate=180")).pictures.at(0)), expectedAt(3));
      EXPECT_EQ(brightest(readAll(path("a.jpg?rotate=270")).pictures.at(0)), expectedAt(8));
    }
  }
}

/// The nine numbers of the display matrix of the track, in the header of an MP4 file (ISO/IEC
/// 14496-12, 8.3.2): a, b, u, c, d, v, x, y, w.
void setMatrix(const std::string& file, const std::array<int, 4>& turn) {
  std::string bytes = bytesOf(file);
  const size_t header = bytes.find("tkhd");
  ASSERT_NE(header, std::string::npos);
  ASSERT_EQ(bytes[header + 4], 0) << "a header of version 0";
  const size_t matrix = header + 4 + 40;
  const auto put = [&](size_t index, int32_t value) {
    for (size_t i = 0; i < 4; ++i)
      bytes[matrix + 4 * index + i] =
          static_cast<char>(static_cast<uint32_t>(value) >> (24 - 8 * i) & 0xFF);
  };
  put(0, turn[0] * 65536);
  put(1, turn[1] * 65536);
  put(3, turn[2] * 65536);
  put(4, turn[3] * 65536);
  putBytes(file, bytes);
}

TEST_F(OrientationTest, TheDisplayMatrixTurnsVideos) {
  struct Row {
    std::array<int, 4> matrix;
    int orientation;  ///< of Exif, which shows the same
  };
  // (x', y') = (a x + c y, b x + d y), y downwards.
  for (const Row& row : {Row{{1, 0, 0, 1}, 1},
                         {{-1, 0, 0, 1}, 2},
                         {{-1, 0, 0, -1}, 3},
                         {{1, 0, 0, -1}, 4},
                         {{0, 1, 1, 0}, 5},
                         {{0, 1, -1, 0}, 6},
                         {{0, -1, -1, 0}, 7},
                         {{0, -1, 1, 0}, 8}}) {
    SCOPED_TRACE(row.orientation);
    const std::string file = path("phone.mp4");
    const gpu::ImageFormat format{kWide, kHigh, 1, 8};
    output::VideoWriter writer(file, format, 30);
    for (int n = 0; n < 5; ++n) {
      cv::Mat picture = square(8, 0);
      writer.write({format, reinterpret_cast<std::byte*>(picture.data), kWide}, n / 30.0);
    }
    writer.finish();
    setMatrix(file, row.matrix);
    const Contents reading = readAll(file);
    ASSERT_EQ(reading.pictures.size(), 5U) << reading.error;
    EXPECT_EQ(reading.pictures[4].format.width, row.orientation < 5 ? kWide : kHigh);
    const auto found = brightest(reading.pictures[4]), expected = expectedAt(row.orientation);
    EXPECT_NEAR(found.first, expected.first, 1);
    EXPECT_NEAR(found.second, expected.second, 1);
    const auto source = capture::openSource(Address(file));
    EXPECT_EQ(source->summary().orientation,
              capture::wordsOf(static_cast<capture::Orientation>(row.orientation)));
    EXPECT_EQ(brightest(readAll(file + "?rotate=0").pictures.at(3)).first, expectedAt(1).first);
    // After a seek, too.
    Picture picture(source->format());
    source->seek(FrameNumber(3));
    EXPECT_EQ(source->read(picture.view()).stamp.sequence.value(), 3U);
    EXPECT_NEAR(brightest(picture).second, expected.second, 1);
  }
}

TEST_F(OrientationTest, TheRateOfVideosCanBeSet) {
  const gpu::ImageFormat format{kWide, kHigh, 1, 8};
  output::VideoWriter writer(path("slow.mp4"), format, 30);
  for (int n = 0; n < 4; ++n) {
    cv::Mat picture = square(8, n);
    writer.write({format, reinterpret_cast<std::byte*>(picture.data), kWide}, n / 30.0);
  }
  writer.finish();
  EXPECT_EQ(readAll(path("slow.mp4?fps=240")).times,
            (std::vector<double>{0, 1.0 / 240, 2.0 / 240, 3.0 / 240}));
  EXPECT_EQ(capture::openSource(Address(path("slow.mp4?fps=240")))->summary().rateFrom,
            "as ?fps says");
  EXPECT_THROW(capture::openSource(Address(path("slow.mp4?channel=1"))), UsageError);
  EXPECT_THROW(capture::openSource(Address(path("slow.mp4?stream=1"))), UsageError);
}

}  // namespace
}  // namespace glint
