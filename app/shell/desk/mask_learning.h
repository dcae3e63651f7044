// Learns masks from a stretch of a recording, in the background.
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

struct MaskRequest {
  std::vector<Address> sources;  ///< recordings that can seek, a camera each
  Settings settings;
  uint64_t first = 0, last = 0;  ///< frames, both counted, as far as a camera has them
  double share = 0.5;            ///< of the frames, see MaskLearner
};

/// The mask that `glint mask` would learn from these frames, with the current settings except their
/// mask. Opens each camera's recording again and reads frames `first` to `last`.
class MaskLearning : public BackgroundTask {
 public:
  /// `changed`: see BackgroundTask; with every frame that was read.
  explicit MaskLearning(MaskRequest request, std::function<void()> changed = {});
  ~MaskLearning() { end(); }

  /// One a camera, of its frames' size; empty before it is done.
  std::vector<gpu::LayerMask> masks() const;

 private:
  gpu::LayerMask learn(const Address& address);

  const MaskRequest request_;
  std::vector<gpu::LayerMask> masks_;
};

}  // namespace glint::shell
