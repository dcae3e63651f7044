// The outputs of a run as a list of specifications, which are checked and opened here.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/output/catalog/output_kind.h"
#include "app/output/takes/take_formats.h"

namespace glint::output {

/// Returns true if one of the outputs is of this kind.
bool holds(std::span<const OutputSpec> specs, std::string_view kind);

/// Returns every file that the outputs write, including those beside them, such as .rows.
std::vector<std::string> outputFiles(std::span<const OutputSpec> specs, size_t cameras);

/// The files and streams that outputs must not write over.
struct OutputRules {
  std::vector<std::string> read;  ///< files that are read: see filesRead()
  std::string_view what = "run";  ///< the reader of these files: "run" or "export"
  std::string owner = {};         ///< another writer to standard output; empty: none
  /// The file of edits of these tracks, which need not exist: see editsPath().
  std::string edits = {};
};

/// Throws UsageError if two outputs would write to one file or to standard output, or over a file
/// that is read: see RunFiles.
void checkOutputs(std::span<const OutputSpec> specs, size_t cameras, const OutputRules& rules);

/// Returns the specification of a recording into one file. The suffix of the file chooses tracks, a
/// video with markers drawn into it, the frames as they came (.raw.mkv, one file for each camera),
/// or points or poses (.points.csv, .poses.csv, .c3d and so on). Throws UsageError for an unknown
/// suffix.
OutputSpec recordingSpec(const std::string& file);

/// Throws UsageError if a recording that begins while a session runs would wait for a reader, or
/// would write over a file of `run`, the outputs of the session itself.
void checkRecording(const OutputSpec& recording, std::span<const OutputSpec> run, size_t cameras);

/// Returns the sinks of all outputs with this hand-over, in their order.
std::vector<std::unique_ptr<Sink>> makeSinks(std::span<const OutputSpec> specs, Handover handover,
                                             const OutputContext& context);

/// Returns one output as a session takes it. Its name is its target.
SinkGroup makeGroup(const OutputSpec& spec, uint64_t id, const OutputContext& context);

/// An entry of the window's lists: a format of tracks, of points or of poses, or another kind of
/// output.
struct OutputChoice {
  std::string name, about, suffix;
  OutputSpec spec;                   ///< specification without its target
  const TakeFormat* take = nullptr;  ///< format of the points or poses; null: neither
};

/// The results in space that a session has.
struct SpaceResults {
  bool points = false, poses = false;
};
std::vector<OutputChoice> exportChoices(const SpaceResults& space);
std::vector<OutputChoice> recordingChoices(const SpaceResults& space);

/// Returns those of `options` that the format of a choice leaves to the user.
TakeOptions allowedOptions(const TakeOptions& options, const OutputChoice& choice);

}  // namespace glint::output
