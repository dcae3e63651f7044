// The formats of volume files, one file each, and what they share. Internal to app/volume.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "app/study/volume/voxels.h"

namespace glint::study::volume {

using Bytes = std::vector<std::byte>;

// Each throws Error naming the file.

VolumeData readNpy(const std::string& path);
Bytes toNpy(const VolumeData& volume);

VolumeData readNrrd(const std::string& path);
Bytes toNrrd(const VolumeData& volume);
/// The file that a detached header names, or nothing.
std::optional<std::filesystem::path> nrrdDataFile(const std::string& path);

VolumeData readMetaImage(const std::string& path);
std::optional<std::filesystem::path> metaDataFile(const std::string& path);
/// A header and its voxels; they stand in one file if `dataFile` is "LOCAL".
Bytes toMetaHeader(const VolumeData& volume, const std::string& dataFile, size_t compressedBytes);

VolumeData readTiff(const std::string& path);
Bytes toTiff(const VolumeData& volume);

/// One plane.
VolumeData readImage(const std::string& path);
Bytes toPng(const VolumeData& plane);
/// The images of a folder in the order in which they are planes.
std::vector<std::string> listImages(const std::string& path);
VolumeData readFolder(const std::string& path);
void writeFolder(const std::string& path, const VolumeData& volume);

// What they share.

[[noreturn]] void fail(const std::string& path, const std::string& what);
template <class First, class... Rest>
[[noreturn]] void fail(const std::string& path, fmt::format_string<First, Rest...> what,
                       First&& first, Rest&&... rest) {
  fail(path, fmt::format(what, std::forward<First>(first), std::forward<Rest>(rest)...));
}

/// Throws unless there are 1 to kMaxVolumeSide voxels along each axis.
gpu::VolumeShape makeShape(const std::string& path, const std::vector<uint64_t>& sides);

Bytes readWhole(const std::string& path);

/// The suffix in lower case, with its dot.
std::string suffixOf(const std::filesystem::path& path);

/// The voxels of `volume`, whose shape and type are set, from a file's bytes. Throws where there
/// are fewer than the header promises.
void takeVoxels(const std::string& path, std::span<const std::byte> file, bool bigEndian,
                VolumeData& volume);

/// zlib or gzip, told apart by their first bytes. Exactly `size` bytes must come out.
Bytes inflate(const std::string& path, std::span<const std::byte> file, size_t size);
Bytes deflate(std::span<const std::byte> bytes, bool gzip);

std::string trimmed(std::string_view text);
std::vector<std::string> splitWords(const std::string& text);

/// The next line of `text` from `at` on, without its end; moves `at` behind it. Nothing at the end.
std::optional<std::string> nextLine(std::span<const std::byte> text, size_t& at);

}  // namespace glint::study::volume
