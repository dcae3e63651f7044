#include "app/capture/source/source.h"

#include <fmt/format.h>

#include "config/error.h"

namespace glint::capture {

void Source::seek(FrameNumber) {
  throw Error(fmt::format("'{}' cannot seek", name()));
}

}  // namespace glint::capture
