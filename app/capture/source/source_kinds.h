// Every kind of source: how each is recognised, opened and listed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/capture/source/source.h"
#include "config/secrets.h"

namespace glint::capture {

/// One kind. Each is defined in the file of its source; the table in source_kinds.cpp lists them.
struct SourceKind {
  enum class Sort { camera, stream, file, pictures, scene } sort;
  const char* help;  ///< what it is and how it is written: "camera (camera:0)"
  bool (*accepts)(const std::string& spec);
  /// See openSource().
  std::unique_ptr<Source> (*open)(const Address& address, const Interrupt* interrupt,
                                  const Settings::Camera& request);
  /// The id() of the camera that it would open. Throws Error. Null: it has none.
  std::string (*id)(const std::string& spec) = nullptr;
  /// Null: there is nothing to list.
  CameraLister (*lister)() = nullptr;
  /// Opens a camera that was listed, and adds what it offers, or the problem.
  void (*look)(CameraInfo& camera) = nullptr;
  /// The files that it would read, where those are not just `spec`; throws Error.
  std::vector<std::string> (*files)(const std::string& spec) = nullptr;
  bool network = false;  ///< to list takes a second or two, the time that cameras have to answer
};

/// Each kind once.
std::span<const SourceKind* const> sourceKinds();

/// Of any text.
const SourceKind& sourceKindOf(const std::string& spec);

/// Whether `spec` is a path, so that it can be missing: not `camera:0`, a URL or `synth:...`.
bool isPathSource(const std::string& spec);

/// The suffixes of recordings that can be opened: of videos and of images.
std::vector<std::string> recordingSuffixes();

/// All that a source can be, or all but what is live: "Video file, ... or synth:SCENE".
std::string sourceHelp(bool live);

/// Opens a source from what the user wrote: a video file, a folder of images, a printf pattern
/// ("shot_%04d.png"), "synth:SCENE?key=value&...", the address of a stream, or a camera
/// ("camera:0", "/dev/video0"), which is asked for `request`. Throws Error (missing file, no video,
/// empty folder) or UsageError (a text that cannot be a source) with one sentence that names it.
/// `interrupt`, which must live as long as the source, ends whatever hangs: opening throws
/// Interrupted, read() returns `none`.
std::unique_ptr<Source> openSource(const Address& address, const Interrupt* interrupt = nullptr,
                                   const Settings::Camera& request = {});

/// The id() of the camera that openSource() would open for `spec`; empty where it is none, or
/// cannot be asked.
std::string cameraId(const std::string& spec);

/// The cameras that there are, with what those offer that nobody uses; `like`: only those of its
/// kind, where that lists any.
std::vector<CameraInfo> listCameras(const std::string& like);

/// Opens it, and adds what it offers, or the problem.
void lookAt(CameraInfo& camera);

/// The files that openSource() would read for each of `sources`, so that no output overwrites one:
/// of a folder or a pattern all its images. What does not exist or is no file (a URL, a camera, a
/// scene) has none. Throws nothing for sources that cannot be opened.
std::vector<std::string> inputFiles(std::span<const Address> sources);

}  // namespace glint::capture
