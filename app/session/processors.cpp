#include "app/session/processors.h"

#include "app/session/space_points.h"
#include "app/session/tracking.h"

namespace glint::session {

std::vector<Processor> makeProcessors(Tracking& tracking, SpacePoints& space) {
  return {
      {"track", true, [&space](motion::Frame& frame) { space.predictLostTracks(frame); }},
      {"track", true, [&tracking](motion::Frame& frame) { tracking.process(frame); }},
      {"points", false, [&space](motion::Frame& frame) { space.process(frame); }},
  };
}

}  // namespace glint::session
