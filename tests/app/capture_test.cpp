// Tests sources of recorded frames: which ones open, and with which message others are refused.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <png.h>

#include "app/capture/images/image_decoders.h"
#include "app/capture/images/image_file.h"
#include "app/capture/images/image_list.h"
#include "app/capture/images/image_source.h"
#include "app/output/pictures/video_writer.h"
#include "config/error.h"
#include "tests/app/pictures.h"

namespace glint {
namespace {

namespace fs = std::filesystem;

std::string load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void save(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void cut(const std::string& path, double fraction) {
  fs::resize_file(path,
                  static_cast<uintmax_t>(static_cast<double>(fs::file_size(path)) * fraction));
}

// Returns the sentence that a user sees when opening fails.
std::string openError(const std::string& spec) {
  try {
    capture::openSource(Address(spec));
  } catch (const Error& error) {
    return error.what();
  }
  return "(opened)";
}

// Writes a drifting wave with noise, so that every codec has something to compress.
void writeVideo(const std::string& path, int frames = 40) {
  const gpu::ImageFormat format{64, 48, 1, 8};
  output::VideoWriter writer(path, format, 30);
  for (int n = 0; n < frames; ++n) {
    Picture picture = noise(format, static_cast<uint32_t>(n));
    for (uint32_t y = 0; y < format.height; ++y) {
      for (uint32_t x = 0; x < format.width; ++x) {
        const int level =
            120 + static_cast<int>(60 * std::sin(x / 5.0 + n)) + (picture.value(x, y) & 15);
        picture.view().row(y)[x] = static_cast<std::byte>(level);
      }
    }
    writer.write(picture.view(), n / 30.0);
  }
  writer.finish();
}

uint32_t bigEndian(const std::string& bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
  return value;
}

// Returns the same MP4 with its index in front of the pictures, as in files that can be played
// while they are downloaded.
std::string withIndexInFront(const std::string& mp4) {
  std::string index, rest;
  for (size_t at = 0; at < mp4.size(); at += bigEndian(mp4, at)) {
    const std::string box = mp4.substr(at, bigEndian(mp4, at));
    (box.substr(4, 4) == "moov" ? index : rest) += box;
  }
  const size_t fileType = bigEndian(rest, 0);
  const size_t table = index.find("stco");
  const uint32_t chunks = bigEndian(index, table + 8);
  for (uint32_t n = 0; n < chunks; ++n) {
    const size_t at = table + 12 + size_t{n} * 4;
    const size_t moved = bigEndian(index, at) + index.size();
    for (size_t i = 0; i < 4; ++i) index[at + i] = static_cast<char>(moved >> (24 - 8 * i) & 0xFF);
  }
  return rest.substr(0, fileType) + index + rest.substr(fileType);
}

class VideoSourceTest : public FolderTest {};
class ImageSourceTest : public FolderTest {};

TEST_F(VideoSourceTest, CutFilesGiveTheirFramesAndThenAnError) {
  for (const char* name : {"a.avi", "a.mkv", "a.mp4"}) {
    SCOPED_TRACE(name);
    const std::string file = path(name);
    writeVideo(file);
    if (file.ends_with(".mp4")) save(file, withIndexInFront(load(file)));
    const Contents whole = readAll(file);
    ASSERT_EQ(whole.error, "");
    ASSERT_EQ(whole.times.size(), 40U);

    cut(file, 0.6);
    const Contents part = readAll(file);
    const size_t count = part.times.size();
    EXPECT_GT(count, 10U);
    EXPECT_LT(count, 35U);
    EXPECT_NE(part.error.find("'" + file + "' is "), std::string::npos) << part.error;
    EXPECT_NE(part.error.find(": " + std::to_string(count) + " of "), std::string::npos)
        << part.error;
    EXPECT_NE(part.error.find("40 frames could be read"), std::string::npos) << part.error;
    for (size_t n = 0; n < count; ++n) {
      // Frames are compared by their times. H.264 stores some frames before earlier ones, and these
      // may be cut off.
      const auto same = std::find(whole.times.begin(), whole.times.end(), part.times[n]);
      ASSERT_NE(same, whole.times.end());
      const auto index = static_cast<size_t>(same - whole.times.begin());
      EXPECT_GE(index, n);
      EXPECT_LT(index, n + 4);
      EXPECT_TRUE(part.pictures[n].bytes == whole.pictures[index].bytes) << "frame " << n;
    }
  }
}

TEST_F(VideoSourceTest, TheSameCutFileBreaksTheSameWay) {
  writeVideo(path("a.mp4"));
  save(path("a.mp4"), withIndexInFront(load(path("a.mp4"))));
  cut(path("a.mp4"), 0.7);
  const Contents one = readAll(path("a.mp4")), two = readAll(path("a.mp4"));
  EXPECT_NE(one.error, "");
  EXPECT_EQ(one.error, two.error);
  EXPECT_EQ(one.times, two.times);
}

TEST_F(VideoSourceTest, DamageInTheMiddleIsAnError) {
  writeVideo(path("a.mp4"));
  std::string bytes = withIndexInFront(load(path("a.mp4")));
  const auto length = static_cast<ptrdiff_t>(bytes.size());
  std::fill_n(bytes.begin() + length * 6 / 10, length / 10, '\0');
  save(path("a.mp4"), bytes);
  const Contents reading = readAll(path("a.mp4"));
  EXPECT_GT(reading.times.size(), 5U);
  EXPECT_LT(reading.times.size(), 40U);
  EXPECT_NE(reading.error.find("is damaged"), std::string::npos) << reading.error;
}

TEST_F(VideoSourceTest, AnMp4WithoutItsIndexSaysSo) {
  writeVideo(path("a.mp4"));
  cut(path("a.mp4"), 0.6);
  EXPECT_NE(openError(path("a.mp4")).find("is cut short: the index (moov)"), std::string::npos);
}

TEST_F(VideoSourceTest, RefusesWhatIsNoVideo) {
  save(path("text.mp4"), "This is a text, not a film.\n");
  save(path("text.txt"), "This is a text, not a film.\n");
  save(path("empty.mkv"), "");
  Picture garbage = noise({100, 100, 1, 8}, 1);
  save(path("garbage.avi"),
       std::string(reinterpret_cast<const char*>(garbage.bytes.data()), garbage.bytes.size()));
  for (const char* name : {"text.mp4", "text.txt", "empty.mkv", "garbage.avi"}) {
    const std::string expected = "'" + path(name) + "' is not a video";
    EXPECT_EQ(openError(path(name)).substr(0, expected.size()), expected);
  }
  EXPECT_EQ(openError(path("missing.mp4")),
            "cannot open '" + path("missing.mp4") + "': no such file or directory");
}

TEST_F(VideoSourceTest, RefusesSoundAlone) {
  // A WAV file of 8000 silent samples: RIFF, fmt (PCM, mono, 8 kHz, 8 bits), data.
  const std::string header(
      "RIFF\x64\x1f\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0"
      "\1\0\x8\0"
      "data\x40\x1f\0\0",
      44);
  save(path("sound.wav"), header + std::string(8000, '\x80'));
  EXPECT_EQ(openError(path("sound.wav")), "'" + path("sound.wav") + "' has no video stream");
}

TEST_F(VideoSourceTest, AVideoWithoutFramesIsRefusedAtOnce) {
  for (const char* name : {"a.mp4", "a.avi", "a.mkv", "b.mkv"}) {
    writeVideo(path(name), name[0] == 'a' ? 0 : 3);
    if (name[0] == 'b') fs::resize_file(path(name), load(path(name)).find("\x1F\x43\xB6\x75"));
    const std::string message = openError(path(name));
    EXPECT_EQ(message.find("'" + path(name) + "' "), 0U) << message;
    EXPECT_NE(message.find("no frame"), std::string::npos) << message;
  }
}

TEST_F(VideoSourceTest, OneFrameIsAVideo) {
  for (const char* name : {"a.mp4", "a.avi", "a.mkv"}) {
    writeVideo(path(name), 1);
    const Contents reading = readAll(path(name));
    EXPECT_EQ(reading.error, "");
    EXPECT_EQ(reading.times, std::vector<double>{0});
  }
}

TEST_F(VideoSourceTest, NamesWithOddCharactersOpen) {
  for (const char* name : {"a:b.mkv", "what?.mkv", "100%d.mkv", "http:.mkv", "\xC3\xBC b.mkv"}) {
    writeVideo(path(name), 3);
    EXPECT_EQ(readAll(path(name)).times.size(), 3U) << name;
  }
}

TEST(OpenSource, RefusesWhatIsNotThere) {
  EXPECT_THROW(capture::openSource(Address("")), UsageError);
  for (const char* spec : {"camera:999", "camera:no such camera", "/dev/video999", "gige:nobody"})
    EXPECT_THROW(capture::openSource(Address(spec)), Error) << spec;
}

cv::Mat toMat(Picture& picture) {
  const gpu::ImageFormat& f = picture.format;
  const int depth = f.bits == 8 ? CV_8U : CV_16U;
  return {static_cast<int>(f.height), static_cast<int>(f.width),
          CV_MAKETYPE(depth, static_cast<int>(f.channels)), picture.bytes.data(), picture.pitch};
}

Picture writeImage(const std::string& path, const gpu::ImageFormat& format, uint32_t seed) {
  Picture picture = noise(format, seed);
  EXPECT_TRUE(cv::imwrite(path, toMat(picture)));
  return picture;
}

constexpr gpu::ImageFormat kGrey{33, 20, 1, 8};

TEST_F(ImageSourceTest, LosslessFilesKeepEveryPixel) {
  struct Row {
    const char* suffix;
    uint32_t channels, bits;
  };
  for (const Row& row : {Row{".png", 1, 8},
                         {".png", 3, 8},
                         {".png", 1, 16},
                         {".png", 3, 16},
                         {".tif", 1, 8},
                         {".tif", 3, 8},
                         {".TIFF", 1, 16},
                         {".tif", 3, 16},
                         {".pgm", 1, 8},
                         {".pgm", 1, 16},
                         {".ppm", 3, 8},
                         {".ppm", 3, 16},
                         {".bmp", 3, 8},
                         {".bmp", 1, 8}}) {
    SCOPED_TRACE(testing::Message() << row.suffix << " " << row.channels << " x " << row.bits);
    const gpu::ImageFormat format{33, 20, row.channels, row.bits};
    const std::string file = path(std::string("a") + row.suffix);
    const Picture written = writeImage(file, format, 1);
    const auto source = capture::openSource(Address(file));
    EXPECT_EQ(source->format(), format);
    EXPECT_EQ(source->frameCount(), 1U);
    const Contents reading = readAll(file);
    EXPECT_EQ(reading.error, "");
    ASSERT_EQ(reading.pictures.size(), 1U);
    EXPECT_TRUE(reading.pictures[0].bytes == written.bytes);
  }
}

TEST_F(ImageSourceTest, JpegIsReadAndAlphaIsDropped) {
  cv::imwrite(path("a.jpg"), cv::Mat(20, 33, CV_8U, cv::Scalar(90)));
  const Contents jpeg = readAll(path("a.jpg"));
  ASSERT_EQ(jpeg.pictures.size(), 1U);
  EXPECT_EQ(jpeg.pictures[0].format, kGrey);
  EXPECT_NEAR(jpeg.pictures[0].value(5, 5), 90, 2);

  cv::imwrite(path("a.png"), cv::Mat(20, 33, CV_8UC4, cv::Scalar(10, 20, 30, 40)));
  const Contents png = readAll(path("a.png"));
  ASSERT_EQ(png.pictures.size(), 1U);
  EXPECT_EQ(png.pictures[0].format, (gpu::ImageFormat{33, 20, 3, 8}));
  for (uint32_t c = 0; c < 3; ++c) EXPECT_EQ(png.pictures[0].value(7, 7, c), 10 * (int(c) + 1));
}

TEST_F(VideoSourceTest, AChangeOfSizeIsAnError) {
  writeImage(path("1.jpg"), {64, 48, 1, 8}, 1);
  writeImage(path("2.jpg"), {80, 48, 1, 8}, 2);
  const std::string one = load(path("1.jpg")), two = load(path("2.jpg"));
  save(path("a.mjpeg"), one + one + one + two + two);
  const Contents reading = readAll(path("a.mjpeg"));
  EXPECT_EQ(reading.times.size(), 3U);
  EXPECT_NE(reading.error.find("changes at frame 3 from 64 x 48"), std::string::npos)
      << reading.error;
}

TEST_F(ImageSourceTest, AFolderIsReadInNaturalOrder) {
  std::vector<Picture> written;
  uint32_t seed = 0;
  for (const char* name : {"frame2.png", "frame10.pgm", "frame11.png", "frame100.png"}) {
    written.push_back(writeImage(path(name), kGrey, seed++));
  }
  save(path("notes.txt"), "not an image");
  save(path(".hidden.png"), "not an image");
  fs::create_directory(folder_ / "folder.png");
  const Contents reading = readAll(folder_.string() + "/");
  EXPECT_EQ(reading.error, "");
  ASSERT_EQ(reading.pictures.size(), written.size());
  for (size_t n = 0; n < written.size(); ++n) {
    EXPECT_TRUE(reading.pictures[n].bytes == written[n].bytes) << "frame " << n;
    EXPECT_DOUBLE_EQ(reading.times[n], static_cast<double>(n) / capture::kImageSequenceFps);
  }
}

TEST(NaturalOrder, ComparesNumbersByValue) {
  const std::vector<std::string> sorted{"1",
                                        "01",
                                        "2",
                                        "a",
                                        "a1b2",
                                        "a1b10",
                                        "a02",
                                        "a2b",
                                        "a10",
                                        "b",
                                        "b99999999999999999999",
                                        "b100000000000000000000"};
  for (size_t i = 0; i < sorted.size(); ++i) {
    for (size_t j = 0; j < sorted.size(); ++j) {
      if (i < 2 && j < 2) continue;  // The order of "1" and "01" is fixed but does not matter.
      EXPECT_EQ(capture::naturalLess(sorted[i], sorted[j]), i < j) << i << " " << j;
    }
  }
  EXPECT_NE(capture::naturalLess("1", "01"), capture::naturalLess("01", "1"));
}

TEST_F(ImageSourceTest, NumbersOfFilesAreNumbersOfFrames) {
  for (const int n : {98, 99, 100, 101, 104}) {
    char name[32];
    std::snprintf(name, sizeof name, "shot_%04d.png", n);
    writeImage(path(name), kGrey, static_cast<uint32_t>(n));
    fs::create_directories(folder_ / "plain");
    writeImage(path("plain/p" + std::to_string(n) + ".png"), kGrey, static_cast<uint32_t>(n));
  }
  for (const char* spec : {"shot_%04d.png", "plain/p%d.png", "plain", "plain/"}) {
    SCOPED_TRACE(spec);
    const Contents reading = readAll(path(spec) + "?fps=10");
    EXPECT_EQ(reading.error, "");
    EXPECT_EQ(reading.numbers, (std::vector<uint64_t>{98, 99, 100, 101, 104}));
    EXPECT_EQ(reading.times, (std::vector<double>{0, 0.1, 0.2, 0.3, 0.6}));
    EXPECT_TRUE(reading.pictures[4].bytes == noise(kGrey, 104).bytes);
    const auto source = capture::openSource(Address(path(spec)));
    EXPECT_EQ(source->frameCount(), 7U);
    EXPECT_EQ(source->summary().frames, 5U);
    EXPECT_EQ(source->summary().missing, "102 and 103");
    EXPECT_TRUE(source->mayHaveGaps());
    // Places are counted from 0; place 5 is a gap.
    Picture picture(kGrey);
    source->seek(FrameNumber(5));
    EXPECT_TRUE(source->read(picture.view()).gap);
    const capture::Reading last = source->read(picture.view());
    EXPECT_EQ(last.stamp.sequence.value(), 104U);
    EXPECT_EQ(last.stamp.time, 6.0 / capture::kImageSequenceFps);
    EXPECT_EQ(source->read(picture.view()).state, gpu::CameraState::ended);
  }
  EXPECT_EQ(openError(path("other_%04d.png")), "no images in '" + path("other_%04d.png") + "'");
}

TEST_F(ImageSourceTest, NumbersMayBeginAnywhere) {
  for (const int n : {20000, 20001, 20003}) writeImage(path(fmt::format("i_{}.png", n)), kGrey, 1);
  EXPECT_EQ(readAll(path("i_%d.png")).numbers, (std::vector<uint64_t>{20000, 20001, 20003}));
  // Time stamps: nearly all numbers are missing, so they are none of frames.
  for (const char* n : {"1690000000033", "1690000000067", "1690000000100"})
    writeImage(path(fmt::format("t_{}.png", n)), kGrey, 1);
  EXPECT_EQ(readAll(path("t_%d.png")).numbers, (std::vector<uint64_t>{0, 1, 2}));
  const auto remarks = capture::openSource(Address(path("t_%d.png")))->summary().remarks;
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_NE(remarks[0].find("1690000000033 to 1690000000100"), std::string::npos) << remarks[0];
}

TEST(MissingNumbers, AreNamedAsPeopleDo) {
  EXPECT_EQ(capture::missingNumbers({}), "");
  EXPECT_EQ(capture::missingNumbers({3, 4, 5}), "");
  EXPECT_EQ(capture::missingNumbers({1, 2, 3, 4, 7}), "5 and 6");
  EXPECT_EQ(capture::missingNumbers({1, 3, 7, 9}), "2, 4 to 6 and 8");
  EXPECT_EQ(capture::missingNumbers({0, 2, 4, 6, 8}, 2), "1, 3 and others");
}

TEST_F(ImageSourceTest, RecordingsInOneFolderAreToldApart) {
  for (int n = 0; n < 4; ++n)
    for (const char* camera : {"cam0", "cam1"})
      writeImage(path(fmt::format("{}_{:02}.png", camera, n)), kGrey,
                 static_cast<uint32_t>(n + (camera[3] == '1' ? 100 : 0)));
  writeImage(path("thumb.jpg"), {16, 16, 1, 8}, 1);
  const Contents reading = readAll(folder_.string());
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.numbers, (std::vector<uint64_t>{0, 1, 2, 3}));
  for (uint32_t n = 0; n < 4; ++n) EXPECT_TRUE(reading.pictures[n].bytes == noise(kGrey, n).bytes);
  const auto remarks = capture::openSource(Address(folder_.string()))->summary().remarks;
  ASSERT_EQ(remarks.size(), 2U);
  EXPECT_NE(remarks[0].find("'cam0_%02d.png' is read, and not 'cam1_%02d.png' (4 images)"),
            std::string::npos)
      << remarks[0];
  EXPECT_NE(remarks[0].find("'" + path("cam1_%02d.png") + "'"), std::string::npos) << remarks[0];
  EXPECT_EQ(remarks[1], "'thumb.jpg' is left out, since its name is unlike the others");
}

TEST_F(ImageSourceTest, UnrelatedNamesStayTogether) {
  for (const char* name : {"beach.png", "2024-01-31_12-59-58.png", "2024-01-31_12-59-59.png",
                           "2024-01-31_13-00-00.png"})
    writeImage(path(name), kGrey, 1);
  EXPECT_EQ(readAll(folder_.string()).numbers, (std::vector<uint64_t>{0, 1, 2}));
  fs::remove(path("2024-01-31_12-59-59.png"));
  fs::remove(path("2024-01-31_13-00-00.png"));
  writeImage(path("city.png"), kGrey, 1);
  EXPECT_EQ(readAll(folder_.string()).numbers, (std::vector<uint64_t>{0, 1, 2}));
}

TEST_F(ImageSourceTest, TheQuerySetsTheRate) {
  writeImage(path("a1.png"), kGrey, 1);
  writeImage(path("a2.png"), kGrey, 2);
  for (const char* spec : {"?fps=120", "/?fps=120", "/a%d.png?fps=120"}) {
    const Contents reading = readAll(folder_.string() + spec);
    EXPECT_EQ(reading.error, "");
    EXPECT_EQ(reading.times, (std::vector<double>{0, 1.0 / 120})) << spec;
  }
  for (const char* query : {"?rate=5", "?fps=", "?fps=0", "?fps=-1", "?fps=5x", "?fps=nan", "?",
                            "?fps=1e103", "?fps=1e-9"}) {
    EXPECT_THROW(capture::openSource(Address(folder_.string() + query)), UsageError) << query;
  }
}

TEST_F(ImageSourceTest, AnEmptyOrMissingFolderIsAnError) {
  EXPECT_EQ(openError(folder_.string()), "no images in '" + folder_.string() + "'");
  EXPECT_EQ(openError(path("no.png")),
            "cannot open '" + path("no.png") + "': no such file or directory");
  EXPECT_EQ(openError(path("no/")), "cannot open '" + path("no/") + "': no such file or directory");
}

TEST_F(ImageSourceTest, ImagesOfAnotherFormatAreRefused) {
  writeImage(path("1.png"), kGrey, 1);
  writeImage(path("2.png"), {33, 21, 1, 8}, 2);
  const Contents size = readAll(folder_.string());
  EXPECT_EQ(size.times.size(), 1U);
  EXPECT_EQ(size.error, "'" + path("2.png") +
                            "' is 33 x 21, grey of 8 bits, but the sequence began with 33 x 20, "
                            "grey of 8 bits");
  writeImage(path("2.png"), {33, 20, 1, 16}, 2);
  EXPECT_NE(readAll(folder_.string()).error.find("grey of 16 bits"), std::string::npos);
}

TEST_F(ImageSourceTest, CutImagesAreAnErrorAfterTheEarlierOnes) {
  for (const char* suffix : {".png", ".jpg", ".tif", ".pgm", ".ppm", ".bmp"}) {
    SCOPED_TRACE(suffix);
    const fs::path folder = folder_ / (suffix + 1);
    fs::create_directory(folder);
    const gpu::ImageFormat format{64, 48, std::string(suffix) == ".ppm" ? 3U : 1U, 8};
    for (const char* name : {"1", "2", "3"}) {
      writeImage((folder / name).string() + suffix, format, 7);
    }
    const std::string broken = (folder / "3").string() + suffix;
    cut(broken, 0.6);
    testing::internal::CaptureStderr();
    const Contents reading = readAll(folder.string());
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(reading.times.size(), 2U);
    EXPECT_NE(reading.error.find("'" + broken + "'"), std::string::npos) << reading.error;
  }
}

TEST_F(ImageSourceTest, AnAlteredPngIsFoundByItsChecksum) {
  writeImage(path("a.png"), kGrey, 1);
  std::string bytes = load(path("a.png"));
  bytes[bytes.size() / 2] ^= 1;
  save(path("a.png"), bytes);
  EXPECT_EQ(openError(path("a.png")), "the image '" + path("a.png") + "' is cut short or damaged");
}

/// Returns a PNG of random samples. `kind` is its colour type.
std::string makePng(int kind, int bits, bool transparent) {
  constexpr uint32_t kWidth = 33, kHeight = 20;
  std::string bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(
      png, &bytes,
      [](png_structp file, png_bytep from, size_t count) {
        static_cast<std::string*>(png_get_io_ptr(file))
            ->append(reinterpret_cast<const char*>(from), count);
      },
      [](png_structp) {});
  png_set_IHDR(png, info, kWidth, kHeight, bits, kind,
               bits == 8 ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  std::mt19937 random(3);
  std::vector<png_color> palette(size_t{1} << std::min(bits, 8));
  for (png_color& c : palette) {
    c = {static_cast<png_byte>(random()), static_cast<png_byte>(random()),
         static_cast<png_byte>(random())};
  }
  if (kind == PNG_COLOR_TYPE_PALETTE)
    png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
  const png_byte alphas[2] = {7, 200};
  const png_color_16 clear{.index = 0, .red = 1, .green = 1, .blue = 1, .gray = 1};
  if (transparent) png_set_tRNS(png, info, alphas, 2, &clear);
  png_write_info(png, info);
  cv::Mat rows(kHeight, static_cast<int>(png_get_rowbytes(png, info)), CV_8U);
  for (auto at = rows.begin<uchar>(); at != rows.end<uchar>(); ++at)
    *at = static_cast<uchar>(random());
  std::vector<png_bytep> starts;
  for (int y = 0; y < rows.rows; ++y) starts.push_back(rows.ptr(y));
  png_write_image(png, starts.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

TEST_F(ImageSourceTest, PngsAreReadAsOpenCvReadsThem) {
  // The kinds are grey, colour, palette, and grey and colour with alpha.
  for (const int kind : {0, 2, 3, 4, 6}) {
    for (const int bits : {1, 2, 4, 8, 16}) {
      if ((bits < 8 && kind != 0 && kind != 3) || (bits == 16 && kind == 3)) continue;
      for (const bool transparent : {false, true}) {
        if (transparent && kind > 3) continue;
        SCOPED_TRACE(testing::Message() << "kind " << kind << ", bits " << bits << transparent);
        std::string bytes = makePng(kind, bits, transparent);
        const cv::Mat coded(1, static_cast<int>(bytes.size()), CV_8U, bytes.data());
        const cv::Mat expected = cv::imdecode(coded, cv::IMREAD_ANYDEPTH | cv::IMREAD_ANYCOLOR);
        const auto found = capture::decodePng(std::as_bytes(std::span(bytes)));
        ASSERT_TRUE(found && !found->empty());
        ASSERT_EQ(found->type(), expected.type());
        EXPECT_EQ(cv::norm(*found, expected, cv::NORM_INF), 0);
        EXPECT_GT(cv::norm(expected, cv::NORM_INF), 0);
      }
    }
  }
  EXPECT_FALSE(capture::decodePng({}).has_value());
}

// OpenCV fills in the missing parts of a TIFF without a message.
TEST_F(ImageSourceTest, DamagedTiffsAreRefused) {
  for (const int compression : {1, 5, 8}) {  // The compressions are none, LZW and zip.
    SCOPED_TRACE(compression);
    cv::Mat image(40, 50, CV_16U);
    cv::randu(image, 0, 60000);
    cv::imwrite(path("a.tif"), image, {cv::IMWRITE_TIFF_COMPRESSION, compression});
    std::string bytes = load(path("a.tif"));
    EXPECT_EQ(cv::norm(capture::readImageFile(path("a.tif")), image, cv::NORM_INF), 0);
    if (compression == 1) continue;  // Without compression any samples are valid.
    std::fill(bytes.begin() + 100, bytes.begin() + 700, '\xFF');
    save(path("a.tif"), bytes);
    EXPECT_EQ(openError(path("a.tif")),
              "the image '" + path("a.tif") + "' is cut short or damaged");
  }
}

TEST_F(ImageSourceTest, OtherFilesWithTheSuffixOfAnImageAreRefused) {
  save(path("text.png"), "This is a text.\n");
  EXPECT_EQ(openError(path("text.png")),
            "'" + path("text.png") + "' is not an image that can be read");
  save(path("empty.jpg"), "");
  EXPECT_EQ(openError(path("empty.jpg")),
            "'" + path("empty.jpg") + "' is not an image: the file is empty");
}

TEST(RealImages, EveryFolderReads) {
  const char* const data = std::getenv("GLINT_DATA");
  if (!data) GTEST_SKIP() << "GLINT_DATA names no folder";
  struct Row {
    const char* folder;
    size_t frames;
    gpu::ImageFormat format;
  };
  for (const Row& row : {Row{"ir_leds", 4, {640, 480, 3, 8}},
                         {"simulated_leds", 16, {640, 480, 3, 8}},
                         {"stuck_beads", 5, {512, 512, 1, 16}},
                         {"bulk_water", 10, {640, 424, 3, 8}},
                         {"cavity/cam1", 3, {1280, 1024, 1, 8}},
                         {"cavity/cam4", 3, {1280, 1024, 1, 8}}}) {
    SCOPED_TRACE(row.folder);
    const Contents reading = readAll(std::string(data) + "/" + row.folder);
    EXPECT_EQ(reading.error, "");
    ASSERT_EQ(reading.pictures.size(), row.frames);
    EXPECT_EQ(reading.pictures[0].format, row.format);
  }
}

}  // namespace
}  // namespace glint
