#include "app/study/opening/opening.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/base/waiting.h"
#include "app/capture/source/source_kinds.h"
#include "app/study/opening/stills.h"
#include "config/printable.h"

namespace glint::study {

std::vector<std::unique_ptr<capture::Source>> openSources(const std::vector<std::string>& names,
                                                          Settings& settings,
                                                          const capture::Interrupt& interrupt) {
  std::vector<std::unique_ptr<capture::Source>> sources;
  std::vector<std::string> ids;
  for (const std::string& name : names) {
    const base::Waiting waiting("the source", name);
    const auto camera = cameraSettings(settings, static_cast<int>(sources.size()));
    sources.push_back(capture::openSource(name, &interrupt, camera));
    ids.push_back(sources.back()->id());
    const gpu::ImageFormat& format = sources.back()->format();
    base::log(base::LogLevel::info,
              printable(fmt::format("'{}' is {}x{}, {} channels of {} bits", name, format.width,
                                    format.height, format.channels, format.bits)));
  }
  placeCameras(settings, ids);
  return sources;
}

bool anyLive(const std::vector<std::unique_ptr<capture::Source>>& sources) {
  return std::any_of(sources.begin(), sources.end(),
                     [](const auto& source) { return source->isLive(); });
}

void applyStitching(std::optional<bool> asked, bool live, Settings& settings) {
  if (asked == false || (live && !asked)) settings.track.stitchGap = 0;
  if (asked == true && settings.track.stitchGap == 0)
    settings.track.stitchGap = Settings().track.stitchGap;
}

Stills stillsOf(std::optional<bool> asked, std::vector<std::unique_ptr<capture::Source>>& sources) {
  if (asked) return {.stills = *asked};
  if (std::all_of(sources.begin(), sources.end(), [](const auto& s) { return s->isOfStills(); }))
    return {.stills = true};
  const bool stills = std::all_of(sources.begin(), sources.end(), [](const auto& source) {
    return capture::sourceKindOf(source->name()).sort == capture::SourceKind::Sort::pictures &&
           source->canSeek() && holdsStills(*source);
  });
  return {.stills = stills, .recognised = stills};
}

}  // namespace glint::study
