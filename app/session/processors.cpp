#include "app/session/processors.h"

#include "app/session/session_tracker.h"
#include "app/session/space_points.h"

namespace glint::session {

std::vector<Processor> makeProcessors(SessionTracker& tracking, SpacePoints& space) {
  return {
      {"track", true, [&space](motion::Frame& frame) { space.predictLostTracks(frame); }},
      {"track", true, [&tracking](motion::Frame& frame) { tracking.process(frame); }},
      {"points", false, [&space](motion::Frame& frame) { space.process(frame); }},
  };
}

}  // namespace glint::session
