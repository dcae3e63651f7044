#include "app/capture/video/container_walk.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace glint::capture {
namespace {

constexpr size_t kPiece = 4096;
constexpr size_t kStep = 1 << 16;         // bytes of each step of a search
constexpr uint64_t kFarthest = 16 << 20;  // bytes of a search back from the end, at most

constexpr std::array<std::pair<std::string_view, FileEnd (*)(FileBytes&)>, 26> kContainers{
    {{"mov", mp4End},
     {"matroska", matroskaEnd},
     {"avi", aviEnd},
     {"asf", asfEnd},
     {"asf_o", asfEnd},
     {"mxf", mxfEnd},
     {"gxf", gxfEnd},
     {"apng", pngEnd},
     {"gif", gifEnd},
     {"mpegts", transportEnd},
     {"mpeg", programEnd},
     {"ogg", oggEnd},
     {"flv", flvEnd},
     {"nut", nutEnd},
     {"yuv4mpegpipe", y4mEnd},
     {"ivf", ivfEnd},
     {"dv", dvEnd},
     {"mjpeg", jpegsEnd},
     {"jpeg_pipe", jpegsEnd},
     {"smjpeg", smjpegEnd},
     {"obu", obuEnd},
     {"roq", roqEnd},
     {"filmstrip", filmstripEnd},
     {"mpjpeg", mpjpegEnd},
     {"hls", playlistEnd},
     {"fits", fitsEnd}}};

}  // namespace

uint64_t bigEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

uint64_t littleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i > 0; --i) value = value << 8 | static_cast<uint8_t>(bytes[i - 1]);
  return value;
}

FileBytes::FileBytes(const std::string& path) {
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary | std::ios::ate);
  if (!file->is_open()) return;
  length_ = static_cast<uint64_t>(std::max<std::streamoff>(file->tellg(), 0));
  file_ = std::move(file);
}

FileBytes FileBytes::inMemory(std::string bytes) {
  FileBytes file;
  file.length_ = bytes.size();
  file.file_ = std::make_unique<std::istringstream>(std::move(bytes));
  return file;
}

std::string_view FileBytes::at(uint64_t position, size_t count) {
  if (position >= length_) return {};
  count = static_cast<size_t>(std::min<uint64_t>(count, length_ - position));
  if (position < begin_ || position - begin_ + count > window_.size()) {
    window_.resize(std::max(count, kPiece));
    file_->clear();
    file_->seekg(static_cast<std::streamoff>(position));
    file_->read(window_.data(), static_cast<std::streamsize>(window_.size()));
    window_.resize(static_cast<size_t>(file_->gcount()));
    begin_ = position;
  }
  return std::string_view(window_).substr(position - begin_, count);
}

std::optional<uint64_t> FileBytes::find(std::string_view bytes, uint64_t from) {
  for (uint64_t place = from; place < length_; place += kStep) {
    const size_t found = at(place, kStep + bytes.size() - 1).find(bytes);
    if (found != std::string_view::npos) return place + found;
  }
  return std::nullopt;
}

std::optional<uint64_t> FileBytes::findLast(std::string_view bytes) {
  const uint64_t least = length_ > kFarthest ? length_ - kFarthest : 0;
  for (uint64_t end = length_; end > least;) {
    const uint64_t begin = end > kStep ? end - kStep : 0;
    const size_t found = at(begin, end - begin + bytes.size() - 1).rfind(bytes);
    if (found != std::string_view::npos) return begin + found;
    end = begin;
  }
  return std::nullopt;
}

bool FileBytes::isConstant(uint64_t from) {
  const std::string first(at(from, 1));
  for (uint64_t place = from; place < length_; place += kStep)
    if (at(place, kStep).find_first_not_of(first) != std::string_view::npos) return false;
  return true;
}

FileEnd containerEnd(const std::string& path, std::string_view kind) {
  std::error_code error;
  const std::string_view first = kind.substr(0, kind.find(','));
  const auto* const found =
      std::ranges::find_if(kContainers, [&](const auto& one) { return one.first == first; });
  if (found == kContainers.end() || !std::filesystem::is_regular_file(path, error)) return {};
  FileBytes file(path);
  return file.isOpen() ? found->second(file) : FileEnd{};
}

}  // namespace glint::capture
