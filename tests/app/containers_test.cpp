// Cuts one file of every kind that ffmpeg writes here. A cut file must be reported wherever it was
// cut, and a whole file must not be, whatever stands behind its end. GLINT_CUTS=N makes N cuts at
// random. GLINT_TABLE=1 prints the table of docs/reliability.md.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>

#include <fmt/format.h>

#include "tests/app/pictures.h"

namespace glint {
namespace {

/// How surely a cut can be detected.
enum class Known {
  always,
  within,   ///< The cut is detected unless it lies between two packets.
  decoder,  ///< The cut is detected only if the decoder complains about the last picture.
};

/// The bytes that may stand behind the end without being reported.
enum class Padding {
  any,
  even,  ///< Bytes that are all the same may stand there.
  none,  ///< Nothing may: any bytes there would be taken for a part of the last frame.
};

struct Format {
  const char* name;
  const char* options;  ///< Options of ffmpeg; "@sound" adds a tone.
  Known known = Known::always;
  Padding padding = Padding::any;
};

const Format kFormats[] = {
    {"h264.mp4", "-c:v libx264"},
    {"hevc.mp4", "-c:v libx265 -x265-params log-level=error"},
    {"mpeg4.mp4", "-c:v mpeg4"},
    {"av1.mp4", "-c:v libsvtav1 -preset 12"},
    {"mjpeg.mp4", "-c:v mjpeg"},
    {"indexfirst.mp4", "-c:v libx264 -movflags faststart"},
    {"fragments.mp4", "-c:v libx264 -g 10 -movflags frag_keyframe+empty_moov"},
    {"dash.mp4", "-c:v libx264 -g 10 -movflags dash+frag_keyframe+empty_moov", Known::within},
    {"prores.mov", "-c:v prores"},
    {"mjpeg.mov", "-c:v mjpeg"},
    {"qtrle.mov", "-c:v qtrle"},
    {"raw.mov", "-c:v rawvideo"},
    {"png.mov", "-c:v png"},
    {"dnxhd.mov", "-c:v dnxhd -profile:v dnxhr_sq -s 256x160 -pix_fmt yuv422p"},
    {"h263.3gp", "-c:v h263 -s 176x144"},
    {"mpeg4.3gp", "-c:v mpeg4"},
    {"h264.3g2", "-c:v libx264"},
    {"h264.m4v", "-f ipod -c:v libx264"},
    {"h264.f4v", "-c:v libx264"},
    {"h264.ismv", "-c:v libx264 -g 10"},
    {"av1.avif", "-c:v libsvtav1 -preset 12"},
    {"h264.mkv", "-c:v libx264"},
    {"ffv1.mkv", "-c:v ffv1"},
    {"mjpeg.mkv", "-c:v mjpeg"},
    {"live.mkv", "-c:v mpeg4 -f matroska -live 1", Known::within},
    {"theora.mkv", "-c:v libtheora"},
    {"raw.mkv", "-c:v rawvideo -pix_fmt yuv420p"},
    {"vp8.webm", "-c:v libvpx"},
    {"vp9.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8"},
    {"av1.webm", "-c:v libsvtav1 -preset 12"},
    {"mjpeg.avi", "-c:v mjpeg"},
    {"mpeg4.avi", "-c:v mpeg4"},
    {"h264.avi", "-c:v libx264 -bf 0"},
    {"raw.avi", "-c:v rawvideo -pix_fmt bgr24"},
    {"huffyuv.avi", "-c:v huffyuv"},
    {"utvideo.avi", "-c:v utvideo"},
    {"ffv1.avi", "-c:v ffv1"},
    {"msmpeg4.avi", "-c:v msmpeg4"},
    {"cinepak.avi", "-c:v cinepak"},
    {"zmbv.avi", "-c:v zmbv"},
    {"magicyuv.avi", "-c:v magicyuv"},
    {"dv.avi", "-c:v dvvideo -s 720x576 -pix_fmt yuv420p"},
    {"snow.avi", "-c:v snow -strict -2"},
    {"jpeg2000.avi", "-c:v jpeg2000"},
    {"wmv2.avi", "-c:v wmv2"},
    {"sound.avi", "-c:v mjpeg @sound -c:a mp2"},
    {"amv.amv", "-c:v amv -strict -1 @sound -c:a adpcm_ima_amv -ar 22050 -ac 1 -block_size 882",
     Known::decoder, Padding::none},
    {"mpeg2.ts", "-c:v mpeg2video", Known::within},
    {"h264.ts", "-c:v libx264", Known::within},
    {"hevc.ts", "-c:v libx265 -x265-params log-level=error", Known::within},
    {"h264.m2ts", "-c:v libx264", Known::within},
    {"sound.ts", "-c:v libx264 @sound -c:a mp2", Known::within},
    {"mpeg1.mpg", "-c:v mpeg1video", Known::within},
    {"mpeg2.mpg", "-c:v mpeg2video", Known::within},
    {"mpeg2.vob", "-c:v mpeg2video", Known::within},
    {"dvd.vob", "-f dvd -c:v mpeg2video", Known::within},
    {"svcd.mpg", "-f svcd -c:v mpeg2video", Known::within},
    {"vcd.mpg", "-f vcd -c:v mpeg1video", Known::within},
    {"sound.vob", "-c:v mpeg2video @sound -c:a mp2", Known::within},
    {"420.y4m", "-pix_fmt yuv420p", Known::within},
    {"mono.y4m", "-pix_fmt gray", Known::within},
    {"444.y4m", "-pix_fmt yuv444p", Known::within},
    {"422.y4m", "-pix_fmt yuv422p", Known::within},
    {"411.y4m", "-pix_fmt yuv411p", Known::within},
    {"420p10.y4m", "-pix_fmt yuv420p10 -strict -1", Known::within},
    {"mono16.y4m", "-pix_fmt gray16 -strict -1", Known::within},
    {"mjpeg.nut", "-c:v mjpeg", Known::always, Padding::even},
    {"ffv1.nut", "-c:v ffv1", Known::always, Padding::even},
    {"raw.nut", "-c:v rawvideo", Known::always, Padding::even},
    {"h264.nut", "-c:v libx264", Known::always, Padding::even},
    {"gif.gif", ""},
    {"apng.apng", ""},
    {"flv1.flv", "-c:v flv"},
    {"h264.flv", "-c:v libx264"},
    {"flashsv.flv", "-c:v flashsv"},
    {"sound.flv", "-c:v flv @sound -c:a libmp3lame -ar 44100"},
    {"msmpeg4.asf", "-c:v msmpeg4"},
    {"wmv2.wmv", "-c:v wmv2"},
    {"sound.wmv", "-c:v wmv2 @sound -c:a wmav2"},
    {"piped.asf", "-seekable 0 -c:v wmv2", Known::within},
    {"mpeg2.mxf", "-c:v mpeg2video"},
    {"h264.mxf", "-c:v libx264"},
    {"dnxhd.mxf", "-c:v dnxhd -profile:v dnxhr_sq -s 256x160 -pix_fmt yuv422p"},
    {"jpeg2000.mxf", "-c:v jpeg2000"},
    {"opatom.mxf", "-f mxf_opatom -c:v dnxhd -profile:v dnxhr_sq -s 256x160 -pix_fmt yuv422p"},
    {"mpeg2.gxf", "-c:v mpeg2video -s 720x576"},
    {"mjpeg.gxf", "-c:v mjpeg -s 720x576"},
    {"theora.ogv", "-c:v libtheora"},
    {"vp8.ogv", "-c:v libvpx"},
    {"sound.ogv", "-c:v libtheora @sound -c:a libvorbis"},
    {"rv10.rm", "-c:v rv10 -s 176x144", Known::decoder, Padding::none},
    {"rv20.rm", "-c:v rv20 -s 176x144", Known::decoder, Padding::none},
    {"flv1.swf", "-c:v flv", Known::decoder, Padding::none},
    {"mjpeg.swf", "-c:v mjpeg", Known::decoder, Padding::none},
    {"vp8.ivf", "-c:v libvpx"},
    {"vp9.ivf", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8"},
    {"av1.ivf", "-c:v libsvtav1 -preset 12"},
    {"pal.dv", "-c:v dvvideo -s 720x576 -pix_fmt yuv420p", Known::within},
    {"roq.roq", "-c:v roqvideo -s 256x128 -r 30", Known::within, Padding::even},
    {"smjpeg.mjpg", "-f smjpeg -c:v mjpeg"},
    {"cinepak.cpk", "-f film_cpk -c:v cinepak"},
    {"filmstrip.flm", "-f filmstrip -c:v rawvideo -pix_fmt rgba", Known::always, Padding::none},
    {"mpeg2.wtv", "-c:v mpeg2video"},
    {"fits.fits", "-f fits -c:v fits", Known::within},
    {"mpjpeg.mpjpeg", "-f mpjpeg -c:v mjpeg", Known::within},
    {"mjpeg.mjpeg", "-f mjpeg -c:v mjpeg", Known::within},
    {"av1.obu", "-f obu -c:v libsvtav1 -preset 12", Known::within, Padding::none},
    {"vc2.drc", "-f dirac -c:v vc2 -pix_fmt yuv420p", Known::decoder, Padding::none},
    {"dnxhd.dnxhd", "-c:v dnxhd -profile:v dnxhr_sq -s 256x160 -pix_fmt yuv422p", Known::within,
     Padding::none},
    {"h264.h264", "-c:v libx264", Known::decoder, Padding::none},
    {"hevc.hevc", "-c:v libx265 -x265-params log-level=error", Known::decoder, Padding::none},
    {"mpeg4.m4v", "-f m4v -c:v mpeg4", Known::decoder, Padding::none},
    {"mpeg1.m1v", "-f mpeg1video -c:v mpeg1video", Known::decoder, Padding::none},
    {"mpeg2.m2v", "-f mpeg2video -c:v mpeg2video", Known::decoder, Padding::none},
    {"h263.h263", "-f h263 -c:v h263 -s 176x144", Known::decoder, Padding::none},
};

std::string load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void save(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class ContainersTest : public FolderTest {
 protected:
  /// Returns the bytes of a whole file.
  std::string make(const Format& format) {
    std::string options = format.options;
    const size_t sound = options.find("@sound");
    std::string input = "-f lavfi -i testsrc=size=160x120:rate=25";
    if (sound != std::string::npos) {
      options.erase(sound, 6);
      input += " -f lavfi -i sine=frequency=440:duration=1.6";
    }
    const bool large = options.find("720x") != std::string::npos;
    const std::string command =
        fmt::format("ffmpeg -loglevel error -nostdin -y {} -frames:v {} {} {} '{}' 2>'{}'", input,
                    large ? 12 : 40, options.find("-g ") == std::string::npos ? "-g 12" : "",
                    options, path(format.name), path("ffmpeg.log"));
    EXPECT_EQ(std::system(command.c_str()), 0) << command << load(path("ffmpeg.log"));
    return load(path(format.name));
  }
  Contents read(const Format& format, const std::string& bytes) {
    const std::string file = path("b_" + std::string(format.name));
    save(file, bytes);
    return readAll(file);
  }
};

bool saysSo(const Contents& contents) {
  for (const char* words :
       {"is cut short", "damaged or cut short", "not a video that can be read", "holds no frame"})
    if (contents.error.find(words) != std::string::npos) return true;
  return false;
}

int fromEnvironment(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

TEST_F(ContainersTest, SayWhereTheyAreCutAndNothingElse) {
  const int cuts = fromEnvironment("GLINT_CUTS", 2);
  const bool table = fromEnvironment("GLINT_TABLE", 0) != 0;
  const char* const only = std::getenv("GLINT_FORMAT");
  std::mt19937 random(24);
  for (const Format& format : kFormats) {
    if (only != nullptr && std::string(only) != format.name) continue;
    SCOPED_TRACE(format.name);
    const std::string bytes = make(format);
    const Contents whole = read(format, bytes);
    EXPECT_EQ(whole.error, "");
    EXPECT_GT(whole.times.size(), 5U);
    std::string row = fmt::format("| `{}` | {} |", format.name, whole.times.size());
    const auto readCut = [&](size_t length) {
      const Contents part = read(format, bytes.substr(0, length));
      const bool isReported = saysSo(part);
      const bool known = format.known != Known::decoder;
      const bool complete = part.times.size() == whole.times.size();
      EXPECT_TRUE(isReported || complete || !known)
          << length << " of " << bytes.size() << ", " << part.times.size()
          << " frames: " << part.error;
      EXPECT_LE(part.times.size(), whole.times.size());
      return std::pair(isReported, part.times.size());
    };
    for (const size_t percent : {20, 50, 90}) {
      const auto [isReported, frames] = readCut(bytes.size() * percent / 100 / 4096 * 4096 + 1);
      row += fmt::format(" {} {} |", frames, isReported ? "told" : "-");
    }
    int cutsReported = 0;
    for (int n = 0; n < cuts; ++n) {
      const size_t most = std::min<size_t>(bytes.size() / 5, n % 2 == 0 ? 1000 : 1 << 24);
      cutsReported += readCut(bytes.size() - 1 - random() % most).first ? 1 : 0;
    }
    row += fmt::format(" {} of {} |", cutsReported, cuts);
    std::string noise(204, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    for (const std::string& padding :
         {std::string(204, '\0'), std::string(204, '\xFF'), noise, std::string(5000, '\0')}) {
      const Contents padded = read(format, bytes + padding);
      const bool fine = padded.error.empty() && padded.times.size() == whole.times.size();
      const bool even = padding.find_first_not_of(padding[0]) == std::string::npos;
      const bool passedOver =
          format.padding == Padding::any || (format.padding == Padding::even && even);
      EXPECT_TRUE(fine || !passedOver || format.known == Known::decoder)
          << int(padding[0]) << " " << padded.times.size() << padded.error;
      row += fine ? " +" : " -";
    }
    if (table) std::cout << row << " |" << std::endl;
  }
}

// Phones and cameras write boxes of their own, and all kinds of bytes behind the file.
TEST_F(ContainersTest, StrangeBoxesAndTrailersAreNoLoss) {
  const Format format{"mpeg4.mp4", "-c:v mpeg4"};
  const std::string bytes = make(format);
  const size_t moov = bytes.find("moov") - 4;
  ASSERT_LT(moov, bytes.size());
  for (const std::string& file : {bytes.substr(0, moov) +
                                      std::string("\0\0\0\x10"
                                                  "freaabcdefgh",
                                                  16) +
                                      bytes.substr(moov),
                                  bytes + "SEFT trailer with the word moov in it"}) {
    const Contents read = this->read(format, file);
    EXPECT_EQ(read.error, "");
    EXPECT_EQ(read.times.size(), 40U);
  }
}

}  // namespace
}  // namespace glint
