// Writes video files of many kinds with libav itself.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace glint::test {

/// A description of a video file.
struct Clip {
  std::string encoder = "libx264";
  std::map<std::string, std::string> encoderOptions = {};
  /// The name that libav has for the container. If it is empty, the suffix decides.
  std::string container = {};
  std::map<std::string, std::string> containerOptions = {};
  int frames = 120;
  int keyInterval = 250;
  int bFrames = 0;
  bool grey = false;         ///< True: grey pixels. False: yuv420p.
  bool unevenTimes = false;  ///< True if the frame rate varies.
  bool sound = false;        ///< True if there is a second stream of silence.
  bool namesItself = false;  ///< True if libav writes its own name into the file.
};

/// Returns true if this libav has the encoder.
bool canEncode(const std::string& encoder);

/// Writes 64 x 48 pixels of a drifting wave with noise, at 30 frames per second. Equal clips give
/// equal pictures. Throws std::runtime_error with libav's reason.
void writeClip(const std::string& path, const Clip& clip);

/// Returns the bytes of a file.
std::string load(const std::string& path);

}  // namespace glint::test
