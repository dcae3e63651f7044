// The colours of tracks, on the screen and in pictures and videos.
#pragma once

#include <array>
#include <cstdint>

#include "config/numbers.h"

namespace glint::output {

struct Colour {
  uint8_t red, green, blue;
};

/// The colours of tracks, which people with colour blindness can tell apart as well: those of Okabe
/// and Ito (2008) without black, and with a lighter blue for dark images.
inline constexpr std::array<Colour, 7> kTrackColours{{{86, 180, 233},
                                                      {230, 159, 0},
                                                      {0, 190, 140},
                                                      {240, 228, 66},
                                                      {90, 140, 255},
                                                      {235, 110, 40},
                                                      {224, 140, 190}}};

inline constexpr Colour colourOf(TrackId track) {
  return kTrackColours[track.value() % kTrackColours.size()];
}

}  // namespace glint::output
