// Uses the session as a library: twenty lines open a source, take frames and stop.
#include <cstdio>

#include "app/capture/source/source_kinds.h"
#include "app/session/frame_reader.h"

int main() {
  std::vector<std::unique_ptr<glint::capture::Source>> sources;
  sources.push_back(
      glint::capture::openSource("synth:dancer?size=320x240&frames=60&seed=1&cameras=1"));
  const auto device = std::make_shared<const glint::gpu::Device>(glint::gpu::Device::Options{});
  glint::session::FrameReader reader(device, std::move(sources));
  size_t rows = 0;
  while (const glint::motion::FramePtr frame = reader.next()) {
    for (const glint::motion::TrackRow& row : frame->cameras[0].tracks)
      rows += row.state == glint::motion::TrackState::measured ? 1 : 0;
    if (frame->set == glint::SetIndex(39)) break;
  }
  std::printf("%zu rows of 40 frames\n", rows);
  return rows > 400 ? 0 : 1;
}
