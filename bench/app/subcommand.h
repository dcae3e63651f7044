// Defines the subcommand `glint bench`.
#pragma once

#include <CLI/CLI.hpp>

namespace glint::bench {

/// Adds the subcommand. If it is chosen, parsing the command line measures and prints a report, and
/// throws Error or UsageError if that is not possible.
void addBenchCommand(CLI::App& app);

}  // namespace glint::bench
