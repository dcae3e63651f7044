// How points in space are written: the options of all commands that write them.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "app/output/takes/take_formats.h"

namespace glint::shell {

/// "y" or "z" as an axis.
output::UpAxis upOf(const std::string& axis);

/// --up and --unit.
struct SpaceOptions {
  std::string up, unit;

  void addTo(CLI::App& command);
  output::TakeOptions takeOptions() const;
};

}  // namespace glint::shell
