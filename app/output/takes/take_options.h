// How points and bodies are written, where the format of the file leaves a choice.
#pragma once

#include <optional>

namespace glint::output {

/// The axis of the world that points up. Glint's own files have z.
enum class UpAxis { y, z };

struct TakeOptions {
  std::optional<UpAxis> up = {};    ///< empty: as it was measured or read
  std::optional<bool> metres = {};  ///< lengths in m; empty: in mm
  /// True if the markers of a run are named by the numbers of their points, also where they are
  /// known as markers of bodies.
  bool numbered = false;
};

}  // namespace glint::output
