// Reads video files and network streams, decoded by libav.

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "app/base/text.h"
#include "app/capture/source/fields_source.h"
#include "app/capture/source/interrupt.h"
#include "app/capture/source/pipe_input.h"
#include "app/capture/source/ranged_source.h"
#include "app/capture/source/retimed_source.h"
#include "app/capture/source/source_kinds.h"
#include "app/capture/source/source_options.h"
#include "app/capture/source/turned_source.h"
#include "app/capture/video/cine_times.h"
#include "app/capture/video/frame_converter.h"
#include "app/capture/video/kept_frames.h"
#include "app/capture/video/packet_index.h"
#include "app/capture/video/playlist_files.h"
#include "app/capture/video/recorded_stamp.h"
#include "app/capture/video/stream_source.h"
#include "app/capture/video/video_decoder.h"
#include "app/capture/video/video_summary.h"
#include "config/error.h"

namespace glint::capture {
namespace {

constexpr double kFallbackFps = 25;
// A seek over fewer frames than this decodes them, instead of making an index.
constexpr uint64_t kNearFrames = 30;

/// Returns true for addresses at which cameras send frames in real time, even if the reader does
/// not keep up.
bool isLiveUrl(const std::string& spec) {
  constexpr std::array<std::string_view, 8> kinds{
      "rtsp:", "rtsps:", "rtp:", "srtp:", "udp:", "srt:", "rtmp:", "rtmps:"};
  return isUrl(spec) &&
         std::ranges::any_of(kinds, [&](std::string_view kind) { return spec.starts_with(kind); });
}

/// Returns true for a file that describes packets of RTP which are sent to this machine (SDP, RFC
/// 8866).
bool isSessionDescription(const std::string& spec) {
  return !isUrl(spec) && (spec.ends_with(".sdp") || spec.ends_with(".SDP"));
}

bool isFile(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

class VideoSource final : public Source {
 public:
  /// `spec`: the source as it was written; `path`: the file or the address in it.
  VideoSource(const Address& spec, const Address& path, std::optional<uint64_t> stream,
              const Interrupt* interrupt);
  /// Returns true if the opened address is a camera that sends one JPEG after another.
  bool isCamera() const { return decoder_->demuxer().kind() == "mpjpeg"; }
  std::unique_ptr<VideoDecoder> takeDecoder() { return std::move(decoder_); }
  const gpu::ImageFormat& format() const override { return format_; }
  const std::string& name() const override { return spec_.shown(); }
  std::optional<uint64_t> frameCount() const override {
    return hasSets_ ? sets_ : decoder_->demuxer().frameCount();
  }
  std::optional<double> statedRate() override;
  std::vector<double> frameTimes() override;
  Orientation orientation() const { return orientationOf(decoder_->demuxer().stream()); }
  FieldOrder fieldOrder() const {
    return fieldOrderOf(decoder_->demuxer().stream(), decoder_->frame());
  }
  SourceSummary summary() override;
  bool canSeek() const override { return canSeek_; }
  bool isOfStills() const override {
    return hasSets_ && !decoder_->demuxer().tag(kStillsTag).empty();
  }
  void seek(FrameNumber frame) override;
  bool mayHaveGaps() const override { return hasSets_; }
  Reading read(const gpu::ImageView& image) override;

 private:
  enum class Skip { found, ended, otherFrames };

  bool openAgain();
  std::optional<uint64_t> countSets() const;
  bool decode();
  void drop();
  bool moveTo(uint64_t frame);
  Skip moveByIndex(uint64_t frame);
  bool leaf(size_t entry);
  Skip decodeUpTo(uint64_t frame);
  void decodeFromStart(uint64_t frame);
  PacketIndex& index();
  double secondsOf(int64_t time) const;
  double timeOf(const AVFrame& frame);
  static gpu::FrameStamp asRecorded(const RecordedStamp& recorded);
  void checkFormat() const;
  void checkEnd();
  void keep(uint64_t goal);
  void checkGap(const RecordedStamp& recorded);
  std::optional<Reading> readKept(const gpu::ImageView& image);

  Address spec_, path_;
  std::optional<uint64_t> stream_;  ///< the one that was asked for
  const Interrupt* interrupt_;
  bool canSeek_;
  std::unique_ptr<VideoDecoder> decoder_;
  std::optional<FrameConverter> converter_;
  gpu::ImageFormat format_;
  std::optional<PacketIndex> index_;    ///< empty until a seek needs it
  std::optional<uint64_t> wanted_;      ///< frame, or set, of a seek that is not done yet
  std::optional<uint64_t> sets_;        ///< number of sets of a raw recording
  bool hasSets_ = false;                ///< true if frames have the numbers of their sets
  uint64_t set_ = 0;                    ///< the set that is read next
  uint64_t next_ = 0;                   ///< number of the next frame
  bool pending_ = false;                ///< true if the next frame is decoded already
  bool over_ = false;                   ///< true if the decoder gives no more frames
  bool jumped_ = false;                 ///< true after a jump: frame numbers are those of the index
  int64_t firstTime_ = AV_NOPTS_VALUE;  ///< in units of the stream's time base
  int64_t latestTime_ = AV_NOPTS_VALUE;  ///< of frame next_ - 1, if all were read from the start
  double lastTime_ = 0;                  ///< s: time of the latest frame
  double largestStep_ = 0;               ///< s: longest interval of frames read from the start
  KeptFrames kept_;                      ///< frames decoded since the last jump by the index
  /// The number of the next frame while kept frames are read, wherever the decoder is.
  std::optional<uint64_t> again_;
};

VideoSource::VideoSource(const Address& spec, const Address& path, std::optional<uint64_t> stream,
                         const Interrupt* interrupt)
    : spec_(spec),
      path_(path),
      stream_(stream),
      interrupt_(interrupt),
      canSeek_(isFile(path.shown())) {
  if (!openAgain()) {
    throw Error("'{}' holds no frame that can be decoded{}", name(), decoder_->whyNone());
  }
  format_ = deliveredFormat(decoder_->frame());
  hasSets_ = decoder_->recorded().has_value();
  if (hasSets_) sets_ = countSets();
  converter_.emplace(decoder_->codec());
}

SourceSummary VideoSource::summary() {
  if (!pending_ && wanted_ == uint64_t{0}) openAgain();  // a seek to the beginning waits
  if (!pending_) return {};
  SourceSummary summary = summaryOf(decoder_->demuxer(), decoder_->frame(), decoder_->codec());
  if (hasSets_) {
    summary.rate.reset();
    summary.rateFrom = "recorded";
    summary.frames = sets_;
    summary.framesAreEstimated = false;
  }
  if (format_.bits == 16) {
    FrameBuffer buffer(format_);
    converter_->convert(decoder_->frame(), buffer.view());
    summary.used = usedValues(buffer.view());
  }
  return summary;
}

/// The number that the last frame gives, which is found without reading those before it; empty
/// where the file is cut.
std::optional<uint64_t> VideoSource::countSets() const {
  Demuxer demuxer(path_, false, interrupt_, kStreamPatience, stream_);
  std::optional<uint64_t> sets;
  if (!demuxer.seek(std::numeric_limits<int64_t>::max())) return demuxer.frameCount();
  for (const libav::Packet packet(av_packet_alloc()); demuxer.read(*packet);
       av_packet_unref(packet.get()))
    if (const auto recorded = recordedStampOf(libav::besideOf(*packet)))
      sets = recorded->set.value() + 1;
  return sets;
}

/// Matroska states a rate as if no frames were missing, and does not count frames; so its rate
/// follows from the times of all frames.
std::optional<double> VideoSource::statedRate() {
  const Demuxer& demuxer = decoder_->demuxer();
  const double rate = av_q2d(demuxer.stream().avg_frame_rate);
  if (!canSeek_ || hasSets_ || !(rate > 0)) return std::nullopt;
  if (demuxer.countsFrames()) return rate;
  const std::vector<double> times = frameTimes();
  if (times.size() < 2) return rate;
  const double length = times.back() - times.front();
  const auto steps = static_cast<double>(times.size() - 1);
  return std::abs(length * rate - steps) > 0.5 ? steps / length : rate;
}

std::vector<double> VideoSource::frameTimes() {
  std::vector<double> times;
  try {
    if (!index().isTrusted()) return {};
  } catch (const Interrupted&) {
    return {};
  }
  for (uint64_t i = 0; i < index().frames(); ++i) times.push_back(secondsOf(index().timeOf(i)));
  return times;
}

/// Opens the file again, from the start. Returns false if there is no frame.
bool VideoSource::openAgain() {
  decoder_.reset();
  kept_.clear();
  decoder_ = std::make_unique<VideoDecoder>(path_, isUrl(path_.shown()), interrupt_, stream_);
  next_ = 0;
  over_ = jumped_ = false;
  latestTime_ = AV_NOPTS_VALUE;
  lastTime_ = largestStep_ = 0;
  pending_ = decode();
  if (pending_) firstTime_ = decoder_->frame().best_effort_timestamp;
  return pending_;
}

/// Decodes frame next_. Returns false at the end.
bool VideoSource::decode() {
  if (!over_ && decoder_->next()) return true;
  over_ = true;
  if (decoder_->demuxer().interrupted())
    throw Interrupted("interrupted while reading '{}'", name());
  return false;
}

Reading VideoSource::read(const gpu::ImageView& image) {
  assert(image.format == format_);
  try {
    if (wanted_) {
      set_ = *wanted_;
      again_.reset();
      if (kept_.find(set_))
        again_ = set_;
      else if (!moveTo(hasSets_ && set_ > 0 ? index().frameOfSet(SetIndex(set_)) : set_))
        return {};
    }
    wanted_.reset();
    if (auto reading = readKept(image)) return *reading;
    if (!pending_) pending_ = decode();
    if (pending_ && jumped_ && index().frameAt(decoder_->frame().pts) != next_) {
      index().distrust();
      decodeFromStart(next_);
      if (!pending_) pending_ = decode();
    }
  } catch (const Interrupted&) {
    if (!wanted_)
      wanted_ = hasSets_ ? set_ : next_;  // because libav's state cannot be used further
    return {gpu::CameraState::none};
  }
  if (!pending_) {
    checkEnd();
    return {};
  }
  checkFormat();
  const auto recorded = decoder_->recorded();
  if (hasSets_ && recorded && recorded->set.value() > set_) {
    checkGap(*recorded);
    ++set_;
    Reading gap{.state = gpu::CameraState::none};
    gap.gap = true;
    return gap;
  }
  const bool neutral = converter_->convert(decoder_->frame(), image);
  keep(next_);
  gpu::FrameStamp stamp =
      recorded ? asRecorded(*recorded)
               : gpu::FrameStamp{.sequence = FrameNumber(next_), .time = timeOf(decoder_->frame())};
  stamp.neutral = neutral;
  drop();
  ++set_;
  return {gpu::CameraState::frame, stamp};
}

/// Throws Error if more sets are missing before a recorded frame than can have passed since the
/// last one. A damaged number would otherwise make a gap that takes years to go through.
void VideoSource::checkGap(const RecordedStamp& recorded) {
  // The most sets a second, ten times as many as the fastest cameras take; and the sets that may be
  // missing in addition, because times are not exact.
  constexpr double kMostRate = 1e5, kMore = 1e4;
  if (next_ == 0 || jumped_) return;
  const double passed = std::max(0.0, timeOf(decoder_->frame()) - lastTime_);
  const auto missing = static_cast<double>(recorded.set.value() - set_);
  if (missing > kMostRate * passed + kMore)
    throw Error("'{}' is damaged: the frame after the first {} says that it is of set {}", name(),
                next_, recorded.set.value());
}

/// Reads the next frame if it is kept; empty if the decoder must go on.
std::optional<Reading> VideoSource::readKept(const gpu::ImageView& image) {
  if (!again_) return std::nullopt;
  if (const KeptFrames::Kept* kept = kept_.find(*again_)) {
    gpu::FrameStamp stamp{.sequence = FrameNumber(*again_), .time = kept->time};
    stamp.neutral = converter_->convert(*kept->frame, image);
    set_ = ++*again_;
    return Reading{gpu::CameraState::frame, stamp};
  }
  wanted_ = again_;  // in case the next call is interrupted
  moveTo(*again_);
  again_.reset();
  wanted_.reset();
  return std::nullopt;
}

/// Keeps the decoded frame, if its number is certain.
void VideoSource::keep(uint64_t goal) {
  if (!jumped_ || hasSets_ || !index_ || !index_->isTrusted()) return;
  const AVFrame& frame = decoder_->frame();
  if (deliveredFormat(frame) == format_) kept_.keep(next_, frame, timeOf(frame), goal);
}

/// Returns the stamp of the recorded run, without the times of a live frame.
gpu::FrameStamp VideoSource::asRecorded(const RecordedStamp& recorded) {
  gpu::FrameStamp stamp = recorded.stamp;
  stamp.arrival = stamp.captured = 0;
  return stamp;
}

void VideoSource::seek(FrameNumber frame) {
  if (!canSeek_) Source::seek(frame);
  wanted_ = frame.value();
}

/// Notes that the decoded frame was delivered or passed over, so that the next one is due.
void VideoSource::drop() {
  const AVFrame& frame = decoder_->frame();
  const double time = timeOf(frame);
  if (next_ > 0 && !jumped_) largestStep_ = std::max(largestStep_, time - lastTime_);
  lastTime_ = time;
  latestTime_ = frame.best_effort_timestamp;
  pending_ = false;
  ++next_;
}

/// The index, made at the first call. It is not trusted if it contradicts what was decoded so far.
PacketIndex& VideoSource::index() {
  if (index_) return *index_;
  Demuxer demuxer(path_, false, interrupt_, kStreamPatience, stream_);
  index_.emplace(demuxer);
  if (index_->isTrusted()) {
    const bool agrees = index_->timeOf(0) == firstTime_ &&
                        (next_ == 0 || index_->frameAt(latestTime_) == next_ - 1);
    if (!agrees) index_->distrust();
  }
  return *index_;
}

/// Makes `frame` the next frame. Returns false if a file that is whole ends before it.
bool VideoSource::moveTo(uint64_t frame) {
  if (frame == next_ && !over_) return true;
  const bool near = frame == 0 || (!over_ && frame > next_ && frame - next_ < kNearFrames);
  if (!index_ && near) {
    decodeFromStart(frame);
    return true;
  }
  if (index().isTrusted() && frame >= index().frames() && !index().endedEarly()) {
    next_ = frame;
    pending_ = false;
    over_ = true;
    return false;
  }
  if (index().isTrusted()) {
    const Skip skip = moveByIndex(frame);
    if (skip == Skip::found) return true;
    if (skip == Skip::otherFrames) index().distrust();
  }
  decodeFromStart(frame);
  return true;
}

VideoSource::Skip VideoSource::moveByIndex(uint64_t frame) {
  if (frame >= index().frames()) return Skip::ended;
  const size_t entry = index().entryFor(frame);
  const bool onTheWay =
      !over_ && frame >= next_ && next_ < index().frames() && entry <= index().entryFor(next_);
  if (!onTheWay) {
    jumped_ = true;
    over_ = pending_ = false;
    if (!decoder_->jump(index(), entry) && !leaf(entry)) return Skip::otherFrames;
  }
  return decodeUpTo(frame);
}

/// Goes to an entry by reading all packets before it, because the container cannot seek.
bool VideoSource::leaf(size_t entry) {
  decoder_ = std::make_unique<VideoDecoder>(path_, false, interrupt_, stream_);
  return decoder_->leafTo(index(), entry);
}

VideoSource::Skip VideoSource::decodeUpTo(uint64_t frame) {
  for (;;) {
    if (!pending_ && !decode()) return Skip::ended;
    pending_ = true;
    const auto number = index().frameAt(decoder_->frame().pts);
    if (!number || *number > frame) return Skip::otherFrames;
    next_ = *number;
    if (next_ == frame) return Skip::found;
    keep(frame);
    drop();
  }
}

void VideoSource::decodeFromStart(uint64_t frame) {
  if (over_ || jumped_ || frame < next_) openAgain();
  while (next_ < frame && (pending_ || decode())) drop();
}

/// Undoes the rounding of times to a container's ticks (milliseconds in Matroska): a time within
/// one tick of a multiple of 1 / rate becomes that multiple, so that a constant rate is constant
/// again.
static double onGrid(double time, const AVStream& stream) {
  const double rate = av_q2d(stream.avg_frame_rate);
  if (!(rate > 0)) return time;
  const double multiple = std::round(time * rate) / rate;
  return std::abs(time - multiple) <= av_q2d(stream.time_base) ? multiple : time;
}

/// Converts a time in units of the stream's time base to s from the first frame on.
double VideoSource::secondsOf(int64_t time) const {
  const AVStream& stream = decoder_->demuxer().stream();
  return onGrid(static_cast<double>(time - firstTime_) * av_q2d(stream.time_base), stream);
}

double VideoSource::timeOf(const AVFrame& frame) {
  const AVStream& stream = decoder_->demuxer().stream();
  // After a jump libav knows too little of earlier frames to estimate a time; frames in the index
  // have times that need no estimate.
  const int64_t time = jumped_ ? frame.pts : frame.best_effort_timestamp;
  if (time != AV_NOPTS_VALUE && firstTime_ != AV_NOPTS_VALUE) return secondsOf(time);
  const double rate = stream.avg_frame_rate.num > 0 ? av_q2d(stream.avg_frame_rate) : kFallbackFps;
  return static_cast<double>(next_) / rate;
}

void VideoSource::checkFormat() const {
  const gpu::ImageFormat now = deliveredFormat(decoder_->frame());
  if (now == format_) return;
  throw Error(
      "'{}' changes at frame {} from {} x {} ({} channels of {} bits) to {} x {} ({} "
      "of {}): cut it "
      "into parts of one size",
      name(), next_, format_.width, format_.height, format_.channels, format_.bits, now.width,
      now.height, now.channels, now.bits);
}

void VideoSource::checkEnd() {
  Demuxer& demuxer = decoder_->demuxer();
  bool early = jumped_ ? index_->endedEarly() : demuxer.endedEarly(largestStep_);
  // If the last frame of a bare stream is damaged, its end is missing.
  early = early || (decoder_->lastIsDamaged() && !demuxer.knowsItsEnd());
  if (!decoder_->damage() && !early && !demuxer.skippedBytesEarly()) return;
  if (demuxer.isStream()) {
    throw Error("the stream '{}' broke off: {}", name(), demuxer.failure());
  }
  const auto total = frameCount();
  const std::string counts =
      total ? fmt::format("{} of {}{} frames", next_, demuxer.countIsExact() ? "" : "about ",
                          std::max(*total, next_))
            : fmt::format("{} frames", next_);
  throw Error("'{}' is {}: {} could be read", name(), early ? "cut short" : "damaged", counts);
}

/// Returns the files that a source reads if it is the address of a file, or a list of files.
std::vector<std::string> filesOf(const std::string& spec) {
  const std::string path = isUrl(spec) ? spec : pathOf(spec);
  const std::string own = fileOfAddress(path);
  std::vector<std::string> files = playlistFiles(own);
  if (own != spec) files.push_back(own);
  return files;
}

/// Opens the first proper video stream (no cover picture) of a file or of a stream URL; its first
/// frame is decoded at once, because only that frame tells the format for sure.
///
/// Pixels: see FrameConverter. Rotation and aspect ratio that are written beside the stream are
/// ignored: frames have the sensor's own geometry. Times: the presentation time of each frame
/// relative to the first frame; if a frame has none, its number divided by the mean rate (25 frames
/// a second if the stream states no rate either). frameCount(): exact for MP4/MOV; includes
/// repeated frames for AVI; made from duration and mean rate for Matroska and WebM, so it is
/// approximate if the rate varies; unknown otherwise.
///
/// Files: frames after the first damaged packet are not delivered, because with most codecs they
/// depend on it. read() gives all frames before it and then throws Error. A packet counts as
/// damaged if the decoder refuses it, patches it up or complains about it. Bytes that the container
/// had to skip and, at the end, packets that gave no picture, are damage, too. Packets before the
/// first key frame are skipped, because a recording may begin in the middle of a group of pictures.
/// read() also throws Error for a file that ends earlier than its container says (MP4/MOV and
/// Matroska: by more than two frames), or in a way in which its container does not end: see
/// container_walk.h. Streams: damage is skipped, and read() throws Error after 10 s without data.
/// Streams whose address begins with rtsp, rtp, srtp, udp, srt or rtmp, streams that an SDP file
/// (.sdp) describes, and JPEGs over HTTP are live: see openStream(), also for `colour`. Seeks, in
/// files: the first one reads the whole file without decoding it, in order to find the place of
/// each frame. If the container does not have the places for certain, seeks decode from the start.
/// Frames behind damage are the same as in the undamaged file, or Error is thrown.
///
/// Throws Error: no such file, no video, no video stream, no frame, no decoder, an MP4 without its
/// index; later, a frame of another size.
std::unique_ptr<Source> openVideo(const Address& address, const Interrupt* interrupt,
                                  const Settings::Camera& request) {
  const std::string& spec = address.shown();
  const bool colour = request.colour;
  for (const std::string& file : playlistFiles(fileOfAddress(spec)))
    if (isPipe(file))
      throw Error("'{}', which '{}' names, is a pipe; copy it into a file", file, spec);
  if (isLiveUrl(spec) || isSessionDescription(spec)) return openStream(address, interrupt, colour);
  const SourceText text =
      isUrl(spec) ? SourceText{.path = spec, .options = {}} : parseSource(spec, OptionsFor::videos);
  const SourceOptions& options = text.options;
  auto source = std::make_unique<VideoSource>(address, isUrl(spec) ? address : Address(text.path),
                                              options.stream, interrupt);
  if (isUrl(spec) && source->isCamera())
    return openStream(address, interrupt, colour, source->takeDecoder());
  const FieldOrder order = source->fieldOrder();
  const bool interlaced = order != FieldOrder::progressive && source->canSeek();
  const bool fields = options.fields.value_or(interlaced && showsCombs(*source));
  const Orientation orientation =
      options.rotate ? capture::orientationOf(*options.rotate) : source->orientation();
  std::unique_ptr<Source> shown = std::move(source);
  if (fields) shown = splitFields(std::move(shown), order != FieldOrder::bottom);
  shown = turnSource(std::move(shown), orientation);
  shown = scaleSource(std::move(shown), options.range);
  if (options.fps)
    shown = retimeByRate(std::move(shown), *options.fps);
  else if (!options.times.empty())
    shown = retimeByList(std::move(shown), readTimesFile(options.times, text.path),
                         fmt::format("as '{}' says", options.times));
  else if (std::vector<double> times = cineTimes(text.path); !fields && !times.empty())
    shown = retimeByList(std::move(shown), std::move(times), "as its own time stamps say");
  return shiftTimes(std::move(shown), options);
}

bool isAnything(const std::string&) {
  return true;
}

}  // namespace

extern const SourceKind kUrlKind{.sort = SourceKind::Sort::stream,
                                 .help = "address of a stream",
                                 .accepts = isUrl,
                                 .open = openVideo,
                                 .files = filesOf};
extern const SourceKind kVideoKind{.sort = SourceKind::Sort::file,
                                   .help = "video file",
                                   .accepts = isAnything,
                                   .open = openVideo,
                                   .files = filesOf};

}  // namespace glint::capture
