// A synthetic scene as a source of frames.
#pragma once

#include <memory>
#include <string>

#include "app/capture/source.h"

namespace glint {

/// Opens "synth:SCENE?key=value&...", one camera of a scene. Its time is frame / fps, its frame
/// count is known. Throws UsageError as parseSynth and makeScene do.
std::unique_ptr<Source> openSynth(const std::string& spec, const Interrupt* interrupt = nullptr);

}  // namespace glint
