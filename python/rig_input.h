// Reads the cameras and bodies with which points in space are computed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace glint::motion {
class SpaceRig;
struct Body;
}  // namespace glint::motion

namespace glint::python {

/// Cameras and bodies as a program gives them.
struct RigInput {
  std::string rig;              ///< text of a rig.toml; empty: none
  std::vector<size_t> cameras;  ///< cameras of the rig in the sources' order; empty: all of them
  std::string bodies;           ///< text of a bodies.toml; empty: no bodies are searched for
};

/// Returns the rig. Throws UsageError for cameras that the rig lacks or that are named twice, for
/// lengths that are not in mm, and for fewer than two cameras; Error if the text is not a rig.
std::shared_ptr<const motion::SpaceRig> rigOf(const RigInput& input);

/// Returns the bodies; null if `input` has none. Throws Error if the text does not describe bodies.
std::shared_ptr<const std::vector<motion::Body>> bodiesOf(const RigInput& input);

}  // namespace glint::python
