#include "app/capture/video/video_summary.h"

extern "C" {
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
}

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/capture/video/frame_converter.h"
#include "config/printable.h"

namespace glint::capture {
namespace {

const int32_t* displayMatrix(const AVStream& stream) {
  size_t size = 0;
  const uint8_t* data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  return size >= 9 * sizeof(int32_t) ? reinterpret_cast<const int32_t*>(data) : nullptr;
}

/// -1, 0 or 1; empty for what is none of them.
std::optional<int> quarter(int32_t fixed) {
  constexpr double kOne = 1 << 16;
  const double value = fixed / kOne;
  const double whole = std::round(value);
  if (std::abs(value - whole) > 0.01 || std::abs(whole) > 1) return std::nullopt;
  return static_cast<int>(whole);
}

struct Turn {
  std::array<int, 4> matrix;  ///< x' = m0 x + m2 y and y' = m1 x + m3 y, y downwards
  Orientation orientation;
};
constexpr std::array kTurns{Turn{{1, 0, 0, 1}, Orientation::upright},
                            Turn{{-1, 0, 0, 1}, Orientation::mirrored},
                            Turn{{-1, 0, 0, -1}, Orientation::half},
                            Turn{{1, 0, 0, -1}, Orientation::flipped},
                            Turn{{0, 1, 1, 0}, Orientation::transposed},
                            Turn{{0, 1, -1, 0}, Orientation::clockwise},
                            Turn{{0, -1, -1, 0}, Orientation::transversed},
                            Turn{{0, -1, 1, 0}, Orientation::anticlockwise}};

/// The turn of a matrix; empty if it is another one.
std::optional<Orientation> turnOf(const int32_t* matrix) {
  const auto a = quarter(matrix[0]), b = quarter(matrix[1]), c = quarter(matrix[3]),
             d = quarter(matrix[4]);
  if (!a || !b || !c || !d) return std::nullopt;
  for (const Turn& turn : kTurns)
    if (turn.matrix == std::array<int, 4>{*a, *b, *c, *d}) return turn.orientation;
  return std::nullopt;
}

/// "yuv420p, limited range, BT.601 (assumed)"
std::string colourOf(const AVFrame& frame, AVCodecID codec) {
  const auto format = static_cast<AVPixelFormat>(frame.format);
  const AVPixFmtDescriptor* description = av_pix_fmt_desc_get(format);
  if (description == nullptr) return "";
  std::string text = av_get_pix_fmt_name(format);
  const bool rgb = (description->flags & AV_PIX_FMT_FLAG_RGB) != 0;
  if (rgb) return text;
  const bool limited = FrameConverter(codec).isLimited(frame);
  const bool stated =
      frame.color_range != AVCOL_RANGE_UNSPECIFIED || text.find("yuvj") != std::string::npos;
  text += fmt::format(", {} range{}", limited ? "limited" : "full", stated ? "" : " (assumed)");
  if (description->nb_components < 3) return text;
  if (frame.colorspace == AVCOL_SPC_UNSPECIFIED) return text + ", BT.601 (assumed)";
  const char* matrix = av_color_space_name(frame.colorspace);
  return text + ", " + (matrix != nullptr ? matrix : "an unknown matrix");
}

void noteStreams(const Demuxer& demuxer, SourceSummary& summary) {
  const StreamChoice choice = demuxer.choice();
  if (choice.videos > 1)
    summary.remarks.push_back(
        fmt::format("video stream {} of the {} from 0 to {} is read; ?stream={} reads another",
                    choice.read, choice.videos, choice.videos - 1, choice.read == 0 ? 1 : 0));
  if (choice.covers > 0)
    summary.remarks.push_back(fmt::format(
        "{} left out",
        counted(choice.covers, "cover picture") + (choice.covers == 1 ? " is" : " are")));
}

void noteAspect(const AVStream& stream, const AVFrame& first, SourceSummary& summary) {
  AVRational aspect =
      first.sample_aspect_ratio.num > 0 ? first.sample_aspect_ratio : stream.sample_aspect_ratio;
  if (aspect.num <= 0 || aspect.den <= 0 || aspect.num == aspect.den) return;
  summary.pixelAspect = av_q2d(aspect);
  summary.remarks.push_back(
      fmt::format("its pixels are {}:{} wide, not square: coordinates count the stored pixels",
                  aspect.num, aspect.den));
}

}  // namespace

Orientation orientationOf(const AVStream& stream) {
  const int32_t* matrix = displayMatrix(stream);
  return matrix == nullptr ? Orientation::upright : turnOf(matrix).value_or(Orientation::upright);
}

FieldOrder fieldOrderOf(const AVStream& stream, const AVFrame& first) {
  const AVFieldOrder order = stream.codecpar->field_order;
  if (order == AV_FIELD_TT || order == AV_FIELD_BT) return FieldOrder::top;
  if (order == AV_FIELD_BB || order == AV_FIELD_TB) return FieldOrder::bottom;
  if (first.interlaced_frame == 0) return FieldOrder::progressive;
  return first.top_field_first != 0 ? FieldOrder::top : FieldOrder::bottom;
}

SourceSummary summaryOf(const Demuxer& demuxer, const AVFrame& first, AVCodecID codec) {
  const AVStream& stream = demuxer.stream();
  SourceSummary summary;
  summary.colour = colourOf(first, codec);
  summary.frames = demuxer.frameCount();
  summary.framesAreEstimated = summary.frames && !demuxer.countIsExact();
  if (const double rate = av_q2d(stream.avg_frame_rate); stream.avg_frame_rate.num > 0) {
    summary.rate = rate;
    summary.rateFrom = "as the file says";
  } else {
    summary.rateFrom = "not stated";
  }
  const AVPixFmtDescriptor* description =
      av_pix_fmt_desc_get(static_cast<AVPixelFormat>(first.format));
  if (description != nullptr && description->comp[0].depth <= 16)
    summary.bitsStored = static_cast<uint32_t>(description->comp[0].depth);
  if (stream.start_time != AV_NOPTS_VALUE)
    summary.firstTime = static_cast<double>(stream.start_time) * av_q2d(stream.time_base);
  noteStreams(demuxer, summary);
  if (fieldOrderOf(stream, first) != FieldOrder::progressive)
    summary.remarks.push_back("the file calls its frames interlaced");
  noteAspect(stream, first, summary);
  if (const int32_t* matrix = displayMatrix(stream); matrix != nullptr && !turnOf(matrix))
    summary.remarks.push_back("how it is to be turned, by no quarter, is left out");
  return summary;
}

}  // namespace glint::capture
