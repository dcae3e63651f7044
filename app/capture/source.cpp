#include "app/capture/source.h"

#include <array>

#include <fmt/format.h>

#include "app/capture/image_source.h"
#include "app/capture/synth_source.h"
#include "app/capture/video_source.h"
#include "config/error.h"

namespace glint {
namespace {

bool isSynth(const std::string& spec) {
  return spec.starts_with("synth:");
}

bool isCamera(const std::string& spec) {
  return spec.starts_with("camera:") || spec.starts_with("gige:") || spec.starts_with("/dev/video");
}

std::unique_ptr<Source> refuseCamera(const std::string& spec, const Interrupt*) {
  throw UsageError(
      fmt::format("'{}' is a live camera, which this version cannot read: give a recording, a "
                  "folder of images, "
                  "a stream URL or synth:SCENE",
                  spec));
}

bool isAnything(const std::string&) {
  return true;
}

struct Kind {
  bool (*accepts)(const std::string& spec);
  std::unique_ptr<Source> (*open)(const std::string& spec, const Interrupt* interrupt);
};

// The first that accepts opens.
constexpr std::array kKinds{
    Kind{isSynth, openSynth},      Kind{isCamera, refuseCamera}, Kind{isUrl, openVideo},
    Kind{isImageSpec, openImages}, Kind{isAnything, openVideo},
};

}  // namespace

void Source::seek(uint64_t) {
  throw Error(fmt::format("'{}' cannot be read from another place", name()));
}

std::unique_ptr<Source> openSource(const std::string& spec, const Interrupt* interrupt) {
  if (spec.empty()) throw UsageError("a source is empty: give a file, a folder or synth:SCENE");
  for (const Kind& kind : kKinds) {
    if (kind.accepts(spec)) return kind.open(spec, interrupt);
  }
  return nullptr;
}

}  // namespace glint
