#include "app/shell/commands/track_summary.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "config/printable.h"
#include "gpu/detect/limits.h"

namespace glint::shell {

ProgressLine::ProgressLine(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

bool ProgressLine::due() const {
  return shown_ && std::chrono::steady_clock::now() - last_ >= kInterval;
}

void ProgressLine::show(const std::string& text) {
  if (!due()) return;
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
  last_ = std::chrono::steady_clock::now();
  written_ = true;
}

void ProgressLine::update(const session::SessionCounts& counts) {
  if (!due()) return;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - last_;
  const double rate = static_cast<double>(counts.frames - lastFrames_) / since.count();
  lastFrames_ = counts.frames;
  show(fmt::format("{} frames  {:.0f} frames/s  {} markers  {} tracks", counts.frames, rate,
                   counts.lastMarkers, counts.liveTracks));
}

void ProgressLine::clear() const {
  if (written_) fmt::print(stderr, "\r\x1b[K");
}

namespace {

/// Returns lines about cameras that ended early or lacked frames; empty if all are alike.
std::string endings(const std::vector<Address>& sources, const session::SessionResult& result) {
  std::string text;
  const bool gaps = std::ranges::any_of(
      result.counts.cameras, [](const auto& camera) { return camera.frames < camera.sets; });
  if (result.byTime) text += "sets were made by time: frames of one number are not of one moment\n";
  for (size_t i = 0; i < sources.size(); ++i) {
    const session::SessionCounts::Camera& camera = result.counts.cameras[i];
    if (camera.frames < camera.sets)
      text += fmt::format("camera {} ('{}') had a frame in {} of {} sets\n", i, sources[i].shown(),
                          camera.frames, camera.sets);
    if (camera.ended)
      text +=
          fmt::format("camera {} ('{}') ended after {} of {} {}\n", i, sources[i].shown(),
                      camera.sets, result.counts.frames, result.byTime || gaps ? "sets" : "frames");
  }
  return text;
}

/// Returns a line with the number of rejected candidates for each reason.
std::string rejections(const session::SessionCounts& counts) {
  std::string text;
  for (const auto& [reason, count] : counts.rejected)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, gpu::wordsOf(reason));
  return fmt::format("rejected candidates: {}\n", text.empty() ? "none" : text);
}

/// Returns a line for each stream: the frames that were sent and dropped, and its receivers.
std::string streamLines(const std::vector<output::SinkStatus>& sinks) {
  std::string text;
  for (const output::SinkStatus& s : sinks) {
    if (s.handover != output::Handover::newest) continue;
    text += fmt::format("stream {}: {} frames sent, {} dropped{}{}\n", s.name, s.frames, s.dropped,
                        s.state.empty() ? "" : fmt::format("; {}", s.state),
                        s.problem.empty() ? "" : fmt::format(" ({})", s.problem));
  }
  return text;
}

/// Returns the number of frames in the files of the run if a jump ended them early, and otherwise
/// nothing.
std::optional<uint64_t> framesBeforeJump(const session::SessionResult& result) {
  for (const output::SinkStatus& sink : result.sinks)
    if (sink.id == 0 && sink.handover == output::Handover::waits &&
        sink.frames < result.counts.frames)
      return sink.frames;
  return std::nullopt;
}

}  // namespace

void printSummary(std::FILE* out, const TrackOptions& options, const study::RunInputs& inputs,
                  const session::SessionResult& result,
                  const std::vector<study::Finding>& findings) {
  const session::SessionCounts& c = result.counts;
  const auto frames = static_cast<double>(std::max<uint64_t>(c.frames, 1));
  std::vector<std::string> tracks;
  std::string refined;
  bool rejected = false;
  for (const output::OutputSpec& spec : options.outputs) {
    if (spec.kind == "tracks") tracks.push_back(spec.target);
    rejected = rejected || spec.kind == "rejected";
    if (spec.kind == "refined_rig") refined = spec.target;
  }
  std::string text;
  text += fmt::format(
      "{} in {:.2f} s ({:.0f} frames/s) on {}\n", counted(c.frames, "frame"), result.seconds,
      static_cast<double>(c.frames) / std::max(result.seconds, 1e-9), inputs.device.name);
  text += fmt::format("{:.1f} markers a frame, {}", static_cast<double>(c.markers) / frames,
                      counted(c.tracks, "track"));
  if (const auto written = framesBeforeJump(result))
    text += fmt::format("\n{} of these {} frames -> {}; a jump ended all files of the run\n",
                        *written, c.frames, fmt::join(tracks, ", "));
  else
    text += fmt::format(" -> {}\n", fmt::join(tracks, ", "));
  if (c.space.any)
    text += fmt::format("in space: {}\n{}{}{}", motion::spaceText(c.space),
                        motion::doubtsSummary(c.space), motion::correctedSummary(c.space, refined),
                        motion::bodiesSummary(c.space));
  if (rejected) text += rejections(c);
  for (const study::Finding& finding : findings) text += finding.line() + '\n';
  text += endings(inputs.sources, result) + streamLines(result.sinks);
  if (result.interrupted) text += "stopped by a signal; everything measured until then is kept\n";
  std::fputs(printable(text, true).c_str(), out);
}

}  // namespace glint::shell
