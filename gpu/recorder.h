// Records the passes of one frame and runs them.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/job_thread.h"
#include "gpu/kernel.h"
#include "gpu/recording.h"
#include "gpu/timeline.h"

namespace glint::gpu {

/// The number of invocations along x, y and z. It is rounded up to whole workgroups.
struct Extent {
  uint32_t x = 1, y = 1, z = 1;
};

/// The time that the device spent on one pass.
struct PassTime {
  bool operator==(const PassTime&) const = default;

  std::string name;
  double microseconds = 0;
};

/// Records passes and runs them on the device. Call begin(), then the passes in the order in which
/// they take effect, then submit() and wait(). Barriers are set where a pass uses a buffer that an
/// earlier pass has written. The buffers that a pass reads and writes are known from its kernel. If
/// all passes are the same as in one of the last recordings, its command buffer is submitted again,
/// which saves 20 us. Only one thread may use a recorder, and only one recording is in flight. If
/// an exception interrupts a recording, the next begin() drops it.
class Recorder {
 public:
  explicit Recorder(const Device& device, Timing timing = Timing::passes);
  ~Recorder();  // waits for the recording in flight
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Waits for the previous recording and begins a new one. Throws DeviceLost.
  void begin();

  /// Sets if times are taken for the recordings that begin from now on. They are by default.
  void setTimed(bool timed) { timed_ = timed; }

  /// Sets if the kernels of the following passes wait for earlier ones by themselves (see
  /// shaders/await.glsl), so that they need no barrier. begin() sets this to false.
  void setBeside(bool beside) { beside_ = beside; }

  /// Records one dispatch of `kernel`, whose bindings 0, 1, 2 ... are `buffers`.
  template <class Params>
  void run(const Kernel& kernel, std::initializer_list<const Buffer*> buffers, const Params& params,
           Extent invocations) {
    static_assert(std::is_trivially_copyable_v<Params>);
    runBytes(kernel, buffers, std::as_bytes(std::span(&params, 1)), invocations);
  }

  /// Records a dispatch before the upload, which does not wait for it. Its time is counted as part
  /// of the upload's.
  template <class Params>
  void runAhead(const Kernel& kernel, std::span<const Buffer* const> buffers, const Params& params,
                Extent invocations) {
    ahead_ = true;
    run(kernel, buffers, std::as_bytes(std::span(&params, 1)), invocations);
    ahead_ = false;
  }

  /// Records a dispatch with parameters given as bytes.
  void run(const Kernel& kernel, std::span<const Buffer* const> buffers,
           std::span<const std::byte> params, Extent invocations) {
    runBytes(kernel, buffers, params, invocations);
  }

  /// Records a dispatch whose number of workgroups along x, y and z is in the first three words of
  /// `groups`, which earlier passes may write. The pass waits for all earlier passes.
  template <class Params>
  void runCounted(const Kernel& kernel, std::span<const Buffer* const> buffers,
                  const Params& params, const Buffer& groups) {
    static_assert(std::is_trivially_copyable_v<Params>);
    addRun(kernel, buffers, std::as_bytes(std::span(&params, 1))).counted.emplace(groups);
  }

  /// Records a pass that sets every byte of `buffer` to zero.
  void clear(const Buffer& buffer);

  /// Records a copy of `bytes` from the start of one buffer to the start of another. A copy with
  /// the name kUpload has a time of its own, even with Timing::whole.
  void copy(const Buffer& from, const Buffer& to, size_t bytes, const std::string& name = "copy");

  /// Records a copy of parts of a buffer.
  using Part = CopyPart;
  void copyParts(const Buffer& from, const Buffer& to, std::span<const Part> parts,
                 const std::string& name = "copy");

  /// Records work of the host. It begins when all earlier passes are done, on another thread, and
  /// the later passes wait for it. It reads and writes buffers as Buffer::mapped() shows them. It
  /// costs a wait for the device, so it pays only on CPUs. wait() throws what `work` throws, and
  /// then the later passes have not run.
  void runOnHost(const std::string& name, std::function<void()> work);

  /// Returns a timeline for which others can wait on the device. It reaches nextValue() when the
  /// present recording is done.
  std::shared_ptr<const Timeline> timeline() const { return timeline_; }
  uint64_t nextValue() const { return submitted_ + 1; }

  /// Submits the recording. Throws DeviceLost, and nothing is submitted then.
  void submit();

  /// Blocks until the submitted recording is done. With `spin`, it never sleeps, which reacts
  /// sooner but keeps a processor busy. Otherwise it sleeps at once on a CPU. On a GPU it first
  /// spins for twice the usual time, and at most half a millisecond, because waking up takes longer
  /// than many frames. Throws DeviceLost.
  void wait(bool spin = false);

  /// Returns the times of the passes of the last recording that was waited for. With Timing::whole
  /// these are "upload" and "detection". The list is empty if no times were taken, or if the device
  /// has no time stamps.
  const std::vector<PassTime>& times() const { return times_; }

  /// Returns how many command buffers were recorded, without those that were submitted again.
  size_t recordings() const { return recordings_; }

 private:
  using Clock = Timeline::Clock;

  /// Work of the host, before the pass with the index `before`.
  struct HostPass {
    size_t before;
    std::string name;
    std::function<void()> work;
  };

  DevicePass& addRun(const Kernel& kernel, std::span<const Buffer* const> buffers,
                     std::span<const std::byte> params);
  void runBytes(const Kernel& kernel, std::span<const Buffer* const> buffers,
                std::span<const std::byte> params, Extent invocations);
  DevicePass& add(DevicePass pass);
  const Recording& recorded(std::span<const DevicePass> passes);
  void record(std::span<const DevicePass> passes, Recording& into, bool once);
  void runInTurn();
  void runPart(std::span<const DevicePass> passes);
  std::vector<PassTime> readTimes(const std::vector<std::string>& marks) const;
  void addTimes(const std::vector<PassTime>& more);

  const Device& device_;
  vk::raii::CommandPool commandPool_;
  vk::raii::QueryPool queries_ = nullptr;
  std::vector<std::unique_ptr<Recording>> kept_;  // recordings that may be used again, latest first
  std::unique_ptr<Recording> single_;             // a recording that is not used again
  std::shared_ptr<const Timeline> timeline_;
  uint64_t submitted_ = 0;  // number of submissions, and value of the timeline after the last one
  size_t recordings_ = 0;
  Clock::time_point submittedAt_;
  Clock::duration usual_{};  // recent mean time from a submission to its end, if it was waited for

  std::vector<DevicePass> passes_;
  std::vector<HostPass> hostPasses_;
  Timing timing_;
  bool ahead_ = false;
  bool beside_ = false;
  bool timed_ = true, stamps_ = false;  // takes times: in the next recordings; in the present one
  std::vector<std::string> submittedMarks_;
  std::vector<PassTime> times_;

  // For recordings with work of the host: the timeline of their parts, and the last value that was
  // asked of it. Made when they are first needed.
  std::unique_ptr<const Timeline> parts_;
  uint64_t part_ = 0;
  std::unique_ptr<JobThread> thread_;  // destroyed first, because its job uses the other members
};

}  // namespace glint::gpu
