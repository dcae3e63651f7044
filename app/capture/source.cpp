#include "app/capture/source.h"

#include <array>

#include <fmt/format.h>

#include "app/capture/gige_source.h"
#include "app/capture/image_source.h"
#include "app/capture/synth_source.h"
#include "app/capture/v4l2_source.h"
#include "app/capture/video_source.h"
#include "config/error.h"

namespace glint {
namespace {

bool isSynth(const std::string& spec) {
  return spec.starts_with("synth:");
}

bool isGige(const std::string& spec) {
  return spec.starts_with("gige:");
}

bool isAnything(const std::string&) {
  return true;
}

using Open = std::unique_ptr<Source> (*)(const std::string& spec, const Interrupt* interrupt,
                                         const Settings::Camera& camera);

/// Of sources that have nothing to be asked for.
template <std::unique_ptr<Source> (*open)(const std::string& spec, const Interrupt* interrupt)>
std::unique_ptr<Source> plain(const std::string& spec, const Interrupt* interrupt,
                              const Settings::Camera&) {
  return open(spec, interrupt);
}

std::unique_ptr<Source> openAnyVideo(const std::string& spec, const Interrupt* interrupt,
                                     const Settings::Camera& camera) {
  return openVideo(spec, interrupt, camera.colour);
}

struct Kind {
  bool (*accepts)(const std::string& spec);
  Open open;
};

// The first that accepts opens.
constexpr std::array kKinds{
    Kind{isSynth, plain<openSynth>},
    Kind{isV4l2, openV4l2},
    Kind{isGige, openGige},
    Kind{isUrl, openAnyVideo},
    Kind{isImageSpec, plain<openImages>},
    Kind{isAnything, openAnyVideo},
};

}  // namespace

#ifndef GLINT_ARAVIS
std::unique_ptr<Source> openGige(const std::string& spec, const Interrupt*,
                                 const Settings::Camera&) {
  throw UsageError(fmt::format("'{}' needs Aravis, which this Glint was built without", spec));
}

std::vector<CameraInfo> listGige() {
  return {};
}

std::string gigeId(const std::string&) {
  return {};
}
#endif

void Source::seek(FrameNumber) {
  throw Error(fmt::format("'{}' cannot be read from another place", name()));
}

void Source::adjust(const Settings::Camera&) {}

std::unique_ptr<Source> openSource(const std::string& spec, const Interrupt* interrupt,
                                   const Settings::Camera& camera) {
  if (spec.empty()) throw UsageError("a source is empty: give a file, a folder or synth:SCENE");
  for (const Kind& kind : kKinds) {
    if (kind.accepts(spec)) return kind.open(spec, interrupt, camera);
  }
  return nullptr;
}

std::string cameraId(const std::string& spec) {
  try {
    if (isV4l2(spec)) return v4l2Id(spec);
    if (isGige(spec)) return gigeId(spec);
  } catch (const Error&) {
    // Opening it will tell why.
  }
  return {};
}

}  // namespace glint
