#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>

#include <lo/lo.h>

#include "app/motion/space/space_row.h"
#include "app/output/streams/frame_encodings.h"

namespace glint::output {
namespace {

using Bundle =
    std::unique_ptr<std::remove_pointer_t<lo_bundle>, decltype(&lo_bundle_free_recursive)>;

// Bytes in a bundle beside each message: the message's size, an int32.
constexpr size_t kElement = 4;

/// Returns a time in the format of NTP: s since 1900, and the fraction in 2^-32 s.
lo_timetag timeTag(double sinceEpoch) {
  constexpr uint32_t k1900To1970 = 2208988800U;  // s, RFC 868
  const double whole = std::floor(sinceEpoch);
  return {static_cast<uint32_t>(static_cast<int64_t>(whole)) + k1900To1970,
          static_cast<uint32_t>((sinceEpoch - whole) * 4294967296.0)};
}

lo_message frameMessage(uint32_t number, const motion::CameraFrame& camera) {
  const gpu::FrameStamp& stamp = *camera.measured.stamp;
  const lo_message message = lo_message_new();
  lo_message_add_int32(message, static_cast<int32_t>(number));
  lo_message_add_int32(message, static_cast<int32_t>(FrameNumber(stamp.sequence).value()));
  lo_message_add_float(message, static_cast<float>(stamp.time));
  lo_message_add_int32(message, static_cast<int32_t>(camera.tracks.size()));
  return message;
}

lo_message markerMessage(uint32_t camera, const motion::TrackRow& row) {
  const lo_message message = lo_message_new();
  lo_message_add_int32(message, static_cast<int32_t>(camera));
  lo_message_add_int32(message, static_cast<int32_t>(row.track.value()));
  lo_message_add_float(message, static_cast<float>(row.x));
  lo_message_add_float(message, static_cast<float>(row.y));
  lo_message_add_float(message, static_cast<float>(row.seen.radius));
  lo_message_add_string(message,
                        row.state == motion::TrackState::measured ? "measured" : "predicted");
  return message;
}

lo_message setMessage(const motion::Frame& frame, const motion::SpaceFrame& space) {
  const lo_message message = lo_message_new();
  lo_message_add_int32(message, static_cast<int32_t>(frame.set.value()));
  lo_message_add_float(message, static_cast<float>(space.time));
  lo_message_add_int32(message, space.frame ? static_cast<int32_t>(space.now.size()) : 0);
  lo_message_add_int32(message, static_cast<int32_t>(space.poses.size()));
  return message;
}

lo_message pointMessage(const motion::SpaceRow& row) {
  const lo_message message = lo_message_new();
  lo_message_add_int32(message, static_cast<int32_t>(row.point));
  for (const double mm : row.at) lo_message_add_float(message, static_cast<float>(mm));
  lo_message_add_string(message,
                        row.state == motion::TrackState::measured ? "measured" : "predicted");
  return message;
}

lo_message poseMessage(const motion::PoseRow& row) {
  const lo_message message = lo_message_new();
  lo_message_add_string(message, row.body.c_str());
  for (const double mm : row.at) lo_message_add_float(message, static_cast<float>(mm));
  for (const double part : row.attitude.coeffs())
    lo_message_add_float(message, static_cast<float>(part));
  lo_message_add_string(message, motion::nameOf(row.state));
  lo_message_add_int32(message, static_cast<int32_t>(row.flags));
  return message;
}

lo_message numbersMessage(std::initializer_list<double> numbers) {
  const lo_message message = lo_message_new();
  for (const double number : numbers) lo_message_add_float(message, static_cast<float>(number));
  return message;
}

lo_message placeMessage(const Eigen::Vector3d& place) {
  return numbersMessage({place.x(), place.y(), place.z()});
}

/// Returns the angles about x, y and z, in degrees, that make an attitude when applied in this
/// order about axes that do not turn.
Eigen::Vector3d anglesOf(const Eigen::Quaterniond& attitude) {
  constexpr double kDegrees = 57.29577951308232;  // in a radian
  const Eigen::Matrix3d turn = attitude.toRotationMatrix();
  return kDegrees * Eigen::Vector3d(std::atan2(turn(2, 1), turn(2, 2)),
                                    std::asin(std::clamp(-turn(2, 0), -1.0, 1.0)),
                                    std::atan2(turn(1, 0), turn(0, 0)));
}

/// Returns a name as a part of an address: characters that OSC reserves become '_'.
std::string addressPart(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= ' ' ||
        std::string_view("#*,/?[]{}").find(c) != std::string_view::npos)
      c = '_';
  return name;
}

/// Returns the address of a point: that of a body's marker, or that of its id.
std::string addressOf(const motion::SpaceRow& row) {
  if (row.label.empty()) return "/glint/point/" + std::to_string(row.point);
  return "/glint/marker/" + addressPart(row.body.empty() ? "none" : row.body) + '/' +
         addressPart(row.label);
}

/// Returns a bundle with the messages that every bundle of a camera begins with.
Bundle beginBundle(uint32_t number, const motion::CameraFrame& camera, bool provisional,
                   lo_timetag tag) {
  Bundle bundle(lo_bundle_new(tag), lo_bundle_free_recursive);
  lo_bundle_add_message(bundle.get(), "/glint/frame", frameMessage(number, camera));
  if (provisional) {
    const lo_message message = lo_message_new();
    lo_message_add_int32(message, static_cast<int32_t>(number));
    lo_bundle_add_message(bundle.get(), "/glint/provisional", message);
  }
  return bundle;
}

std::string bytesOf(const Bundle& bundle) {
  size_t size = 0;
  const std::unique_ptr<void, decltype(&std::free)> bytes(
      lo_bundle_serialise(bundle.get(), nullptr, &size), std::free);
  if (!bytes) throw std::bad_alloc();
  return {static_cast<const char*>(bytes.get()), size};
}

/// Messages in as many bundles as they need, at least one. All bundles begin alike.
class Bundles {
 public:
  Bundles(std::vector<std::string>& all, size_t limit, std::function<Bundle()> begin)
      : all_(all), limit_(limit), begin_(std::move(begin)), bundle_(begin_()) {
    size_ = lo_bundle_length(bundle_.get());
  }
  /// Completes the last bundle.
  void finish() { all_.push_back(bytesOf(bundle_)); }

  void add(const std::string& address, lo_message message) {
    const char* path = address.c_str();
    const size_t more = kElement + lo_message_length(message, path);
    if (size_ + more > limit_) {
      all_.push_back(bytesOf(bundle_));
      bundle_ = begin_();
      size_ = lo_bundle_length(bundle_.get());
    }
    lo_bundle_add_message(bundle_.get(), path, message);
    size_ += more;
  }

 private:
  std::vector<std::string>& all_;
  size_t limit_;
  std::function<Bundle()> begin_;
  Bundle bundle_;
  size_t size_;
};

}  // namespace

double wallTime(double monotonic) {
  const auto seconds = [](auto time) {
    return std::chrono::duration<double>(time.time_since_epoch()).count();
  };
  const double ago = seconds(std::chrono::steady_clock::now()) - monotonic;
  return seconds(std::chrono::system_clock::now()) - ago;
}

double WallClock::at(double time, double tracked) {
  zero_ = std::min(zero_.value_or(tracked - time), tracked - time);
  return *zero_ + time;
}

std::vector<std::string> oscBundles(const motion::Frame& frame, WallClock& clock, size_t limit) {
  std::vector<std::string> bundles;
  const double known = wallTime(frame.tracked);
  for (uint32_t number = 0; number < frame.cameras.size(); ++number) {
    const motion::CameraFrame& camera = frame.cameras[number];
    if (!camera.measured.stamp) continue;
    const lo_timetag tag = timeTag(clock.at(camera.measured.stamp->time, known));
    Bundles own(bundles, limit,
                [&] { return beginBundle(number, camera, frame.provisional(), tag); });
    for (const motion::TrackRow& row : camera.tracks)
      own.add("/glint/marker", markerMessage(number, row));
    own.finish();
  }
  const auto* space = frame.results.get<motion::SpaceFrame>();
  if (space == nullptr || (!space->frame && space->poses.empty())) return bundles;
  const lo_timetag tag = timeTag(clock.at(space->time, known));
  Bundles set(bundles, limit, [&] {
    Bundle bundle(lo_bundle_new(tag), lo_bundle_free_recursive);
    lo_bundle_add_message(bundle.get(), "/glint/set", setMessage(frame, *space));
    return bundle;
  });
  if (space->frame)
    for (const motion::SpaceRow& row : space->now) set.add("/glint/point", pointMessage(row));
  for (const motion::PoseRow& row : space->poses) set.add("/glint/pose", poseMessage(row));
  set.finish();
  return bundles;
}

std::vector<std::string> oscSpaceBundles(const motion::Frame& frame, WallClock& clock,
                                         const StreamAxes& axes, size_t limit) {
  std::vector<std::string> bundles;
  const auto* space = frame.results.get<motion::SpaceFrame>();
  if (space == nullptr || (!space->frame && space->poses.empty())) return bundles;
  const lo_timetag tag = timeTag(clock.at(space->time, wallTime(frame.tracked)));
  Bundles set(bundles, limit, [&] {
    Bundle bundle(lo_bundle_new(tag), lo_bundle_free_recursive);
    const lo_message number = lo_message_new();
    lo_message_add_int32(number, static_cast<int32_t>(frame.set.value()));
    lo_bundle_add_message(bundle.get(), "/glint/number", number);
    return bundle;
  });
  for (const motion::PoseRow& row : space->poses) {
    const std::string body = "/glint/body/" + addressPart(row.body);
    const Eigen::Quaterniond turn = axes.attitude(row.attitude);
    set.add(body + "/position", placeMessage(axes.place(row.at)));
    set.add(body + "/quaternion", numbersMessage({turn.x(), turn.y(), turn.z(), turn.w()}));
    set.add(body + "/quaternion_wxyz", numbersMessage({turn.w(), turn.x(), turn.y(), turn.z()}));
    set.add(body + "/euler", placeMessage(anglesOf(turn)));
    set.add(body + "/tracked",
            numbersMessage({row.state == motion::PoseState::predicted ? 0. : 1.}));
  }
  if (space->frame)
    for (const motion::SpaceRow& row : space->now)
      set.add(addressOf(row), placeMessage(axes.place(row.at)));
  set.finish();
  return bundles;
}

}  // namespace glint::output
