#include "app/session/processors.h"

#include "app/session/tracking.h"

namespace glint {

std::vector<Processor> makeProcessors(Tracking& tracking) {
  return {
      {"track", true, [&tracking](Frame& frame) { tracking.process(frame); }},
  };
}

}  // namespace glint
