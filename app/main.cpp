// glint: finds bright markers in camera frames on the GPU, follows them and writes them down.
// Exit status: 0 done, 1 the work failed, 2 the command line or the settings are wrong.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include <CLI/CLI.hpp>

#include "app/commands/commands.h"
#include "config/error.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app{
      "Glint finds bright markers in camera frames on the GPU, follows them, and writes them "
      "down."};
  app.set_version_flag("--version", "glint " GLINT_VERSION);
  app.require_subcommand(1);
  glint::addTrackCommand(app);
  glint::addMaskCommand(app);
  glint::addSynthCommand(app);
  glint::addEvalCommand(app);
  glint::addReportCommand(app);
  glint::addBenchCommand(app);
  glint::addDevicesCommand(app);
  glint::addSettingsCommand(app);
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    throw glint::UsageError(std::string(error.what()) + " (glint --help tells more)");
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = run(argc, argv);
    if (std::fflush(stdout) != 0 && errno != EPIPE)
      throw glint::Error(std::string("cannot write standard output: ") + std::strerror(errno));
    return status;
  } catch (const glint::UsageError& error) {
    std::fprintf(stderr, "glint: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "glint: %s\n", error.what());
    return 1;
  }
}
