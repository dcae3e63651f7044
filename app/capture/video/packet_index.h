// Where in a file each frame is, without decoding any. Internal to capture/.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/capture/video/demuxer.h"
#include "config/numbers.h"

namespace glint::capture {

/// The packets of a video file in order of decoding, and the frames in order of presentation.
class PacketIndex {
 public:
  /// Reads all packets that `demuxer`, just opened, has. Throws Interrupted.
  explicit PacketIndex(Demuxer& demuxer);

  /// Whether packets stand for frames: each has a time of its own and gives one frame, the first
  /// one can be decoded alone, and nothing before it in time follows. Otherwise frames can only be
  /// counted by decoding from the start, and all below but endedEarly() says nothing.
  bool isTrusted() const { return trusted_; }
  void distrust() { trusted_ = false; }

  uint64_t frames() const { return order_.size(); }
  int64_t timeOf(uint64_t frame) const { return packets_[order_[frame]].time; }
  /// The frame of this time; empty if there is none.
  std::optional<uint64_t> frameAt(int64_t time) const;

  /// Of a raw recording: the first frame of set `set` or a later one; frames() if there is none. Of
  /// others `set` itself.
  uint64_t frameOfSet(SetIndex set) const;

  /// The last packet from which on `frame` can be decoded as if from the start: no frame from there
  /// on needs an earlier one.
  size_t entryFor(uint64_t frame) const;

  /// Where `demuxer` should be asked to go for a packet, for Demuxer::seek().
  int64_t seekTime(size_t packet) const;
  /// The packet that this is; empty if it is none for sure.
  std::optional<size_t> find(const AVPacket& packet) const;
  bool isPacket(const AVPacket& packet, size_t index) const;

  /// What Demuxer::endedEarly() said at the end.
  bool endedEarly() const { return endedEarly_; }

 private:
  struct Packet {
    int64_t time;  ///< of presentation, in units of the stream's time base
    int64_t dts;
    int64_t position;             ///< in the file, bytes
    int size;                     ///< bytes
    bool entry;                   ///< can be decoded alone
    bool shown;                   ///< gives a frame
    std::optional<SetIndex> set;  ///< of a raw recording
  };
  void sortFrames();
  double largestStep(const AVStream& stream) const;

  std::vector<Packet> packets_;
  std::vector<size_t> order_;  ///< the packet of each frame, by time
  std::vector<size_t> entries_;
  bool trusted_ = true;
  bool endedEarly_ = false;
};

/// Reads on from wherever the demuxer is, before packet `index`, and leaves that in `packet`. False
/// if it does not come for sure: every packet on the way must be known and in its place. Throws
/// Interrupted.
bool readUpTo(Demuxer& demuxer, const PacketIndex& packets, size_t index, AVPacket& packet);

}  // namespace glint::capture
