#include "app/capture/source.h"

#include <fmt/format.h>

#include "config/error.h"

namespace glint {

void Source::seek(FrameNumber) {
  throw Error(fmt::format("'{}' cannot seek", name()));
}

}  // namespace glint
