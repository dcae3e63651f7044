#include "python/devices.h"

#include <atomic>
#include <mutex>
#include <vector>

#include <unistd.h>

#include "app/capture/filter/host_filters.h"
#include "config/error.h"
#include "gpu/device.h"

namespace glint::python {
namespace {

struct KeptDevice {
  Settings::DeviceSettings settings;
  std::shared_ptr<const gpu::Device> device;
};

/// The devices. They are never destroyed, because a forked process must not destroy them.
struct KeptDevices {
  std::mutex mutex;
  std::vector<KeptDevice> all;
};

KeptDevices& kept() {
  static KeptDevices* const devices = new KeptDevices;
  return *devices;
}

std::atomic<pid_t> user = 0;  // the process that has used a device

}  // namespace

bool isForked() {
  return user != 0 && user != ::getpid();
}

void refuseForked() {
  if (isForked())
    throw Error(
        "this process was forked from one that had used Glint's device, which does not work here: "
        "start a new process, such as with multiprocessing.get_context('spawn')");
}

std::shared_ptr<const gpu::Device> keptDevice(const Settings::DeviceSettings& settings) {
  refuseForked();
  const std::lock_guard lock(kept().mutex);
  for (const KeptDevice& one : kept().all)
    if (one.settings == settings) return one.device;
  user = ::getpid();
  auto device = std::make_shared<const gpu::Device>(capture::deviceOptions(settings));
  kept().all.push_back({settings, device});
  return device;
}

void forgetDevices() {
  if (isForked()) return;
  const std::lock_guard lock(kept().mutex);
  kept().all.clear();
}

}  // namespace glint::python
