#include "app/capture/recorded_stamp.h"

#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "app/capture/libav.h"
#include "config/error.h"

namespace glint {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 4> kMark{'G', 'L', 'N', '1'};
using Words = std::array<uint64_t, 7>;
constexpr size_t kBytes = sizeof kMark + sizeof(Words);

}  // namespace

std::vector<std::byte> toBytes(const RecordedStamp& recorded) {
  const FrameStamp& s = recorded.stamp;
  const Words words{recorded.set,
                    s.sequence,
                    s.sourceSequence,
                    s.droppedBefore,
                    std::bit_cast<uint64_t>(s.time),
                    std::bit_cast<uint64_t>(s.captured),
                    std::bit_cast<uint64_t>(s.arrival)};
  std::vector<std::byte> bytes(kBytes);
  std::memcpy(bytes.data(), kMark.data(), sizeof kMark);
  std::memcpy(bytes.data() + sizeof kMark, words.data(), sizeof words);
  return bytes;
}

std::optional<RecordedStamp> recordedStampOf(std::span<const std::byte> bytes) {
  if (bytes.size() < kBytes || std::memcmp(bytes.data(), kMark.data(), sizeof kMark) != 0)
    return std::nullopt;
  Words words{};
  std::memcpy(words.data(), bytes.data() + sizeof kMark, sizeof words);
  return RecordedStamp{.set = words[0],
                       .stamp = {.sequence = words[1],
                                 .time = std::bit_cast<double>(words[4]),
                                 .arrival = std::bit_cast<double>(words[6]),
                                 .captured = std::bit_cast<double>(words[5]),
                                 .sourceSequence = words[2],
                                 .droppedBefore = words[3]}};
}

std::string recordedSettings(const std::string& path) {
  libav::silence();
  AVFormatContext* raw = nullptr;
  if (const int code = avformat_open_input(&raw, libav::fileUrl(path).c_str(), nullptr, nullptr);
      code < 0)
    throw Error(fmt::format("cannot read settings from '{}': {}", path, libav::reason(code)));
  const libav::Input input(raw);
  const AVDictionaryEntry* entry = av_dict_get(input->metadata, kSettingsTag, nullptr, 0);
  if (!entry)
    throw UsageError(fmt::format("'{}' holds no settings: it is no recording of --record", path));
  return entry->value;
}

}  // namespace glint
