#include "app/stream/osc_frame.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

#include <lo/lo.h>

namespace glint {
namespace {

using Bundle =
    std::unique_ptr<std::remove_pointer_t<lo_bundle>, decltype(&lo_bundle_free_recursive)>;

// What a message takes in a bundle beside itself: its size, an int32.
constexpr size_t kElement = 4;

/// NTP's format: s since 1900 and their fraction in 2^-32 s.
lo_timetag timeTag(double sinceEpoch) {
  constexpr uint32_t k1900To1970 = 2208988800U;  // s, RFC 868
  const double whole = std::floor(sinceEpoch);
  return {static_cast<uint32_t>(static_cast<int64_t>(whole)) + k1900To1970,
          static_cast<uint32_t>((sinceEpoch - whole) * 4294967296.0)};
}

lo_message frameMessage(const LiveCamera& camera) {
  const lo_message message = lo_message_new();
  lo_message_add_int32(message, static_cast<int32_t>(camera.camera));
  lo_message_add_int32(message, static_cast<int32_t>(camera.stamp.sequence));
  lo_message_add_float(message, static_cast<float>(camera.stamp.time));
  lo_message_add_int32(message, static_cast<int32_t>(camera.tracks.size()));
  return message;
}

lo_message markerMessage(uint32_t camera, const TrackRow& row) {
  const lo_message message = lo_message_new();
  lo_message_add_int32(message, static_cast<int32_t>(camera));
  lo_message_add_int32(message, static_cast<int32_t>(row.track));
  lo_message_add_float(message, static_cast<float>(row.x));
  lo_message_add_float(message, static_cast<float>(row.y));
  lo_message_add_float(message, static_cast<float>(row.seen.radius));
  lo_message_add_string(message, row.state == TrackState::measured ? "measured" : "predicted");
  return message;
}

Bundle beginBundle(const LiveCamera& camera, lo_timetag tag) {
  Bundle bundle(lo_bundle_new(tag), lo_bundle_free_recursive);
  lo_bundle_add_message(bundle.get(), "/glint/frame", frameMessage(camera));
  return bundle;
}

std::string bytesOf(const Bundle& bundle) {
  size_t size = 0;
  const std::unique_ptr<void, decltype(&std::free)> bytes(
      lo_bundle_serialise(bundle.get(), nullptr, &size), std::free);
  if (!bytes) throw std::bad_alloc();
  return {static_cast<const char*>(bytes.get()), size};
}

}  // namespace

double WallClock::at(double time, std::chrono::system_clock::time_point tracked) {
  const double now = std::chrono::duration<double>(tracked.time_since_epoch()).count();
  zero_ = std::min(zero_.value_or(now - time), now - time);
  return *zero_ + time;
}

std::vector<std::string> oscBundles(const LiveFrame& frame, WallClock& clock, size_t limit) {
  constexpr const char* kMarker = "/glint/marker";
  std::vector<std::string> bundles;
  for (const LiveCamera& camera : frame.cameras) {
    const lo_timetag tag = timeTag(clock.at(camera.stamp.time, frame.tracked));
    Bundle bundle = beginBundle(camera, tag);
    size_t size = lo_bundle_length(bundle.get());
    for (const TrackRow& row : camera.tracks) {
      const lo_message marker = markerMessage(camera.camera, row);
      const size_t more = kElement + lo_message_length(marker, kMarker);
      if (size + more > limit) {
        bundles.push_back(bytesOf(bundle));
        bundle = beginBundle(camera, tag);
        size = lo_bundle_length(bundle.get());
      }
      lo_bundle_add_message(bundle.get(), kMarker, marker);
      size += more;
    }
    bundles.push_back(bytesOf(bundle));
  }
  return bundles;
}

}  // namespace glint
