// Discards the tracks of a session of which only times matter.
#pragma once

#include <vector>

#include "app/output/catalog/outputs.h"
#include "app/session/session.h"

namespace glint::bench {

/// Opens the outputs of a session (see SessionOptions::open): only tracks, written to /dev/null.
inline std::vector<session::command::AddSink> discardTracks(const capture::CameraGroups& groups) {
  std::vector<session::command::AddSink> all(1);
  all[0] =
      output::makeGroup({.kind = "tracks", .target = "/dev/null"}, 0, {.images = groups.images()});
  return all;
}

}  // namespace glint::bench
