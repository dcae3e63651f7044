// Tests files that are damaged or cut off: no frame may be missing without a message.
#include <algorithm>
#include <fstream>
#include <random>

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "app/capture/video/demuxer.h"
#include "app/capture/video/recorded_stamp.h"
#include "app/output/pictures/video_writer.h"
#include "tests/app/clips.h"
#include "tests/app/pictures.h"

namespace glint {
namespace {

namespace fs = std::filesystem;
using test::Clip;

void save(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The place of a packet's data in a file.
struct Place {
  size_t at, size;
};

std::vector<Place> packetPlaces(const std::string& path) {
  capture::Demuxer demuxer(Address(path), false);
  const capture::libav::Packet packet(av_packet_alloc());
  std::vector<Place> places;
  const std::string bytes = test::load(path);
  while (demuxer.read(*packet)) {
    // The container states where a packet's own header begins. The data follows it.
    const std::string data(reinterpret_cast<const char*>(packet->data),
                           static_cast<size_t>(packet->size));
    const size_t at = bytes.find(data, static_cast<size_t>(packet->pos));
    EXPECT_NE(at, std::string::npos);
    places.push_back({at, data.size()});
    av_packet_unref(packet.get());
  }
  return places;
}

class DamageTest : public FolderTest {
 protected:
  void flipBits();
};

bool areEqual(const Contents& part, const Contents& whole) {
  for (size_t n = 0; n < part.pictures.size(); ++n)
    if (part.pictures[n].bytes != whole.pictures[n].bytes) return false;
  return true;
}

TEST_F(DamageTest, BeforeTheFirstPictureHasLeftTheDecoder) {
  test::writeClip(path("a.mp4"), {.frames = 60, .bFrames = 3});
  const Contents whole = readAll(path("a.mp4"));
  ASSERT_EQ(whole.error, "");
  const std::string bytes = test::load(path("a.mp4"));
  const auto places = packetPlaces(path("a.mp4"));
  ASSERT_EQ(places.size(), 60U);
  for (size_t n = 1; n < 20; ++n) {
    std::string damaged = bytes;
    // The whole picture is overwritten except its length and type.
    std::fill_n(damaged.begin() + static_cast<ptrdiff_t>(places[n].at) + 5, places[n].size - 5,
                '\0');
    save(path("b.mp4"), damaged);
    const Contents read = readAll(path("b.mp4"));
    EXPECT_NE(read.error.find("is damaged: "), std::string::npos) << "packet " << n;
  }
}

/// Flips one bit in every third of the 30 packets of a.mkv.
void DamageTest::flipBits() {
  const Contents whole = readAll(path("a.mkv"));
  ASSERT_EQ(whole.error, "");
  const std::string bytes = test::load(path("a.mkv"));
  const auto places = packetPlaces(path("a.mkv"));
  ASSERT_EQ(places.size(), 30U);
  for (size_t n = 0; n < places.size(); n += 3) {
    std::string damaged = bytes;
    damaged[places[n].at + places[n].size / 2] ^= 4;
    save(path("b.mkv"), damaged);
    const Contents read = readAll(path("b.mkv"));
    EXPECT_NE(read.error, "") << "packet " << n;
    EXPECT_LE(read.times.size(), n);
    EXPECT_TRUE(areEqual(read, whole)) << "packet " << n;
  }
}

TEST_F(DamageTest, AFlippedBitInFfv1IsFoundByItsChecksum) {
  test::writeClip(path("a.mkv"), {.encoder = "ffv1",
                                  .encoderOptions = {{"level", "3"}, {"slicecrc", "1"}},
                                  .frames = 30,
                                  .keyInterval = 1,
                                  .grey = true});
  flipBits();
}

TEST_F(DamageTest, AFlippedBitInARawRecordingIsFoundByItsChecksum) {
  output::VideoWriter writer(path("a.mkv"), {64, 48, 1, 8}, 30, {.quality = {}, .quick = true});
  for (uint32_t n = 0; n < 30; ++n) {
    Picture picture({64, 48, 1, 8});
    std::mt19937 random(n);
    for (std::byte& byte : picture.bytes) byte = std::byte(random() % 16);
    writer.write(picture.view(), n / 30.0,
                 capture::toBytes({.set = SetIndex(n),
                                   .stamp = {.sequence = FrameNumber(n), .time = n / 30.0}}));
  }
  writer.finish();
  flipBits();
}

struct Cut {
  const char* name;
  Clip clip;
};

const Cut kRows[] = {
    {"ffv1.mkv",
     {.encoder = "ffv1",
      .encoderOptions = {{"level", "3"}, {"slicecrc", "1"}},
      .keyInterval = 1,
      .grey = true}},
    {"mjpeg.avi", {.encoder = "mjpeg"}},
    {"mjpeg.mkv", {.encoder = "mjpeg"}},
    {"sound.avi", {.encoder = "mjpeg", .sound = true}},
    {"mpeg2.ts", {.encoder = "mpeg2video", .keyInterval = 12}},
    {"fragments.mp4",
     {.encoder = "mpeg4",
      .containerOptions = {{"movflags", "frag_keyframe+empty_moov"}},
      .keyInterval = 20}},
    {"mjpeg.nut", {.encoder = "mjpeg"}},
    {"raw.y4m", {.encoder = "wrapped_avframe", .frames = 40}},
};

TEST_F(DamageTest, LostBytesNeverLoseFramesInSilence) {
  std::mt19937 random(11);
  for (const Cut& row : kRows) {
    SCOPED_TRACE(row.name);
    test::writeClip(path(row.name), row.clip);
    const Contents whole = readAll(path(row.name));
    ASSERT_EQ(whole.error, "");
    ASSERT_EQ(whole.times.size(), static_cast<size_t>(row.clip.frames));
    const std::string bytes = test::load(path(row.name));
    for (int n = 0; n < 12; ++n) {
      std::string damaged = bytes;
      damaged.erase(bytes.size() / 4 + random() % (bytes.size() / 2), 16);
      save(path("b"), damaged);
      EXPECT_NE(readAll(path("b")).error, "") << "loss " << n;
    }
  }
}

TEST_F(DamageTest, CutFilesSaySo) {
  std::mt19937 random(12);
  for (const Cut& row : kRows) {
    SCOPED_TRACE(row.name);
    test::writeClip(path(row.name), row.clip);
    const std::string bytes = test::load(path(row.name));
    for (int n = 0; n < 12; ++n) {
      const size_t length = bytes.size() / 3 + random() % (bytes.size() / 2);
      save(path("b"), bytes.substr(0, length));
      const Contents read = readAll(path("b"));
      EXPECT_NE(read.error.find("is cut short: "), std::string::npos) << length << read.error;
      EXPECT_GT(read.times.size(), static_cast<size_t>(row.clip.frames) / 5);
    }
  }
}

TEST_F(DamageTest, ARecordingThatBeginsInTheMiddleIsWhole) {
  for (const auto& [name, clip] :
       {std::pair<const char*, Clip>{"mpeg2.ts",
                                     {.encoder = "mpeg2video", .keyInterval = 12, .bFrames = 2}},
        {"x264.ts", {.keyInterval = 20, .bFrames = 3}},
        {"x264.h264", {.keyInterval = 20, .bFrames = 3}},
        {"open.ts",
         {.encoderOptions = {{"x264-params", "open-gop=1:scenecut=0"}},
         .keyInterval = 20,
         .bFrames = 3}},
        {"refresh.ts", {.encoderOptions = {{"intra-refresh", "1"}}, .keyInterval = 20}}}) {
    SCOPED_TRACE(name);
    test::writeClip(path(name), clip);
    const std::string bytes = test::load(path(name));
    const std::string part = path("part_" + std::string(name));
    // In a raw stream, the first packet of a part may hold no start code.
    for (size_t n = 0; n < (name == std::string("x264.h264") ? 60 : 1); ++n) {
      save(part, bytes.substr(bytes.size() / 3 / 188 * 188 + 17 * n));
      const Contents read = readAll(part);
      EXPECT_EQ(read.error, "") << n;
      EXPECT_GT(read.times.size(), 25U) << n;
    }
  }
}

TEST_F(DamageTest, FragmentsThatWereNotClosedSaySo) {
  Clip clip{.encoder = "mpeg4",
            .containerOptions = {{"movflags", "frag_keyframe+empty_moov"}},
            .keyInterval = 20};
  clip.namesItself = true;
  test::writeClip(path("a.mp4"), clip);
  ASSERT_EQ(readAll(path("a.mp4")).error, "");
  const std::string bytes = test::load(path("a.mp4"));
  const size_t fragment = bytes.rfind("moof") - 4;
  save(path("b.mp4"), bytes.substr(0, fragment));
  const Contents read = readAll(path("b.mp4"));
  EXPECT_EQ(read.times.size(), 100U);
  EXPECT_EQ(read.error, "'" + path("b.mp4") + "' is cut short: 100 frames could be read");
}

TEST_F(DamageTest, JpegsThatWouldBeMadeUpAreRefused) {
  cv::Mat picture(120, 160, CV_8UC3);
  cv::randu(picture, 0, 255);
  std::vector<uchar> coded;
  cv::imencode(".jpg", picture, coded);
  ASSERT_GT(coded.size(), 5000U);
  // A part of the coded data is missing: its end marker still comes, but too early.
  std::vector<uchar> holed(coded.begin(), coded.end() - 1500);
  holed.insert(holed.end(), coded.end() - 2, coded.end());
  std::ofstream(path("a.jpg"), std::ios::binary)
      .write(reinterpret_cast<const char*>(holed.data()),
             static_cast<std::streamsize>(holed.size()));
  testing::internal::CaptureStderr();
  const Contents read = readAll(path("a.jpg"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(read.error, "the image '" + path("a.jpg") + "' is cut short or damaged");
}

TEST_F(DamageTest, WholeJpegsKeepOpenCvsPixels) {
  cv::Mat colour(61, 83, CV_8UC3), grey(61, 83, CV_8U);
  cv::randu(colour, 0, 255);
  cv::randu(grey, 0, 255);
  for (const cv::Mat& picture : {colour, grey}) {
    for (const int progressive : {0, 1}) {
      cv::imwrite(path("a.jpg"), picture, {cv::IMWRITE_JPEG_PROGRESSIVE, progressive});
      const cv::Mat expected = cv::imread(path("a.jpg"), cv::IMREAD_ANYCOLOR);
      const Contents read = readAll(path("a.jpg"));
      ASSERT_EQ(read.error, "");
      const Picture& got = read.pictures.at(0);
      ASSERT_EQ(got.format.channels, static_cast<uint32_t>(expected.channels()));
      for (uint32_t y = 0; y < got.format.height; ++y) {
        const auto* row = reinterpret_cast<const std::byte*>(expected.ptr(static_cast<int>(y)));
        EXPECT_TRUE(std::equal(row, row + got.format.width * got.format.channels,
                               got.bytes.data() + y * got.pitch));
      }
    }
  }
}

}  // namespace
}  // namespace glint
