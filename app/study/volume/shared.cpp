#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include <zlib.h>

#include "app/base/memory.h"
#include "app/base/paths.h"
#include "app/study/volume/formats.h"
#include "config/lower_case.h"

namespace glint::study::volume {
namespace {

// The largest factor by which deflate() shrinks bytes.
constexpr size_t kMostShrinking = 1040;

void swapBytes(Bytes& bytes, size_t each) {
  for (size_t i = 0; i + each <= bytes.size(); i += each)
    std::reverse(bytes.begin() + static_cast<ptrdiff_t>(i),
                 bytes.begin() + static_cast<ptrdiff_t>(i + each));
}

// Returns the number of bytes to give to zlib at once: `rest`, but at most 1 GiB.
uInt portion(size_t rest) {
  return static_cast<uInt>(std::min<size_t>(rest, size_t{1} << 30));
}

}  // namespace

void fail(const std::string& path, const std::string& what) {
  throw Error("'{}' {}", path, what);
}

gpu::VolumeShape makeShape(const std::string& path, const std::vector<uint64_t>& sides) {
  if (sides.empty() || sides.size() > 3)
    fail(path, "has {} axes; a volume has 1 to 3", sides.size());
  for (const uint64_t side : sides) {
    if (side == 0) fail(path, "has an axis of size 0: there is no voxel in it");
    if (side > gpu::kMaxVolumeSide)
      fail(path, "has {} voxels along an axis; at most {} can be measured", side,
           gpu::kMaxVolumeSide);
  }
  gpu::VolumeShape shape;
  shape.width = static_cast<uint32_t>(sides[0]);
  if (sides.size() > 1) shape.height = static_cast<uint32_t>(sides[1]);
  if (sides.size() > 2) shape.depth = static_cast<uint32_t>(sides[2]);
  return shape;
}

Bytes readWhole(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail(path, "is a folder");
  if (base::isDevice(path))  // Reading it could wait for ever.
    fail(path, "is a device or a pipe; copy it into a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto end = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  if (end < 0) fail(path, "cannot be read: {}", std::strerror(errno));
  const auto left = base::memoryLeft();
  // The system would end this program, or another one.
  if (left && static_cast<double>(end) > *left)
    fail(path, "has {} bytes, but there is memory for {:.0f}", end, *left);
  Bytes bytes(static_cast<size_t>(end));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), end);
  if (!file) fail(path, "cannot be read: {}", std::strerror(errno));
  return bytes;
}

std::string suffixOf(const std::filesystem::path& path) {
  return lowerCase(path.extension().string());
}

void takeVoxels(const std::string& path, std::span<const std::byte> file, bool bigEndian,
                VolumeData& volume) {
  const size_t bytes = volume.shape.voxels() * bytesOf(volume.type);
  if (file.size() < bytes)
    fail(path, "ends too early: {} voxels of {} need {} bytes, but there are {}",
         gpu::describe(volume.shape), nameOf(volume.type), bytes, file.size());
  volume.bytes.assign(file.begin(), file.begin() + static_cast<ptrdiff_t>(bytes));
  if (bigEndian) swapBytes(volume.bytes, bytesOf(volume.type));
}

Bytes inflate(const std::string& path, std::span<const std::byte> file, size_t size) {
  const auto tooEarly = [&] {
    fail(path, "ends too early: its header promises {} bytes of voxels", size);
  };
  if (size / kMostShrinking > file.size()) tooEarly();
  Bytes bytes(size);
  z_stream stream{};
  constexpr int kEither = 15 + 32;  // Accepts the headers of zlib and of gzip.
  if (inflateInit2(&stream, kEither) != Z_OK) throw std::bad_alloc();
  size_t in = 0, out = 0;
  int state = Z_OK;
  while (state == Z_OK && out < size && in < file.size()) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(file.data() + in));
    stream.avail_in = portion(file.size() - in);
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + out);
    stream.avail_out = portion(size - out);
    const uInt given = stream.avail_in, room = stream.avail_out;
    state = ::inflate(&stream, Z_NO_FLUSH);
    in += given - stream.avail_in;
    out += room - stream.avail_out;
    if (given == stream.avail_in && room == stream.avail_out) break;
  }
  inflateEnd(&stream);
  if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR)
    fail(path, "is damaged: its compressed voxels cannot be unpacked");
  if (out < size) tooEarly();
  return bytes;
}

Bytes deflate(std::span<const std::byte> bytes, bool gzip) {
  z_stream stream{};
  const int window = gzip ? 15 + 16 : 15;
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  Bytes packed;
  Bytes part(size_t{1} << 20);
  size_t in = 0;
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data() + in));
    stream.avail_in = portion(bytes.size() - in);
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    const uInt given = stream.avail_in;
    state = ::deflate(&stream, in + given == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    in += given - stream.avail_in;
    packed.insert(packed.end(), part.begin(),
                  part.end() - static_cast<ptrdiff_t>(stream.avail_out));
  }
  deflateEnd(&stream);
  return packed;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(kBlank) - from + 1));
}

std::vector<std::string> splitWords(const std::string& text) {
  std::vector<std::string> words;
  size_t at = 0;
  while ((at = text.find_first_not_of(" \t", at)) != std::string::npos) {
    const size_t end = std::min(text.find_first_of(" \t", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

std::optional<std::string> nextLine(std::span<const std::byte> text, size_t& at) {
  if (at >= text.size()) return std::nullopt;
  const auto from = text.begin() + static_cast<ptrdiff_t>(at);
  const auto end = std::find(from, text.end(), std::byte{'\n'});
  std::string line(reinterpret_cast<const char*>(&*from), static_cast<size_t>(end - from));
  at += line.size() + 1;
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

}  // namespace glint::study::volume
