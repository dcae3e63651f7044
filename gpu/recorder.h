// Records one frame's passes and runs them. All barriers, labels and time stamps are set here.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <variant>
#include <vector>

#include "gpu/buffer.h"
#include "gpu/kernel.h"

namespace glint {

/// Invocations along x, y and z; rounded up to whole workgroups.
struct Extent {
  uint32_t x = 1, y = 1, z = 1;
};

/// How long the device spent on one pass.
struct PassTime {
  std::string name;
  double microseconds = 0;
};

/// Which times are taken: of every pass, only of the upload and of all the rest as one, or none. A time
/// stamp between two passes keeps them apart, which costs about a microsecond each on a fast
/// device, and on llvmpipe, whose threads all have to meet there, 30.
enum class Timing { passes, whole, none };

inline const std::string kUpload = "upload";

/// A semaphore whose value grows with what the device has done. Keeps the Vulkan device alive.
struct Timeline {
  explicit Timeline(const Device& device);
  std::shared_ptr<const void> device;  // first: outlives the semaphore
  vk::raii::Semaphore semaphore;
};

/// begin(), then passes in the order in which they shall take effect, then submit() and wait().
/// A pass that touches what an earlier one wrote waits for it; what each pass reads and writes is
/// known from its kernel's reflection. One thread, one recording in flight. A recording that broke
/// off by an exception is dropped by the next begin().
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

  /// One dispatch of `kernel`, whose bindings 0, 1, 2 ... are `buffers`.
  template <class Params>
  void run(const Kernel& kernel, std::initializer_list<const Buffer*> buffers, const Params& params,
           Extent invocations) {
    static_assert(std::is_trivially_copyable_v<Params>);
    runBytes(kernel, buffers, std::as_bytes(std::span(&params, 1)), invocations);
  }

  /// The same ahead of the upload, which it does not delay: with that it is timed.
  template <class Params>
  void runAhead(const Kernel& kernel, std::initializer_list<const Buffer*> buffers,
                const Params& params, Extent invocations) {
    ahead_ = true;
    run(kernel, buffers, params, invocations);
    ahead_ = false;
  }

  /// The same with parameters as bytes.
  void run(const Kernel& kernel, std::span<const Buffer* const> buffers,
           std::span<const std::byte> params, Extent invocations) {
    runBytes(kernel, buffers, params, invocations);
  }

  /// The same with as many workgroups along x, y and z as the first three words of `groups` say, which
  /// earlier passes may have written. Waits for them all.
  template <class Params>
  void runCounted(const Kernel& kernel, std::initializer_list<const Buffer*> buffers,
                  const Params& params, const Buffer& groups) {
    static_assert(std::is_trivially_copyable_v<Params>);
    runBytes(kernel, buffers, std::as_bytes(std::span(&params, 1)), groups);
  }

  /// Sets every byte of `buffer` to zero.
  void clear(const Buffer& buffer);

  /// Copies `bytes` from the start of one buffer to the start of another. As the pass kUpload it is
  /// timed apart.
  void copy(const Buffer& from, const Buffer& to, size_t bytes, const std::string& name = "copy");

  /// Copies parts of a buffer, likewise.
  struct Part {
    size_t from = 0, to = 0, bytes = 0;
  };
  void copyParts(const Buffer& from, const Buffer& to, std::span<const Part> parts,
                 const std::string& name = "copy");

  /// What others can wait for on the device: it reaches nextValue() when what is being recorded is
  /// done.
  std::shared_ptr<const Timeline> timeline() const { return timeline_; }
  uint64_t nextValue() const { return submitted_ + 1; }

  /// Throws DeviceLost; then nothing was submitted.
  void submit();

  /// Blocks until the submitted recording is done; with `spin` without sleeping, which ends sooner
  /// and keeps a processor busy. Otherwise it sleeps only once a GPU takes longer than usual, or half a
  /// millisecond: being woken takes longer than many frames. Throws DeviceLost.
  void wait(bool spin = false);

  /// Times of the passes of the last recording that was waited for, or of its "upload" and its
  /// "detection"; empty if none were taken, or on a device without time stamps.
  const std::vector<PassTime>& times() const { return times_; }

 private:
  using Work = std::variant<Extent, std::reference_wrapper<const Buffer>>;  // invocations, or where groups are told
  void runBytes(const Kernel& kernel, std::span<const Buffer* const> buffers,
                std::span<const std::byte> params, const Work& work);
  vk::DescriptorSet bind(const Kernel& kernel, std::span<const Buffer* const> buffers);
  struct Use {
    VkBuffer buffer;
    bool reads, writes;
  };
  void use(std::span<const Use> uses);
  void barrier(vk::PipelineStageFlags also = {}, vk::AccessFlags access = {});
  void beginPass(const std::string& name);
  void endPass();
  void runPassAlone();
  using Clock = std::chrono::steady_clock;
  void waitFor(const Timeline& timeline, uint64_t value, Clock::time_point spinUntil = {}) const;
  void mark(const std::string& name);
  void readTimes();

  const Device& device_;
  vk::raii::CommandPool commandPool_;
  vk::raii::CommandBuffer commands_ = nullptr;
  vk::raii::DescriptorPool descriptors_ = nullptr;
  vk::raii::QueryPool queries_ = nullptr;
  std::shared_ptr<const Timeline> timeline_;
  uint64_t submitted_ = 0;
  Clock::time_point submittedAt_;
  Clock::duration usual_{};  // from a submission to its end, if it was waited for; lately
  bool recording_ = false;

  std::unordered_set<VkBuffer> read_, written_;  // since the last barrier
  Timing timing_;
  bool ahead_ = false;                  // the pass needs no time stamp of its own
  bool timed_ = true, stamps_ = false;  // the next recordings; the one that began last
  size_t passes_ = 0;
  std::string pass_;                // the last one
  std::vector<std::string> marks_;  // what ends at each time stamp after the first
  std::vector<std::string> submittedMarks_;
  std::vector<PassTime> times_;
};

}  // namespace glint
