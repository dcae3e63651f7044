#include "app/study/eval/tracked_frames.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/output/catalog/output_kind.h"
#include "config/error.h"

namespace glint::study {

bool TrackedFrames::has(uint16_t camera, uint64_t frame) const {
  switch (source) {
    case Source::none:
      return true;
    case Source::tracks:
      return frame <= last;
    case Source::record:
      break;
  }
  if (camera >= cameras.size() || !cameras[camera]) return false;
  return frame >= cameras[camera]->first && frame <= cameras[camera]->last;
}

std::string TrackedFrames::words() const {
  if (source == Source::tracks)
    return fmt::format(
        "without the run's record, frame {}, the last one of the tracks, counts as "
        "the last one tracked",
        last);
  std::string text = "by the run's record, ";
  for (size_t c = 0; c < cameras.size(); ++c) {
    if (c > 0) text += ", ";
    if (cameras.size() > 1) text += fmt::format("camera {}: ", c);
    text += cameras[c] ? fmt::format("frames {} to {}", cameras[c]->first, cameras[c]->last)
                       : "no frame";
  }
  return text + (cameras.empty() ? "no camera was tracked" : " were tracked");
}

TrackedFrames trackedFrames(std::vector<std::optional<output::report::FrameSpan>> cameras,
                            std::span<const motion::Sample> tracks) {
  TrackedFrames tracked{.source = TrackedFrames::Source::record, .cameras = std::move(cameras)};
  const bool fits =
      !tracked.cameras.empty() && std::ranges::all_of(tracks, [&](const motion::Sample& row) {
        return tracked.has(row.camera, row.frame);
      });
  if (fits) return tracked;
  if (tracks.empty()) return {};
  tracked = {.source = TrackedFrames::Source::tracks};
  for (const motion::Sample& row : tracks)
    tracked.last = std::max<uint64_t>(tracked.last, row.frame);
  return tracked;
}

TrackedFrames trackedFrames(const std::string& path, std::span<const motion::Sample> tracks) {
  const std::string record = output::runRecordPath(path);
  std::error_code ignored;
  std::vector<std::optional<output::report::FrameSpan>> cameras;
  if (!base::isDevice(path) && record != path &&
      std::filesystem::is_regular_file(record, ignored)) {
    try {
      cameras = output::report::readRunFacts(record).tracked;
    } catch (const Error&) {
      // A file of this name that is no record says nothing about the tracks.
    }
  }
  return trackedFrames(std::move(cameras), tracks);
}

}  // namespace glint::study
