// Makes the sink of a stream from the user's text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/output/sinks/sink.h"
#include "app/output/streams/stream_space.h"

namespace glint::output {

struct StreamOptions {
  bool remote = false;       ///< other machines are allowed
  StreamedSpace space = {};  ///< for streams of points and bodies
  std::optional<UpAxis> up =
      {};  ///< the axis that points up in them; empty: as they usually have it
};

/// Makes the sink of a stream. `target` is one of
///   osc:[HOST:]PORT, udp:[HOST:]PORT, - (standard output): markers, points and bodies
///   osc-space:[HOST:]PORT, natnet[:ADDRESS[:PORT]]: points and bodies, which need a rig
///   opentrack[:HOST[:PORT]][#BODY]: one body, by default the first one; needs bodies
/// Throws UsageError or Error naming the target.
std::unique_ptr<Sink> makeStream(const std::string& target, const StreamOptions& options);

/// Returns a line about each kind of target, for the help.
std::string describeStreams();

/// Returns the beginning of each kind of target, such as "udp:", for the completions of shells.
std::vector<std::string> streamBeginnings();

/// Throws UsageError if a stream to `target` needs a rig or bodies that are not given.
void checkStreamNeeds(const std::string& target, bool rig, bool bodies);

/// Makes a sink that writes JSON Lines into `file`, a descriptor of a pipe, a terminal or a file.
/// The descriptor stays the caller's. The sink never blocks in a write. It waits for room, and
/// gives up on request, if necessary in the middle of a line. SIGPIPE must be blocked, as it is on
/// a NewestQueue's thread.
std::unique_ptr<Sink> makePipeSink(int file);

}  // namespace glint::output
