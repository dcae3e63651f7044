#include "app/opening/opening.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/base/waiting.h"
#include "app/capture/source_kinds.h"
#include "app/opening/stills.h"
#include "config/printable.h"

namespace glint {

std::vector<std::unique_ptr<Source>> openSources(const std::vector<std::string>& names,
                                                 Settings& settings, const Interrupt& interrupt) {
  std::vector<std::unique_ptr<Source>> sources;
  std::vector<std::string> ids;
  for (const std::string& name : names) {
    const Waiting waiting("the source", name);
    const auto camera = cameraSettings(settings, static_cast<int>(sources.size()));
    sources.push_back(openSource(name, &interrupt, camera));
    ids.push_back(sources.back()->id());
    const ImageFormat& format = sources.back()->format();
    log(LogLevel::info,
        printable(fmt::format("'{}' is {}x{}, {} channels of {} bits", name, format.width,
                              format.height, format.channels, format.bits)));
  }
  placeCameras(settings, ids);
  return sources;
}

bool anyLive(const std::vector<std::unique_ptr<Source>>& sources) {
  return std::any_of(sources.begin(), sources.end(),
                     [](const auto& source) { return source->isLive(); });
}

void applyStitching(std::optional<bool> asked, bool live, Settings& settings) {
  if (asked == false || (live && !asked)) settings.track.stitchGap = 0;
  if (asked == true && settings.track.stitchGap == 0)
    settings.track.stitchGap = Settings().track.stitchGap;
}

Stills stillsOf(std::optional<bool> asked, std::vector<std::unique_ptr<Source>>& sources) {
  if (asked) return {.stills = *asked};
  if (std::all_of(sources.begin(), sources.end(), [](const auto& s) { return s->isOfStills(); }))
    return {.stills = true};
  const bool stills = std::all_of(sources.begin(), sources.end(), [](const auto& source) {
    return sourceKindOf(source->name()).sort == SourceKind::Sort::pictures && source->canSeek() &&
           holdsStills(*source);
  });
  return {.stills = stills, .recognised = stills};
}

}  // namespace glint
