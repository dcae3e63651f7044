// Recordings of high-speed cameras: Photron's MRAW with CIHX or CIH, and NorPix sequences.
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/capture/source/source_options.h"
#include "tests/app/pictures.h"

namespace glint {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kWide = 16, kHigh = 6;

/// A value that differs in every place, of `bits` bits.
uint32_t valueOf(uint64_t frame, uint32_t x, uint32_t y, uint32_t bits, uint32_t channel = 0) {
  return static_cast<uint32_t>((frame * 977 + x * 37 + y * 1031 + channel * 173) &
                               ((1U << bits) - 1));
}

/// Writes numbers of any width, the highest bit first.
class BitWriter {
 public:
  void put(uint32_t value, uint32_t bits) {
    for (uint32_t bit = bits; bit-- > 0;) {
      if (count_ % 8 == 0) bytes_.push_back('\0');
      const auto on = static_cast<unsigned char>((value >> bit & 1U) << (7 - count_ % 8));
      bytes_.back() = static_cast<char>(static_cast<unsigned char>(bytes_.back()) | on);
      ++count_;
    }
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  uint64_t count_ = 0;
};

std::string little(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
  return text;
}

class HighSpeedTest : public FolderTest {
 protected:
  std::string save(const std::string& name, const std::string& bytes) {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string problemOf(const std::string& spec) {
    try {
      capture::openSource(Address(spec));
    } catch (const Error& error) {
      return error.what();
    }
    return "(opened)";
  }
};

/// A description in both forms.
struct Photron {
  int bits = 16, depth = 12;
  std::string side = "Lower", colours = "Mono", format = "MRaw", rate = "5000";
  int frames = 5;
  uint64_t width = kWide;

  std::string cihx() const {
    return "\x01\x02\xFF binary\n<cih>\n<fileInfo><date>2020/01/01</date></fileInfo>" +
           fmt::format(
               "<recordInfo><recordRate>{}</recordRate></recordInfo>"
               "<frameInfo><totalFrame>{}</totalFrame></frameInfo>"
               "<imageDataInfo><resolution><width>{}</width><height>{}</height>"
               "</resolution><colorInfo><type>{}</type><bit>{}</bit></colorInfo>"
               "<effectiveBit><depth>{}</depth><side>{}</side></effectiveBit>"
               "</imageDataInfo><imageFileInfo><fileFormat>{}</fileFormat>"
               "</imageFileInfo>\n</cih>\n",
               rate, frames, width, kHigh, colours, bits, depth, side, format) +
           "\xFF more";
  }
  std::string cih() const {
    return fmt::format(
        "#Camera Information Header\r\nRecord Rate(fps) : {}\r\nTotal Frame : {}\r\n"
        "Image Width : {}\r\nImage Height : {}\r\nColor Type : {}\r\nColor Bit : {}\r\n"
        "File Format : {}\r\nEffectiveBit Depth : {}\r\nEffectiveBit Side : {}\r\n\r\n",
        rate, frames, width, kHigh, colours, bits, format, depth, side);
  }
  /// `valueBits`: those of the values, which may be shifted to the top of a sample.
  std::string pictures(uint32_t valueBits, uint32_t shift = 0) const {
    BitWriter packed;
    std::string bytes;
    for (int n = 0; n < frames; ++n)
      for (uint32_t y = 0; y < kHigh; ++y)
        for (uint32_t x = 0; x < kWide; ++x) {
          const uint32_t value = valueOf(static_cast<uint64_t>(n), x, y, valueBits) << shift;
          if (bits == 8 || bits == 16)
            bytes += little(value, bits / 8);
          else
            packed.put(value, static_cast<uint32_t>(bits));
        }
    return bits == 8 || bits == 16 ? bytes : packed.bytes();
  }
};

TEST_F(HighSpeedTest, PhotronIsReadAtEveryDepth) {
  struct DepthCase {
    int bits, depth;
    const char* side;
    uint32_t valueBits, shift, deliveredBits;
    double scale;  ///< from a value to a delivered one
  };
  for (const DepthCase& one : std::vector<DepthCase>{{8, 8, "Lower", 8, 0, 8, 1},
                                                     {10, 10, "Lower", 10, 0, 16, 65535.0 / 1023},
                                                     {12, 12, "Lower", 12, 0, 16, 65535.0 / 4095},
                                                     {16, 12, "Lower", 12, 0, 16, 65535.0 / 4095},
                                                     {16, 12, "Higher", 12, 4, 16, 16},
                                                     {16, 8, "Lower", 8, 0, 16, 257},
                                                     {12, 12, "Higher", 12, 0, 16, 65535.0 / 4095},
                                                     {16, 16, "Lower", 16, 0, 16, 1}}) {
    SCOPED_TRACE(testing::Message() << one.bits << " " << one.depth << one.side);
    const Photron photron{.bits = one.bits, .depth = one.depth, .side = one.side};
    save("a.mraw", photron.pictures(one.valueBits, one.shift));
    for (const bool xml : {true, false}) {
      for (const char* old : {"a.cihx", "a.cih"}) fs::remove(path(old));
      save(xml ? "a.cihx" : "a.cih", xml ? photron.cihx() : photron.cih());
      for (const char* given : {"a.mraw", xml ? "a.cihx" : "a.cih"}) {
        Contents contents = readAll(path(given));
        ASSERT_EQ(contents.error, "");
        ASSERT_EQ(contents.pictures.size(), 5U);
        ASSERT_EQ(contents.pictures[0].format,
                  (gpu::ImageFormat{kWide, kHigh, 1, one.deliveredBits}));
        for (uint64_t n = 0; n < 5; ++n) {
          EXPECT_DOUBLE_EQ(contents.times[n], static_cast<double>(n) / 5000);
          for (uint32_t y = 0; y < kHigh; ++y)
            for (uint32_t x = 0; x < kWide; ++x)
              ASSERT_EQ(contents.pictures[n].value(x, y),
                        std::lround(valueOf(n, x, y, one.valueBits) * one.scale));
        }
      }
    }
    const auto source = capture::openSource(Address(path("a.mraw")));
    const capture::SourceSummary summary = source->summary();
    EXPECT_EQ(summary.bitsStored, static_cast<uint32_t>(one.depth));
    EXPECT_EQ(summary.rateFrom, "as its CIH says");
    EXPECT_EQ(source->statedRate(), 5000);
    for (const uint64_t place : {4, 1, 0, 3, 3}) {
      source->seek(FrameNumber(place));
      Picture picture(source->format());
      const capture::Reading reading = source->read(picture.view());
      ASSERT_EQ(reading.stamp.sequence.value(), place);
      EXPECT_EQ(picture.value(3, 2), std::lround(valueOf(place, 3, 2, one.valueBits) * one.scale));
    }
    source->seek(FrameNumber(5));
    Picture picture(source->format());
    EXPECT_EQ(source->read(picture.view()).state, gpu::CameraState::ended);
  }
}

TEST_F(HighSpeedTest, WhatIsWholeOfACutPhotronRecordingIsRead) {
  const Photron photron;
  save("a.cihx", photron.cihx());
  save("a.mraw", photron.pictures(12).substr(0, 3 * kWide * kHigh * 2 - 1));
  const Contents contents = readAll(path("a.mraw"));
  EXPECT_EQ(contents.pictures.size(), 2U);
  EXPECT_EQ(contents.error, "'" + path("a.mraw") + "' is cut short: 2 of 5 frames could be read");
  EXPECT_EQ(capture::openSource(Address(path("a.mraw")))->summary().frames, 2U);
  save("a.mraw", "x");
  EXPECT_NE(problemOf(path("a.mraw")).find("not one frame is whole"), std::string::npos);
}

TEST_F(HighSpeedTest, PhotronDescriptionsThatLieAreRefused) {
  const auto problem = [&](const Photron& photron, const char* given = "a.mraw") {
    save("a.mraw", photron.pictures(12));
    save("a.cihx", photron.cihx());
    return problemOf(path(given));
  };
  EXPECT_NE(problem({.width = 4000000000}).find("promises a width of 4000000000"),
            std::string::npos);
  EXPECT_NE(problem({.width = 0}).find("promises frames of 0 x 6 pixels"), std::string::npos);
  EXPECT_NE(problem({.width = 1000000}).find("not one frame is whole"), std::string::npos);
  EXPECT_NE(problem({.colours = "Color"}).find("have colours ('Color')"), std::string::npos);
  EXPECT_NE(problem({.format = "TIFF"}).find("its pictures are TIFF files: give those instead"),
            std::string::npos);
  EXPECT_NE(problem({.bits = 24}).find("values of 12 bits in 24"), std::string::npos);
  EXPECT_NE(problem({.bits = 12, .width = 15}, "a.cihx").find("(opened)"), std::string::npos);
  // A rate that is none is assumed.
  problem({.rate = "fast"});
  const capture::SourceSummary summary = capture::openSource(Address(path("a.cihx")))->summary();
  EXPECT_EQ(summary.rateFrom, "assumed");
  ASSERT_EQ(summary.warnings.size(), 1U);
  EXPECT_NE(summary.warnings[0].find("?fps=1000"), std::string::npos);
  EXPECT_DOUBLE_EQ(readAll(path("a.cihx?fps=250")).times.back(), 4.0 / 250);
  const std::string whole = Photron{}.cihx();
  save("a.cihx", whole.substr(0, whole.size() / 2));
  EXPECT_NE(problemOf(path("a.mraw")).find("is cut short or damaged"), std::string::npos);
  save("a.cihx", "<cih><a></cih>");
  EXPECT_NE(problemOf(path("a.mraw")).find("mismatched tag"), std::string::npos);
  save("a.cihx", "<cih></cih>");
  EXPECT_NE(problemOf(path("a.mraw")).find("no valid value of 'cih/imageDataInfo/"),
            std::string::npos);
  fs::remove(path("a.cihx"));
  EXPECT_NE(problemOf(path("a.mraw")).find("needs its description"), std::string::npos);
  fs::remove(path("a.mraw"));
  save("a.cih", Photron{}.cih());
  EXPECT_NE(problemOf(path("a.cih")).find("needs its pictures"), std::string::npos);
}

/// A NorPix sequence.
struct Norpix {
  int version = 5;
  uint32_t format = 100, bits = 16, depth = 12, channels = 1, compression = 0;
  uint64_t frames = 5, allocated = 5, origin = 0, width = kWide;
  int64_t imageBytes = -1;
  uint64_t padding = 40;
  std::vector<double> times{100.5, 100.51, 100.525, 100.53, 100.6};

  std::string bytes() const {
    const uint64_t needed = uint64_t{kWide} * kHigh * channels * bits / 8;
    const uint64_t distance = needed + 8 + padding;
    std::string head = little(0xFEED, 4);
    for (const char c : std::string("Norpix seq")) head += little(static_cast<uint64_t>(c), 2);
    head.resize(28, '\0');
    head += little(static_cast<uint64_t>(version), 4) + little(1024, 4);
    head.resize(548, '\0');
    head += little(width, 4) + little(kHigh, 4) + little(uint64_t{bits} * channels, 4) +
            little(uint64_t{depth} * channels, 4) +
            little(imageBytes < 0 ? needed : static_cast<uint64_t>(imageBytes), 4) +
            little(format, 4) + little(allocated, 4) + little(origin, 4) + little(distance, 4);
    const double rate = 200;
    uint64_t word = 0;
    std::memcpy(&word, &rate, sizeof word);
    head += little(word, 8);
    head.resize(620, '\0');
    head += little(compression, 4);
    head.resize(version >= 5 ? 8192 : 1024, '\0');
    for (uint64_t n = 0; n < frames; ++n) {
      std::string frame;
      for (uint32_t y = 0; y < kHigh; ++y)
        for (uint32_t x = 0; x < kWide; ++x)
          for (uint32_t c = 0; c < channels; ++c)
            frame += little(valueOf(n, x, y, depth, c), static_cast<int>(bits / 8));
      const auto micro = static_cast<uint64_t>(std::llround(times.at(n) * 1e6));
      frame += little(micro / 1000000, 4) + little(micro / 1000 % 1000, 2);
      if (version >= 5) frame += little(micro % 1000, 2);
      frame.resize(distance, '\0');
      head += frame;
    }
    return head;
  }
};

TEST_F(HighSpeedTest, NorpixIsReadWithItsTimes) {
  struct SeqCase {
    Norpix seq;
    uint32_t deliveredBits;
    double scale;
  };
  for (const SeqCase& one :
       std::vector<SeqCase>{{{.bits = 8, .depth = 8}, 8, 1},
                            {{.version = 3, .bits = 8, .depth = 8, .padding = 0}, 8, 1},
                            {{}, 16, 65535.0 / 4095},
                            {{.version = 4, .depth = 16}, 16, 1},
                            {{.allocated = 0}, 16, 65535.0 / 4095},
                            {{.format = 200, .bits = 8, .depth = 8, .channels = 3}, 8, 1}}) {
    SCOPED_TRACE(testing::Message() << one.seq.version << " " << one.seq.depth);
    const std::string file = save("a.seq", one.seq.bytes());
    Contents contents = readAll(file);
    ASSERT_EQ(contents.error, "");
    ASSERT_EQ(contents.pictures.size(), 5U);
    ASSERT_EQ(contents.pictures[0].format,
              (gpu::ImageFormat{kWide, kHigh, one.seq.channels, one.deliveredBits}));
    for (uint64_t n = 0; n < 5; ++n) {
      EXPECT_NEAR(contents.times[n], one.seq.times[n] - 100.5, 1e-9);
      for (uint32_t y = 0; y < kHigh; ++y)
        for (uint32_t x = 0; x < kWide; ++x)
          for (uint32_t c = 0; c < one.seq.channels; ++c)
            ASSERT_EQ(contents.pictures[n].value(x, y, c),
                      std::lround(valueOf(n, x, y, one.seq.depth, c) * one.scale));
    }
    const auto source = capture::openSource(Address(file));
    EXPECT_EQ(source->summary().rateFrom, "as its own time stamps say");
    EXPECT_NEAR(source->statedRate().value_or(0), 40, 1e-6);
    for (const uint64_t place : {3, 0, 4}) {
      source->seek(FrameNumber(place));
      Picture picture(source->format());
      EXPECT_EQ(source->read(picture.view()).stamp.sequence.value(), place);
      EXPECT_EQ(picture.value(5, 1), std::lround(valueOf(place, 5, 1, one.seq.depth) * one.scale));
    }
  }
  const std::string file =
      save("a.seq", Norpix{.origin = 2, .times = {5, 5.1, 5.1, 5.2, 5.3}}.bytes());
  const capture::SourceSummary summary = capture::openSource(Address(file))->summary();
  EXPECT_EQ(summary.rateFrom, "as its header says");
  EXPECT_EQ(summary.rate, 200);
  EXPECT_EQ(summary.remarks.size(), 2U);
  EXPECT_DOUBLE_EQ(readAll(file).times.back(), 4.0 / 200);
  EXPECT_EQ(capture::openSource(Address(file + "?rotate=90"))->format().width, kHigh);
  EXPECT_NE(problemOf(file + "?stream=0").find("not for recordings of high-speed cameras"),
            std::string::npos);
}

TEST_F(HighSpeedTest, NorpixFilesThatLieOrBreakOffAreNamed) {
  const auto problem = [&](const Norpix& seq) { return problemOf(save("a.seq", seq.bytes())); };
  EXPECT_NE(problem({.format = 101}).find("pictures of the format 101"), std::string::npos);
  EXPECT_NE(problem({.compression = 1}).find("compressed pictures"), std::string::npos);
  EXPECT_NE(problem({.imageBytes = 9}).find("promises pictures of 9 bytes"), std::string::npos);
  EXPECT_NE(problem({.width = 0xFFFFFFFF}).find("is damaged"), std::string::npos);
  const std::string whole = Norpix{}.bytes();
  EXPECT_NE(problemOf(save("a.seq", whole.substr(0, 5000))).find("its header is not whole"),
            std::string::npos);
  EXPECT_NE(problemOf(save("a.seq", whole.substr(0, 8192 + 20))).find("not one frame is whole"),
            std::string::npos);
  const Contents cut = readAll(save("a.seq", whole.substr(0, whole.size() - 2 * 240 - 60)));
  EXPECT_EQ(cut.pictures.size(), 2U);
  EXPECT_EQ(cut.error, "'" + path("a.seq") + "' is cut short: 2 of 5 frames could be read");
  // The promise of four milliards of frames takes no memory.
  const Contents many = readAll(save("a.seq", Norpix{.allocated = 4000000000}.bytes()));
  EXPECT_EQ(many.pictures.size(), 5U);
  EXPECT_NE(many.error.find("5 of 4000000000 frames"), std::string::npos) << many.error;
}

}  // namespace
}  // namespace glint
