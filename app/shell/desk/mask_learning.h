// Learns masks from a part of a recording, in the background.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/shell/desk/background_task.h"
#include "config/secrets.h"
#include "config/settings.h"
#include "gpu/mask.h"

namespace glint::shell {

/// The frames from which masks are learned.
struct MaskRequest {
  std::vector<Address> sources;  ///< recordings that can seek, one for each camera
  Settings settings;
  uint64_t first = 0, last = 0;  ///< frames, both included, as far as a camera has them
  double share = 0.5;            ///< share of the frames, see MaskLearner
};

/// A task that learns the masks that `glint mask` would learn from these frames, with the current
/// settings except their mask. Opens each camera's recording again, and reads frames `first` to
/// `last`.
class MaskLearning : public BackgroundTask {
 public:
  /// `changed` is called with every frame that was read: see BackgroundTask.
  explicit MaskLearning(MaskRequest request, std::function<void()> changed = {});
  ~MaskLearning() { end(); }

  /// Returns a mask for each camera, of the size of its frames. Empty before the work is done.
  std::vector<gpu::LayerMask> masks() const;

 private:
  gpu::LayerMask learn(const Address& address);

  const MaskRequest request_;
  std::vector<gpu::LayerMask> masks_;
};

}  // namespace glint::shell
