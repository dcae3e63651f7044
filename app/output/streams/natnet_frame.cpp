#include "app/output/streams/natnet_frame.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace glint::output {
namespace {

// Bytes of the parts of a frame.
constexpr size_t kPlace = 12, kBody = 38, kLabelled = 26;

// The bits of a labelled marker that Glint sets.
enum LabelledBits : uint16_t { kOccluded = 1, kFromRays = 2, kHasModel = 8, kUnlabelled = 16 };
// The bits of a frame that Glint sets.
enum FrameBits : uint16_t { kEdit = 4, kBitstreamChanged = 8 };

double natnetNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void appendPlace(NatnetWriter& packet, const Eigen::Vector3d& metres) {
  for (const double value : metres) packet.number(static_cast<float>(value));
}

void appendQuaternion(NatnetWriter& packet, const Eigen::Quaterniond& attitude) {
  for (const double part : attitude.coeffs()) packet.number(static_cast<float>(part));
}

/// Returns the distance between the rays and a point, in m, averaged over the cameras that see it.
/// Glint measures it in px; at distance d from a camera with focal length f in px, 1 px is d / f.
double residualInMetres(const motion::SpaceRow& row, const motion::SpaceRig& rig) {
  if (!std::isfinite(row.residual)) return 0;
  double sum = 0;
  int seeing = 0;
  for (size_t camera = 0; camera < rig.size(); ++camera) {
    if ((row.cameras >> camera & 1) == 0) continue;
    const motion::Lens& lens = rig[camera].camera().lens;
    sum += (row.at - rig[camera].centre()).norm() / ((lens.fx + lens.fy) / 2);
    ++seeing;
  }
  return seeing == 0 ? 0 : 1e-3 * row.residual * sum / seeing;
}

/// Returns the first stamp of a set, or null.
const gpu::FrameStamp* firstStamp(const motion::Frame& frame) {
  for (const motion::CameraFrame& camera : frame.cameras)
    if (camera.measured.stamp) return &*camera.measured.stamp;
  return nullptr;
}

/// Returns the first time that is known: times that are not known are 0.
double firstKnown(std::initializer_list<double> times) {
  for (const double time : times)
    if (time > 0) return time;
  return 0;
}

/// Adds a list of a frame: the number of its entries, since 4.1 the number of its bytes, and
/// itself.
void appendSection(NatnetWriter& packet, NatnetVersion version, size_t count,
                   const std::string& bytes) {
  packet.number(static_cast<int32_t>(count));
  if (version == NatnetVersion::v4_1) packet.number(static_cast<int32_t>(bytes.size()));
  packet.append(bytes);
}

/// Composes bytes that go into a packet.
class Part {
 public:
  Part() : writer_(NatnetMessage::frame) {}
  NatnetWriter* operator->() { return &writer_; }
  NatnetWriter& operator*() { return writer_; }
  std::string bytes() { return writer_.finish().substr(kHeaderBytes); }

 private:
  static constexpr size_t kHeaderBytes = 4;
  NatnetWriter writer_;
};

std::string setOf(std::string_view name, const std::vector<Eigen::Vector3d>& places) {
  Part set;
  set->text(name);
  set->number(static_cast<int32_t>(places.size()));
  for (const Eigen::Vector3d& place : places) appendPlace(*set, place);
  return set.bytes();
}

std::string suffixOf(const motion::Frame& frame, const motion::SpaceFrame& space,
                     NatnetVersion version, bool changed) {
  Part suffix;
  suffix->number(uint32_t{0});  // no SMPTE timecode
  suffix->number(uint32_t{0});
  suffix->number(space.time);
  const gpu::FrameStamp* stamp = firstStamp(frame);
  const double arrival = stamp ? stamp->arrival : 0;
  suffix->number(
      natnetTicks(firstKnown({stamp ? stamp->captured : 0, arrival, frame.due, frame.tracked})));
  suffix->number(natnetTicks(firstKnown({arrival, frame.due, frame.tracked})));
  suffix->number(natnetTicks(natnetNow()));
  if (version == NatnetVersion::v4_1) {
    suffix->number(uint32_t{0});  // no external clock such as PTP
    suffix->number(uint32_t{0});
  }
  const bool live = frame.session && frame.session->live;
  suffix->number(static_cast<uint16_t>((live ? 0 : kEdit) | (changed ? kBitstreamChanged : 0)));
  suffix->number(int32_t{0});  // the end
  return suffix.bytes();
}

}  // namespace

/// The places and rows of a frame, by the sections of a packet.
struct NatnetEncoder::Contents {
  std::vector<std::vector<Eigen::Vector3d>> sets;  ///< for each body: its markers, m
  std::vector<const motion::PoseRow*> poses;       ///< for each body; null without a pose
  std::vector<const motion::SpaceRow*> points, others;
};

uint64_t natnetTicks(double seconds) {
  return static_cast<uint64_t>(std::max(0.0, seconds) * double{kNatnetTicks});
}

NatnetEncoder::NatnetEncoder(StreamedSpace space, const StreamAxes& axes, size_t limit)
    : rig_(std::move(space.rig)), axes_(axes), limit_(limit) {
  if (space.bodies) bodies_ = *space.bodies;
  for (size_t body = 0; body < bodies_.size(); ++body)
    for (size_t marker = 0; marker < bodies_[body].markers.size(); ++marker)
      markers_[{bodies_[body].name, bodies_[body].markers[marker].label}] = {body, marker};
}

const NatnetEncoder::Marker* NatnetEncoder::markerOf(const motion::SpaceRow& row) const {
  if (row.body.empty()) return nullptr;
  const auto found = markers_.find(std::pair(row.body, row.label));
  return found == markers_.end() ? nullptr : &found->second;
}

NatnetEncoder::Contents NatnetEncoder::contentsOf(const motion::SpaceFrame& space) const {
  Contents contents;
  contents.poses.resize(bodies_.size(), nullptr);
  for (const motion::PoseRow& pose : space.poses)
    for (size_t body = 0; body < bodies_.size(); ++body)
      if (bodies_[body].name == pose.body) contents.poses[body] = &pose;
  for (size_t body = 0; body < bodies_.size(); ++body) {
    const motion::PoseRow* pose = contents.poses[body];
    auto& set = contents.sets.emplace_back();
    for (const motion::Body::Marker& marker : bodies_[body].markers)
      set.push_back(pose ? axes_.place(pose->at + pose->attitude * marker.at)
                         : Eigen::Vector3d::Zero());
  }
  if (!space.frame) return contents;
  for (const motion::SpaceRow& row : space.now) {
    contents.points.push_back(&row);
    if (const Marker* marker = markerOf(row))
      contents.sets[marker->body][marker->marker] = axes_.place(row.at);
    else
      contents.others.push_back(&row);
  }
  return contents;
}

void NatnetEncoder::appendLabelled(NatnetWriter& packet, const motion::SpaceRow& row,
                                   const motion::SpaceRig& rig) const {
  constexpr uint64_t kMostIds = 65535;
  const Marker* marker = markerOf(row);
  packet.number(static_cast<int32_t>(marker ? (marker->body + 1) << 16 | (marker->marker + 1)
                                            : 1 + (row.point - 1) % kMostIds));
  appendPlace(packet, axes_.place(row.at));
  packet.number(0.0F);  // the size is not known
  packet.number(
      static_cast<uint16_t>((row.state == motion::TrackState::measured ? kFromRays : kOccluded) |
                            (marker ? kHasModel : kUnlabelled)));
  packet.number(static_cast<float>(residualInMetres(row, rig)));
}

NatnetPacket NatnetEncoder::frame(const motion::Frame& frame, NatnetVersion version,
                                  bool changed) const {
  static const motion::SpaceFrame kNothing;
  const auto* found = frame.results.get<motion::SpaceFrame>();
  const motion::SpaceFrame& space = found ? *found : kNothing;
  const Contents contents = contentsOf(space);
  const motion::SpaceRig& rig = space.rig ? *space.rig : *rig_;
  const std::string suffix = suffixOf(frame, space, version, changed);
  // The header, the number of the frame, and the heads of eight or seven sections.
  const size_t heads = version == NatnetVersion::v4_1 ? size_t{8} * 8 : size_t{7} * 4;
  size_t room = limit_ - (8 + heads + suffix.size());
  NatnetPacket packet;
  // The numbers of elements that fit. Bodies come first, then labelled markers, unlabelled ones,
  // and sets.
  const auto fits = [&](size_t count, size_t size) {
    const size_t fitting = std::min(count, room / size);
    room -= fitting * size;
    packet.leftOut += count - fitting;
    return fitting;
  };

  Part bodies, labelled, others;
  const size_t bodyCount = fits(bodies_.size(), kBody);
  for (size_t body = 0; body < bodyCount; ++body) {
    const motion::PoseRow* pose = contents.poses[body];
    bodies->number(static_cast<int32_t>(body + 1));
    appendPlace(*bodies, pose ? axes_.place(pose->at) : Eigen::Vector3d::Zero());
    appendQuaternion(*bodies,
                     pose ? axes_.attitude(pose->attitude) : Eigen::Quaterniond::Identity());
    bodies->number(
        static_cast<float>(pose && std::isfinite(pose->residual) ? 1e-3 * pose->residual : 0));
    bodies->number(
        static_cast<uint16_t>(pose && pose->state != motion::PoseState::predicted ? 1 : 0));
  }
  const size_t labelledCount = fits(contents.points.size(), kLabelled);
  for (size_t i = 0; i < labelledCount; ++i) appendLabelled(*labelled, *contents.points[i], rig);
  const size_t otherCount = fits(contents.others.size(), kPlace);
  for (size_t i = 0; i < otherCount; ++i) appendPlace(*others, axes_.place(contents.others[i]->at));
  std::string sets;
  size_t setCount = 0;
  const auto addSet = [&](std::string_view name, const std::vector<Eigen::Vector3d>& places) {
    const std::string set = setOf(name, places);
    if (set.size() > room) {
      packet.leftOut += places.size();
      return;
    }
    room -= set.size();
    sets += set;
    ++setCount;
  };
  std::vector<Eigen::Vector3d> all;
  for (const auto& places : contents.sets) all.insert(all.end(), places.begin(), places.end());
  addSet("all", all);
  for (size_t body = 0; body < bodies_.size(); ++body)
    addSet(bodies_[body].name, contents.sets[body]);

  NatnetWriter writer(NatnetMessage::frame);
  writer.number(static_cast<int32_t>(frame.set.value()));
  appendSection(writer, version, setCount, sets);
  appendSection(writer, version, otherCount, others.bytes());
  appendSection(writer, version, bodyCount, bodies.bytes());
  appendSection(writer, version, 0, "");                                      // skeletons
  if (version == NatnetVersion::v4_1) appendSection(writer, version, 0, "");  // assets
  appendSection(writer, version, labelledCount, labelled.bytes());
  appendSection(writer, version, 0, "");  // force plates
  appendSection(writer, version, 0, "");  // devices
  writer.append(suffix);
  packet.bytes = writer.finish();
  return packet;
}

std::string NatnetEncoder::descriptionOfBody(size_t body, NatnetVersion version) const {
  Part description;
  description->text(bodies_[body].name);
  description->number(static_cast<int32_t>(body + 1));
  description->number(int32_t{-1});  // no parent
  appendPlace(*description, Eigen::Vector3d::Zero());
  const auto& markers = bodies_[body].markers;
  description->number(static_cast<int32_t>(markers.size()));
  for (const auto& marker : markers) appendPlace(*description, axes_.place(marker.at));
  for (size_t i = 0; i < markers.size(); ++i) description->number(int32_t{0});  // not active
  if (version == NatnetVersion::v4_1)
    for (const auto& marker : markers) description->text(marker.label);
  return description.bytes();
}

NatnetPacket NatnetEncoder::models(NatnetVersion version) const {
  enum Kind : int32_t { kSet = 0, kRigidBody = 1, kCamera = 5 };
  NatnetPacket packet;
  std::string descriptions;
  int32_t count = 0;
  const auto add = [&](Kind kind, const std::string& description) {
    Part head;
    head->number(int32_t{kind});
    if (version == NatnetVersion::v4_1) head->number(static_cast<int32_t>(description.size()));
    const std::string bytes = head.bytes() + description;
    if (8 + descriptions.size() + bytes.size() > limit_) {
      ++packet.leftOut;
      return;
    }
    descriptions += bytes;
    ++count;
  };
  const auto addSet = [&](std::string_view name, const std::vector<std::string>& names) {
    Part set;
    set->text(name);
    set->number(static_cast<int32_t>(names.size()));
    for (const std::string& one : names) set->text(one);
    add(kSet, set.bytes());
  };
  std::vector<std::string> all;
  for (const motion::Body& body : bodies_)
    for (const auto& marker : body.markers)
      all.push_back(fmt::format("{}:{}", body.name, marker.label));
  addSet("all", all);
  for (const motion::Body& body : bodies_) {
    std::vector<std::string> names;
    for (const auto& marker : body.markers) names.push_back(marker.label);
    addSet(body.name, names);
  }
  for (size_t body = 0; body < bodies_.size(); ++body)
    add(kRigidBody, descriptionOfBody(body, version));
  for (size_t camera = 0; camera < rig_->size(); ++camera) {
    const motion::SpaceCamera& one = (*rig_)[camera];
    Part description;
    description->text(one.camera().name.empty() ? fmt::format("camera {}", camera)
                                                : one.camera().name);
    appendPlace(*description, axes_.place(one.centre()));
    appendQuaternion(*description, axes_.attitude(one));
    add(kCamera, description.bytes());
  }
  NatnetWriter writer(NatnetMessage::models);
  writer.number(count);
  writer.append(descriptions);
  packet.bytes = writer.finish();
  return packet;
}

}  // namespace glint::output
