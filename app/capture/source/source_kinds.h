// Recognises, opens and lists every kind of source.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/capture/source/source.h"
#include "config/secrets.h"

namespace glint::capture {

/// One kind of source. Each is defined in the file of its sources; the table in source_kinds.cpp
/// lists all kinds.
struct SourceKind {
  enum class Sort { camera, stream, file, pictures, scene } sort;
  const char* help;  ///< its name, and the form of its texts: "camera (camera:0)"
  /// Returns true if `spec` is a source of this kind.
  bool (*accepts)(const std::string& spec);
  /// See openSource().
  std::unique_ptr<Source> (*open)(const Address& address, const Interrupt* interrupt,
                                  const Settings::Camera& request);
  /// Returns the id() of the camera that would be opened. Throws Error. Null: the kind has no ids.
  std::string (*id)(const std::string& spec) = nullptr;
  /// Returns a function that lists cameras. Null: the kind lists none.
  CameraLister (*lister)() = nullptr;
  /// Opens a listed camera, and adds its modes and controls; or the problem if that fails.
  void (*inspect)(CameraInfo& camera) = nullptr;
  /// Returns the files that would be read; throws Error. Null: only `spec` itself.
  std::vector<std::string> (*files)(const std::string& spec) = nullptr;
  bool network = false;  ///< true if listing takes a second or two, while cameras may answer
};

/// Returns each kind once.
std::span<const SourceKind* const> sourceKinds();

/// Returns the kind of a source; every text has one.
const SourceKind& sourceKindOf(const std::string& spec);

/// Returns true if `spec` is a path, which may not exist, and not `camera:0`, a URL or `synth:...`.
bool isPathSource(const std::string& spec);

/// Returns the suffixes of recordings that can be opened: of videos and of images.
std::vector<std::string> recordingSuffixes();

/// Returns a text that lists all kinds of sources, or only those that are not live: "Video file,
/// ... or synth:SCENE".
std::string sourceHelp(bool live);

/// Opens the source that the user named: a video file, a folder of images, a printf pattern
/// ("shot_%04d.png"), "synth:SCENE?key=value&...", the address of a stream, or a camera
/// ("camera:0", "/dev/video0"), which is asked for `request`. Throws Error (missing file, no video,
/// empty folder) or UsageError (a text that cannot be a source) with one sentence that names it.
/// `interrupt`, which must live as long as the source, ends whatever hangs: opening throws
/// Interrupted, read() returns `none`.
std::unique_ptr<Source> openSource(const Address& address, const Interrupt* interrupt = nullptr,
                                   const Settings::Camera& request = {});

/// Returns the id() of the camera that openSource() would open; empty if it is not a camera, or
/// does not answer.
std::string cameraId(const std::string& spec);

/// Returns the cameras of the machine, with the modes and controls of those that no program uses.
/// `like`: a source; if its kind lists cameras, only those of this kind are returned.
std::vector<CameraInfo> listCameras(const std::string& like);

/// Opens a camera, and adds its modes and controls; or the problem if that fails.
void inspectCamera(CameraInfo& camera);

/// The files that openSource() would read for each of `sources`, so that no output overwrites one:
/// of a folder or a pattern all its images. What does not exist or is no file (a URL, a camera, a
/// scene) has none. Throws nothing for sources that cannot be opened.
std::vector<std::string> inputFiles(std::span<const Address> sources);

}  // namespace glint::capture
