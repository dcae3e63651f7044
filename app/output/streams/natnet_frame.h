// Frames and models of NatNet: points and bodies of a set, and what they belong to.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/motion/frame/frame.h"
#include "app/motion/space/space_row.h"
#include "app/output/streams/natnet_packets.h"
#include "app/output/streams/stream_space.h"

namespace glint::output {

/// A packet, and the number of entries (markers, places of sets, bodies, descriptions) that it
/// lacks because they did not fit into a datagram.
struct NatnetPacket {
  std::string bytes;
  uint64_t leftOut = 0;
};

/// Makes the packets that hold points and bodies. Lengths are in m. Its functions may be called on
/// any thread.
///
/// A body has its number in the order of its file, from 1. A marker of a body has the id body *
/// 65536
/// + number, both from 1. Any other point has 1 + (id - 1) mod 65535. The set "all" has all markers
/// of bodies, and each body has a set of its name. A marker that is not measured has the place at
/// which the pose of its body puts it, and 0, 0, 0 without a pose. The unlabelled markers are the
/// points that are no body's. The labelled markers are all points. Sizes of markers are not known:
/// 0.
class NatnetEncoder {
 public:
  /// `space` has a rig. A packet has at most `limit` bytes, at least 300.
  NatnetEncoder(StreamedSpace space, const StreamAxes& axes, size_t limit = kNatnetDatagram);

  const StreamAxes& axes() const { return axes_; }

  /// Returns a frame, whose time of transmission is now. `changed`: the receiver has not had a
  /// frame of this version before.
  NatnetPacket frame(const motion::Frame& frame, NatnetVersion version, bool changed) const;
  /// Returns the descriptions of the sets, the bodies and the cameras.
  NatnetPacket models(NatnetVersion version) const;

 private:
  /// A marker of a body: the body's index, and the marker's index in the body.
  struct Marker {
    size_t body, marker;
  };
  struct Contents;

  const Marker* markerOf(const motion::SpaceRow& row) const;
  Contents contentsOf(const motion::SpaceFrame& space) const;
  void appendLabelled(NatnetWriter& packet, const motion::SpaceRow& row,
                      const motion::SpaceRig& rig) const;
  std::string descriptionOfBody(size_t body, NatnetVersion version) const;

  std::shared_ptr<const motion::SpaceRig> rig_;
  std::vector<motion::Body> bodies_;
  std::map<std::pair<std::string, std::string>, Marker, std::less<>> markers_;
  StreamAxes axes_;
  size_t limit_;
};

/// Returns a time in ticks. `seconds` is on the host's monotonic clock.
uint64_t natnetTicks(double seconds);

}  // namespace glint::output
