// Signs that the threshold cuts dimmer markers off: those found barely reach it, or a lamp raises
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "config/settings.h"
#include "gpu/detect/detector.h"

namespace glint {

/// Whether the threshold is automatic, and of the plane that markers are measured in.
bool thresholdIsOfMeasuredPlane(const Settings& settings);

/// How many markers barely reach the automatic threshold although they are clear of the noise: they
/// are above it by less than a quarter of their contrast, with a significance of 30. Of markers of
/// many brightnesses there are as many just below a level. 0 where the threshold is set, and where
/// it is not one of the plane that the markers are measured in.
size_t countBarely(const LayerMeasurement& measured, const Settings& settings);

/// Whether so many of so many markers in so many frames are worth a word: a third, and 8 a frame.
bool manyBarely(uint64_t barely, uint64_t markers, uint64_t frames);

/// "76 of 83 markers a frame barely reach the threshold, so dimmer ones may be missing".
std::string barelyText(double barely, double markers);

/// The marker that covers a thousandth of the pixels or more and makes at least half of the spread
/// that the automatic threshold follows: a lamp, beside which the threshold may be above all
/// others. Null where there is none, and where countBarely() is 0 by the settings.
const shared::Detection* lampOf(const LayerMeasurement& measured, const Settings& settings);

}  // namespace glint
