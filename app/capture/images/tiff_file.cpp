#include "app/capture/images/tiff_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <tiffio.h>
#include <unistd.h>

#include "config/error.h"

namespace glint::capture {
namespace {

// A strip or a tile, and a page, may have so many bytes.
constexpr uint64_t kMostBlockBytes = uint64_t{1} << 30;
constexpr uint64_t kMostPageBytes = uint64_t{1} << 32;
// No compression of TIFF makes more of a byte.
constexpr uint64_t kMostBytesPerByte = 100'000;

/// Where libtiff reads: a file on disk, or its bytes.
struct TiffInput {
  int file = -1;
  std::vector<std::byte> bytes = {};
  uint64_t size = 0, at = 0;
  std::string complaint = {};    ///< the first since it was last cleared
  bool lostDescription = false;  ///< true if libtiff left out an ImageDescription
  bool isLoop = false;           ///< true if the list of directories comes back to one of them

  TiffInput() = default;
  TiffInput(const TiffInput&) = delete;
  TiffInput& operator=(const TiffInput&) = delete;
  ~TiffInput() {
    if (file >= 0) close(file);
  }

  /// Returns how many bytes there were.
  size_t read(uint64_t from, std::span<std::byte> to) const {
    if (from >= size) return 0;
    const size_t count = std::min<uint64_t>(to.size(), size - from);
    if (file < 0) {
      std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(from), count, to.begin());
      return count;
    }
    size_t done = 0;
    while (done < count) {
      const ssize_t part = pread(file, to.data() + done, count - done,
                                 static_cast<off_t>(from + static_cast<uint64_t>(done)));
      if (part < 0 && errno == EINTR) continue;
      if (part <= 0) break;
      done += static_cast<size_t>(part);
    }
    return done;
  }
};

TiffInput& inputOf(thandle_t handle) {
  return *static_cast<TiffInput*>(handle);
}

tmsize_t readPart(thandle_t handle, void* to, tmsize_t count) {
  TiffInput& input = inputOf(handle);
  const size_t part =
      input.read(input.at, {static_cast<std::byte*>(to), static_cast<size_t>(count)});
  input.at += part;
  return static_cast<tmsize_t>(part);
}

tmsize_t writeNothing(thandle_t, void*, tmsize_t) {
  return 0;
}

toff_t seekTo(thandle_t handle, toff_t offset, int whence) {
  TiffInput& input = inputOf(handle);
  if (whence == SEEK_CUR) offset += input.at;
  if (whence == SEEK_END) offset += input.size;
  return input.at = offset;
}

int closeNothing(thandle_t) {
  return 0;
}

toff_t sizeOf(thandle_t handle) {
  return inputOf(handle).size;
}

int noteError(TIFF*, void* input, const char*, const char* format, va_list arguments) {
  std::string& complaint = static_cast<TiffInput*>(input)->complaint;
  if (!complaint.empty()) return 1;
  std::array<char, 300> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  complaint = text.data();
  while (!complaint.empty() && complaint.back() == '.') complaint.pop_back();
  return 1;  // the file does not state it anywhere else
}

/// Passes over warnings, but for two: a tag that libtiff cannot read is not there for it, and a
/// list of directories that comes back to one of them ends there.
int noteWarning(TIFF*, void* input, const char*, const char* format, va_list arguments) {
  if (std::string_view(format).find("IFD loop") != std::string_view::npos)
    static_cast<TiffInput*>(input)->isLoop = true;
  std::array<char, 300> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  const std::string_view warning = text.data();
  if (warning.find("\"ImageDescription\"") != std::string_view::npos &&
      warning.find("tag ignored") != std::string_view::npos)
    static_cast<TiffInput*>(input)->lostDescription = true;
  return 1;
}

template <class T>
T field(TIFF* tiff, uint32_t tag, T otherwise) {
  T value = otherwise;
  return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : otherwise;
}

/// The next sample of `bits` bits of a row in which samples follow each other without padding.
class PackedRow {
 public:
  PackedRow(const std::byte* row, unsigned bits) : row_(row), bits_(bits) {}

  uint32_t next() {
    uint32_t value = 0;
    for (unsigned taken = 0; taken < bits_;) {
      const unsigned inByte = static_cast<unsigned>(at_ % 8);
      const unsigned count = std::min(8 - inByte, bits_ - taken);
      const auto byte = std::to_integer<uint32_t>(row_[at_ / 8]);
      value = value << count | (byte >> (8 - inByte - count) & ((1U << count) - 1));
      taken += count;
      at_ += count;
    }
    return value;
  }

 private:
  const std::byte* row_;
  unsigned bits_;
  uint64_t at_ = 0;  // bits
};

bool isPacked(const TiffPage& page) {
  return page.bits != 8 * page.bytesPerSample();
}

/// A rectangle of a page that libtiff decodes at once: a strip or a tile, of one plane or of all.
struct Block {
  uint32_t x = 0, y = 0, width = 0, height = 0;  ///< px, within the page
  uint32_t rowPixels = 0;                        ///< of a row in the file; a tile may be wider
  uint16_t plane = 0, planes = 1;                ///< 1 of so many samples; 1 plane: all of them
};

/// Copies a decoded block to its place.
void place(const TiffPage& page, const Block& block, const std::byte* from, std::byte* samples) {
  const size_t each = page.bytesPerSample();
  const size_t own = block.planes > 1 ? 1 : page.samples;  // samples of a pixel in this block
  const size_t rowBytes = (size_t{block.rowPixels} * own * page.bits + 7) / 8;
  for (uint32_t row = 0; row < block.height; ++row) {
    const std::byte* source = from + row * rowBytes;
    std::byte* to = samples +
                    ((size_t{block.y} + row) * page.width + block.x) * page.samples * each +
                    block.plane * each;
    PackedRow packed(source, page.bits);
    if (!isPacked(page) && own == page.samples) {
      std::memcpy(to, source, size_t{block.width} * own * each);
      continue;
    }
    for (size_t i = 0; i < size_t{block.width} * own; ++i) {
      std::byte* const sample = to + (own == 1 ? i * page.samples : i) * each;
      if (isPacked(page)) {
        const uint32_t value = packed.next();
        std::memcpy(sample, &value, each);  // the low bytes: little endian
      } else {
        std::memcpy(sample, source + i * each, each);
      }
    }
  }
}

static_assert(std::endian::native == std::endian::little);

}  // namespace

class TiffFile::Reader {
 public:
  Reader(std::string name, int file, std::vector<std::byte> bytes, uint64_t size)
      : name_(std::move(name)) {
    input_.file = file;
    input_.bytes = std::move(bytes);
    input_.size = size;
    open();
    listPages();
  }

  /// Where a page is, and which of formats_ it has.
  struct Place {
    uint64_t offset = 0;  ///< of its directory; of a plane that has none: of its samples
    uint32_t format = 0;
    bool isPlane = false;
  };

  const TiffPage& page(uint64_t index) const { return formats_[places_[index].format]; }
  void addPlanes(uint64_t images);
  Resolution resolution();
  void read(uint64_t index, std::vector<std::byte>& samples);

  std::string name_;
  TiffInput input_;
  std::unique_ptr<TIFF, void (*)(TIFF*)> tiff_{nullptr, TIFFClose};
  std::vector<TiffPage> formats_;
  std::vector<Place> places_;
  uint64_t reduced_ = 0;
  std::string description_, brokenOff_;
  bool lostDescription_ = false;

 private:
  void open();
  void listPages();
  bool isWholeDirectory(uint64_t offset) const;
  void addPage();
  TiffPage describe();
  bool needsConversion();
  void goTo(uint64_t index);
  void readConverted(uint64_t index, const TiffPage& page, std::vector<std::byte>& samples);
  void readBlocks(uint64_t index, const TiffPage& page, std::vector<std::byte>& samples);
  void readPlane(uint64_t index, std::vector<std::byte>& samples);
  std::vector<Block> blocksOf(const TiffPage& page);
  [[noreturn]] void failReading(uint64_t index) const;

  std::vector<std::byte> block_;  ///< a decoded strip or tile on its way
};

void TiffFile::Reader::open() {
  const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(),
                                                                             TIFFOpenOptionsFree);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), noteError, &input_);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), noteWarning, &input_);
  // "m": without mapping the file, which another program may cut short meanwhile. "O": strips are
  // looked up when they are read.
  tiff_.reset(TIFFClientOpenExt("image", "rmO", &input_, readPart, writeNothing, seekTo,
                                closeNothing, sizeOf, nullptr, nullptr, options.get()));
  if (!tiff_) throw Error("the image '{}' is cut short or damaged", name_);
}

/// Walks the chain of directories once. A chain that is broken leaves the pages before the break.
void TiffFile::Reader::listPages() {
  const char* text = nullptr;
  if (TIFFGetField(tiff_.get(), TIFFTAG_IMAGEDESCRIPTION, &text) == 1 && text != nullptr)
    description_ = text;
  lostDescription_ = description_.empty() && input_.lostDescription;
  uint64_t last = 0;
  do {
    last = TIFFCurrentDirOffset(tiff_.get());
    addPage();
    input_.complaint.clear();
  } while (TIFFReadDirectory(tiff_.get()) == 1);
  brokenOff_ = input_.complaint;
  // libtiff takes a missing offset of the next directory for 0, which ends the list.
  if (brokenOff_.empty() && input_.isLoop) brokenOff_ = "the list of pages has no end";
  if (brokenOff_.empty() && !isWholeDirectory(last))
    brokenOff_ = "the file ends within a directory";
  if (places_.empty()) throw Error("'{}' holds no picture but reduced ones and masks", name_);
}

/// Returns true if the file holds the directory at `offset` up to the end of its last field, the
/// offset of the next directory (TIFF 6.0, section 2; BigTIFF).
bool TiffFile::Reader::isWholeDirectory(uint64_t offset) const {
  const bool big = TIFFIsBigTIFF(tiff_.get()) != 0;
  std::array<std::byte, 8> count{};
  const size_t countBytes = big ? 8 : 2, entryBytes = big ? 20 : 12, nextBytes = big ? 8 : 4;
  if (input_.read(offset, std::span(count).first(countBytes)) != countBytes) return false;
  uint64_t entries = 0;
  for (size_t i = 0; i < countBytes; ++i) {
    const size_t at = TIFFIsBigEndian(tiff_.get()) != 0 ? i : countBytes - 1 - i;
    entries = entries << 8 | std::to_integer<uint64_t>(count.at(at));
  }
  return offset + countBytes + entries * entryBytes + nextBytes <= input_.size;
}

void TiffFile::Reader::addPage() {
  const auto kind = field<uint32_t>(tiff_.get(), TIFFTAG_SUBFILETYPE, 0);
  if ((kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0) {
    ++reduced_;
    return;
  }
  TiffPage page;
  try {
    page = describe();
  } catch (const Error&) {
    // A later page of another kind is refused when it is read.
    if (places_.empty()) throw;
  }
  // Most files have pages of one kind, or of two that alternate.
  auto known = std::find(formats_.rbegin(), formats_.rend(), page);
  const size_t format =
      known == formats_.rend() ? formats_.size() : static_cast<size_t>(formats_.rend() - known) - 1;
  if (known == formats_.rend()) formats_.push_back(page);
  places_.push_back(
      {.offset = TIFFCurrentDirOffset(tiff_.get()), .format = static_cast<uint32_t>(format)});
}

/// Returns true for what libtiff has to make colours of.
bool TiffFile::Reader::needsConversion() {
  const auto meaning = field<uint16_t>(tiff_.get(), TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  if (meaning == PHOTOMETRIC_YCBCR)
    return field<uint16_t>(tiff_.get(), TIFFTAG_COMPRESSION, COMPRESSION_NONE) != COMPRESSION_JPEG;
  return meaning != PHOTOMETRIC_MINISBLACK && meaning != PHOTOMETRIC_MINISWHITE &&
         meaning != PHOTOMETRIC_RGB;
}

TiffPage TiffFile::Reader::describe() {
  TIFF* const tiff = tiff_.get();
  TiffPage page;
  page.width = field<uint32_t>(tiff, TIFFTAG_IMAGEWIDTH, 0);
  page.height = field<uint32_t>(tiff, TIFFTAG_IMAGELENGTH, 0);
  page.orientation = field<uint16_t>(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  if (page.orientation < 1 || page.orientation > 8) page.orientation = 1;
  if (needsConversion()) {
    std::array<char, 1024> why{};
    if (TIFFRGBAImageOK(tiff, why.data()) != 1)
      throw Error("'{}' has colours of a kind that cannot be read: {}", name_, why.data());
    page.samples = 3;
    page.colour = TiffPage::Colour::rgb;
    return page;
  }
  const auto meaning = field<uint16_t>(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  page.colour = meaning == PHOTOMETRIC_MINISBLACK   ? TiffPage::Colour::grey
                : meaning == PHOTOMETRIC_MINISWHITE ? TiffPage::Colour::inverseGrey
                                                    : TiffPage::Colour::rgb;
  page.samples = field<uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  page.bits = field<uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  uint16_t extras = 0;
  const uint16_t* meanings = nullptr;
  if (TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &extras, &meanings) == 1)
    page.extras = extras;
  const auto kind = field<uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  page.kind = kind == SAMPLEFORMAT_IEEEFP ? TiffPage::Kind::floating
              : kind == SAMPLEFORMAT_INT  ? TiffPage::Kind::negative
                                          : TiffPage::Kind::whole;
  const bool complex = kind == SAMPLEFORMAT_COMPLEXINT || kind == SAMPLEFORMAT_COMPLEXIEEEFP;
  const bool known = page.kind == TiffPage::Kind::floating ? page.bits == 32 || page.bits == 64
                     : page.kind == TiffPage::Kind::negative
                         ? page.bits == 8 || page.bits == 16 || page.bits == 32
                         : (page.bits >= 1 && page.bits <= 16) || page.bits == 32;
  if (complex || !known)
    throw Error(
        "'{}' has {}-bit values of a kind that Glint does not read: save it with whole numbers of "
        "up to 16 or of 32 bits, or with floats of 32 or 64 bits",
        name_, page.bits);
  if (page.samples < 1 || page.samples > 64)
    throw Error("'{}' has {} values a pixel, and at most 64 can be read", name_, page.samples);
  return page;
}

void TiffFile::Reader::addPlanes(uint64_t images) {
  const TiffPage& page = formats_.front();
  TIFF* const tiff = tiff_.get();
  goTo(0);
  const bool plain = !isPacked(page) && TIFFIsTiled(tiff) == 0 &&
                     field<uint16_t>(tiff, TIFFTAG_COMPRESSION, 1) == COMPRESSION_NONE;
  if (places_.size() != 1 || !plain || page.planeBytes() == 0) return;
  int broken = 0;
  const uint64_t first = TIFFGetStrileOffsetWithErr(tiff, 0, &broken);
  if (broken != 0) return;
  for (uint64_t i = 1; i < images; ++i) {
    const uint64_t offset = first + i * page.planeBytes();
    if (offset + page.planeBytes() > input_.size) return;
    places_.push_back({.offset = offset, .format = 0, .isPlane = true});
  }
}

TiffFile::Resolution TiffFile::Reader::resolution() {
  goTo(0);
  Resolution resolution;
  float x = 0, y = 0;
  if (TIFFGetField(tiff_.get(), TIFFTAG_XRESOLUTION, &x) != 1 ||
      TIFFGetField(tiff_.get(), TIFFTAG_YRESOLUTION, &y) != 1)
    return resolution;
  const auto unit = field<uint16_t>(tiff_.get(), TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE);
  const double length = unit == RESUNIT_INCH ? 25.4 : unit == RESUNIT_CENTIMETER ? 10 : 1;
  return {double{x} / length, double{y} / length, unit != RESUNIT_NONE};
}

void TiffFile::Reader::failReading(uint64_t index) const {
  const std::string where = places_.size() > 1 ? "page " + std::to_string(index) + " of " : "";
  throw Error("{}the image '{}' is cut short or damaged", where, name_);
}

/// Makes a page's directory the present one.
void TiffFile::Reader::goTo(uint64_t index) {
  input_.complaint.clear();
  const Place& place = places_[index];
  if (TIFFCurrentDirOffset(tiff_.get()) == place.offset) return;
  if (TIFFSetSubDirectory(tiff_.get(), place.offset) != 1) failReading(index);
}

void TiffFile::Reader::read(uint64_t index, std::vector<std::byte>& samples) {
  const TiffPage& page = formats_[places_[index].format];
  if (page.width == 0 || page.height == 0) {
    throw Error("page {} of '{}' is of a kind that cannot be read", index, name_);
  }
  if (page.planeBytes() > kMostPageBytes || page.planeBytes() / kMostBytesPerByte > input_.size)
    throw Error("'{}' promises pages of {} x {} pixels, which its bytes cannot hold", name_,
                page.width, page.height);
  samples.resize(page.planeBytes());
  if (places_[index].isPlane) return readPlane(index, samples);
  goTo(index);
  if (needsConversion()) return readConverted(index, page, samples);
  readBlocks(index, page, samples);
  if (!input_.complaint.empty()) failReading(index);
}

/// A plane that has no directory of its own.
void TiffFile::Reader::readPlane(uint64_t index, std::vector<std::byte>& samples) {
  input_.complaint.clear();
  if (input_.read(places_[index].offset, samples) != samples.size()) failReading(index);
  const size_t each = formats_.front().bytesPerSample();
  if (TIFFIsByteSwapped(tiff_.get()) == 0 || each == 1) return;
  for (auto at = samples.begin(); at < samples.end(); at += static_cast<ptrdiff_t>(each))
    std::reverse(at, at + static_cast<ptrdiff_t>(each));
}

/// Uses libtiff's own conversion, which gives 8 bits of red, green, blue and alpha.
void TiffFile::Reader::readConverted(uint64_t index, const TiffPage& page,
                                     std::vector<std::byte>& samples) {
  const size_t pixels = size_t{page.width} * page.height;
  std::vector<uint32_t> raster(pixels);
  // In the orientation that the page has, which means that nothing is turned.
  if (TIFFReadRGBAImageOriented(tiff_.get(), page.width, page.height, raster.data(),
                                page.orientation, 1) != 1)
    failReading(index);
  for (size_t i = 0; i < pixels; ++i) {
    samples[3 * i] = static_cast<std::byte>(TIFFGetR(raster[i]));
    samples[3 * i + 1] = static_cast<std::byte>(TIFFGetG(raster[i]));
    samples[3 * i + 2] = static_cast<std::byte>(TIFFGetB(raster[i]));
  }
}

/// Lists the strips or tiles of the present page in their order in the file.
std::vector<Block> TiffFile::Reader::blocksOf(const TiffPage& page) {
  TIFF* const tiff = tiff_.get();
  const bool tiled = TIFFIsTiled(tiff) != 0;
  uint32_t width = page.width, height = page.height;
  if (tiled) {
    width = field<uint32_t>(tiff, TIFFTAG_TILEWIDTH, 0);
    height = field<uint32_t>(tiff, TIFFTAG_TILELENGTH, 0);
  } else {
    height = std::min(height, field<uint32_t>(tiff, TIFFTAG_ROWSPERSTRIP, height));
  }
  std::vector<Block> blocks;
  if (width == 0 || height == 0) return blocks;
  const bool planar =
      page.samples > 1 &&
      field<uint16_t>(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
  const uint16_t planes = planar ? page.samples : 1;
  for (uint16_t plane = 0; plane < planes; ++plane)
    for (uint64_t y = 0; y < page.height; y += height)
      for (uint64_t x = 0; x < page.width; x += width)
        blocks.push_back(
            {.x = static_cast<uint32_t>(x),
             .y = static_cast<uint32_t>(y),
             .width = static_cast<uint32_t>(std::min<uint64_t>(width, page.width - x)),
             .height = static_cast<uint32_t>(std::min<uint64_t>(height, page.height - y)),
             .rowPixels = width,
             .plane = plane,
             .planes = planes});
  return blocks;
}

void TiffFile::Reader::readBlocks(uint64_t index, const TiffPage& page,
                                  std::vector<std::byte>& samples) {
  TIFF* const tiff = tiff_.get();
  if (field<uint16_t>(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) == PHOTOMETRIC_YCBCR)
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  const bool tiled = TIFFIsTiled(tiff) != 0;
  const uint64_t most = tiled ? TIFFTileSize64(tiff) : TIFFStripSize64(tiff);
  if (most == 0 || most > kMostBlockBytes) failReading(index);
  const std::vector<Block> blocks = blocksOf(page);
  const uint32_t count = tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
  if (blocks.empty() || blocks.size() != count) failReading(index);
  for (uint32_t i = 0; i < count; ++i) {
    const Block& block = blocks[i];
    const size_t own = block.planes > 1 ? 1 : page.samples;
    const size_t rowBytes = (size_t{block.rowPixels} * own * page.bits + 7) / 8;
    const size_t needed = rowBytes * block.height;
    if (needed > most) failReading(index);
    // Whole rows of whole bytes need no second copy.
    const bool direct = !tiled && block.planes == 1 && !isPacked(page);
    if (!direct) block_.resize(most);
    std::byte* const to = direct ? samples.data() + size_t{block.y} * rowBytes : block_.data();
    const tmsize_t room = static_cast<tmsize_t>(direct || !tiled ? needed : most);
    const tmsize_t got =
        tiled ? TIFFReadEncodedTile(tiff, i, to, room) : TIFFReadEncodedStrip(tiff, i, to, room);
    if (got < 0 || static_cast<size_t>(got) < needed) failReading(index);
    if (!direct) place(page, block, to, samples.data());
  }
}

TiffFile::TiffFile(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    throw Error("cannot open '{}': {}", path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) throw Error("'{}' is not a file", path);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw Error("cannot open '{}': {}", path, std::strerror(errno));
  reader_ = std::make_unique<Reader>(path, file, std::vector<std::byte>(),
                                     static_cast<uint64_t>(status.st_size));
}

TiffFile::TiffFile(std::string name, std::vector<std::byte> bytes) {
  const uint64_t size = bytes.size();
  reader_ = std::make_unique<Reader>(std::move(name), -1, std::move(bytes), size);
}

TiffFile::~TiffFile() = default;
TiffFile::TiffFile(TiffFile&&) noexcept = default;
TiffFile& TiffFile::operator=(TiffFile&&) noexcept = default;

const std::string& TiffFile::name() const {
  return reader_->name_;
}

uint64_t TiffFile::pages() const {
  return reader_->places_.size();
}

const TiffPage& TiffFile::page(uint64_t index) const {
  return reader_->page(index);
}

const std::string& TiffFile::description() const {
  return reader_->description_;
}

bool TiffFile::lostDescription() const {
  return reader_->lostDescription_;
}

uint64_t TiffFile::reducedPages() const {
  return reader_->reduced_;
}

const std::string& TiffFile::brokenOff() const {
  return reader_->brokenOff_;
}

bool TiffFile::canHold(uint64_t bytes) const {
  return bytes / kMostBytesPerByte <= reader_->input_.size;
}

void TiffFile::addPlanes(uint64_t images) {
  reader_->addPlanes(images);
}

TiffFile::Resolution TiffFile::resolution() const {
  return reader_->resolution();
}

void TiffFile::read(uint64_t index, std::vector<std::byte>& samples) {
  reader_->read(index, samples);
}

bool isTiff(const std::byte* begin, size_t size) {
  constexpr std::array<std::array<uint8_t, 4>, 4> kBegins{
      {{'I', 'I', 42, 0}, {'M', 'M', 0, 42}, {'I', 'I', 43, 0}, {'M', 'M', 0, 43}}};
  return size >= 4 && std::ranges::any_of(kBegins, [&](const auto& begins) {
           return std::memcmp(begin, begins.data(), 4) == 0;
         });
}

}  // namespace glint::capture
