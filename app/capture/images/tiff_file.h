// TIFF files of any number of pages, read through libtiff. Internal to app/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace glint::capture {

/// The kind of samples of a page. libtiff converts what is coded in another way (palettes, inks,
/// YCbCr) to red, green and blue of 8 bits, and such pages are described as that.
struct TiffPage {
  uint32_t width = 0, height = 0;  ///< px
  uint16_t samples = 1;            ///< per pixel
  uint16_t bits = 8;               ///< of a sample in the file, 1 to 64
  enum class Kind : uint8_t { whole, negative, floating } kind = Kind::whole;
  enum class Colour : uint8_t { grey, inverseGrey, rgb } colour = Colour::grey;
  uint16_t orientation = 1;  ///< 1 to 8, the value of the tag
  uint16_t extras = 0;       ///< samples beside the colour: alpha and what has no meaning
  uint64_t planeBytes() const { return uint64_t{width} * height * samples * bytesPerSample(); }
  /// The format of the pixels that TiffFile::read() returns.
  uint16_t bytesPerSample() const { return static_cast<uint16_t>(bits <= 8 ? 1 : (bits + 7) / 8); }
  bool operator==(const TiffPage&) const = default;
};

/// An open file. Its pages are listed when it is opened, and decoded one at a time: memory does not
/// grow with them, but for 16 bytes a page. Reduced pictures (thumbnails, levels of a pyramid) and
/// masks, which their tags mark as such, are no pages. Used by one thread at a time.
class TiffFile {
 public:
  /// Throws Error naming the file if it cannot be read, is no TIFF, or holds not one page; and,
  /// naming the reason, if the first page has samples of a kind that cannot be read.
  explicit TiffFile(const std::string& path);
  /// Opens a TIFF file that is in memory. `name` names it in messages. Throws as above.
  TiffFile(std::string name, std::vector<std::byte> bytes);
  ~TiffFile();
  TiffFile(TiffFile&&) noexcept;
  TiffFile& operator=(TiffFile&&) noexcept;

  const std::string& name() const;
  uint64_t pages() const;
  const TiffPage& page(uint64_t index) const;
  /// The text that the first page has in ImageDescription, or empty.
  const std::string& description() const;
  /// True if the first page has a text that cannot be read, because it lies outside the file.
  bool lostDescription() const;
  /// Reduced pictures and masks.
  uint64_t reducedPages() const;
  /// Why the list of pages ends before the file's own end, in libtiff's words; empty: it is whole.
  const std::string& brokenOff() const;
  /// Returns false if no compression makes so many bytes of samples from a file of this size: what
  /// promises them is a lie that would take all memory.
  bool canHold(uint64_t bytes) const;

  /// ImageJ writes large stacks with a single directory: the uncompressed planes follow each other.
  /// Makes pages of as many of the `images` planes as the file holds.
  void addPlanes(uint64_t images);

  /// Resolution along x and y in px per mm, or per unit where the file has none; 0: not stated.
  struct Resolution {
    double x = 0, y = 0;
    bool inMillimetres = false;
  };
  Resolution resolution() const;

  /// Replaces `samples` by those of a page: rows from the top, samples of a pixel side by side,
  /// each of bytesPerSample() in the machine's byte order. Samples of fewer bits stand in the low
  /// ones. Throws Error naming the file and the page if it is damaged or cut short.
  void read(uint64_t index, std::vector<std::byte>& samples);

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

/// Returns true if the file begins as a TIFF or a BigTIFF does.
bool isTiff(const std::byte* begin, size_t size);

}  // namespace glint::capture
