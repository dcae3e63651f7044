// Compares the frames after a seek with those of a plain read.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "app/capture/video/packet_index.h"
#include "app/output/pictures/video_writer.h"
#include "tests/app/clips.h"
#include "tests/app/pictures.h"

namespace glint {
namespace fs = std::filesystem;
namespace {

using test::Clip;

// Expects that the next read gives frame `frame` of `plain`, or the end.
void expectFrame(capture::Source& source, const Contents& plain, uint64_t frame) {
  Picture picture(source.format());
  const capture::Reading reading = source.read(picture.view());
  if (frame >= plain.times.size()) {
    EXPECT_EQ(reading.state, gpu::CameraState::ended) << "frame " << frame;
    return;
  }
  ASSERT_EQ(reading.state, gpu::CameraState::frame) << "frame " << frame;
  EXPECT_EQ(reading.stamp.sequence, frame);
  EXPECT_EQ(reading.stamp.time, plain.times[frame]);
  EXPECT_TRUE(picture.bytes == plain.pictures[frame].bytes) << "frame " << frame;
}

// Seeks at random, sometimes beyond the end, and reads some frames on now and then. All frames must
// be those of a plain read.
void expectSeeksLikePlain(const std::string& spec, int seeks, size_t frames) {
  const Contents plain = readAll(spec);
  ASSERT_EQ(plain.error, "");
  ASSERT_EQ(plain.times.size(), frames);
  const auto source = capture::openSource(Address(spec));
  ASSERT_TRUE(source->canSeek());
  std::mt19937 random(5);
  for (int n = 0; n < seeks && !testing::Test::HasFailure(); ++n) {
    const uint64_t to = random() % (frames + frames / 10 + 2);
    source->seek(FrameNumber(to));
    const uint64_t count = 1 + (random() % 4 == 0 ? random() % 7 : 0);
    for (uint64_t k = 0; k < count; ++k) {
      expectFrame(*source, plain, to + k);
      if (to + k >= frames) break;
    }
  }
  // Steps back, with a step forward now and then, over more frames than are kept.
  const uint64_t last = frames - std::min<size_t>(frames, 40);
  for (uint64_t to = frames; to-- > last && !testing::Test::HasFailure();) {
    source->seek(FrameNumber(to));
    expectFrame(*source, plain, to);
    if (to % 5 == 0) expectFrame(*source, plain, to + 1);
  }
}

struct Row {
  const char* name;
  Clip clip;
  bool trusted;  ///< True if the index finds frames without decoding.
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
      {"x264.mp4", {.bFrames = 3, .unevenTimes = true}, true},
      {"x264.mkv", {.keyInterval = 24, .bFrames = 3, .sound = true}, true},
      {"x264.mov", {.keyInterval = 31, .bFrames = 2, .sound = true}, true},
      {"open.mkv",
       {.encoderOptions = {{"x264-params", "open-gop=1:scenecut=0"}},
        .keyInterval = 20,
        .bFrames = 3},
       true},
      {"refresh.mp4", {.encoderOptions = {{"intra-refresh", "1"}}, .keyInterval = 20}, true},
      {"x264.ts", {.keyInterval = 25, .bFrames = 3}, true},
      {"x264.avi", {.keyInterval = 25, .bFrames = 3}, false},
      {"x264.h264", {.keyInterval = 25, .bFrames = 2}, false},
      {"x264.nut", {.keyInterval = 25, .bFrames = 2}, true},
      {"fragments.mp4",
       {.containerOptions = {{"movflags", "frag_keyframe+empty_moov"}},
        .keyInterval = 25,
        .bFrames = 2},
       true},
      {"noindex.mkv", {.containerOptions = {{"live", "1"}}, .keyInterval = 25, .bFrames = 2}, true},
      {"x265.mkv",
       {.encoder = "libx265",
        .encoderOptions = {{"x265-params", "open-gop=1:log-level=none:pools=1:frame-threads=1"}},
        .keyInterval = 25,
        .bFrames = 3},
       true},
      {"ffv1.mkv", {.encoder = "ffv1", .keyInterval = 12, .grey = true}, true},
      {"mjpeg.avi", {.encoder = "mjpeg"}, true},
      {"raw.mjpeg", {.encoder = "mjpeg"}, true},
      {"mpeg4.avi", {.encoder = "mpeg4", .keyInterval = 15, .bFrames = 2}, false},
      {"mpeg4.mkv", {.encoder = "mpeg4", .keyInterval = 15, .bFrames = 2}, true},
      {"mpeg2.mpg", {.encoder = "mpeg2video", .keyInterval = 15, .bFrames = 2}, false},
      {"mpeg2.ts", {.encoder = "mpeg2video", .keyInterval = 15, .bFrames = 2}, true},
      {"vp8.webm",
       {.encoder = "libvpx",
        .encoderOptions = {{"auto-alt-ref", "1"}, {"lag-in-frames", "16"}, {"cpu-used", "8"}},
        .keyInterval = 40},
       true},
      {"vp9.webm",
       {.encoder = "libvpx-vp9",
        .encoderOptions = {{"auto-alt-ref", "1"}, {"lag-in-frames", "16"}, {"cpu-used", "8"}},
        .keyInterval = 40},
       true},
      {"raw.y4m", {.encoder = "wrapped_avframe"}, true},
  };
  return all;
}

class SeekTest : public FolderTest {};

TEST_F(SeekTest, VideosOfAllKinds) {
  int seeks = 200;  // The first kinds are tried this often, and later kinds less often.
  for (const Row& row : rows()) {
    SCOPED_TRACE(row.name);
    if (!test::canEncode(row.clip.encoder)) continue;
    test::writeClip(path(row.name), row.clip);
    expectSeeksLikePlain(path(row.name), seeks, static_cast<size_t>(row.clip.frames));
    seeks = std::max(20, seeks / 2);
    capture::Demuxer demuxer(Address(path(row.name)), false);
    EXPECT_EQ(capture::PacketIndex(demuxer).isTrusted(), row.trusted);
    fs::remove(path(row.name));
  }
}

TEST_F(SeekTest, WhatTheVideoWriterWrites) {
  const gpu::ImageFormat format{64, 48, 1, 8};
  for (const char* name : {"a.mp4", "a.avi", "a.mkv"}) {
    SCOPED_TRACE(name);
    output::VideoWriter writer(path(name), format, 30);
    double time = 0;
    for (uint32_t n = 0; n < 70; ++n, time += n % 7 == 0 ? 0.1 : 1 / 30.0) {
      Picture picture = noise(format, n);
      writer.write(picture.view(), time);
    }
    writer.finish();
    expectSeeksLikePlain(path(name), 60, 70);
  }
}

TEST_F(SeekTest, ImagesAndScenes) {
  for (int n = 0; n < 12; ++n) {
    const Picture picture = noise({33, 20, 1, 8}, static_cast<uint32_t>(n));
    std::ofstream file(path("shot" + std::to_string(n) + ".pgm"), std::ios::binary);
    file << "P5 33 20 255\n";
    for (uint32_t y = 0; y < 20; ++y)
      file.write(reinterpret_cast<const char*>(picture.bytes.data() + y * picture.pitch), 33);
  }
  expectSeeksLikePlain(folder_.string(), 60, 12);
  expectSeeksLikePlain(path("shot%d.pgm?fps=7"), 60, 12);
  expectSeeksLikePlain(path("shot3.pgm"), 10, 1);
  expectSeeksLikePlain("synth:dancer?size=96x54&frames=9&cameras=1", 30, 9);
}

TEST_F(SeekTest, ACutFileIsCutAfterASeekToo) {
  for (const char* name : {"a.mkv", "a.avi"}) {
    SCOPED_TRACE(name);
    test::writeClip(path(name), {.encoder = "mjpeg"});
    fs::resize_file(path(name), fs::file_size(path(name)) * 6 / 10);
    const Contents plain = readAll(path(name));
    ASSERT_NE(plain.error, "");
    ASSERT_GT(plain.times.size(), 40U);
    const auto source = capture::openSource(Address(path(name)));
    Picture picture(source->format());
    const auto errorAt = [&](uint64_t frame) {
      source->seek(FrameNumber(frame));
      try {
        source->read(picture.view());
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    for (const uint64_t frame : {30U, 39U, 3U, 17U}) {
      source->seek(FrameNumber(frame));
      expectFrame(*source, plain, frame);
      EXPECT_EQ(errorAt(plain.times.size()), plain.error);
      EXPECT_EQ(errorAt(plain.times.size() + 50), plain.error);
    }
  }
}

TEST_F(SeekTest, BeforeDamageFramesAreAsEverAndBehindItNeverWrong) {
  test::writeClip(path("a.mkv"), {.keyInterval = 15, .bFrames = 2});
  const Contents whole = readAll(path("a.mkv"));
  std::fstream file(path("a.mkv"), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(fs::file_size(path("a.mkv")) / 2));
  file << std::string(300, '\x55');
  file.close();
  const Contents plain = readAll(path("a.mkv"));
  ASSERT_NE(plain.error, "");
  ASSERT_GT(plain.times.size(), 20U);
  const auto source = capture::openSource(Address(path("a.mkv")));
  std::mt19937 random(3);
  for (int n = 0; n < 60; ++n) {
    const uint64_t frame = random() % 120;
    SCOPED_TRACE(frame);
    source->seek(FrameNumber(frame));
    Picture picture(source->format());
    try {
      const capture::Reading reading = source->read(picture.view());
      ASSERT_EQ(reading.state, gpu::CameraState::frame);
      EXPECT_EQ(reading.stamp.time, whole.times[frame]);
      EXPECT_TRUE(picture.bytes == whole.pictures[frame].bytes);
    } catch (const Error&) {
      EXPECT_GE(frame, plain.times.size());
    }
  }
}

}  // namespace
}  // namespace glint
