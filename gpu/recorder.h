// Takes one frame's passes and runs them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/kernel.h"
#include "gpu/recording.h"
#include "gpu/timeline.h"

namespace glint::gpu {

/// Invocations along x, y and z; rounded up to whole workgroups.
struct Extent {
  uint32_t x = 1, y = 1, z = 1;
};

/// How long the device spent on one pass.
struct PassTime {
  bool operator==(const PassTime&) const = default;

  std::string name;
  double microseconds = 0;
};

/// begin(), then passes in the order in which they shall take effect, then submit() and wait().
/// A pass that touches what an earlier one wrote waits for it; what each pass reads and writes is
/// known from its kernel's reflection. What is as it was for one of the last frames is not recorded
/// again, which takes 20 us. One thread, one recording in flight. One that an exception broke off
/// is dropped by the next begin().
class Recorder {
 public:
  explicit Recorder(const Device& device, Timing timing = Timing::passes);
  ~Recorder();  // waits for what is in flight
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Waits for the recording before. Throws DeviceLost.
  void begin();

  /// Whether times are taken of the recordings that begin from now on: yes at first.
  void setTimed(bool timed) { timed_ = timed; }

  /// Whether the passes that follow have kernels which wait by themselves for those before them
  /// (see shaders/await.glsl): then no barrier is set for them. No at first.
  void setBeside(bool beside) { beside_ = beside; }

  /// One dispatch of `kernel`, whose bindings 0, 1, 2 ... are `buffers`.
  template <class Params>
  void run(const Kernel& kernel, std::initializer_list<const Buffer*> buffers, const Params& params,
           Extent invocations) {
    static_assert(std::is_trivially_copyable_v<Params>);
    runBytes(kernel, buffers, std::as_bytes(std::span(&params, 1)), invocations);
  }

  /// The same ahead of the upload, which it does not delay: with that it is timed.
  template <class Params>
  void runAhead(const Kernel& kernel, std::span<const Buffer* const> buffers, const Params& params,
                Extent invocations) {
    ahead_ = true;
    run(kernel, buffers, std::as_bytes(std::span(&params, 1)), invocations);
    ahead_ = false;
  }

  /// The same with parameters as bytes.
  void run(const Kernel& kernel, std::span<const Buffer* const> buffers,
           std::span<const std::byte> params, Extent invocations) {
    runBytes(kernel, buffers, params, invocations);
  }

  /// The same with as many workgroups along x, y and z as the first three words of `groups` say,
  /// which earlier passes may have written. Waits for them all.
  template <class Params>
  void runCounted(const Kernel& kernel, std::span<const Buffer* const> buffers,
                  const Params& params, const Buffer& groups) {
    static_assert(std::is_trivially_copyable_v<Params>);
    addRun(kernel, buffers, std::as_bytes(std::span(&params, 1))).counted.emplace(groups);
  }

  /// Sets every byte of `buffer` to zero.
  void clear(const Buffer& buffer);

  /// Copies `bytes` from the start of one buffer to the start of another. As the pass kUpload it is
  /// timed apart.
  void copy(const Buffer& from, const Buffer& to, size_t bytes, const std::string& name = "copy");

  /// Copies parts of a buffer, likewise.
  using Part = CopyPart;
  void copyParts(const Buffer& from, const Buffer& to, std::span<const Part> parts,
                 const std::string& name = "copy");

  /// What others can wait for on the device: it reaches nextValue() when what is being recorded is
  /// done.
  std::shared_ptr<const Timeline> timeline() const { return timeline_; }
  uint64_t nextValue() const { return submitted_ + 1; }

  /// Throws DeviceLost; then nothing was submitted.
  void submit();

  /// Blocks until the submitted recording is done; with `spin` without sleeping, which ends sooner
  /// and keeps a processor busy. Otherwise it sleeps only once a GPU takes longer than usual, or
  /// half a millisecond: being woken takes longer than many frames. Throws DeviceLost.
  void wait(bool spin = false);

  /// Times of the passes of the last recording that was waited for, or of its "upload" and its
  /// "detection"; empty if none were taken, or on a device without time stamps.
  const std::vector<PassTime>& times() const { return times_; }

  /// How many were recorded, and not done once more as they were.
  size_t recordings() const { return recordings_; }

 private:
  using Clock = Timeline::Clock;
  DevicePass& addRun(const Kernel& kernel, std::span<const Buffer* const> buffers,
                     std::span<const std::byte> params);
  void runBytes(const Kernel& kernel, std::span<const Buffer* const> buffers,
                std::span<const std::byte> params, Extent invocations);
  DevicePass& add(DevicePass pass);
  const Recording& recorded();
  void record(Recording& into, bool once);
  void readTimes();

  const Device& device_;
  vk::raii::CommandPool commandPool_;
  vk::raii::QueryPool queries_ = nullptr;
  std::vector<std::unique_ptr<Recording>> kept_;  // the latest first
  std::unique_ptr<Recording> single_;             // of what is not asked for again
  std::shared_ptr<const Timeline> timeline_;
  uint64_t submitted_ = 0;
  size_t recordings_ = 0;
  Clock::time_point submittedAt_;
  Clock::duration usual_{};  // from a submission to its end, if it was waited for; lately

  std::vector<DevicePass> passes_;
  Timing timing_;
  bool ahead_ = false;
  bool beside_ = false;
  bool timed_ = true, stamps_ = false;  // the next recordings; the one that began last
  std::vector<std::string> submittedMarks_;
  std::vector<PassTime> times_;
};

}  // namespace glint::gpu
