#include "app/shell/commands/space_options.h"

#include <vector>

#include "app/shell/commands/options.h"

namespace glint::shell {

output::UpAxis upOf(const std::string& axis) {
  return axis == "y" ? output::UpAxis::y : output::UpAxis::z;
}

void SpaceOptions::addTo(CLI::App& command) {
  addValue(command, "--up", up,
           "Axis that points up in files and streams of points, y or z [as it is]\nFrom z to y, "
           "(x, y, z) becomes (x, z, -y). --stream natnet has y up by default.",
           "AXIS", CLI::IsMember(std::vector<std::string>{"y", "z"}));
  addValue(command, "--unit", unit, "Unit of lengths in files of points and poses, mm or m [mm]",
           "UNIT", CLI::IsMember(std::vector<std::string>{"mm", "m"}));
}

output::TakeOptions SpaceOptions::takeOptions() const {
  output::TakeOptions options;
  if (!up.empty()) options.up = upOf(up);
  if (!unit.empty()) options.metres = unit == "m";
  return options;
}

}  // namespace glint::shell
