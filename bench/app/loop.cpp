#include "bench/app/loop.h"

#include <vector>

#include <fmt/format.h>

#include "app/capture/filter/host_filters.h"
#include "app/capture/source/source_kinds.h"
#include "app/session/session.h"
#include "bench/app/discard_tracks.h"
#include "bench/report.h"
#include "config/error.h"

namespace glint::bench {
namespace {

/// Frames of a source that are read and forgotten.
uint64_t readAll(const Address& name, gpu::ImageFormat& format) {
  const auto source = capture::openSource(name);
  format = source->format();
  const size_t pitch = size_t{format.width} * format.bytesPerPixel();
  std::vector<std::byte> pixels(pitch * format.height);
  uint64_t frames = 0;
  for (gpu::CameraState state{}; state != gpu::CameraState::ended;
       frames += state == gpu::CameraState::frame)
    state = source->read({format, pixels.data(), pitch}).state;
  return frames;
}

}  // namespace

LoopResult measureLoop(const Address& name, const Settings& settings) {
  LoopResult result{.source = name.shown(), .device = {}, .format = {}, .wallMedians = {}};
  gpu::ImageFormat format;
  readAll(name, format);  // brings the files into memory for both measurements
  result.decodeSeconds = wallTime([&] { result.frames = readAll(name, format); }) / 1e6;
  result.format = format;

  const auto device = std::make_shared<const gpu::Device>(capture::deviceOptions(settings.device));
  result.device = device->info();
  std::vector<std::unique_ptr<capture::Source>> sources;
  sources.push_back(capture::openSource(name));
  session::Session running(device, std::move(sources),
                           {.settings = settings, .open = discardTracks});
  const session::SessionResult& session = running.finish();
  if (!session.failure.empty()) throw Error(session.failure);
  result.loopSeconds = session.seconds;
  for (const auto& [stage, times] : session.wallTimes)
    result.wallMedians[stage] = times.percentile(0.5);
  if (const auto all = session.deviceTimes.find("all"); all != session.deviceTimes.end())
    result.deviceMedian = all->second.percentile(0.5);
  return result;
}

std::string toTable(const LoopResult& r) {
  const auto frames = static_cast<double>(r.frames);
  std::string text = fmt::format(
      "{}: {} frames of {}x{}, {} channel{}, {} bits, on {}\n"
      "decoding alone  {:8.1f} frames/s  {:8.2f} ms a frame\n"
      "whole loop      {:8.1f} frames/s  {:8.2f} ms a frame; decoding is {:.0f} % of it\n"
      "device          {:17} {:8.2f} ms a frame (median)\n",
      r.source, r.frames, r.format.width, r.format.height, r.format.channels,
      r.format.channels == 1 ? "" : "s", r.format.bits, r.device.name, frames / r.decodeSeconds,
      r.decodeSeconds / frames * 1e3, frames / r.loopSeconds, r.loopSeconds / frames * 1e3,
      100 * r.decodeShare(), "", r.deviceMedian / 1e3);
  for (const auto& [stage, median] : r.wallMedians)
    text += fmt::format("{:15} {:17} {:8.2f} ms a frame (median)\n", stage, "", median / 1e3);
  return text;
}

std::string toJson(const LoopResult& r) {
  return toText({{"device", toJson(r.device)},
                 {"source", r.source},
                 {"frames", r.frames},
                 {"width", r.format.width},
                 {"height", r.format.height},
                 {"channels", r.format.channels},
                 {"bits", r.format.bits},
                 {"decode_seconds", r.decodeSeconds},
                 {"loop_seconds", r.loopSeconds},
                 {"decode_share", r.decodeShare()},
                 {"device_us", r.deviceMedian},
                 {"wall_us", r.wallMedians}});
}

}  // namespace glint::bench
