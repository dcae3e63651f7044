// Learns masks from a stretch of a recording, in the background.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/capture/interrupt.h"
#include "config/settings.h"
#include "gpu/mask.h"

namespace glint {

struct MaskLearningWish {
  std::vector<std::string> sources;  ///< recordings that can seek, a camera each
  Settings settings;
  uint64_t first = 0, last = 0;  ///< frames, both counted, as far as a camera has them
  double share = 0.5;            ///< of the frames, see MaskLearner
};

/// What `glint mask` would learn of these frames, with the settings that are in force, their mask
/// apart: each camera's recording is opened once more and read from frame `first` to `last`.
class MaskLearning {
 public:
  /// Begins on a thread of its own. `changed` is called there with every frame that was read and at
  /// the end; must not wait; may be empty.
  explicit MaskLearning(MaskLearningWish wish, std::function<void()> changed = {});
  ~MaskLearning();  // cancels and waits
  MaskLearning(const MaskLearning&) = delete;
  MaskLearning& operator=(const MaskLearning&) = delete;

  void cancel() { interrupt_.set(); }

  struct Progress {
    enum class State { running, done, cancelled, failed } state = State::running;
    uint64_t frames = 0, total = 0;  ///< read, of all cameras; to be read
    std::string problem;             ///< one sentence, or empty
  };
  Progress progress() const;  ///< any thread
  void wait();                ///< until it is no longer running; one thread

  /// One a camera, of its frames' size; empty before it is done.
  std::vector<LayerMask> masks() const;

 private:
  void work();
  LayerMask learn(const std::string& source);
  void set(const std::function<void(Progress&)>& change);

  const MaskLearningWish wish_;
  const std::function<void()> changed_;
  Interrupt interrupt_;
  mutable std::mutex mutex_;
  Progress progress_;
  std::vector<LayerMask> masks_;
  std::thread thread_;
};

}  // namespace glint
