// Stacks of TIFF pages as recordings: which pages are frames, with which pixels and at which times.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/capture/images/image_suffixes.h"
#include "app/capture/source/source_options.h"
#include "tests/app/pictures.h"
#include "tests/app/tiff_stacks.h"

namespace glint {
namespace {

namespace fs = std::filesystem;

class TiffTest : public FolderTest {
 protected:
  std::string write(const TiffKind& kind, int pages = 3, const TiffValue& value = tiffPattern) {
    const std::string file = path("stack.tif");
    writeTiff(file, pages, kind, value);
    return file;
  }
  std::string save(const std::string& bytes) {
    const std::string file = path("stack.tif");
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }
};

/// Which page of tiffPattern() a grey picture is; -1: none.
int pageOf(Picture& picture, int scale = 1) {
  for (int page = 0; page < 251; ++page) {
    bool same = true;
    for (uint32_t y = 0; y < kTiffHeight && same; ++y)
      for (uint32_t x = 0; x < kTiffWidth && same; ++x)
        same = picture.value(x, y) == tiffPattern(page, x, y, 0) * scale;
    if (same) return page;
  }
  return -1;
}

std::vector<int> pagesOf(Contents& contents) {
  std::vector<int> pages;
  for (Picture& picture : contents.pictures) pages.push_back(pageOf(picture));
  return pages;
}

std::string problemOf(const std::string& spec) {
  try {
    capture::openSource(Address(spec));
  } catch (const Error& error) {
    return error.what();
  }
  return "(opened)";
}

std::string all(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + "\n";
  return text;
}

struct Case {
  const char* name;
  TiffKind kind;
  int tolerance = 0;
};

/// Every way of storing that the pages of a recording may have.
std::vector<Case> cases() {
  return {
      {"little endian", {}},
      {"big endian", {.mode = "wb"}},
      {"BigTIFF", {.mode = "w8"}},
      {"big-endian BigTIFF", {.mode = "wb8"}},
      {"LZW", {.compression = COMPRESSION_LZW}},
      {"deflate", {.compression = COMPRESSION_ADOBE_DEFLATE}},
      {"PackBits", {.compression = COMPRESSION_PACKBITS}},
      {"JPEG", {.compression = COMPRESSION_JPEG}, 40},
      {"tiles", {.compression = COMPRESSION_LZW, .tiled = true}},
      {"16 bit", {.bits = 16}},
      {"16 bit, big endian", {.mode = "wb", .bits = 16}},
      {"16 bit, tiles, big endian", {.mode = "wb", .bits = 16, .tiled = true}},
      {"colour", {.samples = 3, .photometric = PHOTOMETRIC_RGB}},
      {"colour, planes", {.samples = 3, .photometric = PHOTOMETRIC_RGB, .planar = true}},
      {"colour, 16 bit", {.bits = 16, .samples = 3, .photometric = PHOTOMETRIC_RGB}},
      {"colour, 16 bit, planes, big endian",
       {.mode = "wb", .bits = 16, .samples = 3, .photometric = PHOTOMETRIC_RGB, .planar = true}},
      {"colour, 16 bit, planes in tiles",
       {.bits = 16, .samples = 3, .photometric = PHOTOMETRIC_RGB, .planar = true, .tiled = true}},
      {"alpha", {.samples = 4, .photometric = PHOTOMETRIC_RGB, .extras = 1}},
      {"alpha, 16 bit", {.bits = 16, .samples = 4, .photometric = PHOTOMETRIC_RGB, .extras = 1}},
      {"grey with alpha", {.samples = 2, .extras = 1}},
      {"white is 0", {.photometric = PHOTOMETRIC_MINISWHITE}},
      {"white is 0, 16 bit", {.bits = 16, .photometric = PHOTOMETRIC_MINISWHITE}},
  };
}

TEST_F(TiffTest, PagesAreFramesHoweverTheyAreStored) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    Contents contents = readAll(write(one.kind));
    EXPECT_EQ(contents.error, "");
    ASSERT_EQ(contents.pictures.size(), 3U);
    const bool colour = one.kind.photometric == PHOTOMETRIC_RGB;
    const bool inverted = one.kind.photometric == PHOTOMETRIC_MINISWHITE;
    for (int page = 0; page < 3; ++page) {
      const Picture& picture = contents.pictures[static_cast<size_t>(page)];
      ASSERT_EQ(picture.format, (gpu::ImageFormat{kTiffWidth, kTiffHeight, colour ? 3U : 1U,
                                                  static_cast<uint32_t>(one.kind.bits)}));
      int worst = 0;
      for (uint32_t y = 0; y < kTiffHeight; ++y)
        for (uint32_t x = 0; x < kTiffWidth; ++x)
          for (uint32_t c = 0; c < picture.format.channels; ++c) {
            const int stored =
                static_cast<int>(tiffPattern(page, x, y, colour ? 2 - static_cast<int>(c) : 0));
            const int full = one.kind.bits == 8 ? 255 : 65535;
            const int expected = inverted ? full - stored : stored;
            worst = std::max(worst, std::abs(picture.value(x, y, c) - expected));
          }
      EXPECT_LE(worst, one.tolerance) << "page " << page;
    }
  }
}

TEST_F(TiffTest, ColourJpegInsideTiffKeepsItsColours) {
  const std::string file = write(
      {.compression = COMPRESSION_JPEG, .samples = 3, .photometric = PHOTOMETRIC_RGB}, 2,
      [](int page, uint32_t, uint32_t, int sample) { return page == 0 ? 200 - 80 * sample : 90; });
  const Contents contents = readAll(file);
  ASSERT_EQ(contents.pictures.size(), 2U);
  for (uint32_t c = 0; c < 3; ++c)
    EXPECT_NEAR(contents.pictures[0].value(9, 9, c), 40 + 80 * static_cast<int>(c), 3);
}

TEST_F(TiffTest, SamplesOfFewBitsFillTheScale) {
  for (const int bits : {1, 2, 4, 10, 12, 14}) {
    SCOPED_TRACE(bits);
    const int most = (1 << bits) - 1;
    const auto value = [&](int, uint32_t x, uint32_t y, int) {
      return static_cast<double>((x * 7 + y * 13) % static_cast<uint32_t>(most + 1));
    };
    const Contents contents = readAll(write({.bits = bits}, 1, value));
    ASSERT_EQ(contents.pictures.size(), 1U);
    const Picture& picture = contents.pictures[0];
    const int full = bits < 8 ? 255 : 65535;
    ASSERT_EQ(picture.format.bits, bits < 8 ? 8U : 16U);
    for (uint32_t y = 0; y < kTiffHeight; ++y)
      for (uint32_t x = 0; x < kTiffWidth; ++x)
        ASSERT_EQ(picture.value(x, y), std::lround(value(0, x, y, 0) * full / most));
  }
}

TEST_F(TiffTest, TheTagTurnsThePicture) {
  // Where the stored pixel (x, y) of a picture of w x h is shown (TIFF 6.0, tag Orientation).
  const int w = kTiffWidth, h = kTiffHeight;
  const auto shown = [&](int orientation, int x, int y) -> std::pair<int, int> {
    switch (orientation) {
      case 2:
        return {w - 1 - x, y};
      case 3:
        return {w - 1 - x, h - 1 - y};
      case 4:
        return {x, h - 1 - y};
      case 5:
        return {y, x};
      case 6:
        return {h - 1 - y, x};
      case 7:
        return {h - 1 - y, w - 1 - x};
      case 8:
        return {y, w - 1 - x};
      default:
        return {x, y};
    }
  };
  for (const int bits : {8, 16}) {
    for (int orientation = 1; orientation <= 8; ++orientation) {
      SCOPED_TRACE(testing::Message() << "orientation " << orientation << ", " << bits << " bits");
      const std::string file = write({.bits = bits, .orientation = orientation}, 1);
      const Contents contents = readAll(file);
      ASSERT_EQ(contents.pictures.size(), 1U);
      const Picture& picture = contents.pictures[0];
      ASSERT_EQ(picture.format.width, orientation < 5 ? kTiffWidth : kTiffHeight);
      for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
          const auto [atX, atY] = shown(orientation, x, y);
          ASSERT_EQ(picture.value(static_cast<uint32_t>(atX), static_cast<uint32_t>(atY)),
                    tiffPattern(0, static_cast<uint32_t>(x), static_cast<uint32_t>(y), 0));
        }
      const auto source = capture::openSource(Address(file));
      EXPECT_EQ(source->summary().orientation.empty(), orientation == 1);
      EXPECT_EQ(capture::openSource(Address(file + "?rotate=0"))->format().width, kTiffWidth);
      EXPECT_EQ(capture::openSource(Address(file + "?rotate=90"))->format().width, kTiffHeight);
    }
  }
}

TEST_F(TiffTest, FloatsAndWideNumbersAreScaledAsSaid) {
  struct Row {
    int bits, kind;
    double low, high;
  };
  for (const Row& row : {Row{32, SAMPLEFORMAT_IEEEFP, -0.5, 7.25},
                         {64, SAMPLEFORMAT_IEEEFP, 1e-6, 3e-6},
                         {32, SAMPLEFORMAT_UINT, 5, 4e9},
                         {32, SAMPLEFORMAT_INT, -2e9, 2e9},
                         {16, SAMPLEFORMAT_INT, -32000, 500}}) {
    SCOPED_TRACE(testing::Message() << row.bits << " bits, kind " << row.kind);
    const auto value = [&](int page, uint32_t x, uint32_t y, int) {
      const double share = tiffPattern(page, x, y, 0) / 250;
      return row.kind == SAMPLEFORMAT_IEEEFP ? row.low + share * (row.high - row.low)
                                             : std::round(row.low + share * (row.high - row.low));
    };
    const std::string file = write({.bits = row.bits, .kind = row.kind}, 2, value);
    const auto check = [&](const std::string& spec, double low, double high) {
      const Contents contents = readAll(spec);
      EXPECT_EQ(contents.error, "");
      ASSERT_EQ(contents.pictures.size(), 2U);
      ASSERT_EQ(contents.pictures[0].format.bits, 16U);
      for (int page = 0; page < 2; ++page)
        for (uint32_t y = 0; y < kTiffHeight; ++y)
          for (uint32_t x = 0; x < kTiffWidth; ++x) {
            const double level = (value(page, x, y, 0) - low) / (high - low) * 65535;
            ASSERT_NEAR(contents.pictures[static_cast<size_t>(page)].value(x, y),
                        std::clamp(level, 0.0, 65535.0), 0.52);
          }
    };
    double least = HUGE_VAL, greatest = -HUGE_VAL;
    for (int page = 0; page < 2; ++page)
      for (uint32_t y = 0; y < kTiffHeight; ++y)
        for (uint32_t x = 0; x < kTiffWidth; ++x) {
          const double stored = row.bits == 32 && row.kind == SAMPLEFORMAT_IEEEFP
                                    ? static_cast<double>(static_cast<float>(value(page, x, y, 0)))
                                    : value(page, x, y, 0);
          least = std::min(least, stored);
          greatest = std::max(greatest, stored);
        }
    check(file, least, greatest);
    const double middle = (row.low + row.high) / 2;
    check(fmt::format("{}?range={}:{}", file, row.low, middle), row.low, middle);
    const auto warningsOf = [](const std::string& spec) {
      return all(capture::openSource(Address(spec))->summary().warnings);
    };
    EXPECT_NE(warningsOf(file).find("?range="), std::string::npos) << warningsOf(file);
    EXPECT_EQ(warningsOf(fmt::format("{}?range={}:{}", file, row.low, middle)).find("?range="),
              std::string::npos);
  }
  EXPECT_NE(problemOf(write({.bits = 64, .kind = SAMPLEFORMAT_UINT})).find("64-bit values"),
            std::string::npos);
}

TEST_F(TiffTest, TheOptionThatIsNamedForAConstantPictureIsTaken) {
  for (const double level : {0.5, 0.0, -3.0}) {
    const std::string file = write({.bits = 32, .kind = SAMPLEFORMAT_IEEEFP}, 3,
                                   [&](int, uint32_t, uint32_t, int) { return level; });
    const std::string warning = capture::openSource(Address(file))->summary().warnings.back();
    const size_t at = warning.find("?range=");
    ASSERT_NE(at, std::string::npos) << warning;
    EXPECT_EQ(readAll(file + warning.substr(at, warning.find(' ', at) - at)).error, "") << warning;
  }
}

TEST_F(TiffTest, NumbersThatAreNoneAreBlack) {
  const auto value = [](int, uint32_t x, uint32_t y, int) {
    return x == 3 ? std::nan("") : x == 4 ? HUGE_VAL : static_cast<double>(y);
  };
  const Contents contents = readAll(write({.bits = 32, .kind = SAMPLEFORMAT_IEEEFP}, 1, value));
  ASSERT_EQ(contents.pictures.size(), 1U);
  EXPECT_EQ(contents.pictures[0].value(3, 5), 0);
  EXPECT_EQ(contents.pictures[0].value(4, 5), 65535);
  EXPECT_EQ(contents.pictures[0].value(5, kTiffHeight - 1), 65535);
}

struct Axes {
  const char* description;
  const char* options;
  std::vector<int> pages;
  double rate;       ///< frames a second
  const char* says;  ///< among the remarks
};

TEST_F(TiffTest, MetadataTellWhichPagesAreFrames) {
  for (
      const Axes& axes : std::vector<Axes>{
          {"", "", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 30, ""},
          {"ImageJ=1.54\nimages=12\nframes=12\nfinterval=0.04\n",
           "",
           {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
           25,
           ""},
          {"ImageJ=1.54\nimages=12\nframes=12\nfinterval=40\ntunit=ms\n",
           "?fps=5",
           {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
           5,
           ""},
          {"ImageJ=1.54\nimages=12\nslices=12\nfps=12.5\n",
           "",
           {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
           12.5,
           "its slices are taken for frames"},
          {"ImageJ=1.54\nimages=12\nchannels=12\n",
           "",
           {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
           30,
           "its channels are taken for frames"},
          {"ImageJ=1.54\nimages=12\nchannels=12\n", "?channel=4", {4}, 30, "channel 4 of the 12"},
          // Channels change first, then slices, then frames.
          {"ImageJ=1.54\nimages=12\nchannels=2\nframes=6\nfinterval=2\n",
           "",
           {0, 2, 4, 6, 8, 10},
           0.5,
           "channel 0 of the 2 from 0 to 1 is read; ?channel=1"},
          {"ImageJ=1.54\nimages=12\nchannels=2\nframes=6\n",
           "?channel=1",
           {1, 3, 5, 7, 9, 11},
           30,
           "channel 1 of the 2"},
          {"ImageJ=1.54\nimages=12\nchannels=2\nslices=3\nframes=2\n",
           "?channel=1&slice=2",
           {5, 11},
           30,
           "slice 2 of the 3"},
          {"ImageJ=1.54\nimages=12\nchannels=2\nslices=6\n",
           "?channel=1",
           {1, 3, 5, 7, 9, 11},
           30,
           "its slices are taken for frames"},
          {R"(<?xml version="1.0"?><OME><Image ID="Image:0"><Pixels DimensionOrder="XYZTC" )"
           R"(SizeC="2" SizeT="3" SizeZ="2" TimeIncrement="250" TimeIncrementUnit="ms" />)"
           R"(</Image></OME>)",
           "",
           {0, 2, 4},
           4,
           "slice 0 of the 2"},
          {R"(<OME><Pixels DimensionOrder="XYZTC" SizeC="2" SizeT="3" SizeZ="2"/></OME>)",
           "?channel=1&slice=1",
           {7, 9, 11},
           30,
           "channel 1 of the 2"},
          {R"(<ome:OME><ome:Pixels DimensionOrder="XYCZT" SizeC="1" SizeZ="1" SizeT="3" )"
           R"(TimeIncrement="0.1"><ome:TiffData FirstT="0" IFD="7"/><ome:TiffData FirstT="2" )"
           R"(IFD="1"/><ome:TiffData FirstT="1" IFD="4" PlaneCount="1"/></ome:Pixels></ome:OME>)",
           "",
           {7, 4, 1},
           10,
           ""},
          {R"(<OME><Pixels DimensionOrder="XYCZT" SizeC="1" SizeZ="1" SizeT="4"><TiffData IFD="2" )"
           R"(FirstT="0" PlaneCount="2"><UUID FileName="stack.tif">urn:1</UUID></TiffData>)"
           R"(<TiffData IFD="0" FirstT="2" PlaneCount="2"><UUID FileName="b.tif">urn:2</UUID>)"
           R"(</TiffData></Pixels></OME>)",
           "",
           {2, 3},
           30,
           "2 frames are left out: the OME text names 'b.tif', which is not "
           "there"}}) {
    SCOPED_TRACE(testing::Message() << axes.description << axes.options);
    const std::string file = write({.description = axes.description}, 12) + axes.options;
    Contents contents = readAll(file);
    EXPECT_EQ(contents.error, "");
    EXPECT_EQ(pagesOf(contents), axes.pages);
    ASSERT_EQ(contents.times.size(), axes.pages.size());
    for (size_t i = 0; i < contents.times.size(); ++i)
      EXPECT_DOUBLE_EQ(contents.times[i], static_cast<double>(i) / axes.rate);
    const capture::SourceSummary summary = capture::openSource(Address(file))->summary();
    EXPECT_EQ(summary.frames, axes.pages.size());
    EXPECT_EQ(summary.rateFrom == "assumed", axes.rate == 30) << summary.rateFrom;
    EXPECT_NE(all(summary.remarks).find(axes.says), std::string::npos) << all(summary.remarks);
    if (axes.says[0] == '\0') {
      EXPECT_EQ(all(summary.remarks), "");
    }
  }
  const std::string file = write({.description = "ImageJ=1\nimages=4\nchannels=2\nframes=2\n"}, 4);
  EXPECT_EQ(problemOf(file + "?channel=2"),
            "'" + file + "': ?channel=2: there are only the channels 0 to 1");
  EXPECT_EQ(problemOf(file + "?slice=1"), "'" + file + "': ?slice=1: there is only slice 0");
}

/// The OME text of an image with one channel and one slice.
std::string omeText(const std::string& pixels, const std::string& inside) {
  return R"(<OME UUID="urn:uuid:1"><Image ID="Image:0"><Pixels DimensionOrder="XYCZT" SizeC="1" )"
         R"(SizeZ="1" )" +
         pixels + ">" + inside + "</Pixels></Image></OME>";
}

TEST_F(TiffTest, PagesThatOmeExpectsInTheFileAreMissingFromACutFile) {
  for (const char* inside :
       {"<TiffData/>", "", R"(<TiffData IFD="0" PlaneCount="6"/>)",
        R"(<TiffData><UUID FileName="stack.tif">urn:uuid:1</UUID></TiffData>)"}) {
    SCOPED_TRACE(inside);
    const std::string file = write({.description = omeText(R"(SizeT="6")", inside)}, 4);
    Contents contents = readAll(file);
    EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(contents.error, "'" + file + "' is cut short: 4 frames could be read");
    EXPECT_EQ(capture::openSource(Address(file))->summary().frames, 4U);
  }
}

TEST_F(TiffTest, PlanesInOtherFilesOfAnOmeTiffAreRead) {
  const std::string text = omeText(
      R"(SizeT="5")",
      R"(<TiffData IFD="0" FirstT="0" PlaneCount="2"><UUID FileName="stack.tif">urn:uuid:1</UUID>)"
      R"(</TiffData><TiffData IFD="1" FirstT="2" PlaneCount="2"><UUID FileName="b.tif">)"
      R"(urn:uuid:2</UUID></TiffData><TiffData IFD="0" FirstT="4" PlaneCount="1"><UUID )"
      R"(FileName="gone.tif">urn:uuid:3</UUID></TiffData>)");
  const std::string file = write({.description = text}, 2);
  const auto later = [](int page, uint32_t x, uint32_t y, int sample) {
    return tiffPattern(page + 20, x, y, sample);
  };
  std::string other = text;
  other.replace(other.find("urn:uuid:1"), 10, "urn:uuid:2");
  writeTiff(path("b.tif"), 3, {.description = other}, later);
  Contents contents = readAll(file);
  EXPECT_EQ(contents.error, "");
  EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1, 21, 22}));
  EXPECT_EQ(all(capture::openSource(Address(file))->summary().remarks),
            "its frames are in this file and in 1 other file of this OME-TIFF\n"
            "1 frame is left out: the OME text names 'gone.tif', which is not "
            "there\n");
  // A folder of both files holds each frame once.
  contents = readAll(folder_.string());
  EXPECT_EQ(pagesOf(contents), (std::vector<int>{21, 22, 0, 1}));
  // The other file is cut short, and is named as such.
  writeTiff(path("b.tif"), 2, {.description = other}, later);
  contents = readAll(file);
  EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1, 21}));
  EXPECT_EQ(contents.error, "'" + path("b.tif") + "' is cut short: 3 frames could be read");
}

TEST_F(TiffTest, AnOmeTiffThatWasRenamedHoldsItsOwnPlanes) {
  for (const char* name : {"old.tif", "folder/old.tif"}) {
    const std::string file =
        write({.description = omeText(R"(SizeT="3")",
                                      fmt::format(R"(<TiffData IFD="0" PlaneCount="3"><UUID )"
                                                  R"(FileName="{}">urn:uuid:9</UUID></TiffData>)",
                                                  name))},
              3);
    Contents contents = readAll(file);
    EXPECT_EQ(contents.error, "");
    EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1, 2}));
  }
  // Several files are named; the UUID tells which one this is.
  const std::string file =
      write({.description = omeText(
                 R"(SizeT="3")", R"(<TiffData FirstT="0"><UUID FileName="x.tif">urn:uuid:2</UUID>)"
                                 R"(</TiffData><TiffData FirstT="1"><UUID FileName="y.tif">)"
                                 R"(urn:uuid:1</UUID></TiffData>)")},
            2);
  Contents contents = readAll(file);
  EXPECT_EQ(contents.error, "");
  EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1}));
  EXPECT_EQ(contents.numbers, (std::vector<uint64_t>{1, 2}));
}

TEST_F(TiffTest, TimePointsThatOmeLacksAreGaps) {
  std::string data;
  const std::vector<int> moments{0, 1, 3, 4, 7};
  for (size_t i = 0; i < moments.size(); ++i)
    data += fmt::format(R"(<TiffData IFD="{}" FirstT="{}" PlaneCount="1"/>)", i, moments[i]);
  const std::string file =
      write({.description = omeText(R"(SizeT="8" TimeIncrement="0.5")", data)}, 5);
  Contents contents = readAll(file);
  EXPECT_EQ(contents.error, "");
  EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(contents.numbers, (std::vector<uint64_t>{0, 1, 3, 4, 7}));
  EXPECT_EQ(contents.times, (std::vector<double>{0, 0.5, 1.5, 2, 3.5}));
  const auto source = capture::openSource(Address(file));
  EXPECT_EQ(source->frameCount(), 8U);
  EXPECT_EQ(source->summary().missing, "2, 5 and 6");
  source->seek(FrameNumber(7));
  Picture picture(source->format());
  EXPECT_EQ(source->read(picture.view()).stamp.time, 3.5);
  EXPECT_EQ(pageOf(picture), 4);
}

TEST_F(TiffTest, TheDeltaTOfPlanesIsTheirTime) {
  const auto planes = [](const std::vector<double>& times, const char* unit) {
    std::string text;
    for (size_t t = 0; t < times.size(); ++t)
      for (int z = 0; z < 2; ++z)
        text += fmt::format(R"(<Plane TheC="0" TheZ="{}" TheT="{}" DeltaT="{}"{}/>)", z, t,
                            times[t] + 100 * z, unit);
    return R"(<OME><Image><Pixels DimensionOrder="XYZCT" SizeC="1" SizeZ="2" SizeT="4" )"
           R"(TimeIncrement="0.5">)" +
           text + "</Pixels></Image></OME>";
  };
  struct DeltaTCase {
    std::vector<double> deltas;
    const char* unit;
    std::vector<double> times;
    bool used;
  };
  for (const DeltaTCase& one : std::vector<DeltaTCase>{
           {{2, 2.5, 4, 4.25}, "", {0, 0.5, 2, 2.25}, true},
           {{20, 520, 2020, 2270}, R"( DeltaTUnit="ms")", {0, 0.5, 2, 2.25}, true},
           {{2, 2.5, 2.5, 4}, "", {0, 0.5, 1, 1.5}, false},
           {{2, 2.5, 4}, "", {0, 0.5, 1, 1.5}, false}}) {
    SCOPED_TRACE(planes(one.deltas, one.unit));
    const std::string file = write({.description = planes(one.deltas, one.unit)}, 8);
    for (const char* slice : {"", "?slice=1"}) {
      const Contents contents = readAll(file + slice);
      EXPECT_EQ(contents.error, "");
      ASSERT_EQ(contents.times.size(), 4U);
      for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(contents.times[i], one.times[i], 1e-9);
    }
    const capture::SourceSummary summary = capture::openSource(Address(file))->summary();
    EXPECT_EQ(summary.rateFrom, one.used ? "as OME's DeltaT says" : "as OME's TimeIncrement says");
    EXPECT_EQ(all(summary.remarks).find("DeltaT is not used") != std::string::npos, !one.used);
    EXPECT_EQ(readAll(file + "?fps=2").times, (std::vector<double>{0, 0.5, 1, 1.5}));
  }
  // Gaps are spread evenly, and the missing end of a cut file has no time.
  std::string inside = R"(<TiffData IFD="0" FirstT="0"/><TiffData IFD="1" FirstT="3"/>)"
                       R"(<TiffData IFD="2" FirstT="4"/><TiffData IFD="3" FirstT="5"/>)";
  for (const int t : {0, 3, 4, 5})
    inside +=
        fmt::format(R"(<Plane TheC="0" TheZ="0" TheT="{}" DeltaT="{}"/>)", t, t == 0 ? 0 : t + 3);
  const std::string file = write({.description = omeText(R"(SizeT="6")", inside)}, 3);
  const Contents contents = readAll(file);
  EXPECT_EQ(contents.times, (std::vector<double>{0, 6, 7}));
  EXPECT_EQ(contents.error, "'" + file + "' is cut short: 3 frames could be read");
  EXPECT_EQ(capture::openSource(Address(file))->frameTimes(),
            (std::vector<double>{0, 2, 4, 6, 7, 8}));
}

TEST_F(TiffTest, TextsThatBreakOffAreNamed) {
  const std::string ome = omeText(R"(SizeT="4")", "<TiffData/>");
  struct BrokenCase {
    std::string text;
    const char* says;
  };
  for (const BrokenCase& one : std::vector<BrokenCase>{
           {ome.substr(0, ome.size() - 20), "its OME text breaks off or is damaged"},
           {ome.substr(0, ome.find("SizeT") + 8), "its OME text breaks off or is damaged"},
           {omeText(R"(SizeT="0")", ""), "its OME text promises 1 x 1 x 0 planes"},
           {omeText(R"(SizeT="-4")", ""), "its OME text promises 1 x 1 x 0 planes"},
           {"<OME><Instrument/></OME>", "its OME text describes no image"},
           {R"(<OME><BinaryOnly MetadataFile="m.ome.tif" UUID="1"/></OME>)",
            "its OME text refers to 'm.ome.tif', which is not read"},
           {"ImageJ=1.53t\nimages=4\nfra", "its ImageJ text breaks off behind 'fra'"},
           {"ImageJ=1.53t\nima", "its ImageJ text breaks off behind 'ima'"},
           {"ImageJ=1.53t\nimages=0\nframes=0\n",
            "its ImageJ text promises other numbers of images than there are"},
           {"ImageJ=1.53t\nimages=4\nframes=3\n",
            "its ImageJ text promises other numbers of images than there are"}}) {
    SCOPED_TRACE(one.text);
    const std::string file = write({.description = one.text}, 4);
    Contents contents = readAll(file);
    EXPECT_EQ(contents.error, "");
    EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1, 2, 3}));
    const std::string remarks = all(capture::openSource(Address(file))->summary().remarks);
    EXPECT_NE(remarks.find(one.says), std::string::npos) << remarks;
    EXPECT_NE(remarks.find("all its pages are taken for frames"), std::string::npos) << remarks;
  }
  // The text itself is outside the file: its entry is 270, ASCII, count, offset.
  std::string bytes = imagejPlanes(3, "ImageJ=1.54\nimages=3\nframes=3\n");
  const size_t entry = bytes.find(std::string("\x01\x0E\x00\x02", 4));
  ASSERT_NE(entry, std::string::npos);
  bytes.replace(entry + 8, 4, "\x7F\xFF\xFF\x00", 4);
  EXPECT_NE(all(capture::openSource(Address(save(bytes)))->summary().remarks)
                .find("its ImageDescription cannot be read"),
            std::string::npos);
}

TEST_F(TiffTest, ATextOfOmeInLatin1IsRead) {
  const std::string file = write(
      {.description = omeText("SizeT=\"3\" TimeIncrement=\"250\" TimeIncrementUnit=\"\xB5s\"", "")},
      3);
  const Contents contents = readAll(file);
  ASSERT_EQ(contents.times.size(), 3U);
  EXPECT_NEAR(contents.times[2], 500e-6, 1e-12);
}

TEST_F(TiffTest, OtherImagesOfAnOmeTiffAreNamed) {
  std::string text = omeText(R"(SizeT="2")", R"(<TiffData IFD="0" PlaneCount="2"/>)");
  text.replace(text.find("</OME>"), 6,
               R"(<Image><Pixels SizeT="2"><TiffData IFD="2"/></Pixels></Image></OME>)");
  const std::string file = write({.description = text}, 4);
  Contents contents = readAll(file);
  EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1}));
  EXPECT_EQ(all(capture::openSource(Address(file))->summary().remarks),
            "1 other image of this OME-TIFF is left out\n");
}

TEST_F(TiffTest, SamplesThatAreNoColoursAreChannels) {
  const std::string file = write({.samples = 5});
  for (const int channel : {0, 3}) {
    const Contents contents = readAll(fmt::format("{}?channel={}", file, channel));
    ASSERT_EQ(contents.pictures.size(), 3U);
    ASSERT_EQ(contents.pictures[2].format.channels, 1U);
    EXPECT_EQ(contents.pictures[2].value(5, 6), tiffPattern(2, 5, 6, channel));
  }
}

TEST_F(TiffTest, PlanesBehindASingleDirectoryAreFrames) {
  const std::string text = "ImageJ=1.54p\nimages=9\nframes=9\nfinterval=0.5\n";
  Contents contents = readAll(save(imagejPlanes(9, text)));
  EXPECT_EQ(contents.error, "");
  EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(contents.times.back(), 4);
  // Cut in the sixth plane.
  std::string cut = imagejPlanes(9, text);
  cut.resize(cut.size() - kTiffWidth * kTiffHeight * 2 * 3 - 5);
  contents = readAll(save(cut));
  EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(contents.error, "'" + path("stack.tif") + "' is cut short: 5 frames could be read");
}

TEST_F(TiffTest, WhatIsWholeOfACutStackIsRead) {
  for (const char* text : {"", "ImageJ=1.54\nimages=6\nframes=6\n"}) {
    const std::string file = write({.mode = "wb", .description = text}, 6);
    const auto whole = fs::file_size(file);
    size_t least = 7;
    for (const double share : {0.9, 0.6, 0.4}) {
      SCOPED_TRACE(testing::Message() << text << share);
      write({.mode = "wb", .description = text}, 6);
      fs::resize_file(file, static_cast<uintmax_t>(static_cast<double>(whole) * share));
      Contents contents = readAll(file);
      ASSERT_GE(contents.pictures.size(), 1U);
      EXPECT_LT(contents.pictures.size(), least);
      least = contents.pictures.size();
      for (size_t i = 0; i < contents.pictures.size(); ++i)
        EXPECT_EQ(pageOf(contents.pictures[i]), static_cast<int>(i));
      EXPECT_EQ(contents.error, fmt::format("'{}' is cut short: {} frame{} could be read", file,
                                            least, least == 1 ? "" : "s"));
    }
  }
}

TEST_F(TiffTest, AFileThatIsCutWithinTheLastFieldOfADirectoryIsCut) {
  const std::string file = path("last.tif");
  for (const bool big : {false, true}) {
    // The offset of the next directory is the last field of the file.
    for (uintmax_t bytes = 0; bytes <= (big ? 8U : 4U); ++bytes) {
      SCOPED_TRACE(testing::Message() << big << bytes);
      writeSparseTiff(file, 3, big,
                      [](int page) { return 16 + static_cast<uint64_t>(page) * kSparsePage; });
      fs::resize_file(file, fs::file_size(file) - bytes);
      Contents contents = readAll(file);
      EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1, 2}));
      EXPECT_EQ(contents.error,
                bytes == 0 ? "" : "'" + file + "' is cut short: 3 frames could be read");
    }
  }
}

TEST_F(TiffTest, AListOfPagesThatComesBackIsBroken) {
  const auto place = [](int page) { return 16 + static_cast<uint64_t>(page) * kSparsePage; };
  for (const int next : {0, 2}) {
    const std::string file = path("loop.tif");
    writeSparseTiff(file, 3, false, place);
    std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
    out.seekp(static_cast<std::streamoff>(place(2) + kSparsePlane + 2 + 9 * 12));
    const uint64_t directory = place(next) + kSparsePlane;
    out.put(static_cast<char>(directory & 0xFF)).put(static_cast<char>(directory >> 8));
    out.close();
    Contents contents = readAll(file);
    EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(contents.error, "'" + file + "' is cut short: 3 frames could be read");
  }
}

TEST_F(TiffTest, ADamagedPageEndsTheRecording) {
  const std::string file = write({.compression = COMPRESSION_LZW}, 5);
  std::string bytes(fs::file_size(file), '\0');
  std::ifstream(file, std::ios::binary)
      .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(bytes.size() / 2), 300, '\xFF');
  Contents contents = readAll(save(bytes));
  EXPECT_GE(contents.pictures.size(), 1U);
  EXPECT_LT(contents.pictures.size(), 4U);
  EXPECT_NE(contents.error.find(file), std::string::npos) << contents.error;
}

TEST_F(TiffTest, ReducedAndOtherPagesAreLeftOutAndNamed) {
  Contents contents = readAll(write({.reducedEvery = 2}, 6));
  EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 2, 4}));
  EXPECT_NE(all(capture::openSource(Address(path("stack.tif")))->summary().remarks)
                .find("3 pages are left out: reduced pictures or masks"),
            std::string::npos);
}

TEST_F(TiffTest, AFolderOfStacksIsOneRecording) {
  for (const char* name : {"a10.tif", "a9.tif"})
    writeTiff(path(name), 4, {}, [&](int page, uint32_t x, uint32_t y, int sample) {
      return tiffPattern(page + (name[1] == '9' ? 0 : 4), x, y, sample);
    });
  Contents contents = readAll(folder_.string());
  EXPECT_EQ(contents.error, "");
  EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(capture::openSource(Address(folder_.string()))->frameCount(), 8U);
}

TEST_F(TiffTest, AStackThatIsMissingInAFolderIsNamed) {
  for (const int n : {1, 2, 4})
    writeTiff(path(fmt::format("s_{:03}.tif", n)), 2, {},
              [&](int page, uint32_t x, uint32_t y, int sample) {
                return tiffPattern(page + 10 * n, x, y, sample);
              });
  Contents contents = readAll(folder_.string());
  EXPECT_EQ(pagesOf(contents), (std::vector<int>{10, 11, 20, 21, 40, 41}));
  EXPECT_NE(
      all(capture::openSource(Address(folder_.string()))->summary().remarks)
          .find("of its numbered files, 3 is missing: the frames behind follow without a gap"),
      std::string::npos);
}

TEST_F(TiffTest, FramesBehindACutStackAreNotCounted) {
  for (const int n : {1, 2, 3}) writeTiff(path(fmt::format("s{}.tif", n)), 3, {});
  fs::resize_file(path("s2.tif"), fs::file_size(path("s2.tif")) * 5 / 6);
  const Contents contents = readAll(folder_.string());
  EXPECT_NE(contents.error.find("s2.tif' is cut short"), std::string::npos) << contents.error;
  const capture::SourceSummary summary = capture::openSource(Address(folder_.string()))->summary();
  EXPECT_EQ(summary.frames, contents.pictures.size());
  EXPECT_EQ(all(summary.remarks),
            "'" + path("s2.tif") + "' is cut short: what follows it is not read\n");
}

TEST_F(TiffTest, SeeksReachEveryPage) {
  const auto source = capture::openSource(Address(write({.compression = COMPRESSION_LZW}, 200)));
  Picture picture(source->format());
  for (const uint64_t place : {199, 3, 0, 120, 121, 119, 57}) {
    source->seek(FrameNumber(place));
    const capture::Reading reading = source->read(picture.view());
    EXPECT_EQ(reading.stamp.sequence.value(), place);
    EXPECT_EQ(pageOf(picture), static_cast<int>(place));
  }
  source->seek(FrameNumber(200));
  EXPECT_EQ(source->read(picture.view()).state, gpu::CameraState::ended);
}

TEST_F(TiffTest, PagesBehindTheReachOfThirtyTwoBitsAreRead) {
  constexpr uint64_t kGiB = uint64_t{1} << 30;
  struct PlacesCase {
    bool big;
    std::vector<uint64_t> places;
  };
  for (const PlacesCase& one :
       std::vector<PlacesCase>{{false, {16, 2 * kGiB - 100, 2 * kGiB + 5000, 4 * kGiB - 2000}},
                               {true, {16, 3 * kGiB, 4 * kGiB - 100, 9 * kGiB}},
                               // Directories need not rise.
                               {true, {9 * kGiB, 16, 5 * kGiB, 3 * kGiB}}}) {
    SCOPED_TRACE(testing::Message() << one.big << one.places[0]);
    const std::string file = path("large.tif");
    writeSparseTiff(file, 4, one.big,
                    [&](int page) { return one.places[static_cast<size_t>(page)]; });
    Contents contents = readAll(file);
    EXPECT_EQ(contents.error, "");
    EXPECT_EQ(pagesOf(contents), (std::vector<int>{0, 1, 2, 3}));
  }
  // ImageJ's large stacks: one directory in front of planes of 8 MiB, the last one behind 3 GiB.
  constexpr uint32_t kSide = 2048;
  constexpr int kPlanes = 400;
  std::string bytes =
      imagejPlanes(1, fmt::format("ImageJ=1.54\nimages={0}\nframes={0}\n", kPlanes));
  const size_t data = bytes.size() - size_t{kTiffWidth} * kTiffHeight * 2;
  bytes.resize(data);
  const auto setEntry = [&](uint32_t tag, uint32_t value) {
    const std::string key{static_cast<char>(tag >> 8), static_cast<char>(tag & 0xFF), 0, 4};
    const size_t at = bytes.find(key);
    ASSERT_NE(at, std::string::npos);
    for (uint32_t i = 0; i < 4; ++i) bytes[at + 8 + i] = static_cast<char>(value >> (24 - 8 * i));
  };
  for (const uint32_t tag : {256, 257, 278}) setEntry(tag, kSide);
  setEntry(279, kSide * kSide * 2);
  const std::string file = save(bytes);
  const uint64_t plane = uint64_t{kSide} * kSide * 2;
  fs::resize_file(file, data + kPlanes * plane);
  {
    std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
    for (const int n : {0, 255, 399}) {
      out.seekp(static_cast<std::streamoff>(data + static_cast<uint64_t>(n) * plane));
      out.put(static_cast<char>(n >> 8)).put(static_cast<char>(n & 0xFF));
    }
  }
  const auto source = capture::openSource(Address(file));
  EXPECT_EQ(source->frameCount(), 400U);
  Picture picture(source->format());
  for (const uint64_t n : {399, 0, 255, 256}) {
    source->seek(FrameNumber(n));
    source->read(picture.view());
    EXPECT_EQ(picture.value(0, 0), n == 256 ? 0 : static_cast<int>(n));
  }
}

TEST_F(TiffTest, TenThousandPagesAreReachedInAnyOrder) {
  const std::string file = path("many.tif");
  writeSparseTiff(file, 10'000, false,
                  [](int page) { return 16 + static_cast<uint64_t>(page) * kSparsePage; });
  const auto source = capture::openSource(Address(file));
  EXPECT_EQ(source->frameCount(), 10'000U);
  Picture picture(source->format());
  for (const uint64_t place : {9999, 0, 5000, 4999, 1, 9998}) {
    source->seek(FrameNumber(place));
    EXPECT_EQ(source->read(picture.view()).stamp.sequence.value(), place);
    EXPECT_EQ(pageOf(picture), static_cast<int>(place % 251));
  }
}

TEST_F(TiffTest, LyingSizesAreRefusedWithoutTakingMemory) {
  std::string bytes = imagejPlanes(1, "ImageJ=1\nimages=4000000000\nframes=4000000000\n");
  Contents contents = readAll(save(bytes));
  EXPECT_EQ(contents.pictures.size(), 1U);
  EXPECT_NE(contents.error.find("cut short"), std::string::npos) << contents.error;
  // Width and height are the values of the first two entries, at 8 + 2 + 8 and 12 bytes behind.
  for (const size_t at : {size_t{18}, size_t{30}}) bytes.replace(at, 4, "\x00\xFF\xFF\xFF", 4);
  EXPECT_NE(problemOf(save(bytes)), "(opened)");
}

/// A FITS image of 5 x 3 values, big endian, whose value in column x of row y is 10 y + x - 3.
template <class Stored>
std::string fits(const char* bitpix, const std::vector<std::string>& more) {
  std::string bytes;
  const auto card = [&](const std::string& text) { bytes += fmt::format("{:<80}", text); };
  card("SIMPLE  =                    T / a comment");
  card(fmt::format("BITPIX  = {:>20}", bitpix));
  card("NAXIS   =                    2");
  card("NAXIS1  =                    5");
  card("NAXIS2  =                    3 / rows");
  for (const std::string& text : more) card(text);
  card("END");
  bytes.resize(2880, ' ');
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) {
      const auto stored = static_cast<Stored>(10 * y + x - 3);
      std::string one(sizeof stored, '\0');
      std::memcpy(one.data(), &stored, sizeof stored);
      bytes.append(one.rbegin(), one.rend());
    }
  bytes.resize(2 * 2880, '\0');
  return bytes;
}

TEST_F(TiffTest, FitsKeepsItsOwnValues) {
  const auto put = [&](const char* name, const std::string& bytes) {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return readAll(path(name));
  };
  const Contents plain = put("a.fits", fits<int16_t>("16", {}));
  ASSERT_EQ(plain.pictures.size(), 1U) << plain.error;
  EXPECT_EQ(plain.pictures[0].format, (gpu::ImageFormat{5, 3, 1, 16}));
  EXPECT_EQ(plain.pictures[0].value(4, 0), 21);  // the last row is stored last, and shown first
  EXPECT_EQ(plain.pictures[0].value(4, 2), 1);
  EXPECT_EQ(plain.pictures[0].value(0, 2), 0);  // -3
  const Contents shifted = put("b.fit", fits<int16_t>("16", {"BZERO   =                32768"}));
  ASSERT_EQ(shifted.pictures.size(), 1U) << shifted.error;
  EXPECT_EQ(shifted.pictures[0].value(0, 2), 32765);
  // From -3 to 21, scaled by 2 and shifted by 1: from -5 to 43.
  const Contents floats =
      put("c.fits",
          fits<float>("-32", {"BSCALE  =                  2.0", "BZERO   =                  1.0"}));
  ASSERT_EQ(floats.pictures.size(), 1U) << floats.error;
  EXPECT_EQ(floats.pictures[0].value(0, 2), 0);
  EXPECT_EQ(floats.pictures[0].value(4, 0), 65535);
  EXPECT_NEAR(floats.pictures[0].value(0, 0), (2 * 17 + 1 + 5) / 48.0 * 65535, 0.51);
  EXPECT_NE(put("d.fits", fits<int16_t>("16", {}).substr(0, 2900)).error.find("cut short"),
            std::string::npos);
  EXPECT_NE(put("e.fits", fits<int16_t>("12", {})).error.find("no FITS image"), std::string::npos);
}

/// A unit of a FITS file with values of 16 bits: a primary image, or an extension. The value in
/// column x of row y of plane z is 100 start + 1000 z + 10 y + x.
std::string fitsUnit(const std::string& first, const std::vector<int>& axes, int start,
                     const std::vector<std::string>& more = {}) {
  std::string bytes;
  const auto card = [&](const std::string& text) { bytes += fmt::format("{:<80}", text); };
  card(first);
  card("BITPIX  =                   16");
  card(fmt::format("NAXIS   = {:>20}", axes.size()));
  int count = axes.empty() ? 0 : 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    card(fmt::format("{:<8}= {:>20} / axis", fmt::format("NAXIS{}", i + 1), axes[i]));
    count *= axes[i];
  }
  for (const std::string& text : more) card(text);
  card("END");
  const auto pad = [&](char with) { bytes.resize((bytes.size() + 2879) / 2880 * 2880, with); };
  pad(' ');
  for (int i = 0; i < count; ++i) {
    const int x = i % axes[0], y = i / axes[0] % axes[1], z = i / axes[0] / axes[1];
    const int value = 100 * start + 1000 * z + 10 * y + x;
    bytes += static_cast<char>(value >> 8);
    bytes += static_cast<char>(value & 0xFF);
  }
  pad('\0');
  return bytes;
}

TEST_F(TiffTest, PlanesAndExtensionsOfFitsAreFrames) {
  const std::string primary = "SIMPLE  =                    T", image = "XTENSION= 'IMAGE   '";
  const auto put = [&](const std::string& bytes) {
    std::ofstream(path("a.fits"), std::ios::binary) << bytes;
    return readAll(path("a.fits"));
  };
  const auto remarks = [&] {
    return all(capture::openSource(Address(path("a.fits")))->summary().remarks);
  };
  Contents cube = put(fitsUnit(primary, {4, 3, 5}, 1));
  EXPECT_EQ(cube.error, "");
  ASSERT_EQ(cube.pictures.size(), 5U);
  EXPECT_EQ(cube.pictures[0].format, (gpu::ImageFormat{4, 3, 1, 16}));
  for (int z = 0; z < 5; ++z)
    EXPECT_EQ(cube.pictures[static_cast<size_t>(z)].value(2, 0), 100 + 1000 * z + 20 + 2);
  EXPECT_EQ(remarks(), "");
  // An empty primary image, extensions, one of which is smaller, and a table.
  Contents several = put(fitsUnit(primary, {}, 0) + fitsUnit(image, {4, 3}, 1) +
                         fitsUnit("XTENSION= 'BINTABLE'", {8, 2}, 0,
                                  {"PCOUNT  =                  100", "GCOUNT  =      1"}) +
                         std::string(0, ' ') + fitsUnit(image, {4, 3}, 7) +
                         fitsUnit(image, {2, 3}, 3) + fitsUnit(image, {4, 3, 2}, 9));
  EXPECT_EQ(several.error, "");
  ASSERT_EQ(several.pictures.size(), 4U);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(several.pictures[i].value(3, 2), (std::vector<int>{103, 703, 903, 1903}).at(i));
  EXPECT_EQ(remarks(),
            "1 table is left out\n1 image is left out: of another size or kind than the first\n");
  Contents colour = put(fitsUnit(primary, {4, 3, 3}, 1));
  ASSERT_EQ(colour.pictures.size(), 1U);
  EXPECT_EQ(colour.pictures[0].format.channels, 3U);
  EXPECT_EQ(colour.pictures[0].value(1, 2, 2), 101);   // red
  EXPECT_EQ(colour.pictures[0].value(1, 2, 0), 2101);  // blue
  EXPECT_EQ(remarks(), "its 3 planes are taken for red, green and blue\n");
  // Cut in the fourth plane, seeks, and sizes that lie.
  const std::string whole = fitsUnit(primary, {40, 30, 5}, 1);
  Contents cut = put(whole.substr(0, 2880 + 3 * 2400 + 100));
  EXPECT_EQ(cut.pictures.size(), 3U);
  EXPECT_EQ(cut.error, "'" + path("a.fits") + "' is cut short: 3 frames could be read");
  EXPECT_EQ(capture::openSource(Address(path("a.fits")))->summary().frames, 3U);
  put(whole);
  const auto source = capture::openSource(Address(path("a.fits")));
  for (const uint64_t place : {4, 0, 2}) {
    source->seek(FrameNumber(place));
    Picture picture(source->format());
    source->read(picture.view());
    EXPECT_EQ(picture.value(0, 29), 100 + 1000 * static_cast<int>(place));
  }
  for (const char* lie : {"NAXIS3  =  99999999999", "NAXIS3  = 9223372036854775807"}) {
    std::string lying = whole;
    lying.replace(size_t{5} * 80, 80, fmt::format("{:<80}", lie));
    // The padding behind the five planes has room for a sixth.
    EXPECT_EQ(put(lying).pictures.size(), 6U);
    EXPECT_NE(put(lying).error.find("cut short: 6 frames"), std::string::npos);
  }
}

TEST_F(TiffTest, PfmIsReadFromItsBottomRow) {
  for (const bool colour : {false, true}) {
    for (const bool bigEndian : {false, true}) {
      std::string bytes =
          fmt::format("P{}\n4 3\n{}1.0\n", colour ? 'F' : 'f', bigEndian ? "" : "-");
      for (int y = 2; y >= 0; --y)
        for (int x = 0; x < 4; ++x)
          for (int c = 0; c < (colour ? 3 : 1); ++c) {
            const float value = static_cast<float>(4 * y + x + 20 * c) / 10;
            std::string one(sizeof value, '\0');
            std::memcpy(one.data(), &value, sizeof value);
            if (bigEndian) std::reverse(one.begin(), one.end());
            bytes += one;
          }
      std::ofstream(path("a.pfm"), std::ios::binary) << bytes;
      const Contents reading = readAll(path("a.pfm?range=0:6.5535"));
      ASSERT_EQ(reading.pictures.size(), 1U) << reading.error;
      ASSERT_EQ(reading.pictures[0].format, (gpu::ImageFormat{4, 3, colour ? 3U : 1U, 16}));
      for (uint32_t y = 0; y < 3; ++y)
        for (uint32_t x = 0; x < 4; ++x)
          for (uint32_t c = 0; c < (colour ? 3U : 1U); ++c)
            EXPECT_EQ(reading.pictures[0].value(x, y, c),
                      static_cast<int>(1000 * (4 * y + x + 20 * (colour ? 2 - c : 0))));
      std::ofstream(path("b.pfm"), std::ios::binary) << bytes.substr(0, bytes.size() - 1);
      EXPECT_NE(readAll(path("b.pfm")).error.find("cut short"), std::string::npos);
    }
  }
}

TEST(FilesPage, NamesWhatIsRead) {
  std::ifstream in(GLINT_DOCS "/files.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const auto count = [&](const std::string& text) {
    size_t found = 0;
    for (size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1))
      ++found;
    return found;
  };
  for (const std::string_view suffix : capture::kImageSuffixes)
    EXPECT_GE(count(fmt::format("`{}`", suffix)), 1U) << suffix;
  const size_t begin = page.find("|suffix |"), end = page.find("\n\n", begin);
  const std::string table = page.substr(begin, end - begin);
  EXPECT_EQ(static_cast<size_t>(std::ranges::count(table, '`')),
            2 * capture::kImageSuffixes.size());
  for (const capture::SourceOption& option : capture::sourceOptions())
    EXPECT_EQ(count(fmt::format("\n|`?{}={}` |", option.name, option.value)), 1U) << option.name;
  EXPECT_EQ(count("\n|`?"), capture::sourceOptions().size());
}

}  // namespace
}  // namespace glint
