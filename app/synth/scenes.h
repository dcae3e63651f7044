// The scenes there are; one file each. Internal to app/synth.
#pragma once

#include <memory>

#include "app/synth/scene.h"

namespace glint {

std::unique_ptr<Scene> makeDancer(const SynthOptions& options);
std::unique_ptr<Scene> makeSpots(const SynthOptions& options);
std::unique_ptr<Scene> makeCrossing(const SynthOptions& options);

}  // namespace glint
