// Reads and writes TIFF files with one page for each plane, through libtiff.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <tiffio.h>

#include "app/base/text.h"
#include "app/study/volume/formats.h"

namespace glint::study::volume {
namespace {

using Handle = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

// The last error that libtiff reported in this thread.
thread_local std::string lastComplaint;

void keepComplaint(const char*, const char* format, va_list arguments) {
  std::array<char, 300> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  lastComplaint = text.data();
}

/// Makes libtiff report errors to keepComplaint() instead of standard error, and no warnings.
void quiet() {
  lastComplaint.clear();
  TIFFSetErrorHandler(keepComplaint);
  TIFFSetWarningHandler(nullptr);
}

[[noreturn]] void failReading(const std::string& path) {
  fail(path, "is cut short or damaged" + (lastComplaint.empty() ? "" : " (" + lastComplaint + ")"));
}

// Returns the value of a field, or its default; `otherwise` if it has neither.
template <class T>
T field(TIFF* tiff, uint32_t tag, T otherwise) {
  T value = otherwise;
  return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : otherwise;
}

struct Page {
  uint32_t width = 0, height = 0;
  VoxelType type = VoxelType::u8;
  bool operator==(const Page&) const = default;
};

VoxelType typeOf(const std::string& path, uint16_t bits, uint16_t format) {
  if (format == SAMPLEFORMAT_IEEEFP && bits == 32) return VoxelType::f32;
  if (format == SAMPLEFORMAT_IEEEFP && bits == 64) return VoxelType::f64;
  const bool negative = format == SAMPLEFORMAT_INT;
  if (negative || format == SAMPLEFORMAT_UINT) {
    if (bits == 8) return negative ? VoxelType::i8 : VoxelType::u8;
    if (bits == 16) return negative ? VoxelType::i16 : VoxelType::u16;
    if (bits == 32) return negative ? VoxelType::i32 : VoxelType::u32;
  }
  fail(path,
       "has voxels of {} bits of sample format {}; integers of 8, 16 and 32 "
       "bits and floats of 32 and 64 bits can be read",
       bits, format);
}

Page describePage(const std::string& path, TIFF* tiff) {
  if (field<uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) != 1)
    fail(path, "has several channels; a volume has one");
  const auto meaning = field<uint16_t>(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  if (meaning != PHOTOMETRIC_MINISBLACK)
    fail(path, "has pages that are not grey images with black as 0");
  Page page;
  page.width = field<uint32_t>(tiff, TIFFTAG_IMAGEWIDTH, 0);
  page.height = field<uint32_t>(tiff, TIFFTAG_IMAGELENGTH, 0);
  page.type = typeOf(path, field<uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE, 1),
                     field<uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT));
  return page;
}

void readTiles(const std::string& path, TIFF* tiff, const Page& page, std::byte* to) {
  const size_t each = bytesOf(page.type);
  const auto wide = field<uint32_t>(tiff, TIFFTAG_TILEWIDTH, 0);
  const auto high = field<uint32_t>(tiff, TIFFTAG_TILELENGTH, 0);
  const auto size = TIFFTileSize64(tiff);
  if (wide == 0 || high == 0 || size < uint64_t{wide} * high * each || size > uint64_t{1} << 30)
    failReading(path);
  Bytes tile(size);
  for (uint32_t y = 0; y < page.height; y += high) {
    for (uint32_t x = 0; x < page.width; x += wide) {
      if (TIFFReadTile(tiff, tile.data(), x, y, 0, 0) < 0) failReading(path);
      const size_t columns = std::min(wide, page.width - x);
      for (uint32_t row = 0; row < std::min(high, page.height - y); ++row)
        std::memcpy(to + (size_t{y + row} * page.width + x) * each,
                    tile.data() + size_t{row} * wide * each, columns * each);
    }
  }
}

void readPage(const std::string& path, TIFF* tiff, const Page& page, std::byte* to) {
  if (TIFFIsTiled(tiff) != 0) return readTiles(path, tiff, page, to);
  const size_t pitch = size_t{page.width} * bytesOf(page.type);
  if (TIFFScanlineSize64(tiff) != pitch) failReading(path);
  for (uint32_t y = 0; y < page.height; ++y) {
    if (TIFFReadScanline(tiff, to + y * pitch, y, 0) != 1) failReading(path);
  }
}

/// Returns the number that follows `key` in a description. ImageJ writes "spacing=2", OME
/// PhysicalSizeX="0.5".
std::optional<double> described(const std::string& text, const std::string& key) {
  size_t at = text.find(key + '=');
  if (at == std::string::npos) return std::nullopt;
  at += key.size() + 1;
  if (at < text.size() && text[at] == '"') ++at;
  return base::parseNumber<double>(text.substr(at, text.find_first_of("\" \r\n", at) - at));
}

/// Sets the spacing. It comes from the resolution (along z, from that along x), unless OME wrote
/// the sizes of voxels or ImageJ a spacing along z into the description.
void takeSpacing(const std::string& path, TIFF* tiff, const std::string& text, VolumeData& volume) {
  const auto unit = field<uint16_t>(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE);
  const double length = unit == RESUNIT_INCH ? 25.4 : unit == RESUNIT_CENTIMETER ? 10 : 1;
  float x = 0, y = 0;
  if (TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x) == 1 &&
      TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y) == 1 && x > 0 && y > 0)
    volume.spacing = {length / double{x}, length / double{y}, length / double{x}};
  const std::array<const char*, 3> ome{"PhysicalSizeX", "PhysicalSizeY", "PhysicalSizeZ"};
  for (size_t i = 0; i < 3; ++i)
    volume.spacing[i] = described(text, ome[i]).value_or(volume.spacing[i]);
  volume.spacing[2] = described(text, "spacing").value_or(volume.spacing[2]);
  for (const double s : volume.spacing) {
    if (!(s > 0)) fail(path, "has a spacing of 0 or less");
  }
}

std::vector<Page> readDirectory(const std::string& path, TIFF* tiff) {
  std::vector<Page> pages;
  do {
    pages.push_back(describePage(path, tiff));
    if (!(pages.back() == pages.front()))
      fail(path, "has pages that differ: page {} is {} x {} of {}, the first {} x {} of {}",
           pages.size(), pages.back().width, pages.back().height, nameOf(pages.back().type),
           pages.front().width, pages.front().height, nameOf(pages.front().type));
    if (pages.size() > gpu::kMaxVolumeSide)
      fail(path, "has more than {} pages", gpu::kMaxVolumeSide);
  } while (TIFFReadDirectory(tiff) == 1);
  if (!lastComplaint.empty()) failReading(path);
  return pages;
}

// A file in memory, to which libtiff writes.
struct Memory {
  Bytes bytes;
  size_t at = 0;
};

tmsize_t readMemory(thandle_t handle, void* to, tmsize_t size) {
  auto& memory = *static_cast<Memory*>(handle);
  const size_t count = std::min(static_cast<size_t>(size),
                                memory.bytes.size() - std::min(memory.at, memory.bytes.size()));
  if (count == 0) return 0;
  std::memcpy(to, memory.bytes.data() + memory.at, count);
  memory.at += count;
  return static_cast<tmsize_t>(count);
}

tmsize_t writeMemory(thandle_t handle, void* from, tmsize_t size) {
  auto& memory = *static_cast<Memory*>(handle);
  const auto count = static_cast<size_t>(size);
  if (memory.at + count > memory.bytes.size()) memory.bytes.resize(memory.at + count);
  std::memcpy(memory.bytes.data() + memory.at, from, count);
  memory.at += count;
  return size;
}

toff_t seekMemory(thandle_t handle, toff_t offset, int whence) {
  auto& memory = *static_cast<Memory*>(handle);
  const size_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? memory.at : memory.bytes.size();
  memory.at = from + offset;
  return memory.at;
}

int closeMemory(thandle_t) {
  return 0;
}

toff_t sizeOfMemory(thandle_t handle) {
  return static_cast<Memory*>(handle)->bytes.size();
}

uint16_t formatOf(VoxelType type) {
  if (type == VoxelType::f32 || type == VoxelType::f64) return SAMPLEFORMAT_IEEEFP;
  const bool negative = type == VoxelType::i8 || type == VoxelType::i16 || type == VoxelType::i32;
  return negative ? SAMPLEFORMAT_INT : SAMPLEFORMAT_UINT;
}

void describePlane(TIFF* tiff, const VolumeData& volume, uint32_t page) {
  const gpu::VolumeShape& s = volume.shape;
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, s.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, s.height);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * bytesOf(volume.type)));
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, int{formatOf(volume.type)});
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, s.height);
  TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE);
  TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 1 / volume.spacing[0]);
  TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 1 / volume.spacing[1]);
  if (page == 0) {
    const std::string text = fmt::format("ImageJ=1.53\nimages={}\nslices={}\nspacing={}\n", s.depth,
                                         s.depth, volume.spacing[2]);
    TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, text.c_str());
  }
}

}  // namespace

VolumeData readTiff(const std::string& path) {
  readWhole(path);  // Throws with the reason if the file cannot be read.
  quiet();
  const Handle tiff(TIFFOpen(path.c_str(), "rm"), TIFFClose);
  if (!tiff) fail(path, "is not a TIFF file, or is cut short");
  const char* description = nullptr;
  TIFFGetField(tiff.get(), TIFFTAG_IMAGEDESCRIPTION, &description);
  const std::string text = description != nullptr ? description : "";
  VolumeData volume;
  takeSpacing(path, tiff.get(), text, volume);
  const auto pages = readDirectory(path, tiff.get());
  if (const auto images = described(text, "images"); images && *images > double(pages.size()))
    fail(path, "promises {} images but has {} pages", *images, pages.size());
  volume.type = pages[0].type;
  volume.axes = pages.size() == 1 ? 2 : 3;
  volume.shape = makeShape(path, {pages[0].width, pages[0].height, pages.size()});
  const size_t plane = size_t{pages[0].width} * pages[0].height * bytesOf(volume.type);
  if (plane * pages.size() / 100000 > readWhole(path).size())
    fail(path, "promises far more voxels than its bytes can hold");
  volume.bytes.resize(plane * pages.size());
  for (size_t i = 0; i < pages.size(); ++i) {
    if (TIFFSetDirectory(tiff.get(), static_cast<uint16_t>(i)) != 1) failReading(path);
    readPage(path, tiff.get(), pages[i], volume.bytes.data() + i * plane);
  }
  return volume;
}

Bytes toTiff(const VolumeData& volume) {
  const gpu::VolumeShape& s = volume.shape;
  quiet();
  Memory memory;
  const bool big = volume.bytes.size() > (size_t{4} << 30) - (size_t{64} << 20);
  Handle tiff(TIFFClientOpen("volume", big ? "w8" : "w", &memory, readMemory, writeMemory,
                             seekMemory, closeMemory, sizeOfMemory, nullptr, nullptr),
              TIFFClose);
  const size_t pitch = size_t{s.width} * bytesOf(volume.type);
  bool good = tiff != nullptr;
  Bytes row(pitch);
  for (uint32_t z = 0; good && z < s.depth; ++z) {
    describePlane(tiff.get(), volume, z);
    for (uint32_t y = 0; good && y < s.height; ++y) {
      std::memcpy(row.data(), volume.bytes.data() + (size_t{z} * s.height + y) * pitch, pitch);
      good = TIFFWriteScanline(tiff.get(), row.data(), y, 0) == 1;
    }
    good = good && TIFFWriteDirectory(tiff.get()) == 1;
  }
  if (!good) throw Error("the volume cannot be written as TIFF: " + lastComplaint);
  tiff.reset();  // libtiff may still have bytes to write.
  return std::move(memory.bytes);
}

}  // namespace glint::study::volume
