// Finds the end of containers whose parts have their length, or say which one is the last.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <set>

#include "app/capture/video/container_walk.h"
#include "app/capture/video/fits_header.h"

namespace glint::capture {
namespace {

bool isOneOf(std::string_view type, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, type) != all.end();
}

bool isPrintable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

/// Returns true if a box with a type of four printable letters begins at `at` and ends within the
/// file.
bool isWholeBox(FileBytes& file, uint64_t at) {
  if (file.at(at, 8).size() < 8 || !isPrintable(file.at(at + 4, 4))) return false;
  const bool isLong = file.big(at, 4) == 1;
  const uint64_t size = isLong ? file.big(at + 8, 8) : file.big(at, 4);
  return size >= (isLong ? 16 : 8) && size <= file.length() - at;
}

/// Returns true if there is a whole box of this type anywhere from `from` on.
bool hasBox(FileBytes& file, std::string_view type, uint64_t from) {
  for (auto at = file.find(type, from + 4); at; at = file.find(type, *at + 1))
    if (isWholeBox(file, *at - 4)) return true;
  return false;
}

/// Returns the box at `at` (ISO/IEC 14496-12, 4.2). A box of size 0 extends to the end of the file.
/// A box of an unknown type counts only if the file has all of it.
Part boxAt(FileBytes& file, uint64_t at) {
  const std::string head(file.at(at, 16));
  const std::string_view type = std::string_view(head).substr(std::min<size_t>(4, head.size()), 4);
  if (!isOneOf(type, {"ftyp", "moov", "mdat", "moof", "mfra", "free", "skip", "wide", "udta",
                      "uuid", "sidx", "ssix", "styp", "meta", "pnot", "emsg", "prft", "pdin"}) &&
      !isWholeBox(file, at))
    return {};
  const uint64_t size = bigEndian(std::string_view(head).substr(0, 4));
  if (size == 0 && type == "mdat") return Part::last(file.length() - at);
  if (size == 1) return Part::of(head.size() == 16 ? file.big(at + 8, 8) : 16);
  return Part::of(size);
}

// Returns true if libav has written the index (moov), in which it then names itself. libav closes
// fragments with mfra, unless they are meant for streaming (sidx, styp).
bool isLibavs(FileBytes& file, uint64_t at, uint64_t size) {
  constexpr uint64_t kMost = 1 << 20;
  return file.at(at, static_cast<size_t>(std::min(size, kMost))).find("Lavf") !=
         std::string_view::npos;
}

/// A number of EBML (RFC 8794, 4) with its length in bytes; `unknown` is true for the value that
/// means an unknown size.
struct Vint {
  uint64_t value = 0, length = 0;
  bool unknown = false;
};

Vint vintAt(FileBytes& file, uint64_t at) {
  const uint64_t first = file.big(at, 1);
  if (first == 0) return {};
  const auto length = static_cast<uint64_t>(std::countl_zero(static_cast<uint8_t>(first))) + 1;
  const uint64_t most = (uint64_t{1} << 7 * length) - 1;
  const uint64_t value = file.big(at, length) & most;
  return {value, length, value == most};
}

constexpr std::string_view kKlv = "\x06\x0E\x2B\x34";  // SMPTE 336M: start of each key of 16 bytes

/// Returns the part at `at`, which consists of key, length in BER, and value.
Part klvAt(FileBytes& file, uint64_t at) {
  const std::string key(file.at(at, 17));
  if (!std::string_view(key).starts_with(kKlv)) return {};
  if (key.size() < 17) return Part::of(17);
  const auto first = static_cast<uint8_t>(key[16]);
  const uint64_t more = first < 0x80 ? 0 : first & 0x7F;
  if (more > 8) return {};
  const uint64_t size = 17 + more + (more == 0 ? first : file.big(at + 17, more));
  // SMPTE 377M, 12: the random index pack is the last part.
  const bool last = std::string_view(key).substr(4, 11) ==
                    std::string_view("\x02\x05\x01\x01\x0D\x01\x02\x01\x01\x11\x01", 11);
  return last ? Part::last(size) : Part::of(size);
}

/// Returns the position behind sub-blocks, each of which has a length and up to 255 bytes (GIF89a,
/// 15).
uint64_t behindSubBlocks(FileBytes& file, uint64_t at) {
  while (at < file.length()) {
    const uint64_t size = file.big(at, 1);
    at += 1 + size;
    if (size == 0) return at;
  }
  return file.length() + 1;
}

uint64_t gifTableBytes(uint64_t flags) {
  return (flags & 0x80) != 0 ? uint64_t{3} << ((flags & 7) + 1) : 0;
}

Part gifPartAt(FileBytes& file, uint64_t at) {
  constexpr uint64_t kExtension = 0x21, kImage = 0x2C, kTrailer = 0x3B;
  switch (file.big(at, 1)) {
    case kExtension:
      return Part::of(behindSubBlocks(file, at + 2) - at);
    case kImage:
      return Part::of(behindSubBlocks(file, at + 11 + gifTableBytes(file.big(at + 9, 1))) - at);
    case kTrailer:
      return Part::last(1);
    case 0:
      return Part::of(1);
    default:
      return {};
  }
}

}  // namespace

FileEnd mp4End(FileBytes& file) {
  std::set<std::string> types;
  bool libavs = false;
  const Walk boxes = walk(file, 0, [&](uint64_t at) {
    const Part box = boxAt(file, at);
    const std::string type(file.at(at + 4, 4));
    if (box.kind == Part::Kind::part && box.size >= 8) types.insert(type);
    if (type == "moov") libavs = isLibavs(file, at, box.size);
    return box.size < 8 ? Part{} : box;
  });
  const bool streaming = types.contains("sidx") || types.contains("styp");
  if (types.contains("moof") && libavs && !streaming && !types.contains("mfra"))
    return FileEnd::cut();
  bool padding = types.contains("moov") && boxes.stop == Walk::Stop::foreign;
  for (const std::string_view type : {"moov", "moof", "mdat"})
    padding = padding && !hasBox(file, type, boxes.at);
  return boxes.open(padding, types.contains("moov") && !types.contains("moof"));
}

FileEnd matroskaEnd(FileBytes& file) {
  bool unknown = false;
  const Walk elements = walk(file, 0, [&](uint64_t at) -> Part {
    const Vint id = vintAt(file, at);
    const std::string_view name = file.at(at, id.length);
    // These are EBML's head, a segment, and the two elements that may be anywhere: Void and CRC-32.
    if (!isOneOf(name, {"\x1A\x45\xDF\xA3", "\x18\x53\x80\x67", "\xEC", "\xBF"})) return {};
    const Vint size = vintAt(file, at + id.length);
    unknown = unknown || size.unknown;
    return Part::of(id.length + size.length + (size.unknown ? 0 : size.value));
  });
  return unknown ? FileEnd{} : elements.open(!file.find("\x1F\x43\xB6\x75", elements.at), true);
}

FileEnd aviEnd(FileBytes& file) {
  if (file.at(8, 4) == "AMV ") return {};  // AMV is AVI without sizes
  uint64_t riffEnd = 0;
  const Walk chunks = walk(file, 0, [&](uint64_t at) -> Part {
    const std::string head(file.at(at, 8));
    const uint64_t size =
        littleEndian(std::string_view(head).substr(std::min<size_t>(4, head.size())));
    const bool isRiff = head.starts_with("RIFF");
    if (at == riffEnd && at > 0 && !isRiff) return {};
    if (isRiff) riffEnd = at + 8 + size + size % 2;
    // The chunks within the RIFF must follow each other, too; they do not if bytes are lost.
    if (!isPrintable(std::string_view(head).substr(0, 4))) return {};
    if (8 + size > file.length() - at) return Part::of(8 + size);
    return Part::of(isRiff ? 12 : std::min(8 + size + size % 2, file.length() - at));
  });
  return chunks.open(chunks.at == riffEnd || file.isConstant(chunks.at), chunks.at == riffEnd);
}

// ASF specification, 2 and 3.2: objects begin with a GUID and their size; the File Properties have
// the flags (bit 0: sizes are not known) and the size of all packets.
FileEnd asfEnd(FileBytes& file) {
  constexpr std::string_view kProperties(
      "\xA1\xDC\xAB\x8C\x47\xA9\xCF\x11\x8E\xE4\x00\xC0\x0C\x20\x53\x65", 16);
  constexpr uint64_t kDataHead = 50;
  constexpr char kPacket = '\x82';
  const uint64_t data = file.little(16, 8);
  const auto properties = file.find(kProperties, 0);
  if (!properties || *properties > data) return FileEnd::cut();
  const uint64_t packet = file.little(*properties + 92, 4);
  const bool sizesAreKnown = (file.little(*properties + 88, 4) & 1) == 0;
  if (sizesAreKnown) {
    int objects = 0;
    const Walk all = walk(file, 0, [&](uint64_t at) {
      const uint64_t size = at + 24 > file.length() ? 24 : file.little(at + 16, 8);
      // The objects are the head, the data, and indices, whose GUIDs all begin with these bytes.
      constexpr std::string_view kIndex("\x90\x08\x00\x33\xB1\xE5\xCF\x11", 8);
      return objects++ < 2 || file.at(at, 8) == kIndex ? Part::of(size) : Part{};
    });
    return all.open(objects > 2, true);
  }
  const Walk packets = walk(file, data + kDataHead, [&](uint64_t at) {
    return file.at(at, 1) == std::string_view(&kPacket, 1) ? Part::of(packet) : Part{};
  });
  return packets.open(!file.find(std::string_view("\x82\x00\x00", 3), packets.at));
}

FileEnd mxfEnd(FileBytes& file) {
  // Most bytes before the first part, and the place of the footer's position in that part.
  constexpr uint64_t kRunIn = 1 << 16, kFooter = 24;
  const auto begin = file.find(kKlv, 0);
  if (!begin || *begin > kRunIn) return {};
  const uint64_t lengthBytes = file.big(*begin + 16, 1);
  const uint64_t value = *begin + 17 + (lengthBytes < 0x80 ? 0 : lengthBytes & 0x7F);
  const uint64_t footer = file.big(value + kFooter, 8);
  const Walk all = walk(file, *begin, [&](uint64_t at) { return klvAt(file, at); });
  if (all.stop == Walk::Stop::last || all.stop == Walk::Stop::within) return all.closed();
  if (footer == 0) return {};  // the file was not finished
  return all.at > *begin + footer ? FileEnd::whole(all.at) : FileEnd::cut();
}

// SMPTE 360M: each packet has a head of 16 bytes with its type and length; type 0xFB ends the
// stream.
FileEnd gxfEnd(FileBytes& file) {
  return walk(file, 0,
              [&](uint64_t at) -> Part {
                const std::string head(file.at(at, 16));
                if (!std::string_view(head).starts_with(std::string_view("\0\0\0\0\1", 5)))
                  return {};
                const uint64_t size =
                    bigEndian(std::string_view(head).substr(std::min<size_t>(6, head.size()), 4));
                return head[5] == '\xFB' ? Part::last(size) : Part::of(size);
              })
      .closed();
}

FileEnd pngEnd(FileBytes& file) {
  return walk(file, 8,
              [&](uint64_t at) {
                const uint64_t size = 12 + file.big(at, 4);
                return file.at(at + 4, 4) == "IEND" ? Part::last(size) : Part::of(size);
              })
      .closed();
}

FileEnd gifEnd(FileBytes& file) {
  const uint64_t begin = 13 + gifTableBytes(file.big(10, 1));
  return walk(file, begin, [&](uint64_t at) { return gifPartAt(file, at); }).closed();
}

// A filmstrip has its head, 36 bytes, at the end of the file.
FileEnd filmstripEnd(FileBytes& file) {
  constexpr uint64_t kHead = 36;
  if (file.length() < kHead) return FileEnd::cut();
  const uint64_t at = file.length() - kHead;
  return file.at(at, 4) == "Rand" ? FileEnd::whole(at) : FileEnd::cut();
}

FileEnd fitsEnd(FileBytes& file) {
  const Walk units = walk(file, 0, [&](uint64_t at) -> Part {
    if (!isFitsUnit(file, at)) return {};
    const auto header = readFitsHeader(file, at);
    // A header without an end is longer than the file.
    return Part::of(header ? header->unitBytes() : file.length() - at + 1);
  });
  return units.open(!file.find("XTENSION", units.at));
}

}  // namespace glint::capture
