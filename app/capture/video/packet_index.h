// Finds the place of each frame in a file without decoding it. Internal to capture/.
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
  /// Reads all packets of `demuxer`, which was just opened. Throws Interrupted.
  explicit PacketIndex(Demuxer& demuxer);

  /// Returns true if packets stand for frames: each has a time of its own and gives one frame, the
  /// first one can be decoded alone, and no frame has an earlier time than the first packet.
  /// Otherwise frames can only be counted by decoding from the start, and of the functions below
  /// only endedEarly() is valid.
  bool isTrusted() const { return trusted_; }
  void distrust() { trusted_ = false; }

  uint64_t frames() const { return order_.size(); }
  int64_t timeOf(uint64_t frame) const { return packets_[order_[frame]].time; }
  /// Returns the frame of this time; empty if there is none.
  std::optional<uint64_t> frameAt(int64_t time) const;

  /// Returns the first frame of set `set` or a later set of a raw recording; frames() if there is
  /// none. For other files returns `set` itself.
  uint64_t frameOfSet(SetIndex set) const;

  /// Returns the last packet from which `frame` can be decoded as if from the start: no frame from
  /// there on needs an earlier packet.
  size_t entryFor(uint64_t frame) const;

  /// Returns the time to give to Demuxer::seek() in order to read a packet.
  int64_t seekTime(size_t packet) const;
  /// Returns the index of a packet that was read; empty if it is not certain.
  std::optional<size_t> find(const AVPacket& packet) const;
  bool isPacket(const AVPacket& packet, size_t index) const;

  /// Returns the result of Demuxer::endedEarly() at the end of the file.
  bool endedEarly() const { return endedEarly_; }

 private:
  struct Packet {
    int64_t time;                 ///< time of presentation, in units of the stream's time base
    int64_t dts;                  ///< time of decoding, in the same units
    int64_t position;             ///< position in the file, bytes
    int size;                     ///< bytes
    bool entry;                   ///< true if decoding can begin here
    bool shown;                   ///< true if the packet gives a frame
    std::optional<SetIndex> set;  ///< set of the frame in a raw recording
  };
  void sortFrames();
  double largestStep(const AVStream& stream) const;

  std::vector<Packet> packets_;
  std::vector<size_t> order_;  ///< the packet of each frame, by time
  std::vector<size_t> entries_;
  bool trusted_ = true;
  bool endedEarly_ = false;
};

/// Reads on from the demuxer's place, which is before packet `index`, up to that packet, and leaves
/// it in `packet`. Returns false unless every packet on the way is known and in its place. Throws
/// Interrupted.
bool readUpTo(Demuxer& demuxer, const PacketIndex& packets, size_t index, AVPacket& packet);

}  // namespace glint::capture
