// Reads and writes planes as images, and folders of them as volumes.
#include <algorithm>
#include <cctype>
#include <cstring>

#include <fmt/format.h>

#include "app/base/whole_file.h"
#include "app/capture/images/image_codecs.h"
#include "app/capture/images/image_file.h"
#include "app/study/volume/formats.h"

namespace glint::study::volume {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> kSuffixes{".png", ".tif", ".tiff", ".pgm",
                                                    ".pnm", ".bmp", ".jpg",  ".jpeg"};

bool isTiff(const fs::path& path) {
  return suffixOf(path) == ".tif" || suffixOf(path) == ".tiff";
}

/// Returns true if `a` comes before `b`. Compares numbers in both by their values, and all other
/// characters one by one.
bool comesBefore(const std::string& a, const std::string& b) {
  const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto number = [&](const std::string& text, size_t& at) {
    size_t from = at;
    while (at < text.size() && isDigit(text[at])) ++at;
    while (from + 1 < at && text[from] == '0') ++from;
    return text.substr(from, at - from);
  };
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (isDigit(a[i]) && isDigit(b[j])) {
      const std::string x = number(a, i), y = number(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

Bytes toPlane(const VolumeData& volume, uint32_t z) {
  const size_t plane = size_t{volume.shape.width} * volume.shape.height * bytesOf(volume.type);
  const auto from = volume.bytes.begin() + static_cast<ptrdiff_t>(z * plane);
  return {from, from + static_cast<ptrdiff_t>(plane)};
}

bool fitsPng(VoxelType type) {
  return type == VoxelType::u8 || type == VoxelType::boolean || type == VoxelType::u16;
}

}  // namespace

std::vector<std::string> listImages(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    if (std::ranges::find(kSuffixes, suffixOf(entry.path())) != kSuffixes.end())
      names.push_back(entry.path().string());
  }
  if (error) fail(path, "cannot be read: " + error.message());
  if (names.empty()) fail(path, "holds no image");
  std::ranges::sort(names, comesBefore);
  return names;
}

VolumeData readImage(const std::string& path) {
  if (isTiff(path)) {
    VolumeData volume = readTiff(path);
    if (volume.shape.depth != 1) fail(path, "has several pages; only one is allowed here");
    return volume;
  }
  const cv::Mat image = capture::readImageFile(path);
  if (image.channels() != 1) fail(path, "has several channels; a volume has one");
  VolumeData volume;
  volume.shape =
      makeShape(path, {static_cast<uint64_t>(image.cols), static_cast<uint64_t>(image.rows)});
  volume.axes = 2;
  volume.type = image.depth() == CV_8U ? VoxelType::u8 : VoxelType::u16;
  const size_t pitch = size_t{volume.shape.width} * bytesOf(volume.type);
  volume.bytes.resize(pitch * volume.shape.height);
  for (int y = 0; y < image.rows; ++y)
    std::memcpy(volume.bytes.data() + static_cast<size_t>(y) * pitch, image.ptr(y), pitch);
  return volume;
}

VolumeData readFolder(const std::string& path) {
  const auto names = listImages(path);
  VolumeData volume = readImage(names[0]);
  const gpu::VolumeShape plane = volume.shape;
  volume.shape = makeShape(path, {plane.width, plane.height, names.size()});
  volume.axes = 3;
  const size_t bytes = volume.bytes.size();
  volume.bytes.resize(bytes * names.size());
  for (size_t i = 1; i < names.size(); ++i) {
    const VolumeData next = readImage(names[i]);
    if (next.shape != plane || next.type != volume.type)
      fail(names[i], fmt::format("is {} x {} of {}, the first image {} x {} of {}",
                                 next.shape.width, next.shape.height, nameOf(next.type),
                                 plane.width, plane.height, nameOf(volume.type)));
    std::copy(next.bytes.begin(), next.bytes.end(),
              volume.bytes.begin() + static_cast<ptrdiff_t>(i * bytes));
  }
  return volume;
}

Bytes toPng(const VolumeData& plane) {
  const cv::Mat image(static_cast<int>(plane.shape.height), static_cast<int>(plane.shape.width),
                      plane.type == VoxelType::u16 ? CV_16UC1 : CV_8UC1,
                      const_cast<std::byte*>(plane.bytes.data()));
  std::vector<uint8_t> png;
  if (!capture::encodeImage(".png", image, png)) throw Error("a plane cannot be written as PNG");
  const auto bytes = std::as_bytes(std::span(png));
  return {bytes.begin(), bytes.end()};
}

void writeFolder(const std::string& path, const VolumeData& volume) {
  const fs::path clean =
      fs::path(path).has_filename() ? fs::path(path) : fs::path(path).parent_path();
  std::error_code error;
  if (fs::exists(clean, error) && !fs::is_empty(clean, error))
    throw Error("cannot write '{}': it exists and is not empty", path);
  fs::path part = clean;
  do {
    part += ".part";
    // An existing path belongs to somebody else.
  } while (fs::exists(fs::symlink_status(part, error)));
  fs::create_directories(part, error);
  if (error) throw Error("cannot write '{}': {}", path, error.message());
  try {
    for (uint32_t z = 0; z < volume.shape.depth; ++z) {
      VolumeData plane;
      plane.shape = {volume.shape.width, volume.shape.height, 1};
      plane.type = volume.type;
      plane.spacing = volume.spacing;
      plane.bytes = toPlane(volume, z);
      const bool png = fitsPng(volume.type);
      base::writeWholeFile((part / fmt::format("plane_{:04}.{}", z, png ? "png" : "tif")).string(),
                           png ? toPng(plane) : toTiff(plane));
    }
    fs::remove(clean, error);
    fs::rename(part, clean);
  } catch (const std::exception& failure) {
    fs::remove_all(part, error);
    throw Error("cannot write '{}': {}", path, failure.what());
  }
}

}  // namespace glint::study::volume
