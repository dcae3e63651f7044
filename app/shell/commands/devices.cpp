#include <iostream>

#include <fmt/format.h>

#include "app/shell/commands/commands.h"
#include "config/settings.h"
#include "gpu/device.h"

namespace glint::shell {
namespace {

void listDevices() {
  const auto devices = gpu::Device::list();
  if (devices.empty()) {
    fmt::print("no Vulkan driver is installed; install one, for example mesa-vulkan-drivers\n");
  }
  bool chosen = false;
  for (const gpu::DeviceInfo& device : devices) {
    const bool usable = device.refusals.empty();
    fmt::print("{} {}  {} ({}, {})\n", usable && !chosen ? '*' : ' ', device.index, device.name,
               device.type, device.driver);
    for (const auto& refusal : device.refusals) fmt::print("     cannot be used: {}\n", refusal);
    chosen |= usable;
  }
}

}  // namespace

void addDevicesCommand(CLI::App& app) {
  app.add_subcommand("devices", "List Vulkan devices; * marks the default")->callback(listDevices);
}

void addSettingsCommand(CLI::App& app) {
  app.add_subcommand("settings", "Print every setting with its default, range and meaning, as TOML")
      ->callback([] { writeToml(Settings(), std::cout); });
}

}  // namespace glint::shell
