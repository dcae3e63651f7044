// Binds the functions for files of other programs to Python.
#include "app/motion/rig/rig_file.h"
#include "app/output/imports/conversion.h"
#include "app/output/tables/tables.h"
#include "app/session/link.h"
#include "config/error.h"
#include "config/printable.h"
#include "python/binding.h"

namespace py = pybind11;

namespace glint::python {
namespace {

std::optional<output::UpAxis> axisOf(const std::string& axis) {
  if (axis.empty()) return std::nullopt;
  return axis == "y" ? output::UpAxis::y : output::UpAxis::z;
}

std::vector<std::string> printableOf(std::vector<std::string> sentences) {
  for (std::string& sentence : sentences) sentence = printable(sentence);
  return sentences;
}

/// Converts a file, and returns what was converted, and sentences about what was assumed or left
/// out. `up`, `fromUp` and `unit` are empty where they are not given.
std::pair<std::string, std::vector<std::string>> convert(const std::string& from,
                                                         const std::string& to,
                                                         const std::string& up,
                                                         const std::string& fromUp,
                                                         const std::string& unit, double rate) {
  output::ConversionRequest request{.from = from, .to = to, .rate = rate};
  request.options.up = axisOf(up);
  request.fromUp = axisOf(fromUp);
  if (!unit.empty()) request.options.metres = unit == "m";
  output::Conversion made = output::convertFile(request);
  return {printable(made.summary), printableOf(std::move(made.sentences))};
}

/// Tracks the markers of a table into a file, and returns what was assumed, a sentence each.
std::vector<std::string> link(const std::string& detections, const std::string& to,
                              const Settings& settings, std::optional<double> sigma, double rate) {
  return printableOf(session::linkFile({.detections = detections,
                                        .outputs = {to},
                                        .settings = settings.track,
                                        .sigma = sigma,
                                        .rate = rate})
                         .remarks);
}

/// Returns the text of rig.toml for a rig in any format, and what was assumed or left out.
std::pair<std::string, std::vector<std::string>> readRig(const std::string& path) {
  const motion::RigFile file = motion::readRig(path);
  return {motion::rigText(file), printableOf(file.remarks)};
}

template <class Table>
void addUnits(py::dict& units) {
  for (const auto& column : Table::columns())
    if (!column.unit.empty())
      units[py::str(column.name.data(), column.name.size())] =
          py::str(column.unit.data(), column.unit.size());
}

/// Returns the units of the columns of all tables, by name.
py::dict columnUnits() {
  py::dict units;
  addUnits<output::TracksTable>(units);
  addUnits<output::DetectionsTable>(units);
  addUnits<output::RejectedTable>(units);
  addUnits<output::StatsTable>(units);
  addUnits<output::PointsTable>(units);
  addUnits<output::PosesTable>(units);
  return units;
}

}  // namespace

void bindFiles(py::module_& module) {
  const auto unlocked = py::call_guard<Unlocked>();
  module.def("convert", convert, unlocked);
  module.def("link", link, unlocked);
  module.def("read_rig", readRig, unlocked);
  module.def("column_units", columnUnits);
}

}  // namespace glint::python
