#include "app/capture/video/packet_index.h"

#include <algorithm>

#include "app/capture/video/coded_frame.h"
#include "app/capture/video/recorded_stamp.h"

namespace glint::capture {
namespace {

// The most packets after a seek that may be unknown, because the seek ended within a packet.
constexpr int kStrayPackets = 8;

[[noreturn]] void throwInterrupted(const Demuxer& demuxer) {
  throw Interrupted("interrupted while seeking in '{}'", demuxer.name());
}

}  // namespace

PacketIndex::PacketIndex(Demuxer& demuxer) {
  const libav::Packet packet(av_packet_alloc());
  const CodedFrames coded(*demuxer.stream().codecpar);
  trusted_ = coded.areKnown();
  while (demuxer.read(*packet)) {
    const CodedFrames::Facts facts = coded.factsOf(*packet);
    const auto recorded = recordedStampOf(libav::besideOf(*packet));
    packets_.push_back({packet->pts, packet->dts, packet->pos, packet->size, facts.entry,
                        facts.shown && (packet->flags & AV_PKT_FLAG_DISCARD) == 0,
                        recorded ? std::optional(recorded->set) : std::nullopt});
    if (packet->pts == AV_NOPTS_VALUE || (packet->flags & AV_PKT_FLAG_CORRUPT) != 0)
      trusted_ = false;
    av_packet_unref(packet.get());
  }
  if (demuxer.interrupted()) throwInterrupted(demuxer);
  if (demuxer.skippedBytes() || demuxer.skippedBytesEarly()) trusted_ = false;
  sortFrames();
  endedEarly_ = demuxer.endedEarly(largestStep(demuxer.stream()));
}

void PacketIndex::sortFrames() {
  for (size_t i = 0; i < packets_.size(); ++i) {
    if (packets_[i].entry) entries_.push_back(i);
    if (packets_[i].shown) order_.push_back(i);
  }
  const auto earlier = [&](size_t a, size_t b) { return packets_[a].time < packets_[b].time; };
  std::ranges::sort(order_, earlier);
  const auto same = [&](size_t a, size_t b) { return packets_[a].time == packets_[b].time; };
  const bool distinct = std::ranges::adjacent_find(order_, same) == order_.end();
  trusted_ = trusted_ && distinct && !order_.empty() && packets_.front().entry;
  if (trusted_) trusted_ = timeOf(0) >= packets_.front().time;
}

double PacketIndex::largestStep(const AVStream& stream) const {
  int64_t step = 0;
  for (size_t i = 1; trusted_ && i < order_.size(); ++i)
    step = std::max(step, timeOf(i) - timeOf(i - 1));
  return static_cast<double>(step) * av_q2d(stream.time_base);
}

std::optional<uint64_t> PacketIndex::frameAt(int64_t time) const {
  const auto at = std::lower_bound(order_.begin(), order_.end(), time,
                                   [&](size_t i, int64_t t) { return packets_[i].time < t; });
  if (at == order_.end() || packets_[*at].time != time) return std::nullopt;
  return static_cast<uint64_t>(at - order_.begin());
}

uint64_t PacketIndex::frameOfSet(SetIndex set) const {
  if (order_.empty() || !packets_[order_.front()].set) return set.value();
  const auto at = std::lower_bound(order_.begin(), order_.end(), set, [&](size_t i, SetIndex s) {
    return packets_[i].set.value_or(SetIndex()) < s;
  });
  return static_cast<uint64_t>(at - order_.begin());
}

size_t PacketIndex::entryFor(uint64_t frame) const {
  const size_t packet = order_[frame];
  auto entry = std::upper_bound(entries_.begin(), entries_.end(), packet);
  // Frames that follow the entry in the file but are shown before it may need packets before the
  // entry.
  while (entry != entries_.begin() && packets_[*--entry].time > packets_[packet].time) {
  }
  return *entry;
}

int64_t PacketIndex::seekTime(size_t index) const {
  const Packet& packet = packets_[index];
  return packet.dts == AV_NOPTS_VALUE ? packet.time : std::min(packet.dts, packet.time);
}

bool PacketIndex::isPacket(const AVPacket& packet, size_t index) const {
  if (index >= packets_.size()) return false;
  const Packet& known = packets_[index];
  return known.time == packet.pts && known.size == packet.size && known.position == packet.pos;
}

std::optional<size_t> PacketIndex::find(const AVPacket& packet) const {
  const auto frame = frameAt(packet.pts);
  if (!frame || !isPacket(packet, order_[*frame])) return std::nullopt;
  return order_[*frame];
}

bool readUpTo(Demuxer& demuxer, const PacketIndex& packets, size_t index, AVPacket& packet) {
  std::optional<size_t> at;
  for (int stray = 0; demuxer.read(packet);) {
    if (at) {
      ++*at;
      if (!packets.isPacket(packet, *at)) break;
    } else {
      at = packets.find(packet);
      if (!at && ++stray > kStrayPackets) break;
    }
    if (at == index) return true;
    if (at && *at > index) break;
    av_packet_unref(&packet);
  }
  av_packet_unref(&packet);
  if (demuxer.interrupted()) throwInterrupted(demuxer);
  return false;
}

}  // namespace glint::capture
