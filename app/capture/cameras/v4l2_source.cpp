// Reads webcams and other cameras of the kernel's video interface, Video4Linux2.

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

constexpr double kWatched = 2;       // s over which the rate is measured, at least
constexpr uint64_t kFewest = 10;     // frames over which the rate is measured, at least
constexpr double kTolerated = 0.75;  // least rate without a warning, in units of the promised rate

/// Warns once, in the log, if a camera gives much fewer frames than it promised.
class RateWatch {
 public:
  RateWatch() = default;
  /// `promised`: promised rate, frames/s; 0: no rate was promised.
  RateWatch(std::string name, double promised) : name_(std::move(name)), promised_(promised) {}

  /// Starts to measure again, after the camera has been away.
  void begin() { frames_ = 0, seconds_ = 0; }

  /// Adds `frames` frames that the camera took in `seconds`, whether they arrived or not.
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

constexpr std::chrono::milliseconds kSearchEvery{400};  // between two searches for a lost camera
// A camera is lost after this time without a frame: s, and intervals of frames.
constexpr double kStall = 2, kStallIntervals = 20;
constexpr double kMostDelay = 10;  // s: greatest plausible delay of a frame's arrival
constexpr double kTick = 1e-6;     // s: resolution of a driver's times

/// A camera, which is set as in `request`. Frames are grey, of 8 or 16 bits: see CameraConverter.
/// Times are those of the driver if it uses the host's monotonic clock, otherwise those of arrival.
///
/// read() gives the newest frame that is there; older frames, frames that the driver skipped, and
/// damaged ones are counted by the driver's sequence numbers. A camera that is unplugged is `lost`,
/// and is searched for, at its old place and by its name, until it is back; it then gets the same
/// settings. A camera without a trigger is also lost if it sends nothing for two seconds and 20
/// intervals. Throws UsageError and Error as V4l2Device does.
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
  std::unique_ptr<V4l2Device> device_;  ///< null while the camera is away
  std::optional<CameraConverter> converter_;
  std::string problem_;             ///< reason why the camera is away
  Clock::time_point lastSearch_;    ///< time of the latest search for a lost camera
  uint64_t next_ = 0;               ///< number of the next frame
  uint64_t damaged_ = 0;            ///< damaged frames that are not reported yet
  std::optional<uint32_t> latest_;  ///< the driver's number of the latest frame; empty after a loss
  double latestTime_ = 0;           ///< s: time of the latest frame
  double latestArrival_ = 0;        ///< s: arrival of the latest frame, or opening of the camera
  bool hostTimes_ = true;           ///< true if the driver's times can be used
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

/// Notes the camera's facts, and warns if size, format or rate differ from the request.
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
  constexpr double kSame = 0.02;  // relative difference of equal rates, such as 29.97 and 30
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
    lastSearch_ = Clock::now();
    return lostReading(problem_, interrupt_);
  }
}

/// Opens the camera at its old path, or at another path where the name and the bus are the same.
std::unique_ptr<V4l2Device> V4l2Source::openAgain() const {
  try {
    auto device = std::make_unique<V4l2Device>(findV4l2(name_), name_);
    if (device->card() == card_) return device;
  } catch (const CameraGone&) {
    // The camera may have got another number.
  }
  const auto path = findV4l2(card_, bus_);
  if (!path) throw CameraGone(problem_);
  return std::make_unique<V4l2Device>(*path, name_);
}

/// Sets the controls of a camera that is back. It is used even if it refuses one of them.
void V4l2Source::controlAgain(V4l2Device& device) const {
  try {
    device.control(request_, Settings::Camera{});
  } catch (const Error& error) {
    base::log(base::LogLevel::warning, error.what());
  }
}

bool V4l2Source::findAgain() {
  if (Clock::now() - lastSearch_ < kSearchEvery) return false;
  lastSearch_ = Clock::now();
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
  searchExposure(image);
  return reading;
}

/// Returns the newest of all frames that are there, for readers that come late.
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
  // Some drivers do not count frames, and a number that goes back does not show a loss.
  uint32_t step = latest_ ? frame.sequence - *latest_ : 1;
  if (step == 0 || step > UINT32_MAX / 2) step = 1;
  stamp.droppedBefore = step - 1;
  if (latest_) rate_.see(step, time - latestTime_);
  latest_ = frame.sequence;
  latestTime_ = time;
  return stamp;
}

/// Returns the driver's time of a frame if it can be a time of the host's clock, otherwise
/// `arrival`.
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
    .inspect = inspectV4l2};

}  // namespace glint::capture
