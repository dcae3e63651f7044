// Reads and writes TIFF files with one page for each plane, through libtiff.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <tiffio.h>

#include "app/capture/images/tiff_axes.h"
#include "app/capture/images/tiff_file.h"
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

VoxelType typeOf(const std::string& path, const capture::TiffPage& page) {
  using Kind = capture::TiffPage::Kind;
  if (page.kind == Kind::floating) return page.bits == 32 ? VoxelType::f32 : VoxelType::f64;
  const bool negative = page.kind == Kind::negative;
  if (page.bits == 8) return negative ? VoxelType::i8 : VoxelType::u8;
  if (page.bits == 16) return negative ? VoxelType::i16 : VoxelType::u16;
  if (page.bits == 32) return negative ? VoxelType::i32 : VoxelType::u32;
  fail(path,
       "has voxels of {} bits; integers of 8, 16 and 32 bits and floats of 32 and 64 bits can be "
       "read",
       page.bits);
}

void checkPage(const std::string& path, const capture::TiffPage& page) {
  if (page.samples != 1) fail(path, "has several channels; a volume has one");
  if (page.colour != capture::TiffPage::Colour::grey)
    fail(path, "has pages that are not grey images with black as 0");
}

/// Along x and y from the resolution, along z from what ImageJ or OME wrote into the description.
void takeSpacing(const std::string& path, const capture::TiffFile& file, VolumeData& volume) {
  const capture::TiffFile::Resolution resolution = file.resolution();
  if (resolution.x > 0 && resolution.y > 0)
    volume.spacing = {1 / resolution.x, 1 / resolution.y, 1 / resolution.x};
  const std::array<const char*, 3> ome{"PhysicalSizeX", "PhysicalSizeY", "PhysicalSizeZ"};
  const auto described = [&](const char* key) {
    return capture::describedNumber(file.description(), key);
  };
  for (size_t i = 0; i < 3; ++i) volume.spacing[i] = described(ome[i]).value_or(volume.spacing[i]);
  volume.spacing[2] = described("spacing").value_or(volume.spacing[2]);
  for (const double s : volume.spacing) {
    if (!(s > 0)) fail(path, "has a spacing of 0 or less");
  }
}

void checkPages(const std::string& path, const capture::TiffFile& file) {
  if (file.pages() > gpu::kMaxVolumeSide) fail(path, "has more than {} pages", gpu::kMaxVolumeSide);
  const capture::TiffPage& first = file.page(0);
  for (uint64_t i = 0; i < file.pages(); ++i) {
    const capture::TiffPage& page = file.page(i);
    checkPage(path, page);
    if (!(page == first))
      fail(path, "has pages that differ: page {} is {} x {} of {}, the first {} x {} of {}", i + 1,
           page.width, page.height, nameOf(typeOf(path, page)), first.width, first.height,
           nameOf(typeOf(path, first)));
  }
  if (!file.brokenOff().empty()) fail(path, "is cut short or damaged (" + file.brokenOff() + ")");
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
  capture::TiffFile file(path);
  const auto images = capture::describedNumber(file.description(), "images");
  if (images && *images > 1 && *images <= gpu::kMaxVolumeSide)
    file.addPlanes(static_cast<uint64_t>(*images));
  VolumeData volume;
  takeSpacing(path, file, volume);
  checkPages(path, file);
  if (images && *images > static_cast<double>(file.pages()))
    fail(path, "promises {} images but has {} pages", *images, file.pages());
  const capture::TiffPage& page = file.page(0);
  volume.type = typeOf(path, page);
  volume.axes = file.pages() == 1 ? 2 : 3;
  volume.shape = makeShape(path, {page.width, page.height, file.pages()});
  const uint64_t plane = page.planeBytes();
  if (!file.canHold(plane * file.pages()))
    fail(path, "promises far more voxels than its bytes can hold");
  volume.bytes.resize(plane * file.pages());
  Bytes samples;
  for (uint64_t i = 0; i < file.pages(); ++i) {
    file.read(i, samples);
    std::ranges::copy(samples, volume.bytes.begin() + static_cast<ptrdiff_t>(i * plane));
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
