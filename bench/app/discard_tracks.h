// Where the tracks go when only times matter.
#pragma once

#include <vector>

#include "app/session/session.h"
#include "app/sinks/outputs.h"

namespace glint::bench {

/// Opens the outputs of a session (SessionOptions::open): its tracks, written to /dev/null.
inline std::vector<command::AddSink> discardTracks(const CameraGroups& groups) {
  std::vector<command::AddSink> all(1);
  all[0] = makeGroup({.kind = "tracks", .target = "/dev/null"}, 0, {.images = groups.images()});
  return all;
}

}  // namespace glint::bench
