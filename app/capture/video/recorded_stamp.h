// What a raw recording keeps of each frame beside its pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/frame.h"

namespace glint::capture {

/// The name under which a recording holds the settings that it was made with, as TOML.
inline constexpr const char* kSettingsTag = "GLINT_SETTINGS";

/// There, and "true", where its frames share nothing: see Source::isOfStills().
inline constexpr const char* kStillsTag = "GLINT_STILLS";

/// A frame's stamp, and in which set it came: cameras of one session share the count, from 0.
struct RecordedStamp {
  SetIndex set;
  gpu::FrameStamp stamp;
};

/// Returns what stands beside a frame: 60 bytes, little endian, which are "GLN1", set, sequence,
/// sourceSequence, droppedBefore (64 bits each), time, captured and arrival (doubles); and behind
/// them `settings`, those that came into force with this frame, as TOML, or nothing. Glint itself
/// does not read the settings of single frames again.
std::vector<std::byte> toBytes(const RecordedStamp& recorded, std::string_view settings = {});

/// Behind all that stands beside a frame, 8 bytes: "GSUM" and the Adler-32 of its coded bytes,
/// little endian. HuffYUV has no checksum of its own.
std::vector<std::byte> sealOf(std::span<const uint8_t> coded);

/// Whether a frame's coded bytes are those that were sealed; true where there is no seal.
bool isAsSealed(std::span<const uint8_t> coded, std::span<const std::byte> beside);

/// Empty where the bytes are something else.
std::optional<RecordedStamp> recordedStampOf(std::span<const std::byte> bytes);

/// The settings that a raw recording was made with, as TOML. Throws Error where the file cannot be
/// read, UsageError where it holds none.
std::string recordedSettings(const std::string& path);

}  // namespace glint::capture
