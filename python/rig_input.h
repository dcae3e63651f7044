// What points in space are computed with, as a program gives it.
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

struct RigInput {
  std::string rig;              ///< the text of a rig.toml; empty: none
  std::vector<size_t> cameras;  ///< of it; empty: all, in their order
  std::string bodies;           ///< the text of a bodies.toml; empty: none are sought
};

/// Throws UsageError for cameras that it lacks, lengths that are not mm, or one camera alone; Error
/// for a text that is none.
std::shared_ptr<const motion::SpaceRig> rigOf(const RigInput& input);

/// Null where none are sought. Throws Error for a text that is none.
std::shared_ptr<const std::vector<motion::Body>> bodiesOf(const RigInput& input);

}  // namespace glint::python
