// Reads industrial cameras, GigE Vision and USB3 Vision, through Aravis. This file is built only if
// Aravis is installed.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <arv.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/log.h"
#include "app/capture/cameras/camera_converter.h"
#include "app/capture/cameras/gige_camera.h"
#include "app/capture/source/clock_map.h"
#include "app/capture/source/control_requests.h"
#include "app/capture/source/live_source.h"
#include "app/capture/source/source_kinds.h"
#include "config/error.h"
#include "config/setting_key.h"

namespace glint::capture {
namespace {

using Clock = std::chrono::steady_clock;
using gige::attempt, gige::Camera, gige::findPixels, gige::Stream, gige::text;

constexpr int kGigeBuffers = 8;
constexpr std::chrono::milliseconds kFindAgain{1000};  // between two searches for a lost camera
constexpr double kSilence = 2;        // s without a frame after which a camera counts as lost
constexpr uint64_t kNumbers = 65535;  // the numbers of frames in GigE Vision 1 go from 1 to this

/// A camera "gige:NAME": NAME is the camera's id, its address, or a part of its maker's name, model
/// or serial number; "gige:" alone is the first camera that answers. The camera is set as in
/// `request`: size, rate and format ("Mono8", "Mono12Packed", "BayerRG8"), exposure in us, gain,
/// black level, trigger (the name of its source, or "off"), and further features by their own names
/// (camera.controls); values that are not requested stay as they are. Frames are grey, of 8 or 16
/// bits: see CameraConverter.
///
/// Times are those of the camera, converted to the host's clock: see ClockMap. read() gives the
/// newest frame; frames that did not come, came in part or were replaced are counted by the
/// camera's numbers. A camera that is gone, or sends nothing for two seconds without a trigger, is
/// `lost`, and is searched for. Throws UsageError and Error with one sentence that names the
/// camera.
class GigeSource final : public CameraSource {
 public:
  GigeSource(const std::string& spec, const Interrupt* interrupt, const Settings::Camera& request);
  ~GigeSource() override { close(); }
  const gpu::ImageFormat& format() const override { return converter_->format(); }
  std::string id() const override { return id_; }
  Reading read(const gpu::ImageView& image) override;

 private:
  bool isThere() const override { return camera_ != nullptr; }
  CameraOffer offer() const override { return {id_, gige::controlsOf(camera_.get())}; }
  void findExposure() override;
  void open();
  void close();
  void setFormat();
  void setSize();
  void setRate();
  void control(const Settings::Camera& before) override {
    gige::setControls(camera_.get(), name_, request_, before);
  }
  void start();
  void noteFacts();
  std::string doing(const char* what) const { return fmt::format("'{}' cannot {}", name_, what); }
  ArvBuffer* next();
  Reading take(ArvBuffer* buffer, const gpu::ImageView& image);
  Reading lost(const std::string& problem);
  uint64_t dropsBefore(uint64_t number);

  Camera camera_;  ///< null while the camera is away
  Stream stream_;
  std::atomic<bool> gone_ = false;  ///< true once Aravis notices that the camera does not answer
  std::optional<CameraConverter> converter_;
  std::string pixels_;  ///< name of the pixel format
  ClockMap clock_;
  double rate_ = 0, latestTime_ = 0, latestArrival_ = 0;
  std::optional<uint64_t> latest_;  ///< the camera's number of its latest frame; empty after a loss
  uint64_t next_ = 0, damaged_ = 0;
  bool saidDamaged_ = false;
  std::string problem_;
  Clock::time_point lastSearch_;
  std::string id_;  ///< name by which Aravis finds the camera again
};

GigeSource::GigeSource(const std::string& spec, const Interrupt* interrupt,
                       const Settings::Camera& request)
    : CameraSource(spec, interrupt, request) {
  const bool find = search_.ask(request_, Settings::Camera{});
  open();
  if (find) findExposure();
  const CameraPixels* pixels = findPixels(pixels_);
  gint width = 0, height = 0;
  attempt(doing("report its size"), [&](GError** e) {
    gint x = 0, y = 0;
    arv_camera_get_region(camera_.get(), &x, &y, &width, &height, e);
  });
  if (width <= 0 || height <= 0) throw Error("'{}' reports a frame size of 0", name_);
  converter_.emplace(*pixels, static_cast<uint32_t>(width), static_cast<uint32_t>(height), 0, false,
                     request.colour);
  noteFacts();
}

void GigeSource::open() {
  camera_ = gige::openCamera(name_);
  gone_ = false;
  g_signal_connect(arv_camera_get_device(camera_.get()), "control-lost",
                   G_CALLBACK(+[](ArvDevice*, std::atomic<bool>* gone) { *gone = true; }), &gone_);
  id_ = gige::idOf(camera_.get());
  setFormat();
  setSize();
  setRate();
  offered_ = false;
  try {
    control(Settings::Camera{});
  } catch (const Error& error) {
    if (next_ == 0) throw;
    base::log(base::LogLevel::warning, error.what());  // the camera is used nevertheless
  }
}

void GigeSource::close() {
  stream_.reset();
  if (!camera_) return;
  g_signal_handlers_disconnect_by_data(arv_camera_get_device(camera_.get()), &gone_);
  GError* ignored = nullptr;
  arv_camera_stop_acquisition(camera_.get(), &ignored);
  g_clear_error(&ignored);
  camera_.reset();
}

void GigeSource::setFormat() {
  guint count = 0;
  const char** offered = attempt(doing("report its formats"), [&](GError** e) {
    return arv_camera_dup_available_pixel_formats_as_strings(camera_.get(), &count, e);
  });
  const std::vector<std::string> names(offered, offered + count);
  g_free(offered);
  const auto has = [&](std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  };
  pixels_ = text(attempt(doing("report its format"), [&](GError** e) {
    return arv_camera_get_pixel_format_as_string(camera_.get(), e);
  }));
  if (!request_.format.empty()) {
    pixels_ = request_.format;
    if (!has(pixels_) || !findPixels(pixels_)) {
      throw UsageError("{}: '{}' has no {} that Glint can read; it has {}", "camera.format"_key,
                       name_, pixels_, fmt::join(names, ", "));
    }
  } else if (const CameraPixels* now = findPixels(pixels_);
             !now || (request_.colour && !hasColour(*now))) {
    const std::string before = std::exchange(pixels_, now ? pixels_ : "");
    for (const gige::NamedPixels& known : gige::knownPixels()) {
      const bool better =
          pixels_ == before ? request_.colour && hasColour(known.pixels) : pixels_.empty();
      if (better && has(known.name)) pixels_ = known.name;
    }
    if (pixels_.empty()) {
      throw Error("'{}' sends no format that Glint can read, only {}", name_,
                  fmt::join(names, ", "));
    }
  }
  attempt(doing("be set to a format"), [&](GError** e) {
    arv_camera_set_pixel_format_from_string(camera_.get(), pixels_.c_str(), e);
  });
}

void GigeSource::setSize() {
  if (request_.size.empty()) return;
  const auto [width, height] = parseCameraSize(request_.size);
  attempt(doing("be set to a size"),
          [&, w = static_cast<gint>(width), h = static_cast<gint>(height)](GError** e) {
            arv_camera_set_region(camera_.get(), -1, -1, w, h, e);
          });
}

void GigeSource::setRate() {
  GError* ignored = nullptr;
  const bool can = arv_camera_is_frame_rate_available(camera_.get(), &ignored);
  g_clear_error(&ignored);
  if (!can) return;
  if (request_.rate > 0) {
    attempt(doing("be set to a rate"),
            [&](GError** e) { arv_camera_set_frame_rate(camera_.get(), request_.rate, e); });
  }
  rate_ = attempt(doing("report its rate"),
                  [&](GError** e) { return arv_camera_get_frame_rate(camera_.get(), e); });
}

void GigeSource::findExposure() {
  ExposureFinder::Control control;
  control.unit = "us";
  const std::string doing =
      fmt::format("{}: '{}' does not let Glint set it", "camera.exposure"_key, name_);
  attempt(doing, [&](GError** e) {
    arv_camera_get_exposure_time_bounds(camera_.get(), &control.least, &control.most, e);
  });
  control.now =
      attempt(doing, [&](GError** e) { return arv_camera_get_exposure_time(camera_.get(), e); });
  search_.begin(name_, control, [this](double value) {
    const Settings::Camera before = request_;
    request_.exposure = fmt::format("{:.1f}", value);
    if (camera_) this->control(before);
  });
}

void GigeSource::noteFacts() {
  const gpu::ImageFormat& f = converter_->format();
  const auto ask = [&](const char* (*what)(ArvCamera*, GError**)) {
    GError* ignored = nullptr;
    const std::string said = text(what(camera_.get(), &ignored));
    g_clear_error(&ignored);
    return said;
  };
  facts_ = {{"id", id_},
            {"name", ask(arv_camera_get_vendor_name) + " " + ask(arv_camera_get_model_name)},
            {"pixel_format", pixels_},
            {"size", fmt::format("{}x{}", f.width, f.height)},
            {"rate", fmt::format("{:g}", rate_)}};
  GError* ignored = nullptr;
  if (arv_camera_is_exposure_time_available(camera_.get(), &ignored))
    facts_.push_back({"control.exposure",
                      fmt::format("{:g}", arv_camera_get_exposure_time(camera_.get(), &ignored))});
  if (arv_camera_is_gain_available(camera_.get(), &ignored))
    facts_.push_back(
        {"control.gain", fmt::format("{:g}", arv_camera_get_gain(camera_.get(), &ignored))});
  g_clear_error(&ignored);
}

void GigeSource::start() {
  // Packet sockets need rights that few users have, and lose frames on the loopback device.
  if (arv_camera_is_gv_device(camera_.get()))
    arv_camera_gv_set_stream_options(camera_.get(), ARV_GV_STREAM_OPTION_PACKET_SOCKET_DISABLED);
  stream_.reset(attempt(doing("open a stream"), [&](GError** e) {
    return arv_camera_create_stream(camera_.get(), nullptr, nullptr, e);
  }));
  if (ARV_IS_GV_STREAM(stream_.get())) {
    g_object_set(stream_.get(), "socket-buffer", ARV_GV_STREAM_SOCKET_BUFFER_AUTO,
                 "socket-buffer-size", 0, nullptr);
  }
  const guint bytes = attempt(doing("report the size of its frames"),
                              [&](GError** e) { return arv_camera_get_payload(camera_.get(), e); });
  for (int i = 0; i < kGigeBuffers; ++i)
    arv_stream_push_buffer(stream_.get(), arv_buffer_new_allocate(bytes));
  attempt(doing("begin to send"),
          [&](GError** e) { arv_camera_start_acquisition(camera_.get(), e); });
  latestArrival_ = now();
  latest_.reset();
  clock_ = ClockMap();
}

Reading GigeSource::read(const gpu::ImageView& image) {
  try {
    if (!camera_) {
      if (Clock::now() - lastSearch_ < kFindAgain) return lost(problem_);
      lastSearch_ = Clock::now();
      const std::string pixels = pixels_;
      open();
      if (pixels_ != pixels) throw Error("'{}' now sends another pixel format", name_);
    }
    if (!stream_) start();
  } catch (const Error& error) {
    if (next_ == 0) throw;  // because the camera answers but cannot send
    return lost(problem_.empty() ? error.what() : problem_);
  }
  if (gone_) return lost(fmt::format("'{}' no longer answers", name_));
  ArvBuffer* buffer = next();
  if (buffer) return take(buffer, image);
  const bool silent = request_.trigger.empty() && now() - latestArrival_ > kSilence;
  return silent ? lost(fmt::format("'{}' sends nothing", name_)) : Reading{gpu::CameraState::none};
}

/// Returns the newest of the frames that are there, or waits for one; null if none comes in time.
ArvBuffer* GigeSource::next() {
  const auto deadline = Clock::now() + kPatience;
  ArvBuffer* buffer = nullptr;
  while (!buffer && Clock::now() < deadline && !interrupted()) {
    constexpr guint64 kWait = std::chrono::microseconds(kPollEvery).count();
    buffer = arv_stream_timeout_pop_buffer(stream_.get(), kWait);
  }
  while (ArvBuffer* later = buffer ? arv_stream_try_pop_buffer(stream_.get()) : nullptr) {
    const bool whole = arv_buffer_get_status(later) == ARV_BUFFER_STATUS_SUCCESS;
    arv_stream_push_buffer(stream_.get(), whole ? std::exchange(buffer, later) : later);
  }
  return buffer;
}

Reading GigeSource::take(ArvBuffer* buffer, const gpu::ImageView& image) {
  const double arrival = now();
  size_t bytes = 0;
  const void* data = arv_buffer_get_data(buffer, &bytes);
  const bool whole = arv_buffer_get_status(buffer) == ARV_BUFFER_STATUS_SUCCESS && data &&
                     converter_->convert({static_cast<const std::byte*>(data), bytes}, image);
  const uint64_t number = arv_buffer_get_frame_id(buffer);
  constexpr double kNano = 1e-9;
  const double own = kNano * static_cast<double>(arv_buffer_get_timestamp(buffer));
  arv_stream_push_buffer(stream_.get(), buffer);
  latestArrival_ = arrival;
  Reading reading{.state = gpu::CameraState::none};
  if (!whole) {
    if (!std::exchange(saidDamaged_, true)) {
      base::warn(
          "frames of '{}' arrive incomplete, and are left out and "
          "counted: the network may be too slow, or lose packets",
          name_);
    }
    reading.damaged = 1;
    return reading;
  }
  const double time = clock_.toHost(own, arrival);
  if (clock_.jumpIsNew()) base::log(base::LogLevel::warning, clockJumped(name_));
  latestTime_ = std::max(time, std::nextafter(latestTime_, HUGE_VAL));
  reading.state = gpu::CameraState::frame;
  reading.stamp = {.sequence = FrameNumber(next_++),
                   .time = latestTime_,
                   .arrival = arrival,
                   .captured = latestTime_,
                   .sourceSequence = SourceSequence(number),
                   .droppedBefore = dropsBefore(number),
                   .uncertainty = clock_.uncertainty()};
  searchExposure(image);
  return reading;
}

/// Returns the number of frames between the latest frame and frame `number`. GigE Vision 1 counts
/// in 16 bits, without 0.
uint64_t GigeSource::dropsBefore(uint64_t number) {
  const auto latest = std::exchange(latest_, number);
  if (!latest || number == *latest) return 0;
  if (number > *latest) return number - *latest - 1;
  const bool around = *latest <= kNumbers && *latest - number > kNumbers / 2;
  return around ? number + kNumbers - *latest - 1 : 0;
}

Reading GigeSource::lost(const std::string& problem) {
  if (camera_) lastSearch_ = Clock::now();
  problem_ = problem;
  close();
  return lostReading(problem_, interrupt_);
}

}  // namespace

extern const SourceKind kGigeKind{
    .sort = SourceKind::Sort::camera,
    .help = "GigE or USB3 Vision camera (gige:NAME)",
    .accepts = [](const std::string& spec) { return spec.starts_with("gige:"); },
    .open = [](const Address& address, const Interrupt* interrupt,
               const Settings::Camera& request) -> std::unique_ptr<Source> {
      return std::make_unique<GigeSource>(address.shown(), interrupt, request);
    },
    .id = [](const std::string& spec) { return gige::idOf(gige::openCamera(spec).get()); },
    .lister = []() -> CameraLister { return gige::listCameras; },
    .inspect = gige::inspect,
    .network = true};

}  // namespace glint::capture
