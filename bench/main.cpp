// glint-bench: `glint bench` without OpenCV and its peers, for machines that have only a driver.

#include <csignal>
#include <cstdio>
#include <exception>

#include "bench/command.h"
#include "config/error.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app{"Measures how fast Glint finds markers on this machine's Vulkan device."};
  const auto options = glint::bench::addOptions(app);
  std::string config, device;
  std::vector<std::string> sets;
  app.add_option("--config", config, "Settings file (TOML)")->type_name("FILE");
  app.add_option("--set", sets, "One setting, such as detect.separation=8; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  app.add_option("--device", device, "Vulkan device: part of its name, or its number")
      ->type_name("NAME|INDEX");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    throw glint::UsageError(std::string(error.what()) + " (see --help)");
  }
  glint::Settings settings;
  if (!config.empty()) glint::readToml(settings, config);
  for (const auto& set : sets) glint::setFromText(settings, set, "--set");
  if (!device.empty()) settings.device.name = device;
  glint::bench::run(*options, settings, {});
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ,
              SIG_IGN);  // if a file exceeds the limit of its size, the write fails instead
  try {
    return run(argc, argv);
  } catch (const glint::UsageError& error) {
    std::fprintf(stderr, "glint-bench: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "glint-bench: %s\n", error.what());
    return 1;
  }
}
