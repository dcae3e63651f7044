#include "app/session/processors.h"

#include "app/session/space_points.h"
#include "app/session/tracking.h"

namespace glint {

std::vector<Processor> makeProcessors(Tracking& tracking, SpacePoints& space) {
  return {
      {"track", true, [&space](Frame& frame) { space.predictLostTracks(frame); }},
      {"track", true, [&tracking](Frame& frame) { tracking.process(frame); }},
      {"points", false, [&space](Frame& frame) { space.process(frame); }},
  };
}

}  // namespace glint
