#include "app/capture/source/source_kinds.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/error.h"

namespace glint::capture {

extern const SourceKind kSynthKind, kV4l2Kind, kGigeKind, kUrlKind, kImagesKind, kHighSpeedKind,
    kVideoKind;

namespace {

// The first kind that accepts a text opens it; the last kind accepts any text.
constexpr std::array kKinds{&kSynthKind,  &kV4l2Kind,      &kGigeKind, &kUrlKind,
                            &kImagesKind, &kHighSpeedKind, &kVideoKind};

}  // namespace

std::span<const SourceKind* const> sourceKinds() {
  return kKinds;
}

const SourceKind& sourceKindOf(const std::string& spec) {
  return **std::ranges::find_if(kKinds, [&](const auto* kind) { return kind->accepts(spec); });
}

bool isPathSource(const std::string& spec) {
  using Sort = SourceKind::Sort;
  const Sort sort = sourceKindOf(spec).sort;
  return sort == Sort::file || sort == Sort::pictures || spec.starts_with('/');
}

std::vector<std::string> recordingSuffixes() {
  return {".mp4", ".mkv",  ".avi", ".mov", ".webm", ".m4v",  ".mpg",  ".mpeg", ".ts",
          ".mts", ".wmv",  ".flv", ".y4m", ".ogv",  ".cine", ".mraw", ".seq",  ".png",
          ".tif", ".tiff", ".pgm", ".ppm", ".pnm",  ".jpg",  ".jpeg", ".bmp",  ".webp",
          ".exr", ".jp2",  ".dng", ".pfm", ".fits", ".fit"};
}

std::string sourceHelp(bool live) {
  using Sort = SourceKind::Sort;
  std::vector<std::string> all;
  for (const Sort sort : {Sort::camera, Sort::stream, Sort::file, Sort::pictures, Sort::scene}) {
    if (!live && (sort == Sort::camera || sort == Sort::stream)) continue;
    for (const SourceKind* kind : kKinds)
      if (kind->sort == sort) all.emplace_back(kind->help);
  }
  const std::string last = std::exchange(all.back(), {});
  all.pop_back();
  std::string text = fmt::format("{}, or {}", fmt::join(all, ", "), last);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::unique_ptr<Source> openSource(const Address& address, const Interrupt* interrupt,
                                   const Settings::Camera& request) {
  if (address.empty()) throw UsageError("a source is empty: give a file, a folder or synth:SCENE");
  return sourceKindOf(address.shown()).open(address, interrupt, request);
}

std::string cameraId(const std::string& spec) {
  const SourceKind& kind = sourceKindOf(spec);
  try {
    return kind.id ? kind.id(spec) : "";
  } catch (const Error&) {
    return {};  // the reason is reported when the source is opened
  }
}

std::vector<CameraInfo> listCameras(const std::string& like) {
  const SourceKind& only = sourceKindOf(like);
  std::vector<CameraInfo> all;
  for (const SourceKind* kind : kKinds)
    if (kind->lister && (!only.lister || kind == &only))
      std::ranges::move(kind->lister()(), std::back_inserter(all));
  for (CameraInfo& camera : all)
    if (camera.modes.empty() && camera.holder.empty() && camera.problem.empty())
      inspectCamera(camera);
  return all;
}

void inspectCamera(CameraInfo& camera) {
  if (const auto inspect = sourceKindOf(camera.source).inspect) inspect(camera);
}

std::vector<std::string> inputFiles(std::span<const Address> sources) {
  std::vector<std::string> files;
  for (const Address& address : sources) {
    const std::string& source = address.shown();
    files.push_back(source);
    try {
      if (const auto of = sourceKindOf(source).files)
        std::ranges::move(of(source), std::back_inserter(files));
    } catch (const Error&) {
      // openSource() will report the error.
    }
  }
  return files;
}

void Source::seek(FrameNumber) {
  throw Error("'{}' cannot seek", name());
}

}  // namespace glint::capture
