#include "app/shell/desk/raw_save.h"

#include <utility>

#include "app/output/pictures/raw_recorder.h"

namespace glint::shell {
namespace {

double secondsOf(const std::vector<output::RawSet>& sets) {
  return sets.back().shots.front().stamp.time - sets.front().shots.front().stamp.time;
}

}  // namespace

RawSave::RawSave(std::string path, size_t cameras, std::vector<output::RawSet> sets,
                 std::function<void()> changed)
    : BackgroundTask(std::move(changed)), seconds_(secondsOf(sets)) {
  start([this, path = std::move(path), cameras, kept = std::move(sets)]() mutable {
    const uint64_t frames = kept.size();
    output::saveRaw(path, cameras, std::move(kept));
    set([&](Progress& progress) { progress.frames = frames; });
  });
}

}  // namespace glint::shell
