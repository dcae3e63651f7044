#include "app/capture/video/recorded_stamp.h"

extern "C" {
#include <libavutil/adler32.h>
}

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "app/capture/video/libav.h"
#include "config/error.h"

namespace glint::capture {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 4> kMark{'G', 'L', 'N', '1'};
using Words = std::array<uint64_t, 7>;
constexpr size_t kBytes = sizeof kMark + sizeof(Words);
constexpr std::array<char, 4> kSealMark{'G', 'S', 'U', 'M'};
constexpr size_t kSealBytes = sizeof kSealMark + sizeof(uint32_t);

bool isSealed(std::span<const std::byte> beside) {
  return beside.size() >= kBytes + kSealBytes &&
         std::memcmp(&beside[beside.size() - kSealBytes], kSealMark.data(), sizeof kSealMark) == 0;
}

}  // namespace

std::vector<std::byte> toBytes(const RecordedStamp& recorded, std::string_view settings) {
  const gpu::FrameStamp& s = recorded.stamp;
  const Words words{recorded.set.value(),
                    s.sequence.value(),
                    s.sourceSequence.value(),
                    s.droppedBefore,
                    std::bit_cast<uint64_t>(s.time),
                    std::bit_cast<uint64_t>(s.captured),
                    std::bit_cast<uint64_t>(s.arrival)};
  std::vector<std::byte> bytes(kBytes + settings.size());
  std::memcpy(bytes.data(), kMark.data(), sizeof kMark);
  std::memcpy(bytes.data() + sizeof kMark, words.data(), sizeof words);
  if (!settings.empty()) std::memcpy(bytes.data() + kBytes, settings.data(), settings.size());
  return bytes;
}

std::vector<std::byte> sealOf(std::span<const uint8_t> coded) {
  std::vector<std::byte> seal(kSealBytes);
  const uint32_t sum = av_adler32_update(1, coded.data(), coded.size());
  std::memcpy(seal.data(), kSealMark.data(), sizeof kSealMark);
  std::memcpy(seal.data() + sizeof kSealMark, &sum, sizeof sum);
  return seal;
}

bool isAsSealed(std::span<const uint8_t> coded, std::span<const std::byte> beside) {
  return !isSealed(beside) || std::ranges::equal(sealOf(coded), beside.last(kSealBytes));
}

std::optional<RecordedStamp> recordedStampOf(std::span<const std::byte> bytes) {
  if (bytes.size() < kBytes || std::memcmp(bytes.data(), kMark.data(), sizeof kMark) != 0)
    return std::nullopt;
  Words words{};
  std::memcpy(words.data(), bytes.data() + sizeof kMark, sizeof words);
  return RecordedStamp{.set = SetIndex(words[0]),
                       .stamp = {.sequence = FrameNumber(words[1]),
                                 .time = std::bit_cast<double>(words[4]),
                                 .arrival = std::bit_cast<double>(words[6]),
                                 .captured = std::bit_cast<double>(words[5]),
                                 .sourceSequence = SourceSequence(words[2]),
                                 .droppedBefore = words[3]}};
}

std::string recordedSettings(const std::string& path) {
  libav::silence();
  AVFormatContext* raw = nullptr;
  if (const int code = avformat_open_input(&raw, libav::fileUrl(path).c_str(), nullptr, nullptr);
      code < 0)
    throw Error("cannot read settings from '{}': {}", path, libav::reason(code));
  const libav::Input input(raw);
  const AVDictionaryEntry* entry = av_dict_get(input->metadata, kSettingsTag, nullptr, 0);
  if (!entry) throw UsageError("'{}' holds no settings: it is not a recording of --record", path);
  return entry->value;
}

}  // namespace glint::capture
