#include "gpu/recorder.h"

#include <algorithm>
#include <array>

#include "config/error.h"
#include "gpu/ticks.h"

namespace glint::gpu {
namespace {

constexpr uint32_t kMaxPasses = 1024;  // most passes of one recording
// Most passes of a recording that is kept, and most recordings that are kept. This suffices for
// several frame slots, each with two lists of passes.
constexpr uint32_t kKeptPasses = 32;
constexpr size_t kKept = 16;
constexpr std::chrono::microseconds kMostSpin(500);  // see wait()

uint32_t groups(uint32_t invocations, uint32_t local) {
  return (invocations + local - 1) / local;
}

}  // namespace

Recorder::Recorder(const Device& device, Timing timing)
    : device_(device),
      commandPool_(
          device.handle(),
          vk::CommandPoolCreateInfo{.flags = vk::CommandPoolCreateFlagBits::eResetCommandBuffer,
                                    .queueFamilyIndex = device.queueFamily()}),
      timing_(timing) {
  if (device.timestampBits() != 0 && timing != Timing::none) {
    queries_ = {device.handle(), vk::QueryPoolCreateInfo{.queryType = vk::QueryType::eTimestamp,
                                                         .queryCount = kMaxPasses + 2}};
  }
  timeline_ = std::make_shared<const Timeline>(device);
}

Recorder::~Recorder() {
  try {
    wait();
  } catch (const std::exception&) {
    // The device is lost, so nothing is in flight any more.
  }
}

void Recorder::begin() {
  wait();
  ahead_ = beside_ = false;
  passes_.clear();
  hostPasses_.clear();
  stamps_ = timed_ && *queries_;
}

DevicePass& Recorder::add(DevicePass pass) {
  if (passes_.size() == kMaxPasses)
    throw Error("a recording has more than " + std::to_string(kMaxPasses) + " passes");
  return passes_.emplace_back(std::move(pass));
}

DevicePass& Recorder::addRun(const Kernel& kernel, std::span<const Buffer* const> buffers,
                             std::span<const std::byte> params) {
  if (buffers.size() != kernel.bindings().size() || params.size() != kernel.pushBytes()) {
    throw Error("kernel '" + kernel.name() + "' takes " + std::to_string(kernel.bindings().size()) +
                " buffers and " + std::to_string(kernel.pushBytes()) +
                " bytes of parameters, not " + std::to_string(buffers.size()) + " and " +
                std::to_string(params.size()));
  }
  DevicePass pass;
  pass.kernel = &kernel;
  pass.kernelNumber = kernel.number();
  pass.ahead = ahead_;
  pass.beside = beside_;
  pass.buffers.reserve(buffers.size());
  for (const Buffer* buffer : buffers) pass.buffers.emplace_back(*buffer);
  pass.params.assign(params.begin(), params.end());
  return add(std::move(pass));
}

void Recorder::runBytes(const Kernel& kernel, std::span<const Buffer* const> buffers,
                        std::span<const std::byte> params, Extent invocations) {
  const auto& local = kernel.localSize();
  const auto& [x, y, z] = invocations;
  addRun(kernel, buffers, params).groups = {groups(x, local[0]), groups(y, local[1]),
                                            groups(z, local[2])};
}

void Recorder::runOnHost(const std::string& name, std::function<void()> work) {
  hostPasses_.push_back({passes_.size(), name, std::move(work)});
}

void Recorder::clear(const Buffer& buffer) {
  DevicePass pass;
  pass.buffers = {buffer};
  pass.parts = {{.bytes = buffer.size()}};
  pass.copied = "clear";
  add(std::move(pass));
}

void Recorder::copy(const Buffer& from, const Buffer& to, size_t bytes, const std::string& name) {
  copyParts(from, to, std::array{Part{.bytes = bytes}}, name);
}

void Recorder::copyParts(const Buffer& from, const Buffer& to, std::span<const Part> parts,
                         const std::string& name) {
  if (parts.empty()) return;
  DevicePass pass;
  pass.buffers = {from, to};
  pass.parts.assign(parts.begin(), parts.end());
  pass.copied = name;
  add(std::move(pass));
}

/// Returns a recording of the passes: a kept one if there is one, otherwise a new one.
const Recording& Recorder::recorded(std::span<const DevicePass> passes) {
  const bool alone = device_.guards() != nullptr && device_.guards()->everyPass();
  // holdFence() uses another time stamp in each recording, so such a recording cannot be used
  // again.
  const bool held = stamps_ && device_.info().type == "cpu";
  if (alone || held || passes.size() > kKeptPasses) {
    if (!single_) single_ = std::make_unique<Recording>(device_, commandPool_, kMaxPasses);
    record(passes, *single_, true);
    return *single_;
  }
  auto found =
      std::ranges::find_if(kept_, [&](const auto& r) { return r->holds(passes, stamps_); });
  const bool again = found != kept_.end();
  if (!again && kept_.size() < kKept)
    kept_.push_back(std::make_unique<Recording>(device_, commandPool_, kKeptPasses));
  if (!again) found = kept_.end() - 1;
  std::rotate(kept_.begin(), found, found + 1);
  if (!again) record(passes, *kept_.front(), false);
  return *kept_.front();
}

void Recorder::record(std::span<const DevicePass> passes, Recording& into, bool once) {
  into.record(passes, timing_, stamps_ ? *queries_ : vk::QueryPool(), once);
  ++recordings_;
}

void Recorder::submit() {
  submittedMarks_.clear();
  times_.clear();
  submittedAt_ = Clock::now();
  if (!hostPasses_.empty()) {
    if (!thread_) thread_ = std::make_unique<JobThread>();
    if (!parts_) parts_ = std::make_unique<const Timeline>(device_);
    ++submitted_;
    thread_->start([this] { runInTurn(); });
    return;
  }
  const Recording& recording = recorded(passes_);
  device_.submit(recording.commands(), *timeline_->semaphore, nextValue());
  ++submitted_;
  submittedMarks_ = recording.marks();
}

/// Runs a recording that has work of the host: the device's passes up to that work, then the work,
/// and so on. Called on the thread of thread_.
void Recorder::runInTurn() {
  const std::span<const DevicePass> passes = passes_;
  size_t done = 0;
  try {
    for (const HostPass& pass : hostPasses_) {
      runPart(passes.subspan(done, pass.before - done));
      done = pass.before;
      const auto start = Clock::now();
      pass.work();
      if (!stamps_) continue;
      const std::chrono::duration<double, std::micro> spent = Clock::now() - start;
      addTimes({{timing_ == Timing::whole ? "detection" : pass.name, spent.count()}});
    }
    runPart(passes.subspan(done));
  } catch (...) {
    timeline_->set(device_, submitted_);  // others may be waiting for it
    throw;
  }
  timeline_->set(device_, submitted_);
}

/// Runs passes on the device, waits for them and adds their times.
void Recorder::runPart(std::span<const DevicePass> passes) {
  if (passes.empty()) return;
  const Recording& recording = recorded(passes);
  device_.submit(recording.commands(), *parts_->semaphore, ++part_);
  parts_->wait(device_, part_);
  addTimes(device_.noticeLoss([&] { return readTimes(recording.marks()); }));
}

void Recorder::wait(bool spin) {
  if (thread_) thread_->wait();
  bool waits = false;
  device_.noticeLoss([&] { waits = timeline_->semaphore.getCounterValue() < submitted_; });
  Clock::time_point until{};
  if (spin) {
    until = Clock::time_point::max();
  } else if (device_.info().type != "cpu") {
    until = submittedAt_ + std::min<Clock::duration>(2 * usual_, kMostSpin);
  }
  timeline_->wait(device_, submitted_, until);
  if (waits) usual_ += (Clock::now() - submittedAt_ - usual_) / 8;
  addTimes(device_.noticeLoss([&] { return readTimes(submittedMarks_); }));
  submittedMarks_.clear();
  if (device_.guards() != nullptr) device_.guards()->check();
}

/// Returns the times of the submission that ended last, whose passes have these names.
std::vector<PassTime> Recorder::readTimes(const std::vector<std::string>& marks) const {
  std::vector<PassTime> times;
  if (marks.empty()) return times;
  const size_t count = marks.size() + 1;
  const auto [result, ticks] =
      queries_.getResults<uint64_t>(0, static_cast<uint32_t>(count), count * sizeof(uint64_t),
                                    sizeof(uint64_t), vk::QueryResultFlagBits::e64);
  if (result != vk::Result::eSuccess) return times;
  const double microseconds = static_cast<double>(device_.limits().timestampPeriod) / 1000;
  for (size_t i = 0; i + 1 < count; ++i) {
    const uint64_t spent = ticksBetween(ticks[i], ticks[i + 1], device_.timestampBits());
    times.push_back({marks[i], static_cast<double>(spent) * microseconds});
  }
  return times;
}

/// Adds times to times_. With Timing::whole, "detection" is one time, even if the recording ran in
/// several parts.
void Recorder::addTimes(const std::vector<PassTime>& more) {
  for (const PassTime& time : more) {
    const bool again = timing_ == Timing::whole && !times_.empty() && time.name != kUpload &&
                       times_.back().name == time.name;
    if (again)
      times_.back().microseconds += time.microseconds;
    else
      times_.push_back(time);
  }
}

}  // namespace glint::gpu
