// The options that may follow a source behind a question mark: "clip.mp4?fps=240&rotate=90".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glint::capture {

/// The smallest and the largest rate that a recording may have, frames/s.
inline constexpr double kLeastFps = 0.0001, kMostFps = 1'000'000;

/// The largest offset of a recording's clock, s, and the largest drift, millionths.
inline constexpr double kMostOffset = 1'000'000, kMostDrift = 100'000;

/// The values that are delivered as black and as full scale; those beyond are cut off.
struct ValueRange {
  double low = 0, high = 1;
  bool operator==(const ValueRange&) const = default;
};

struct SourceOptions {
  std::optional<double> fps;        ///< frames a second, whatever the recording says
  std::string times;                ///< a file that holds the time of each frame; or empty
  std::optional<double> offset;     ///< s to add to all times, at least 0
  std::optional<double> drift;      ///< millionths by which all times are stretched first
  std::optional<int> rotate;        ///< degrees clockwise, whatever the recording says
  std::optional<uint64_t> stream;   ///< of a video, from 0
  std::optional<bool> fields;       ///< true: the fields of interlaced frames are the frames
  std::optional<uint64_t> channel;  ///< of a stack, from 0
  std::optional<uint64_t> slice;    ///< of a stack, from 0
  std::optional<ValueRange> range;  ///< whatever the recording says
};

/// One option, for pages and messages.
struct SourceOption {
  std::string_view name, value;           ///< "fps", "RATE"
  std::string_view about;                 ///< a sentence without a full stop
  bool pictures = false, videos = false;  ///< the kinds of sources that take it
};
std::span<const SourceOption> sourceOptions();

/// A source as the user wrote it, taken apart.
struct SourceText {
  std::string path;
  SourceOptions options;
};
enum class OptionsFor { pictures, videos };

/// Takes "PATH?NAME=VALUE&..." apart. A file whose own name holds a '?' has no options. Throws
/// UsageError naming the source if an option is unknown, does not fit the kind of source, or has a
/// value out of its range.
SourceText parseSource(const std::string& spec, OptionsFor kind);

/// Returns what stands before the options.
std::string pathOf(const std::string& spec);

}  // namespace glint::capture
