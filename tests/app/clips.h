// Video files of all kinds, written with libav itself.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace glint::test {

struct Clip {
  std::string encoder = "libx264";
  std::map<std::string, std::string> encoderOptions = {};
  std::string container = {};  ///< libav's name; empty: by the suffix
  std::map<std::string, std::string> containerOptions = {};
  int frames = 120;
  int keyInterval = 250;
  int bFrames = 0;
  bool grey = false;         ///< gray rather than yuv420p
  bool unevenTimes = false;  ///< a rate that varies
  bool sound = false;        ///< a second stream, of silence
  bool namesItself = false;  ///< libav's name stands in the file
};

/// Whether this libav has the encoder.
bool canEncode(const std::string& encoder);

/// 64 x 48 pixels of a wave that drifts, with noise, at 30 frames a second. The same each time.
/// Throws std::runtime_error with libav's reason.
void writeClip(const std::string& path, const Clip& clip);

/// The bytes of a file.
std::string load(const std::string& path);

}  // namespace glint::test
