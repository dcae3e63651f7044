#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

#include <tiffio.h>

#include "app/capture/images/image_decoders.h"

namespace glint::capture {
namespace {

// The most bytes of one strip or tile; OpenCV takes no more.
constexpr tmsize_t kMostTileBytes = tmsize_t{1} << 30;

struct Memory {
  std::span<const std::byte> file;
  uint64_t at = 0;
  bool complained = false;
};

Memory& memoryOf(thandle_t handle) {
  return *static_cast<Memory*>(handle);
}

tmsize_t readPart(thandle_t handle, void* to, tmsize_t count) {
  Memory& memory = memoryOf(handle);
  const size_t left = memory.at < memory.file.size() ? memory.file.size() - memory.at : 0;
  const size_t part = std::min(static_cast<size_t>(count), left);
  if (part > 0) std::memcpy(to, memory.file.data() + memory.at, part);
  memory.at += part;
  return static_cast<tmsize_t>(part);
}

tmsize_t writeNothing(thandle_t, void*, tmsize_t) {
  return 0;
}

toff_t seekTo(thandle_t handle, toff_t offset, int whence) {
  Memory& memory = memoryOf(handle);
  if (whence == SEEK_CUR) offset += memory.at;
  if (whence == SEEK_END) offset += memory.file.size();
  return memory.at = offset;
}

int closeNothing(thandle_t) {
  return 0;
}

toff_t sizeOf(thandle_t handle) {
  return memoryOf(handle).file.size();
}

int noteError(TIFF*, void* memory, const char*, const char*, va_list) {
  static_cast<Memory*>(memory)->complained = true;
  return 1;  // so that libtiff does not print the message
}

int passOver(TIFF*, void*, const char*, const char*, va_list) {
  return 1;
}

}  // namespace

bool isWholeTiff(std::span<const std::byte> file) {
  Memory memory{file};
  const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(),
                                                                             TIFFOpenOptionsFree);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), noteError, &memory);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), passOver, &memory);
  // "m" means without mapping the file into memory.
  const std::unique_ptr<TIFF, void (*)(TIFF*)> tiff(
      TIFFClientOpenExt("image", "rm", &memory, readPart, writeNothing, seekTo, closeNothing,
                        sizeOf, nullptr, nullptr, options.get()),
      TIFFClose);
  if (!tiff) return false;
  const bool tiled = TIFFIsTiled(tiff.get()) != 0;
  const tmsize_t size = tiled ? TIFFTileSize(tiff.get()) : TIFFStripSize(tiff.get());
  if (size <= 0 || size > kMostTileBytes) return false;
  const auto part = std::make_unique_for_overwrite<std::byte[]>(static_cast<size_t>(size));
  const uint32_t parts = tiled ? TIFFNumberOfTiles(tiff.get()) : TIFFNumberOfStrips(tiff.get());
  for (uint32_t i = 0; i < parts && !memory.complained; ++i) {
    const tmsize_t read = tiled ? TIFFReadEncodedTile(tiff.get(), i, part.get(), size)
                                : TIFFReadEncodedStrip(tiff.get(), i, part.get(), size);
    if (read < 0) return false;
  }
  return !memory.complained;
}

}  // namespace glint::capture
