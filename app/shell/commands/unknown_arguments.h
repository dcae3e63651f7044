// Messages about arguments of the command line that Glint does not know.
#pragma once

#include <span>
#include <string>

#include <CLI/CLI.hpp>

namespace glint::shell {

/// Returns a sentence about the first argument that neither a command nor an option takes, with the
/// command, the option or the setting that was probably meant: "there is no command 'trak'; did you
/// mean 'track'? (see `glint --help`)". `app` has parsed `arguments` and has thrown
/// CLI::ExtrasError. Secrets in addresses are hidden.
std::string explainUnknownArgument(const CLI::App& app, std::span<char* const> arguments);

}  // namespace glint::shell
