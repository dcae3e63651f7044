// The formats of volume files, each in a file of its own, and functions that several of them use.
// Used only inside this folder.
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

// All these functions throw Error with the name of the file. The functions that read return the
// volume of a file, and those that start with "to" return the content of a file.

VolumeData readNpy(const std::string& path);
Bytes toNpy(const VolumeData& volume);

VolumeData readNrrd(const std::string& path);
Bytes toNrrd(const VolumeData& volume);
/// Returns the path of the file that a detached header names; empty if the voxels are in the same
/// file.
std::optional<std::filesystem::path> nrrdDataFile(const std::string& path);

VolumeData readMetaImage(const std::string& path);
/// Returns the path of the file that a header names; empty if the voxels are in the same file.
std::optional<std::filesystem::path> metaDataFile(const std::string& path);
/// Returns a header. Its voxels follow in the same file if `dataFile` is "LOCAL".
/// `compressedBytes`: the size of the compressed voxels.
Bytes toMetaHeader(const VolumeData& volume, const std::string& dataFile, size_t compressedBytes);

VolumeData readTiff(const std::string& path);
Bytes toTiff(const VolumeData& volume);

/// Reads a volume of one plane.
VolumeData readImage(const std::string& path);
Bytes toPng(const VolumeData& plane);
/// Returns the paths of the images in a folder, in the order in which they are planes of a volume.
/// Throws Error if there are none.
std::vector<std::string> listImages(const std::string& path);
/// Reads all images of a folder as the planes of a volume.
VolumeData readFolder(const std::string& path);
/// Writes each plane as an image into a new folder. The folder appears with all planes or not at
/// all.
void writeFolder(const std::string& path, const VolumeData& volume);

// Functions that several formats use.

/// Throws Error: the path in quotes, followed by `what`.
[[noreturn]] void fail(const std::string& path, const std::string& what);
template <class First, class... Rest>
[[noreturn]] void fail(const std::string& path, fmt::format_string<First, Rest...> what,
                       First&& first, Rest&&... rest) {
  fail(path, fmt::format(what, std::forward<First>(first), std::forward<Rest>(rest)...));
}

/// Returns the shape. Throws Error unless there are 1 to 3 axes with 1 to kMaxVolumeSide voxels
/// each. `sides`: the numbers of voxels along x, y and z.
gpu::VolumeShape makeShape(const std::string& path, const std::vector<uint64_t>& sides);

/// Returns the content of a file. Throws Error for folders, devices and pipes, and if the memory is
/// too small.
Bytes readWhole(const std::string& path);

/// Returns the suffix in lower case, with its dot.
std::string suffixOf(const std::filesystem::path& path);

/// Sets the voxels of `volume` from the bytes of a file. The shape and type of `volume` must be
/// set. `bigEndian`: the order of the bytes in the file. Throws Error if there are fewer bytes than
/// the shape needs.
void takeVoxels(const std::string& path, std::span<const std::byte> file, bool bigEndian,
                VolumeData& volume);

/// Unpacks zlib or gzip; their first bytes distinguish them. Throws Error unless they unpack to
/// `size` bytes or more; only `size` bytes are returned.
Bytes inflate(const std::string& path, std::span<const std::byte> file, size_t size);
/// Packs bytes as gzip or zlib.
Bytes deflate(std::span<const std::byte> bytes, bool gzip);

std::string trimmed(std::string_view text);
std::vector<std::string> splitWords(const std::string& text);

/// Returns the next line of `text` from `at` on, without its end, and moves `at` to the line after
/// it. Empty at the end of the text.
std::optional<std::string> nextLine(std::span<const std::byte> text, size_t& at);

}  // namespace glint::study::volume
