// Whether a file stops where its container would not. Internal to capture/.
#pragma once

#include <string>
#include <string_view>

namespace glint {

/// Whether the file ends within a unit of its container, or before one that its writer always puts
/// last. `kind` is libav's name of the container.
///  - MP4, MOV: within a box; or libav's fragments without the table (mfra) that closes them.
///  - AVI: within a part, or parts that do not follow each other as their sizes say.
///  - MPEG-TS: within a packet of 188, 192 or 204 bytes.
///  - Y4M: within a frame.
///  - NUT: without the index that closes it.
/// False for all others, and where the file cannot be read.
bool stopsWithin(const std::string& path, std::string_view kind);

}  // namespace glint
