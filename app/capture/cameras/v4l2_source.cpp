// Webcams and other cameras of the kernel's video interface, Video4Linux2.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/capture/cameras/camera_converter.h"
#include "app/capture/cameras/v4l2_device.h"
#include "app/capture/cameras/v4l2_list.h"
#include "app/capture/source/live_source.h"
#include "app/capture/source/source_kinds.h"
#include "config/setting_key.h"

namespace glint::capture {
namespace {

constexpr double kWatched = 2;       // s
constexpr uint64_t kFewest = 10;     // frames
constexpr double kTolerated = 0.75;  // of what was promised

/// Says once, in the log, that a camera gives much fewer frames than it promised.
class RateWatch {
 public:
  RateWatch() = default;
  /// `promised`: frames a second; 0: nothing was.
  RateWatch(std::string name, double promised) : name_(std::move(name)), promised_(promised) {}

  /// Starts again: the camera has been away.
  void begin() { frames_ = 0, seconds_ = 0; }

  /// `frames` that the camera took within `seconds`, whether they came or not.
  void see(uint64_t frames, double seconds) {
    if (said_ || promised_ <= 0) return;
    frames_ += frames;
    seconds_ += seconds;
    if (seconds_ < kWatched || frames_ < kFewest) return;
    const double rate = static_cast<double>(frames_) / seconds_;
    if (rate < kTolerated * promised_) {
      said_ = true;
      base::warn(
          "'{}' delivers {:.1f} frames/s instead of {:g}: a shorter exposure "
          "({}), more light or another {} may help",
          name_, rate, promised_, "camera.exposure"_key, "camera.format"_key);
    }
    begin();
  }

 private:
  std::string name_;
  double promised_ = 0;
  uint64_t frames_ = 0;
  double seconds_ = 0;
  bool said_ = false;
};

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::chrono::milliseconds kLookAgain{400};  // for a camera that is away
constexpr double kStall = 2, kStallIntervals = 20;    // s; without a frame
constexpr double kMostDelay = 10;                     // s, between a frame's time and its arrival
constexpr double kTick = 1e-6;                        // s, of a driver's times

/// A camera, asked for what `request` says. Frames are grey, of 8 or 16 bits: see CameraConverter.
/// Times are the driver's, which are the host's monotonic clock; of a driver that has others, those
/// of arrival.
///
/// read() gives the newest frame that is there; older ones, those that the driver skipped, and
/// damaged ones are counted by the driver's sequence numbers. A camera that is unplugged is `lost`,
/// and looked for, where it was and under its name, until it is back, with the same settings. So is
/// one that sends nothing for two seconds and 20 intervals, unless it has a trigger.
/// Throws UsageError and Error as V4l2Device does.
class V4l2Source final : public CameraSource {
 public:
  V4l2Source(const std::string& spec, const Interrupt* interrupt, const Settings::Camera& request);
  const gpu::ImageFormat& format() const override { return converter_->format(); }
  std::string id() const override { return v4l2Id(card_, bus_); }
  Reading read(const gpu::ImageView& image) override;

 private:
  bool isThere() const override { return device_ != nullptr; }
  CameraOffer offer() const override { return {id(), device_->controls()}; }
  void control(const Settings::Camera& before) override { device_->control(request_, before); }
  void findExposure() override;
  void noteFacts(const Settings::Camera& request);
  std::unique_ptr<V4l2Device> openAgain() const;
  void controlAgain(V4l2Device& device) const;
  bool findAgain();
  Reading readNext(const gpu::ImageView& image);
  V4l2Frame newest(V4l2Frame frame);
  Reading nothing();
  gpu::FrameStamp stampOf(const V4l2Frame& frame, double arrival);
  double timeOf(const V4l2Frame& frame, double arrival);

  std::string card_, bus_;
  V4l2Format format_;
  std::unique_ptr<V4l2Device> device_;  ///< null while it is away
  std::optional<CameraConverter> converter_;
  std::string problem_;             ///< why it is away
  Clock::time_point looked_;        ///< for it, while it is away
  uint64_t next_ = 0;               ///< the number of the next frame
  uint64_t damaged_ = 0;            ///< not told yet
  std::optional<uint32_t> latest_;  ///< the driver's number of the latest frame, since it was there
  double latestTime_ = 0;           ///< s
  double latestArrival_ = 0;        ///< s, or when it was opened
  bool hostTimes_ = true;           ///< what the driver says can be used
  bool saidDamaged_ = false;
  RateWatch rate_;
};

V4l2Source::V4l2Source(const std::string& spec, const Interrupt* interrupt,
                       const Settings::Camera& request)
    : CameraSource(spec, interrupt, request) {
  device_ = std::make_unique<V4l2Device>(findV4l2(spec), spec);
  card_ = device_->card();
  bus_ = device_->bus();
  format_ = device_->choose(request);
  const bool find = search_.ask(request_, Settings::Camera{});
  device_->control(request_, Settings::Camera{});
  if (find) findExposure();
  const CameraPixels* pixels = findCameraPixels(format_.fourcc);
  converter_.emplace(*pixels, format_.width, format_.height, format_.pitch, format_.limited,
                     request.colour);
  rate_ = RateWatch(name_, format_.rate);
  noteFacts(request);
}

/// What was asked for is said beside what was given where they differ.
void V4l2Source::noteFacts(const Settings::Camera& request) {
  const std::string size = fmt::format("{}x{}", format_.width, format_.height);
  const std::string format = fourccName(format_.fourcc);
  facts_ = {{"device", device_->path()},
            {"name", card_},
            {"driver", device_->driver()},
            {"bus", bus_},
            {"pixel_format", format},
            {"size", size},
            {"rate", fmt::format("{:g}", format_.rate)}};
  for (const CameraControl& control : device_->controls())
    facts_.push_back({"control." + control.name, std::to_string(control.value)});
  const std::string given = fmt::format("'{}' ({}) sends {} of {} at {:g} frames/s", name_, card_,
                                        size, format, format_.rate);
  constexpr double kSame = 0.02;  // 29.97 for 30
  const bool otherSize = !request.size.empty() && request.size != size;
  const bool otherRate =
      request.rate > 0 && std::abs(format_.rate - request.rate) > kSame * request.rate;
  if (!otherSize && !otherRate) {
    base::log(base::LogLevel::info, given);
    return;
  }
  base::warn("{}, not {}{}{} as requested", given, otherSize ? request.size : "",
             otherSize && otherRate ? " at " : "",
             otherRate ? fmt::format("{:g} frames/s", request.rate) : "");
}

void V4l2Source::findExposure() {
  const auto controls = device_->controls();
  const auto exposure = std::ranges::find_if(
      controls, [](const CameraControl& c) { return c.name == "exposure" && !c.readOnly; });
  if (exposure == controls.end())
    throw UsageError("{}: '{}' does not let Glint set its exposure", "camera.exposure"_key, name_);
  const ExposureFinder::Control control{.least = static_cast<double>(exposure->least),
                                        .most = static_cast<double>(exposure->most),
                                        .now = static_cast<double>(exposure->value),
                                        .whole = true,
                                        .unit = exposure->unit};
  search_.begin(name_, control, [this](double value) {
    request_.exposure = std::to_string(std::llround(value));
    Settings::Camera only;
    only.exposure = request_.exposure;
    device_->control(only, Settings::Camera{});
  });
}

Reading V4l2Source::read(const gpu::ImageView& image) {
  if (!device_ && !findAgain()) return lostReading(problem_, interrupt_);
  try {
    return readNext(image);
  } catch (const CameraGone& gone) {
    problem_ = gone.what();
    device_.reset();
    looked_ = Clock::now();
    return lostReading(problem_, interrupt_);
  }
}

/// Where it was, or under another path if it is the same by name and bus.
std::unique_ptr<V4l2Device> V4l2Source::openAgain() const {
  try {
    auto device = std::make_unique<V4l2Device>(findV4l2(name_), name_);
    if (device->card() == card_) return device;
  } catch (const CameraGone&) {
    // It may have got another number.
  }
  const auto path = findV4l2(card_, bus_);
  if (!path) throw CameraGone(problem_);
  return std::make_unique<V4l2Device>(*path, name_);
}

/// What was refused before, or is now, is no reason to leave it away.
void V4l2Source::controlAgain(V4l2Device& device) const {
  try {
    device.control(request_, Settings::Camera{});
  } catch (const Error& error) {
    base::log(base::LogLevel::warning, error.what());
  }
}

bool V4l2Source::findAgain() {
  if (Clock::now() - looked_ < kLookAgain) return false;
  looked_ = Clock::now();
  try {
    auto device = openAgain();
    device->restore(format_);
    controlAgain(*device);
    device->start();
    device_ = std::move(device);
  } catch (const CameraGone&) {
    return false;
  } catch (const Error& error) {
    problem_ = error.what();
    return false;
  }
  latest_.reset();
  latestArrival_ = now();
  rate_.begin();
  offered_ = false;
  return true;
}

Reading V4l2Source::readNext(const gpu::ImageView& image) {
  if (!device_->started()) {
    device_->start();
    latestArrival_ = now();
  }
  const auto first = device_->next(kPatience, interrupt_);
  if (!first) return nothing();
  const V4l2Frame frame = newest(*first);
  const double arrival = now();
  const bool whole = !frame.damaged && converter_->convert(frame.bytes, image);
  device_->giveBack(frame);
  latestArrival_ = arrival;
  if (!whole) ++damaged_;
  if (damaged_ > 0 && !std::exchange(saidDamaged_, true)) {
    base::warn("'{}' sends damaged pictures, which are left out and counted", name_);
  }
  Reading reading{.state = whole ? gpu::CameraState::frame : gpu::CameraState::none,
                  .stamp = {},
                  .problem = {},
                  .damaged = std::exchange(damaged_, 0)};
  if (!whole) return reading;
  reading.stamp = stampOf(frame, arrival);
  lookAt(image);
  return reading;
}

/// Of all frames that are there: who asks late gets what is new.
V4l2Frame V4l2Source::newest(V4l2Frame frame) {
  while (const auto later = device_->take()) {
    if (later->damaged || frame.damaged) ++damaged_;
    device_->giveBack(later->damaged ? *later : frame);
    if (!later->damaged) frame = *later;
  }
  return frame;
}

Reading V4l2Source::nothing() {
  const double interval = format_.rate > 0 ? 1 / format_.rate : 0;
  const double patience = std::max(kStall, kStallIntervals * interval);
  if (!request_.trigger.empty() || now() - latestArrival_ < patience)
    return {gpu::CameraState::none};
  return {.state = gpu::CameraState::lost,
          .stamp = {},
          .problem = fmt::format("'{}' sends nothing", name_)};
}

gpu::FrameStamp V4l2Source::stampOf(const V4l2Frame& frame, double arrival) {
  const double time = timeOf(frame, arrival);
  gpu::FrameStamp stamp{.sequence = FrameNumber(next_++),
                        .time = time,
                        .arrival = arrival,
                        .captured = time,
                        .sourceSequence = SourceSequence(frame.sequence),
                        .droppedBefore = 0,
                        .uncertainty = time == arrival ? 0 : kTick};
  // Some drivers do not count; and a number that goes back says nothing.
  uint32_t step = latest_ ? frame.sequence - *latest_ : 1;
  if (step == 0 || step > UINT32_MAX / 2) step = 1;
  stamp.droppedBefore = step - 1;
  if (latest_) rate_.see(step, time - latestTime_);
  latest_ = frame.sequence;
  latestTime_ = time;
  return stamp;
}

/// The driver's, if that can be the host's.
double V4l2Source::timeOf(const V4l2Frame& frame, double arrival) {
  const bool plausible = frame.monotonic && frame.time <= arrival + 1e-3 &&
                         frame.time >= arrival - kMostDelay && frame.time > latestTime_;
  if (plausible) return frame.time;
  if (std::exchange(hostTimes_, false)) {
    base::warn(
        "'{}' does not stamp its frames by this host's clock: their "
        "times of arrival are used instead",
        name_);
  }
  return arrival;
}

}  // namespace

extern const SourceKind kV4l2Kind{
    .sort = SourceKind::Sort::camera,
    .help = "camera (camera:0, camera:NAME, /dev/video0)",
    .accepts =
        [](const std::string& spec) {
          return spec.starts_with("camera:") || spec.starts_with("/dev/video");
        },
    .open = [](const Address& address, const Interrupt* interrupt,
               const Settings::Camera& request) -> std::unique_ptr<Source> {
      return std::make_unique<V4l2Source>(address.shown(), interrupt, request);
    },
    .id =
        [](const std::string& spec) {
          const V4l2Device device(findV4l2(spec), spec);
          return v4l2Id(device.card(), device.bus());
        },
    .lister = v4l2Lister,
    .look = lookAtV4l2};

}  // namespace glint::capture
