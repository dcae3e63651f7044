// Reads and writes the data that a raw recording keeps beside the pixels of each frame.
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

/// Name of the tag in which a recording has the settings with which it was made, as TOML.
inline constexpr const char* kSettingsTag = "GLINT_SETTINGS";

/// Name of a tag that is "true" in recordings whose frames have nothing to do with each other: see
/// Source::isOfStills().
inline constexpr const char* kStillsTag = "GLINT_STILLS";

/// A frame's stamp, and the set in which the frame came; cameras of one session count sets
/// together, from 0.
struct RecordedStamp {
  SetIndex set;
  gpu::FrameStamp stamp;
};

/// Returns the data beside a frame: 60 bytes, little endian: "GLN1", set, sequence, sourceSequence,
/// droppedBefore (64 bits each); time, captured, arrival (doubles). Behind them `settings`: the
/// settings that came into force with this frame, as TOML; or empty.
std::vector<std::byte> toBytes(const RecordedStamp& recorded, std::string_view settings = {});

/// Returns the seal that follows all other data beside a frame, 8 bytes: "GSUM" and the Adler-32 of
/// the frame's coded bytes, little endian. It is needed because HuffYUV has no checksum of its own.
std::vector<std::byte> sealOf(std::span<const uint8_t> coded);

/// Returns true if a frame's coded bytes are those that were sealed, or if there is no seal.
bool isAsSealed(std::span<const uint8_t> coded, std::span<const std::byte> beside);

/// Reads the data beside a frame; empty if the bytes are something else.
std::optional<RecordedStamp> recordedStampOf(std::span<const std::byte> bytes);

/// Returns the settings with which a raw recording was made, as TOML. Throws Error if the file
/// cannot be read, UsageError if it has no settings.
std::string recordedSettings(const std::string& path);

}  // namespace glint::capture
