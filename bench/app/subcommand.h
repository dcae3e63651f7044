// The subcommand `glint bench`.
#pragma once

#include <CLI/CLI.hpp>

namespace glint::bench {

/// Adds the subcommand. When it is chosen, it measures and reports, and throws Error or UsageError
/// when it cannot.
void addBenchCommand(CLI::App& app);

}  // namespace glint::bench
