// glint: finds bright markers in camera frames on the GPU, and writes their tracks.
// Exit status: 0 done, 1 the work failed, 2 the command line or the settings are wrong.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "app/base/log.h"
#include "app/base/version.h"
#include "app/shell/commands/command_list.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/option_groups.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/process.h"
#include "app/shell/commands/unknown_arguments.h"
#include "app/shell/desk/project.h"
#include "bench/app/subcommand.h"
#include "config/error.h"
#include "config/printable.h"
#include "config/secrets.h"

namespace {

/// Returns CLI11's message about a command line, without the secrets of the addresses in it.
std::string shownOf(const CLI::ParseError& error, std::span<char* const> arguments) {
  std::string text = error.what();
  for (const std::string argument : arguments) {
    const std::string shown = glint::hideSecrets(argument);
    const size_t at = shown == argument ? std::string::npos : text.find(argument);
    if (at != std::string::npos) text.replace(at, argument.size(), shown);
  }
  return glint::hideSecrets(text);
}

/// A file whose name begins with a dash is taken for an option. Throws UsageError if one of the
/// arguments is such a name.
void explainDashes(std::span<char* const> arguments) {
  std::error_code ignored;
  for (const std::string argument : arguments)
    if (argument.size() > 1 && argument.starts_with('-') &&
        std::filesystem::exists(argument, ignored))
      throw glint::UsageError(
          "'{0}' begins with a dash, so it is taken for an option; write './{0}'", argument);
}

int run(int argc, char** argv) {
  CLI::App app{"Glint finds bright markers in camera frames on the GPU, and writes their tracks."};
  app.formatter(std::make_shared<glint::shell::HelpFormatter>());  // subcommands inherit it
  app.set_version_flag("--version", std::string("glint ") + glint::base::kVersion);
  app.add_option_function<std::string>(
         "--log-level",
         [](const std::string& name) { glint::base::setLogLevel(glint::base::logLevelOf(name)); },
         "Minimum severity of messages: debug, info, warning, error or off [warning]\nMessages go "
         "to standard error.")
      ->type_name("LEVEL")
      ->trigger_on_parse();
  app.require_subcommand(0, 1);
  glint::shell::addReplayCommand(app);
  glint::shell::addLiveCommand(app);
  glint::shell::addTrackCommand(app);
  glint::shell::addInfoCommand(app);
  glint::shell::addProbeCommand(app);
  glint::shell::addMaskCommand(app);
  glint::shell::addFilterCommand(app);
  glint::shell::addFiltersCommand(app);
  glint::shell::addSynthCommand(app);
  glint::shell::addEvalCommand(app);
  glint::shell::addSweepCommand(app);
  glint::shell::addReportCommand(app);
  glint::shell::addCalibrateCommand(app);
  glint::shell::addRigCommand(app);
  glint::shell::addSyncCommand(app);
  glint::shell::addReconstructCommand(app);
  glint::shell::addBodiesCommand(app);
  glint::shell::addConvertCommand(app);
  glint::shell::addLinkCommand(app);
  glint::shell::addBatchCommand(app);
  glint::bench::addBenchCommand(app);
  glint::shell::addDistanceCommand(app);
  glint::shell::addCamerasCommand(app);
  glint::shell::addDevicesCommand(app);
  glint::shell::addSettingsCommand(app);
  glint::shell::addCompletionCommand(app);
  glint::shell::addManualCommand(app);
  app.footer(
      "Without a subcommand, Glint opens its window, which asks what to look at.\n`glint "
      "FILE.glint` opens a project that the window has saved.\n`glint manual` "
      "prints the manual page, with the details of every option.");  // subcommands do not inherit
                                                                     // it
  glint::shell::groupOptions(app);
  glint::shell::refuseEmptyValues(app);
  glint::shell::hideSecretsInValues(app);
  if (argc == 2 && glint::shell::isProject(argv[1])) {
    glint::shell::showProject(argv[1]);
    return 0;
  }
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) glint::shell::showStartScreen();
    return 0;
  } catch (const CLI::ParseError& error) {
    const std::span<char* const> arguments(argv, static_cast<size_t>(argc));
    if (error.get_exit_code() != 0) {
      explainDashes(arguments);
      if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
        throw glint::UsageError("{}", glint::shell::explainUnknownArgument(app, arguments));
      throw glint::UsageError(shownOf(error, arguments) + " (see glint --help)");
    }
    std::ostringstream text;  // of --help and --version
    const int status = app.exit(error, text, text);
    std::fputs(text.str().c_str(), stdout);
    return status;
  }
}

int fail(int status, const char* sentence) {
  constexpr size_t kLongest = 2000;  // bytes: names of files and values may be of any length
  const std::string shown = glint::printable(glint::shortened(sentence, kLongest));
  if (!glint::base::wasLoggedAsError(sentence) && !glint::base::wasLoggedAsError(shown))
    glint::base::log(glint::base::LogLevel::error, shown);
  return status;
}

/// Reports that memory is missing, without allocating any, and ends the process. Destructors of
/// libraries do not run, because some wait for a lock that was held when memory ran out.
[[noreturn]] void failWithoutMemory() {
  static constexpr std::string_view kSaid = "glint: there is not enough memory for this\n";
  if (glint::base::isLogged(glint::base::LogLevel::error) &&
      ::write(STDERR_FILENO, kSaid.data(), kSaid.size()) < 0) {
    // There is no other way to report it.
  }
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    glint::shell::prepareProcess();
    const int status = run(argc, argv);
    glint::shell::finishStandardOutput();
    return status;
  } catch (const glint::UsageError& error) {
    return fail(2, error.what());
  } catch (const std::bad_alloc&) {
    failWithoutMemory();
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) return fail(1, error.what());
    return fail(
        1,
        "cannot start another thread: free some memory, or raise a limit (ulimit -u, ulimit -v)");
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}
