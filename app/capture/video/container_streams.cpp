// Finds the end of containers that are packets or frames one after another.
#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <set>

#include "app/capture/video/container_walk.h"

namespace glint::capture {
namespace {

/// Returns true if `there`, which may be cut, is the beginning of `whole`.
bool begins(std::string_view there, std::string_view whole) {
  return !there.empty() && there == whole.substr(0, there.size());
}

/// Returns the bytes of the planes of one Y4M frame; 0 for a colour space that is not known here.
uint64_t y4mFrameBytes(std::string_view header) {
  uint64_t width = 0, height = 0;
  std::string space = "420";
  for (size_t at = 0; at < header.size();) {
    const size_t stop = std::min(header.find(' ', at), header.size());
    const std::string field(header.substr(at, stop - at));
    if (field.size() > 1 && field[0] == 'W') width = std::strtoull(field.c_str() + 1, nullptr, 10);
    if (field.size() > 1 && field[0] == 'H') height = std::strtoull(field.c_str() + 1, nullptr, 10);
    if (field.size() > 1 && field[0] == 'C') space = field.substr(1);
    at = stop + 1;
  }
  const bool grey = space.starts_with("mono");
  // `depth` is "16" of "mono16" and "10" of "420p10".
  const std::string depth = space.substr(std::min<size_t>(4, space.size()));
  const bool deep = !depth.empty() && std::isdigit(static_cast<unsigned char>(depth[0])) != 0;
  const uint64_t halfWidth = (width + 1) / 2, halfHeight = (height + 1) / 2;
  uint64_t samples = 0;
  if (grey) samples = width * height;
  if (space.starts_with("420")) samples = width * height + 2 * halfWidth * halfHeight;
  if (space.starts_with("411")) samples = (width + 2 * ((width + 3) / 4)) * height;
  if (space.starts_with("422")) samples = (width + 2 * halfWidth) * height;
  if (space.starts_with("444")) samples = (space == "444alpha" ? 4 : 3) * width * height;
  return samples * (deep ? 2 : 1);
}

/// Returns true if packets of `size` bytes follow each other from `at` on, each with the byte 0x47
/// at `lead` (ISO/IEC 13818-1, 2.4.3).
bool isInStep(FileBytes& file, uint64_t at, uint64_t size, uint64_t lead) {
  for (uint64_t n = 0; n < 4; ++n)
    if (file.at(at + n * size + lead, 1) != "\x47") return false;
  return true;
}

FileEnd lastPacketEnd(FileBytes& file, uint64_t size, uint64_t lead) {
  constexpr uint64_t kMostPadding = 1 << 20;
  uint64_t at = (file.length() - 1) / size * size;  // position of the last packet, which may be cut
  for (const uint64_t last = at; last - at < kMostPadding; at -= size) {
    // Before padding there are packets in step; if bytes are lost, none are in step.
    const bool synced = file.at(at + lead, 1) == "\x47" || file.length() <= at + lead;
    if (synced && at >= 4 * size && isInStep(file, at - 4 * size, size, lead))
      return at + size > file.length() ? FileEnd::cut() : FileEnd::whole(at + size);
    if (at < size) break;
  }
  return FileEnd::cut();
}

/// Returns the pack or packet at `at`, with its head and data; foreign if there is none.
Part programPartAt(FileBytes& file, uint64_t at) {
  const std::string head(file.at(at, 14));
  if (!begins(std::string_view(head).substr(0, 3), std::string_view("\0\0\1", 3))) return {};
  if (head.size() < 14) return head.size() >= 4 && head[3] == '\xB9' ? Part::of(4) : Part::of(14);
  const auto code = static_cast<uint8_t>(head[3]);
  const auto stuffing = static_cast<uint64_t>(head[13] & 7);
  if (code == 0xB9) return Part::of(4);  // the end of a program, which another one may follow
  if (code == 0xBA) return Part::of((head[4] & 0xC0) == 0x40 ? 14 + stuffing : 12);
  if (code < 0xBB) return {};
  return Part::of(6 + bigEndian(std::string_view(head).substr(4, 2)));
}

}  // namespace

FileEnd transportEnd(FileBytes& file) {
  for (const uint64_t size : {188, 192, 204}) {
    const uint64_t lead = size == 192 ? 4 : 0;
    if (isInStep(file, 0, size, lead)) return lastPacketEnd(file, size, lead);
  }
  return {};
}

// This walks from the last pack on (ISO/IEC 13818-1, 2.5.3).
FileEnd programEnd(FileBytes& file) {
  const auto pack = file.findLast(std::string_view("\0\0\1\xBA", 4));
  if (!pack) return {};
  return walk(file, *pack, [&](uint64_t at) { return programPartAt(file, at); }).open(true);
}

// RFC 3533, 6: the flags 2 and 4 of a page begin and end the stream whose number is at byte 14.
FileEnd oggEnd(FileBytes& file) {
  std::set<uint64_t> open;
  const Walk pages = walk(file, 0, [&](uint64_t at) -> Part {
    const std::string head(file.at(at, 27));
    if (!begins(std::string_view(head).substr(0, 4), "OggS")) return {};
    if (head.size() < 27) return Part::of(27);
    const uint64_t segments = file.big(at + 26, 1);
    uint64_t size = 27 + segments;
    for (const char bytes : file.at(at + 27, segments)) size += static_cast<uint8_t>(bytes);
    const uint64_t number = file.little(at + 14, 4);
    if ((head[5] & 2) != 0) open.insert(number);
    if ((head[5] & 4) != 0) open.erase(number);
    return Part::of(size);
  });
  return open.empty() ? pages.open(!file.find("OggS", pages.at), true) : FileEnd::cut();
}

// See Adobe's specification of FLV 10.1, annex E. Many writers note the size of the whole file.
FileEnd flvEnd(FileBytes& file) {
  constexpr std::string_view kName("filesize\0", 9);
  constexpr uint64_t kMostHead = 4096;
  constexpr double kMost = 1e18;
  const size_t name = file.at(0, kMostHead).find(kName);
  const double size = std::bit_cast<double>(file.big(name + kName.size(), 8));
  const bool isStated = name != std::string_view::npos && size > 0 && size < kMost;
  const uint64_t stated = isStated ? static_cast<uint64_t>(size) : 0;
  const Walk tags = walk(file, file.big(5, 4) + 4, [&](uint64_t at) -> Part {
    const uint64_t type = file.big(at, 1) & 0x1F;
    if (at == stated || (type != 8 && type != 9 && type != 18)) return {};
    return Part::of(at + 4 > file.length() ? 4 : 11 + file.big(at + 1, 3) + 4);
  });
  if (tags.at < stated) return FileEnd::cut();
  return tags.open(tags.at == stated || file.isConstant(tags.at), tags.at == stated);
}

// The last packet is the index (NUT specification, "index"), which begins with its startcode and
// its size (forward_ptr).
FileEnd nutEnd(FileBytes& file) {
  const auto index = file.findLast("\x4E\x58\xDD\x67\x2F\x23\xE6\x4E");
  if (!index) return FileEnd::cut();
  uint64_t size = 0, at = *index + 8;
  for (uint64_t byte = 0x80; at < file.length() && (byte & 0x80) != 0; ++at) {
    byte = file.big(at, 1);
    size = size << 7 | (byte & 0x7F);
  }
  if (size > 4096) at += 4;  // for a checksum of the head
  return size <= file.length() - std::min(at, file.length()) ? FileEnd::whole(at + size)
                                                             : FileEnd::cut();
}

FileEnd y4mEnd(FileBytes& file) {
  constexpr std::string_view kFrame = "FRAME";
  const std::string head(file.at(0, 1024));
  const size_t headEnd = head.find('\n');
  if (headEnd == std::string::npos) return {};
  const uint64_t bytes = y4mFrameBytes(std::string_view(head).substr(0, headEnd));
  if (bytes == 0) return {};
  const Walk frames = walk(file, headEnd + 1, [&](uint64_t at) -> Part {
    const std::string_view there = file.at(at, 256);
    if (!begins(there.substr(0, kFrame.size()), kFrame)) return {};
    const size_t end = there.find('\n');
    return Part::of((end == std::string_view::npos ? kFrame.size() : end) + 1 + bytes);
  });
  return frames.open(!file.find(kFrame, frames.at));
}

/// The head of an IVF file has the number of frames or, if libav has written it, their duration; 0
/// or the greatest number if that is not known.
FileEnd ivfEnd(FileBytes& file) {
  constexpr uint64_t kUnknown = 0xFFFFFFFF;
  const uint64_t stated = file.little(24, 4);
  uint64_t frames = 0, first = 0, latest = 0;
  const auto isAll = [&] {
    if (frames == 0) return false;
    const double step =
        frames > 1 ? static_cast<double>(latest - first) / static_cast<double>(frames - 1) : 1;
    return frames >= stated ||
           static_cast<double>(latest - first) + step > static_cast<double>(stated) - 0.5;
  };
  const bool isStated = stated > 0 && stated != kUnknown;
  const Walk all = walk(file, file.little(6, 2), [&](uint64_t at) -> Part {
    const uint64_t size = file.little(at, 4), time = file.little(at + 4, 8);
    const bool later = frames == 0 || time > latest;
    const bool fits = at + 12 + size <= file.length();
    if (size == 0 || !later || (!fits && isStated && frames > 0 && isAll())) return {};
    if (fits && frames++ == 0) first = time;
    if (fits) latest = time;
    return Part::of(12 + size);
  });
  if (isStated && !isAll()) return FileEnd::cut();
  return all.open(isStated || file.isConstant(all.at), isStated);
}

// SMPTE 314M: all frames have one size, a multiple of 12,000 bytes, and each begins with the head
// of its first sequence.
FileEnd dvEnd(FileBytes& file) {
  constexpr std::string_view kBegin("\x1F\x07\x00", 3);
  constexpr uint64_t kSequence = 12000;
  if (file.at(0, 3) != kBegin) return {};
  uint64_t size = kSequence;
  while (size < file.length() && file.at(size, 3) != kBegin) size += kSequence;
  return walk(file, 0,
              [&](uint64_t at) { return begins(file.at(at, 3), kBegin) ? Part::of(size) : Part{}; })
      .open(true);
}

// Neither marker can be within the coded data (ITU-T T.81, B.1.1.5).
FileEnd jpegsEnd(FileBytes& file) {
  const auto begin = file.findLast("\xFF\xD8\xFF"), end = file.findLast("\xFF\xD9");
  if (!begin) return {};
  return end && *end > *begin ? FileEnd::whole(*end + 2) : FileEnd::cut();
}

FileEnd smjpegEnd(FileBytes& file) {
  return walk(file, 16,
              [&](uint64_t at) -> Part {
                const std::string type(file.at(at, 4));
                if (type == "DONE") return Part::last(4);
                if (type == "HEND") return Part::of(4);
                if (type.starts_with('_')) return Part::of(8 + file.big(at + 4, 4));
                return type == "vidD" || type == "sndD" ? Part::of(12 + file.big(at + 8, 4))
                                                        : Part{};
              })
      .closed();
}

// AV1 specification, 5.3: each unit has its size, in LEB128.
FileEnd obuEnd(FileBytes& file) {
  const Walk units = walk(file, 0, [&](uint64_t at) -> Part {
    const uint64_t head = file.big(at, 1);
    if ((head & 0x83) != 2) return {};
    uint64_t size = 0, length = (head & 4) != 0 ? 2 : 1;
    for (int shift = 0; shift < 56; shift += 7) {
      const uint64_t byte = file.big(at + length++, 1);
      size |= (byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    return Part::of(length + size);
  });
  return units.open(
      false);  // foreign bytes are a loss: libav leaves out the last frame before them
}

FileEnd roqEnd(FileBytes& file) {
  const Walk chunks = walk(file, 8, [&](uint64_t at) {
    return file.big(at + 1, 1) == 0x10 ? Part::of(8 + file.little(at + 2, 4)) : Part{};
  });
  return chunks.open(file.isConstant(chunks.at), true);
}

// RFC 2046, 5.1: the first line is repeated before each part and behind the last one.
FileEnd mpjpegEnd(FileBytes& file) {
  constexpr size_t kMostHead = 1024;
  const std::string head(file.at(0, kMostHead));
  const size_t line = head.find("\r\n");
  if (!head.starts_with("--") || line == std::string::npos) return {};
  const auto last = file.findLast(head.substr(0, line));
  if (!last) return {};
  const uint64_t behind = *last + line;
  if (file.at(behind, 2) == "--") return FileEnd::whole(behind + 2);
  // If another part begins there, the end is not known.
  return file.at(behind, 10) == "\r\nContent-" ? FileEnd{} : FileEnd::whole(behind);
}

// RFC 8216, 4.3.3.4: a playlist that is complete has this tag.
FileEnd playlistEnd(FileBytes& file) {
  return file.find("#EXT-X-ENDLIST", 0) ? FileEnd{} : FileEnd::cut();
}

}  // namespace glint::capture
