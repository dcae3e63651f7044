// The outputs of a run: a list of specifications, checked and opened in one place.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/output/catalog/output_kind.h"

namespace glint::output {

/// Whether one of them is of this kind.
bool holds(std::span<const OutputSpec> specs, std::string_view kind);

/// Every file that they write, those beside them, such as .rows, too.
std::vector<std::string> outputFiles(std::span<const OutputSpec> specs, size_t cameras);

/// What outputs must not write over.
struct OutputRules {
  std::vector<std::string> read;  ///< files: see filesRead()
  std::string_view what = "run";  ///< what reads them: "run" or "export"
  std::string owner = {};         ///< what writes to standard output beside streams, or empty
  std::string edits = {};         ///< where edits of these tracks are, or will be: see editsPath()
};

/// Throws UsageError where two things would be written to one file or to standard output, or over
/// what is read: see RunFiles.
void checkOutputs(std::span<const OutputSpec> specs, size_t cameras, const OutputRules& rules);

/// A recording into one file. Its suffix chooses tracks, a video with markers drawn in, or the
/// frames as they came (.raw.mkv, a file a camera). Throws UsageError for an unknown suffix.
OutputSpec recordingSpec(const std::string& file);

/// Throws UsageError where a recording that is begun while a session runs would wait for a reader,
/// or write over a file of `run`, the session's own outputs.
void checkRecording(const OutputSpec& recording, std::span<const OutputSpec> run, size_t cameras);

/// The sinks of all outputs of this hand-over, in their order.
std::vector<std::unique_ptr<Sink>> makeSinks(std::span<const OutputSpec> specs, Handover handover,
                                             const OutputContext& context);

/// One output as a session takes it; its name is its target.
SinkGroup makeGroup(const OutputSpec& spec, uint64_t id, const OutputContext& context);

/// What the window lists: a format of tracks, or another kind of output.
struct OutputChoice {
  std::string name, about, suffix;
  OutputSpec spec;  ///< without its target
};
std::vector<OutputChoice> exportChoices();
std::vector<OutputChoice> recordingChoices();

}  // namespace glint::output
