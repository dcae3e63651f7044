// The kinds of outputs that a session can have: the one list of them, and what they write.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/sinks/raw_frames.h"
#include "app/sinks/sink.h"

namespace glint {

/// One output, as a user asks for it.
struct OutputSpec {
  std::string kind;    ///< OutputKind::name
  std::string target;  ///< a file, or where a stream goes
  // What single kinds look at.
  std::string format = {};  ///< of tracks: a name of trackFormats(); empty: the suffix tells it
  std::optional<uint64_t> set = {};             ///< of a picture: which one; empty: the last one
  bool remote = false;                          ///< of a stream: whether it may leave this machine
  std::shared_ptr<const PreRoll> preRoll = {};  ///< of a raw recording: what was kept before
  bool operator==(const OutputSpec&) const = default;
};

/// A row a kind. A further one is a row, and a file with its sink.
struct OutputKind {
  std::string_view name;    ///< "tracks"
  std::string_view option;  ///< on the command line: "-o,--output"
  std::string_view type;    ///< of its value: "FILE"
  std::string_view about;   ///< one sentence
  bool many;                ///< whether there may be several
  Handover handover;
  /// Whether a recording called so is of this kind; null: it is never begun by name alone.
  bool (*accepts)(const std::string& file);
  /// Every file that is written, those beside it (such as .rows) before it. Throws UsageError where
  /// the name does not tell the format.
  std::vector<std::string> (*files)(const OutputSpec& spec, size_t cameras);
  /// Creates the files. `images`: a camera each. Throws Error or UsageError naming one.
  std::vector<std::unique_ptr<Sink>> (*make)(const OutputSpec& spec,
                                             const std::vector<ImageFormat>& images);
};

/// In the order of the command line.
std::span<const OutputKind> outputKinds();
const OutputKind& kindOf(const OutputSpec& spec);

/// The one that a recording into `file` is, as its name tells: tracks, a video with what was found,
/// or the frames as they came (.raw.mkv). Throws UsageError where the name tells nothing.
OutputSpec outputNamed(const std::string& file);

/// Every file that these write.
std::vector<std::string> filesOf(const std::vector<OutputSpec>& outputs, size_t cameras);

/// Refuses what would be written over what is read (`inputs`), or twice. `by`: "run", "export".
/// Devices such as /dev/null may be shared, where `devices`. Throws UsageError.
void checkOutputs(const std::vector<std::string>& files, const std::vector<std::string>& inputs,
                  std::string_view by, bool devices = true);

/// Of those that are handed over so.
std::vector<std::unique_ptr<Sink>> makeSinks(const std::vector<OutputSpec>& outputs,
                                             const std::vector<ImageFormat>& images,
                                             Handover handover = Handover::waits);

/// The first output of tracks, which the run's record goes beside; null if there is none.
const OutputSpec* firstTracks(const std::vector<OutputSpec>& outputs);

}  // namespace glint
