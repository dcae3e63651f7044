// A file's bytes, walks over the parts of its container, and where the container ends. Internal to
// capture/.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace glint::capture {

uint64_t bigEndian(std::string_view bytes);
uint64_t littleEndian(std::string_view bytes);

/// A regular file, read here and there.
class FileBytes {
 public:
  explicit FileBytes(const std::string& path);
  bool isOpen() const { return file_.is_open(); }
  uint64_t length() const { return length_; }

  /// Fewer than `count` at the end. What is returned holds until the next call.
  std::string_view at(uint64_t position, size_t count);
  uint64_t big(uint64_t position, size_t count) { return bigEndian(at(position, count)); }
  uint64_t little(uint64_t position, size_t count) { return littleEndian(at(position, count)); }

  /// The first place from `from` on, and the last one in the last 16 MiB, where `bytes` stand.
  std::optional<uint64_t> find(std::string_view bytes, uint64_t from);
  std::optional<uint64_t> findLast(std::string_view bytes);

  /// Whether all bytes from `from` on are the same.
  bool isConstant(uint64_t from);

 private:
  std::ifstream file_;
  uint64_t length_ = 0;
  std::string window_;
  uint64_t begin_ = 0;  ///< of the window
};

/// Where a file ends, by its container.
struct FileEnd {
  enum class Kind {
    unknown,  ///< the container does not say
    whole,    ///< it ends at `at`; what follows is no part of it
    cut,      ///< more should follow
  } kind = Kind::unknown;
  uint64_t at = 0;

  static FileEnd whole(uint64_t at) { return {Kind::whole, at}; }
  static FileEnd cut() { return {Kind::cut}; }
};

/// What stands at one place of a file.
struct Part {
  enum class Kind { part, last, foreign } kind = Kind::foreign;
  uint64_t size = 0;  ///< bytes, with its head

  static Part of(uint64_t size) { return {Kind::part, size}; }
  static Part last(uint64_t size) { return {Kind::last, size}; }
};

struct Walk {
  enum class Stop {
    within,   ///< a part goes on behind the end of the file
    last,     ///< the last part has ended at `at`
    foreign,  ///< at `at` stands something else
    end,      ///< of the file, between two parts
  } stop;
  uint64_t at;

  /// Of a container that has a last part.
  FileEnd closed() const { return stop == Stop::last ? FileEnd::whole(at) : FileEnd::cut(); }
  /// Of one that has none: what is foreign is padding if `padding`, and lost bytes otherwise.
  /// `isAll`: at `at` nothing is missing.
  FileEnd open(bool padding, bool isAll = false) const {
    if (stop == Stop::within || (stop == Stop::foreign && !padding)) return FileEnd::cut();
    return stop == Stop::foreign || isAll ? FileEnd::whole(at) : FileEnd{};
  }
};

/// From `at` on, by what `partAt(place)` says; sizes of 0 count as foreign.
Walk walk(FileBytes& file, uint64_t at, const auto& partAt) {
  if (at > file.length()) return {Walk::Stop::within, at};
  while (at < file.length()) {
    const Part part = partAt(at);
    if (part.kind == Part::Kind::foreign || part.size == 0) return {Walk::Stop::foreign, at};
    if (part.size > file.length() - at) return {Walk::Stop::within, at};
    at += part.size;
    if (part.kind == Part::Kind::last) return {Walk::Stop::last, at};
  }
  return {Walk::Stop::end, at};
}

// Containers of files: their parts say how long they are, or which is the last.
FileEnd mp4End(FileBytes& file);
FileEnd matroskaEnd(FileBytes& file);
FileEnd aviEnd(FileBytes& file);
FileEnd asfEnd(FileBytes& file);
FileEnd mxfEnd(FileBytes& file);
FileEnd gxfEnd(FileBytes& file);
FileEnd pngEnd(FileBytes& file);
FileEnd gifEnd(FileBytes& file);

// Containers of streams: packets or frames, one after another.
FileEnd transportEnd(FileBytes& file);
FileEnd programEnd(FileBytes& file);
FileEnd oggEnd(FileBytes& file);
FileEnd flvEnd(FileBytes& file);
FileEnd nutEnd(FileBytes& file);
FileEnd y4mEnd(FileBytes& file);
FileEnd ivfEnd(FileBytes& file);
FileEnd dvEnd(FileBytes& file);
FileEnd jpegsEnd(FileBytes& file);
FileEnd smjpegEnd(FileBytes& file);
FileEnd obuEnd(FileBytes& file);
FileEnd roqEnd(FileBytes& file);
FileEnd filmstripEnd(FileBytes& file);
FileEnd mpjpegEnd(FileBytes& file);
FileEnd playlistEnd(FileBytes& file);
FileEnd fitsEnd(FileBytes& file);

/// `kind` is libav's name of the container. docs/reliability.md says what is known of which.
///
/// cut: the file ends within a unit of its container, or before one that its writer always puts
/// last, or its parts do not follow each other as they say. whole: it ends where its container
/// does, or that is followed by padding. unknown: all else, also where the file cannot be read.
FileEnd containerEnd(const std::string& path, std::string_view kind);

}  // namespace glint::capture
