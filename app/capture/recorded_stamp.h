// What a raw recording keeps of each frame beside its pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/frame.h"

namespace glint {

/// The name under which a recording holds the settings that it was made with, as TOML.
inline constexpr const char* kSettingsTag = "GLINT_SETTINGS";

/// A frame's stamp, and in which set it came: cameras of one session share the count, from 0.
struct RecordedStamp {
  uint64_t set = 0;
  FrameStamp stamp;
};

/// 60 bytes, little endian: "GLN1", set, sequence, sourceSequence, droppedBefore (64 bits each);
/// time, captured, arrival (doubles).
std::vector<std::byte> toBytes(const RecordedStamp& recorded);

/// Empty where the bytes are something else.
std::optional<RecordedStamp> recordedStampOf(std::span<const std::byte> bytes);

/// The settings that a raw recording was made with, as TOML. Throws Error where the file cannot be
/// read, UsageError where it holds none.
std::string recordedSettings(const std::string& path);

}  // namespace glint
