// Recordings of high-speed cameras as sources.
#include <algorithm>

#include <fmt/format.h>

#include "app/capture/source/ranged_source.h"
#include "app/capture/source/retimed_source.h"
#include "app/capture/source/source_kinds.h"
#include "app/capture/source/source_options.h"
#include "app/capture/source/turned_source.h"
#include "app/capture/video/stored_frames.h"
#include "config/error.h"

namespace glint::capture {
namespace {

bool isHighSpeed(const std::string& spec) {
  const std::string path = pathOf(spec);
  return isPhotron(path) || isNorpix(path);
}

/// Opens the recording that the text names, with its options. Throws Error as readPhotron(),
/// readNorpix() and openStoredFrames() do, and UsageError for options of videos that do not fit.
std::unique_ptr<Source> openHighSpeed(const Address& address, const Interrupt*,
                                      const Settings::Camera&) {
  const SourceText text = parseSource(address.shown(), OptionsFor::videos);
  const SourceOptions& options = text.options;
  if (options.stream || options.fields)
    throw UsageError("'{}': stream and fields are not for recordings of high-speed cameras",
                     address.shown());
  StoredFrames frames = isPhotron(text.path) ? readPhotron(text.path) : readNorpix(text.path);
  auto source = openStoredFrames(address.shown(), std::move(frames));
  source = turnSource(std::move(source), orientationOf(options.rotate.value_or(0)));
  source = scaleSource(std::move(source), options.range);
  if (options.fps) source = retimeByRate(std::move(source), *options.fps);
  if (!options.times.empty())
    source = retimeByList(std::move(source), readTimesFile(options.times, text.path),
                          fmt::format("as '{}' says", options.times));
  return shiftTimes(std::move(source), options);
}

std::vector<std::string> highSpeedFiles(const std::string& spec) {
  const std::string path = pathOf(spec);
  std::vector<std::string> files =
      isPhotron(path) ? photronFiles(path) : std::vector<std::string>{path};
  std::erase(files, "");
  return files;
}

}  // namespace

extern const SourceKind kHighSpeedKind{.sort = SourceKind::Sort::file,
                                       .help = "file .mraw or .seq",
                                       .accepts = isHighSpeed,
                                       .open = openHighSpeed,
                                       .files = highSpeedFiles};

}  // namespace glint::capture
