// Pictures that have nothing to do with each other, as opposed to a recording.
#pragma once

#include "app/capture/source.h"

namespace glint {

/// Whether a folder of pictures holds unrelated ones: neither does any of up to three pairs of
/// neighbours look alike (correlation of thumbnails of 32 x 32 below 0.4), nor are their histograms
/// alike (more than 0.35 of the pixels would have to change among 32 levels). Both, since what
/// moves before a dark background changes every thumbnail, and lamps that blink every histogram. A
/// single picture is a still, too. The source, which must be able to seek, is at its beginning
/// afterwards.
bool holdsStills(Source& source);

}  // namespace glint
