#include "app/capture/gige_source.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <arv.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/videodev2.h>

#include "app/base/log.h"
#include "app/capture/camera_pixels.h"
#include "app/capture/clock_map.h"
#include "app/capture/exposure_finder.h"
#include "app/capture/interrupt.h"
#include "config/error.h"

namespace glint {
namespace {

using Clock = std::chrono::steady_clock;
using Layout = CameraPixels::Layout;

constexpr int kBuffers = 8;
constexpr std::chrono::milliseconds kPatience{100};    // of one read
constexpr std::chrono::milliseconds kLook{20};         // between looks at the interrupt
constexpr std::chrono::milliseconds kLookAgain{1000};  // for a camera that is away
constexpr double kSilence = 2;                         // s, until a camera counts as lost
constexpr uint64_t kNumbers = 65535;  // frames of GigE Vision 1 count from 1 to this

double now() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

struct Unref {
  void operator()(gpointer object) const { g_object_unref(object); }
};
using Camera = std::unique_ptr<ArvCamera, Unref>;
using Stream = std::unique_ptr<ArvStream, Unref>;

/// Pixel formats by their names in GenICam's Pixel Format Naming Convention.
struct NamedPixels {
  std::string_view name;
  CameraPixels pixels;
};
constexpr std::array kPixels{
    NamedPixels{"Mono8", {}},
    NamedPixels{"Mono16", {.layout = Layout::grey16, .bits = 16}},
    NamedPixels{"Mono14", {.layout = Layout::grey16, .bits = 14}},
    NamedPixels{"Mono12", {.layout = Layout::grey16, .bits = 12}},
    NamedPixels{"Mono10", {.layout = Layout::grey16, .bits = 10}},
    NamedPixels{"Mono12Packed", {.layout = Layout::greyPacked, .bits = 12}},
    NamedPixels{"Mono10Packed", {.layout = Layout::greyPacked, .bits = 10}},
    NamedPixels{"Mono12p", {.layout = Layout::greyBits, .bits = 12}},
    NamedPixels{"Mono10p", {.layout = Layout::greyBits, .bits = 10}},
    NamedPixels{"BayerGR8", {.fourcc = V4L2_PIX_FMT_SGRBG8, .layout = Layout::bayer8}},
    NamedPixels{"BayerRG8", {.fourcc = V4L2_PIX_FMT_SRGGB8, .layout = Layout::bayer8}},
    NamedPixels{"BayerGB8", {.fourcc = V4L2_PIX_FMT_SGBRG8, .layout = Layout::bayer8}},
    NamedPixels{"BayerBG8", {.fourcc = V4L2_PIX_FMT_SBGGR8, .layout = Layout::bayer8}},
    NamedPixels{"BayerGR12",
                {.fourcc = V4L2_PIX_FMT_SGRBG12, .layout = Layout::bayer16, .bits = 12}},
    NamedPixels{"BayerRG12",
                {.fourcc = V4L2_PIX_FMT_SRGGB12, .layout = Layout::bayer16, .bits = 12}},
    NamedPixels{"BayerGB12",
                {.fourcc = V4L2_PIX_FMT_SGBRG12, .layout = Layout::bayer16, .bits = 12}},
    NamedPixels{"BayerBG12",
                {.fourcc = V4L2_PIX_FMT_SBGGR12, .layout = Layout::bayer16, .bits = 12}},
    NamedPixels{"BayerGR10",
                {.fourcc = V4L2_PIX_FMT_SGRBG10, .layout = Layout::bayer16, .bits = 10}},
    NamedPixels{"BayerRG10",
                {.fourcc = V4L2_PIX_FMT_SRGGB10, .layout = Layout::bayer16, .bits = 10}},
    NamedPixels{"BayerGB10",
                {.fourcc = V4L2_PIX_FMT_SGBRG10, .layout = Layout::bayer16, .bits = 10}},
    NamedPixels{"BayerBG10",
                {.fourcc = V4L2_PIX_FMT_SBGGR10, .layout = Layout::bayer16, .bits = 10}},
    NamedPixels{"BayerGR16",
                {.fourcc = V4L2_PIX_FMT_SGRBG16, .layout = Layout::bayer16, .bits = 16}},
    NamedPixels{"BayerRG16",
                {.fourcc = V4L2_PIX_FMT_SRGGB16, .layout = Layout::bayer16, .bits = 16}},
    NamedPixels{"BayerGB16",
                {.fourcc = V4L2_PIX_FMT_SGBRG16, .layout = Layout::bayer16, .bits = 16}},
    NamedPixels{"BayerBG16",
                {.fourcc = V4L2_PIX_FMT_SBGGR16, .layout = Layout::bayer16, .bits = 16}},
};

const CameraPixels* findPixels(std::string_view name) {
  for (const NamedPixels& named : kPixels)
    if (named.name == name) return &named.pixels;
  return nullptr;
}

/// Calls `action(GError**)`; what it complains of is thrown as Error after `doing`.
template <class Action>
auto attempt(const std::string& doing, const Action& action) {
  GError* problem = nullptr;
  const auto check = [&] {
    if (!problem) return;
    const std::string why = problem->message;
    g_clear_error(&problem);
    throw Error(fmt::format("{}: {}", doing, why));
  };
  if constexpr (std::is_void_v<decltype(action(&problem))>) {
    action(&problem);
    check();
  } else {
    auto result = action(&problem);
    check();
    return result;
  }
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string text(const char* words) {
  return words ? words : "";
}

/// What Aravis opens it by.
std::string find(const std::string& spec) {
  const std::string wanted = spec.substr(spec.find(':') + 1);
  const bool isAddress =
      !wanted.empty() && wanted.find_first_not_of("0123456789.") == std::string::npos;
  if (isAddress) return wanted;  // the search for all takes a second
  arv_update_device_list();
  for (unsigned i = 0; i < arv_get_n_devices(); ++i) {
    const std::string all =
        fmt::format("{} {} {} {} {}", text(arv_get_device_id(i)), text(arv_get_device_vendor(i)),
                    text(arv_get_device_model(i)), text(arv_get_device_serial_nbr(i)),
                    text(arv_get_device_address(i)));
    if (lower(all).find(lower(wanted)) != std::string::npos) return text(arv_get_device_id(i));
  }
  return wanted;
}

/// Throws Error if nothing answers.
Camera openCamera(const std::string& spec) {
  const std::string id = find(spec);
  GError* problem = nullptr;
  Camera camera(arv_camera_new(id.empty() ? nullptr : id.c_str(), &problem));
  const std::string why = problem ? problem->message : "nothing answers";
  g_clear_error(&problem);
  if (!camera) throw Error(fmt::format("there is no camera '{}': {}", spec, why));
  return camera;
}

std::string idOf(ArvCamera* camera) {
  GError* ignored = nullptr;
  std::string id = text(arv_camera_get_device_id(camera, &ignored));
  g_clear_error(&ignored);
  return id;
}

/// The value, or nothing where it refuses.
template <class Ask>
auto ask(const Ask& question) {
  GError* problem = nullptr;
  auto value = question(&problem);
  const bool answered = !problem;
  g_clear_error(&problem);
  return answered ? std::optional(value) : std::nullopt;
}

using Bounds = void (*)(ArvCamera*, double*, double*, GError**);
using Value = double (*)(ArvCamera*, GError**);
struct Automatic {
  gboolean (*available)(ArvCamera*, GError**) = nullptr;
  ArvAuto (*now)(ArvCamera*, GError**) = nullptr;
};

void addControl(std::vector<CameraControl>& controls, ArvCamera* camera, const char* name,
                const char* unit, Bounds bounds, Value value, Automatic automatic = {}) {
  double least = 0, most = 0;
  const auto now = ask([&](GError** e) {
    bounds(camera, &least, &most, e);
    return *e ? 0.0 : value(camera, e);
  });
  if (!now) return;
  const auto whole = [](double number) {
    constexpr double kMost = 9e18;
    return static_cast<int64_t>(std::llround(std::clamp(number, -kMost, kMost)));
  };
  CameraControl control;
  control.name = control.label = name;
  control.unit = unit;
  control.least = whole(least);
  control.most = whole(most);
  control.initial = control.value = whole(*now);
  if (automatic.available && ask([&](GError** e) { return automatic.available(camera, e); }) == 1) {
    control.canBeAutomatic = true;
    control.automatic = ask([&](GError** e) { return automatic.now(camera, e); }) != ARV_AUTO_OFF;
  }
  controls.push_back(std::move(control));
}

std::vector<CameraControl> controlsOf(ArvCamera* camera) {
  std::vector<CameraControl> controls;
  addControl(controls, camera, "exposure", "us", arv_camera_get_exposure_time_bounds,
             arv_camera_get_exposure_time,
             {arv_camera_is_exposure_auto_available, arv_camera_get_exposure_time_auto});
  addControl(controls, camera, "gain", "", arv_camera_get_gain_bounds, arv_camera_get_gain,
             {arv_camera_is_gain_auto_available, arv_camera_get_gain_auto});
  addControl(controls, camera, "black_level", "", arv_camera_get_black_level_bounds,
             arv_camera_get_black_level);
  return controls;
}

class GigeSource final : public Source {
 public:
  GigeSource(const std::string& spec, const Interrupt* interrupt, const Settings::Camera& wish);
  ~GigeSource() override { close(); }
  const ImageFormat& format() const override { return converter_->format(); }
  const std::string& name() const override { return name_; }
  std::optional<uint64_t> frameCount() const override { return std::nullopt; }
  bool isLive() const override { return true; }
  bool onHostClock() const override { return true; }
  std::vector<SourceFact> facts() const override { return facts_; }
  std::string id() const override { return id_; }
  std::optional<CameraOffer> newOffer() override;
  void adjust(const Settings::Camera& wish) override;
  Reading read(const ImageView& image) override;

 private:
  void open();
  void close();
  void setFormat();
  void setSize();
  void setRate();
  void control(const Settings::Camera& before);
  double number(const std::string& key, const std::string& value) const;
  void refuse(const char* key, const std::string& value, const std::string& old) const;
  void start();
  void noteFacts();
  bool interrupted() const { return interrupt_ && interrupt_->isSet(); }
  std::string doing(const char* what) const { return fmt::format("'{}' cannot {}", name_, what); }
  ArvBuffer* next();
  Reading take(ArvBuffer* buffer, const ImageView& image);
  Reading lost(const std::string& problem);
  void findExposure();
  void lookAt(const ImageView& image);
  uint64_t dropsBefore(uint64_t number);

  std::string name_;
  const Interrupt* interrupt_;
  Settings::Camera wish_;
  Camera camera_;  ///< null while it is away
  Stream stream_;
  std::atomic<bool> gone_ = false;  ///< it no longer answers, as Aravis notices
  std::optional<CameraConverter> converter_;
  std::string pixels_;  ///< the name of the pixel format
  std::vector<SourceFact> facts_;
  ClockMap clock_;
  double rate_ = 0, latestTime_ = 0, latestArrival_ = 0;
  std::optional<uint64_t> latest_;  ///< the camera's number of the latest frame, while it is there
  uint64_t next_ = 0, damaged_ = 0;
  bool saidDamaged_ = false;
  std::string problem_;
  Clock::time_point looked_;
  std::string id_;        ///< as Aravis calls it
  bool offered_ = false;  ///< newOffer() has told what there is now
  bool saidJump_ = false;
  std::string asked_;                     ///< the exposure, as it was told last: "find", too
  std::optional<ExposureFinder> finder_;  ///< while the exposure is sought
};

GigeSource::GigeSource(const std::string& spec, const Interrupt* interrupt,
                       const Settings::Camera& wish)
    : name_(spec), interrupt_(interrupt), wish_(wish) {
  asked_ = wish.exposure;
  if (asked_ == kFindExposure) wish_.exposure.clear();
  open();
  if (wish.exposure == kFindExposure) findExposure();
  const CameraPixels* pixels = findPixels(pixels_);
  gint width = 0, height = 0;
  attempt(doing("tell its size"), [&](GError** e) {
    gint x = 0, y = 0;
    arv_camera_get_region(camera_.get(), &x, &y, &width, &height, e);
  });
  if (width <= 0 || height <= 0) throw Error(fmt::format("'{}' has frames of no size", name_));
  converter_.emplace(*pixels, static_cast<uint32_t>(width), static_cast<uint32_t>(height), 0, false,
                     wish.colour);
  noteFacts();
}

void GigeSource::open() {
  camera_ = openCamera(name_);
  gone_ = false;
  g_signal_connect(arv_camera_get_device(camera_.get()), "control-lost",
                   G_CALLBACK(+[](ArvDevice*, std::atomic<bool>* gone) { *gone = true; }), &gone_);
  id_ = idOf(camera_.get());
  setFormat();
  setSize();
  setRate();
  offered_ = false;
  try {
    control(Settings::Camera{});
  } catch (const Error& error) {
    if (next_ == 0) throw;
    log(LogLevel::warning, error.what());  // no reason to leave it away
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
  const char** offered = attempt(doing("tell its formats"), [&](GError** e) {
    return arv_camera_dup_available_pixel_formats_as_strings(camera_.get(), &count, e);
  });
  const std::vector<std::string> names(offered, offered + count);
  g_free(offered);
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  pixels_ = text(attempt(doing("tell its format"), [&](GError** e) {
    return arv_camera_get_pixel_format_as_string(camera_.get(), e);
  }));
  if (!wish_.format.empty()) {
    pixels_ = wish_.format;
    if (!has(pixels_) || !findPixels(pixels_)) {
      throw UsageError(fmt::format("camera.format: '{}' has no {} that can be read; it has {}",
                                   name_, pixels_, fmt::join(names, ", ")));
    }
  } else if (const CameraPixels* now = findPixels(pixels_);
             !now || (wish_.colour && !hasColour(*now))) {
    const std::string before = std::exchange(pixels_, now ? pixels_ : "");
    for (const NamedPixels& known : kPixels) {
      const bool better =
          pixels_ == before ? wish_.colour && hasColour(known.pixels) : pixels_.empty();
      if (better && has(known.name)) pixels_ = known.name;
    }
    if (pixels_.empty()) {
      throw Error(fmt::format("'{}' sends nothing that can be read, but {}", name_,
                              fmt::join(names, ", ")));
    }
  }
  attempt(doing("be set to a format"), [&](GError** e) {
    arv_camera_set_pixel_format_from_string(camera_.get(), pixels_.c_str(), e);
  });
}

void GigeSource::setSize() {
  if (wish_.size.empty()) return;
  int width = 0, height = 0;
  const char* const end = wish_.size.data() + wish_.size.size();
  const auto [by, wrong] = std::from_chars(wish_.size.data(), end, width);
  const bool two = wrong == std::errc() && by < end && *by == 'x' &&
                   std::from_chars(by + 1, end, height).ptr == end;
  if (!two || width <= 0 || height <= 0) {
    throw UsageError(fmt::format(
        "camera.size: '{}' is no size; write WIDTHxHEIGHT, such as 1280x720", wish_.size));
  }
  attempt(doing("be set to a size"),
          [&](GError** e) { arv_camera_set_region(camera_.get(), -1, -1, width, height, e); });
}

void GigeSource::setRate() {
  GError* ignored = nullptr;
  const bool can = arv_camera_is_frame_rate_available(camera_.get(), &ignored);
  g_clear_error(&ignored);
  if (!can) return;
  if (wish_.rate > 0) {
    attempt(doing("be set to a rate"),
            [&](GError** e) { arv_camera_set_frame_rate(camera_.get(), wish_.rate, e); });
  }
  rate_ = attempt(doing("tell its rate"),
                  [&](GError** e) { return arv_camera_get_frame_rate(camera_.get(), e); });
}

double GigeSource::number(const std::string& key, const std::string& value) const {
  double number = 0;
  const char* const end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, number);
  if (error == std::errc() && rest == end) return number;
  throw UsageError(fmt::format("camera.{}: '{}' is no number for '{}'", key, value, name_));
}

/// Industrial cameras have no common feature for it.
void GigeSource::refuse(const char* key, const std::string& value, const std::string& old) const {
  if (value.empty() || value == old) return;
  throw UsageError(
      fmt::format("camera.{}: '{}' is an industrial camera, whose features camera.controls sets by "
                  "their own names, such as \"BalanceWhiteAuto=Continuous\"",
                  key, name_));
}

/// Sets what differs from `before`.
void GigeSource::control(const Settings::Camera& before) {
  ArvCamera* camera = camera_.get();
  using Available = gboolean (*)(ArvCamera*, GError**);
  using SetAuto = void (*)(ArvCamera*, ArvAuto, GError**);
  using SetNumber = void (*)(ArvCamera*, double, GError**);
  const auto set = [&](const char* key, const std::string& value, const std::string& old,
                       Available hasAuto, SetAuto setAuto, SetNumber setNumber) {
    if (value.empty() || value == old) return;
    const std::string what = fmt::format("camera.{}: '{}' refuses {}", key, name_, value);
    GError* ignored = nullptr;
    const bool automatic = hasAuto && hasAuto(camera, &ignored);
    g_clear_error(&ignored);
    const bool on = value == "auto";
    if (automatic || on) {
      if (!automatic)
        throw UsageError(fmt::format("camera.{}: '{}' does not set it by itself", key, name_));
      attempt(what,
              [&](GError** e) { setAuto(camera, on ? ARV_AUTO_CONTINUOUS : ARV_AUTO_OFF, e); });
    }
    if (on) return;
    const double wanted = number(key, value);
    attempt(what, [&](GError** e) { setNumber(camera, wanted, e); });
  };
  set("exposure", wish_.exposure, before.exposure, arv_camera_is_exposure_auto_available,
      arv_camera_set_exposure_time_auto, arv_camera_set_exposure_time);
  set("gain", wish_.gain, before.gain, arv_camera_is_gain_auto_available, arv_camera_set_gain_auto,
      arv_camera_set_gain);
  set("black_level", wish_.blackLevel, before.blackLevel, nullptr, nullptr,
      arv_camera_set_black_level);
  refuse("white_balance", wish_.whiteBalance, before.whiteBalance);
  refuse("focus", wish_.focus, before.focus);
  refuse("power_line", wish_.powerLine, before.powerLine);
  if (!wish_.trigger.empty() && wish_.trigger != before.trigger) {
    attempt(fmt::format("camera.trigger: '{}' refuses {}", name_, wish_.trigger), [&](GError** e) {
      wish_.trigger == "off" ? arv_camera_clear_triggers(camera, e)
                             : arv_camera_set_trigger(camera, wish_.trigger.c_str(), e);
    });
  }
  if (!wish_.controls.empty() && wish_.controls != before.controls) {
    std::string features = wish_.controls;
    std::replace(features.begin(), features.end(), ',', ' ');
    attempt(
        fmt::format("camera.controls: '{}' refuses {}", name_, wish_.controls), [&](GError** e) {
          arv_device_set_features_from_string(arv_camera_get_device(camera), features.c_str(), e);
        });
  }
}

void GigeSource::adjust(const Settings::Camera& wish) {
  const Settings::Camera before = std::exchange(wish_, wish);
  const std::string asked = std::exchange(asked_, wish.exposure);
  const bool find = wish.exposure == kFindExposure && asked != kFindExposure;
  if (wish.exposure == kFindExposure) wish_.exposure = before.exposure;
  if (wish_.exposure != before.exposure) finder_.reset();
  if (!camera_) return;
  offered_ = false;
  control(before);
  if (find) findExposure();
}

std::optional<CameraOffer> GigeSource::newOffer() {
  if (!camera_ || std::exchange(offered_, true)) return std::nullopt;
  return CameraOffer{id_, controlsOf(camera_.get())};
}

/// Begins to bring it down, with each frame; what was set last is what a camera that comes back
/// gets.
void GigeSource::findExposure() {
  ExposureFinder::Control control;
  control.unit = "us";
  const std::string doing = fmt::format("camera.exposure: '{}' lets nobody set it", name_);
  attempt(doing, [&](GError** e) {
    arv_camera_get_exposure_time_bounds(camera_.get(), &control.least, &control.most, e);
  });
  control.now =
      attempt(doing, [&](GError** e) { return arv_camera_get_exposure_time(camera_.get(), e); });
  finder_.emplace(name_, control, [this](double value) {
    const Settings::Camera before = wish_;
    wish_.exposure = fmt::format("{:.1f}", value);
    if (camera_) this->control(before);
  });
}

void GigeSource::lookAt(const ImageView& image) {
  if (!finder_) return;
  try {
    finder_->see(image);
  } catch (const Error& error) {  // it may be gone, which the next frame tells
    log(LogLevel::warning, error.what());
    finder_.reset();
    return;
  }
  if (!finder_->done()) return;
  facts_.push_back({kFoundExposure, wish_.exposure});
  finder_.reset();
  offered_ = false;
}

void GigeSource::noteFacts() {
  const ImageFormat& f = converter_->format();
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
  // Packet sockets need rights that few have, and lose frames on the loopback.
  if (arv_camera_is_gv_device(camera_.get()))
    arv_camera_gv_set_stream_options(camera_.get(), ARV_GV_STREAM_OPTION_PACKET_SOCKET_DISABLED);
  stream_.reset(attempt(doing("open a stream"), [&](GError** e) {
    return arv_camera_create_stream(camera_.get(), nullptr, nullptr, e);
  }));
  if (ARV_IS_GV_STREAM(stream_.get())) {
    g_object_set(stream_.get(), "socket-buffer", ARV_GV_STREAM_SOCKET_BUFFER_AUTO,
                 "socket-buffer-size", 0, nullptr);
  }
  const guint bytes = attempt(doing("tell the size of its frames"),
                              [&](GError** e) { return arv_camera_get_payload(camera_.get(), e); });
  for (int i = 0; i < kBuffers; ++i)
    arv_stream_push_buffer(stream_.get(), arv_buffer_new_allocate(bytes));
  attempt(doing("begin to send"),
          [&](GError** e) { arv_camera_start_acquisition(camera_.get(), e); });
  latestArrival_ = now();
  latest_.reset();
  clock_ = {};
}

Reading GigeSource::read(const ImageView& image) {
  try {
    if (!camera_) {
      if (Clock::now() - looked_ < kLookAgain) return lost(problem_);
      looked_ = Clock::now();
      const std::string pixels = pixels_;
      open();
      if (pixels_ != pixels) throw Error(fmt::format("'{}' gives other pixels now", name_));
    }
    if (!stream_) start();
  } catch (const Error& error) {
    if (next_ == 0) throw;  // it was there, and cannot send
    return lost(problem_.empty() ? error.what() : problem_);
  }
  if (gone_) return lost(fmt::format("'{}' no longer answers", name_));
  ArvBuffer* buffer = next();
  if (buffer) return take(buffer, image);
  const bool silent = wish_.trigger.empty() && now() - latestArrival_ > kSilence;
  return silent ? lost(fmt::format("'{}' sends nothing", name_)) : Reading{CameraState::none};
}

/// The newest of those that are there, or of those that come in time; null: none.
ArvBuffer* GigeSource::next() {
  const auto deadline = Clock::now() + kPatience;
  ArvBuffer* buffer = nullptr;
  while (!buffer && Clock::now() < deadline && !interrupted()) {
    constexpr guint64 kWait = std::chrono::microseconds(kLook).count();
    buffer = arv_stream_timeout_pop_buffer(stream_.get(), kWait);
  }
  while (ArvBuffer* later = buffer ? arv_stream_try_pop_buffer(stream_.get()) : nullptr) {
    const bool whole = arv_buffer_get_status(later) == ARV_BUFFER_STATUS_SUCCESS;
    arv_stream_push_buffer(stream_.get(), whole ? std::exchange(buffer, later) : later);
  }
  return buffer;
}

Reading GigeSource::take(ArvBuffer* buffer, const ImageView& image) {
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
  Reading reading{.state = CameraState::none};
  if (!whole) {
    if (!std::exchange(saidDamaged_, true)) {
      log(LogLevel::warning,
          fmt::format("frames of '{}' come in part, and are left out and counted: the network may "
                      "be too slow, or lose packets",
                      name_));
    }
    reading.damaged = 1;
    return reading;
  }
  const uint64_t jumps = clock_.jumps();
  const double time = clock_.toHost(own, arrival);
  if (clock_.jumps() > jumps && !std::exchange(saidJump_, true))
    log(LogLevel::warning, clockJumped(name_));
  latestTime_ = std::max(time, std::nextafter(latestTime_, HUGE_VAL));
  reading.state = CameraState::frame;
  reading.stamp = {.sequence = next_++,
                   .time = latestTime_,
                   .arrival = arrival,
                   .captured = latestTime_,
                   .sourceSequence = number,
                   .droppedBefore = dropsBefore(number),
                   .uncertainty = clock_.uncertainty()};
  lookAt(image);
  return reading;
}

/// Frames between the latest one and frame `number`. GigE Vision 1 counts in 16 bits without 0.
uint64_t GigeSource::dropsBefore(uint64_t number) {
  const auto latest = std::exchange(latest_, number);
  if (!latest || number == *latest) return 0;
  if (number > *latest) return number - *latest - 1;
  const bool around = *latest <= kNumbers && *latest - number > kNumbers / 2;
  return around ? number + kNumbers - *latest - 1 : 0;
}

/// After a while, so that nobody asks again at once.
Reading GigeSource::lost(const std::string& problem) {
  if (camera_) looked_ = Clock::now();
  problem_ = problem;
  close();
  const auto until = Clock::now() + kPatience;
  while (Clock::now() < until && !interrupted()) std::this_thread::sleep_for(kLook);
  Reading reading{.state = CameraState::lost};
  reading.problem = problem_;
  return reading;
}

/// What it offers; it must answer.
void addOffer(CameraInfo& info, ArvCamera* camera) {
  gint width = 0, height = 0;
  attempt("tell its size",
          [&](GError** e) { arv_camera_get_sensor_size(camera, &width, &height, e); });
  double slowest = 0, fastest = 0;
  const auto rated = ask([&](GError** e) {
    arv_camera_get_frame_rate_bounds(camera, &slowest, &fastest, e);
    return true;
  });
  guint count = 0;
  const char** offered = attempt("tell its formats", [&](GError** e) {
    return arv_camera_dup_available_pixel_formats_as_strings(camera, &count, e);
  });
  for (guint i = 0; i < count; ++i) {
    CameraMode mode;
    mode.format = text(offered[i]);
    mode.usable = findPixels(mode.format) != nullptr;
    mode.width = static_cast<uint32_t>(std::max(width, 0));
    mode.height = static_cast<uint32_t>(std::max(height, 0));
    if (rated) mode.rates = {fastest};
    info.modes.push_back(std::move(mode));
  }
  g_free(offered);
  info.controls = controlsOf(camera);
}

}  // namespace

std::vector<CameraInfo> listGige() {
  std::vector<CameraInfo> all;
  arv_update_device_list();
  for (unsigned i = 0; i < arv_get_n_devices(); ++i) {
    const std::string id = text(arv_get_device_id(i));
    CameraInfo info;
    info.source = "gige:" + id;
    info.path = text(arv_get_device_address(i));
    info.name = fmt::format("{} {}", text(arv_get_device_vendor(i)), text(arv_get_device_model(i)));
    info.driver = text(arv_get_device_protocol(i));
    info.bus = text(arv_get_device_serial_nbr(i));
    try {
      const Camera camera(attempt("it cannot be opened",
                                  [&](GError** e) { return arv_camera_new(id.c_str(), e); }));
      if (camera) addOffer(info, camera.get());
    } catch (const Error& error) {
      info.problem = error.what();
    }
    all.push_back(std::move(info));
  }
  return all;
}

std::string gigeId(const std::string& spec) {
  return idOf(openCamera(spec).get());
}

std::unique_ptr<Source> openGige(const std::string& spec, const Interrupt* interrupt,
                                 const Settings::Camera& wish) {
  return std::make_unique<GigeSource>(spec, interrupt, wish);
}

}  // namespace glint
