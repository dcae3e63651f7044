// The sections of --help: the options that most people need first, then the others by subject.
#pragma once

#include <CLI/CLI.hpp>

namespace glint::shell {

/// Sorts the options of every subcommand that has more than ten into sections of its help.
/// "Options" has those that are required and those that most people need, at most ten and --help.
/// The sections after it have a subject each. Call it when all options exist.
void groupOptions(CLI::App& app);

}  // namespace glint::shell
