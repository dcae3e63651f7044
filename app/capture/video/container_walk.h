// Walks over the parts of a file's container to find out if the file is whole. Internal to
// capture/.
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace glint::capture {

uint64_t bigEndian(std::string_view bytes);
uint64_t littleEndian(std::string_view bytes);

/// The bytes of a regular file, or of one in memory, which are read from any place.
class FileBytes {
 public:
  explicit FileBytes(const std::string& path);
  static FileBytes inMemory(std::string bytes);
  bool isOpen() const { return file_ != nullptr; }
  uint64_t length() const { return length_; }

  /// Returns `count` bytes from `position` on, fewer at the end of the file. They are valid until
  /// the next call.
  std::string_view at(uint64_t position, size_t count);
  uint64_t big(uint64_t position, size_t count) { return bigEndian(at(position, count)); }
  uint64_t little(uint64_t position, size_t count) { return littleEndian(at(position, count)); }

  /// Returns the first position of `bytes` from `from` on.
  std::optional<uint64_t> find(std::string_view bytes, uint64_t from);
  /// Returns the last position of `bytes` in the last 16 MiB of the file.
  std::optional<uint64_t> findLast(std::string_view bytes);

  /// Returns true if all bytes from `from` on are equal.
  bool isConstant(uint64_t from);

 private:
  FileBytes() = default;

  std::unique_ptr<std::istream> file_;  ///< null if the file cannot be opened
  uint64_t length_ = 0;
  std::string window_;
  uint64_t begin_ = 0;  ///< position of the window in the file
};

/// The end of a file according to its container.
struct FileEnd {
  enum class Kind {
    unknown,  ///< the container does not say where it ends
    whole,    ///< the container ends at `at`; further bytes do not belong to it
    cut,      ///< the container should be longer than the file
  } kind = Kind::unknown;
  uint64_t at = 0;

  static FileEnd whole(uint64_t at) { return {Kind::whole, at}; }
  static FileEnd cut() { return {Kind::cut}; }
};

/// The part of a container at one place of a file.
struct Part {
  enum class Kind { part, last, foreign } kind = Kind::foreign;  ///< foreign: not a part
  uint64_t size = 0;                                             ///< bytes, with the part's head

  static Part of(uint64_t size) { return {Kind::part, size}; }
  static Part last(uint64_t size) { return {Kind::last, size}; }
};

/// The place at which a walk over parts stopped.
struct Walk {
  enum class Stop {
    within,   ///< the part at `at` is longer than the rest of the file
    last,     ///< the last part ended at `at`
    foreign,  ///< the bytes at `at` are not a part
    end,      ///< the file ends at `at`, between two parts
  } stop;
  uint64_t at;

  /// Returns the end of a container that always has a last part.
  FileEnd closed() const { return stop == Stop::last ? FileEnd::whole(at) : FileEnd::cut(); }
  /// Returns the end of a container that has no last part. `padding`: true if foreign bytes are
  /// padding; otherwise they show that bytes are lost. `isAll`: true if nothing is missing at `at`.
  FileEnd open(bool padding, bool isAll = false) const {
    if (stop == Stop::within || (stop == Stop::foreign && !padding)) return FileEnd::cut();
    return stop == Stop::foreign || isAll ? FileEnd::whole(at) : FileEnd{};
  }
};

/// Walks over the parts from `at` on, each of which `partAt(position)` returns; a part of size 0
/// counts as foreign.
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

// These are for containers whose parts have their length, or say which one is the last.
FileEnd mp4End(FileBytes& file);
FileEnd matroskaEnd(FileBytes& file);
FileEnd aviEnd(FileBytes& file);
FileEnd asfEnd(FileBytes& file);
FileEnd mxfEnd(FileBytes& file);
FileEnd gxfEnd(FileBytes& file);
FileEnd pngEnd(FileBytes& file);
FileEnd gifEnd(FileBytes& file);

// These are for containers of streams: packets or frames, one after another.
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

/// Returns the end of a file. `kind`: libav's name of the container. docs/reliability.md lists what
/// is known of each container.
///
/// `cut`: the file ends within a unit of its container or before the unit that its writer always
/// puts last, or its parts do not follow each other as their lengths say. `whole`: the file ends
/// where its container does, or only padding follows. `unknown`: all other cases, also if the file
/// cannot be read.
FileEnd containerEnd(const std::string& path, std::string_view kind);

}  // namespace glint::capture
