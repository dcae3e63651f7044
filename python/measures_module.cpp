// Binds the functions for distances, filters, probes, scores, calibrations and points to Python.
#include <algorithm>
#include <variant>

#include "app/study/eval/score.h"
#include "config/error.h"
#include "config/printable.h"
#include "python/binding.h"
#include "python/calls.h"
#include "python/measures.h"

namespace py = pybind11;

PYBIND11_MAKE_OPAQUE(std::vector<glint::motion::Sample>)

namespace glint::python {
namespace {

using Column = py::array_t<double, py::array::c_style>;
using Numbers = py::array_t<int64_t, py::array::c_style>;

template <class Value, int flags>
std::span<const Value> spanOf(const py::array_t<Value, flags>& array) {
  return {array.data(), static_cast<size_t>(array.size())};
}

study::VoxelType voxelTypeOf(const py::array& array) {
  constexpr std::string_view kNames[] = {"|b1", "|u1", "|i1", "<u2", "<i2",
                                         "<u4", "<i4", "<f4", "<f8"};
  const auto name = array.dtype().attr("str").cast<std::string>();
  const auto found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames))
    throw UsageError("a volume is of bool, integers of 8 to 32 bits or floats of 32 or 64 bits");
  return study::kVoxelTypes[static_cast<size_t>(found - std::begin(kNames))];
}

/// Returns the volume in an array of one to three axes, x last, in C's order.
study::VolumeData volumeOf(const py::array& array,
                           const std::optional<std::array<double, 3>>& spacing) {
  study::VolumeData volume;
  const auto side = [&](py::ssize_t axis) {
    const py::ssize_t size = array.ndim() > axis ? array.shape(array.ndim() - 1 - axis) : 1;
    return static_cast<uint32_t>(std::min<py::ssize_t>(size, UINT32_MAX));
  };
  volume.shape = {side(0), side(1), side(2)};
  volume.type = voxelTypeOf(array);
  volume.axes = static_cast<uint32_t>(array.ndim());
  if (spacing) volume.spacing = *spacing;
  if (volume.shape.depth == 1) volume.spacing[2] = volume.spacing[0];  // z has no distances
  gpu::checkDistance(volume.shape, {});
  const auto* first = static_cast<const std::byte*>(array.data());
  volume.bytes.assign(first, first + array.nbytes());
  return volume;
}

py::array arrayOf(const study::VolumeData& volume, const py::array& like) {
  const char* const name = volume.type == study::VoxelType::f32   ? "f4"
                           : volume.type == study::VoxelType::u16 ? "u2"
                           : volume.type == study::VoxelType::i32 ? "i4"
                                                                  : "u4";
  py::array made(py::dtype(name), std::vector(like.shape(), like.shape() + like.ndim()));
  std::copy(volume.bytes.begin(), volume.bytes.end(), static_cast<std::byte*>(made.mutable_data()));
  return made;
}

/// Returns the distances, the nearest features (or None), and the number of voxels that are NaN.
py::tuple distance(const py::array& array, const std::string& metric, const std::string& side,
                   const std::string& form, double threshold, const py::object& label,
                   const std::optional<std::array<double, 3>>& spacing, bool nearest,
                   const Settings& settings) {
  DistanceRequest request{.metric = metric,
                          .side = side,
                          .form = form,
                          .rule = {.threshold = threshold, .labels = !label.is_none(), .label = {}},
                          .nearest = nearest,
                          .device = settings.device};
  if (request.rule.labels && !py::isinstance<py::bool_>(label))
    request.rule.label = static_cast<double>(label.cast<int64_t>());
  const study::VolumeData volume = volumeOf(array, spacing);
  std::optional<DistanceArrays> made;
  {
    const Unlocked unlocked;
    made = distancesOf(volume, request, [](double) {
      checkSignals();
      return !isEnding();
    });
  }
  py::object indices = py::none();
  if (made->nearest) indices = arrayOf(*made->nearest, array);
  return py::make_tuple(arrayOf(made->distances, array), indices, made->nans);
}

py::array filter(const py::array& array, bool colour, const Settings& settings,
                 const std::string& plane, bool keepColour) {
  const Images images = imagesOf(array, colour);
  std::optional<OwnedImages> made;
  {
    const Unlocked unlocked;
    made = applyFilters(images, settings, plane, keepColour);
  }
  const gpu::ImageFormat& format = made->format;
  std::vector<py::ssize_t> shape;
  if (array.ndim() == (colour ? 4 : 3)) shape.push_back(static_cast<py::ssize_t>(made->cameras));
  shape.push_back(format.height);
  shape.push_back(format.width);
  if (format.channels == 3) shape.push_back(3);
  py::array result(format.bits == 8 ? py::dtype::of<uint8_t>() : py::dtype::of<uint16_t>(), shape);
  std::copy(made->pixels.begin(), made->pixels.end(),
            static_cast<std::byte*>(result.mutable_data()));
  return result;
}

py::dict probe(const std::string& source, const Settings& before,
               const std::vector<std::string>& filters, const SettingEntries& entries,
               size_t pick) {
  capture::Interrupt interrupt;
  const Address address(source);
  const Probed probed = interruptibly(interrupt, [&] {
    return probeSource(address, settingsForKinds(before, filters, entries), pick, interrupt);
  });
  py::dict result;
  result["found"] = probed.found;
  result["frames"] = probed.frames;
  result["dark"] = probed.dark;
  result["marker_radius"] = probed.markerRadius;
  result["radius"] = probed.radius;
  result["contrast"] = probed.contrast;
  result["markers_a_frame"] = probed.markers;
  result["settings"] = probed.settings;
  py::list alternatives;
  for (const study::Alternative& other : probed.alternatives) {
    py::dict one;
    one["dark"] = other.kind.dark;
    one["elongated"] = other.kind.elongated;
    one["radius"] = other.radius;
    one["contrast"] = other.contrast;
    one["markers_a_frame"] = other.markers;
    alternatives.append(one);
  }
  result["alternatives"] = alternatives;
  result["command_line"] = printable(probed.command);
  return result;
}

std::vector<motion::Sample> samples(
    const Numbers& camera, const Numbers& frame, const Numbers& id, const Column& x,
    const Column& y, const std::optional<py::array_t<uint8_t, py::array::c_style>>& visible,
    const std::string& what, const std::string& name) {
  SampleColumns columns{spanOf(camera), spanOf(frame), spanOf(id), spanOf(x), spanOf(y), {}};
  if (visible) columns.visible = spanOf(*visible);
  const Unlocked unlocked;
  return samplesOf(columns, what, name);
}

/// Returns the scores as JSON. `frames`: the first and last frame of each camera that were tracked,
/// or None; or the name of the file of tracks; or None if nothing is known.
std::string evaluate(
    const std::vector<motion::Sample>& tracks, const std::vector<motion::Sample>& truth,
    double radius,
    const std::variant<std::monostate, std::string,
                       std::vector<std::optional<std::pair<uint64_t, uint64_t>>>>& frames) {
  study::TrackedFrames tracked;
  if (const auto* path = std::get_if<std::string>(&frames)) {
    tracked = study::trackedFrames(*path, tracks);
  } else {
    std::vector<std::optional<output::report::FrameSpan>> cameras;
    if (const auto* spans = std::get_if<2>(&frames))
      for (const auto& span : *spans)
        cameras.push_back(span ? std::optional(output::report::FrameSpan{span->first, span->second})
                               : std::nullopt);
    tracked = study::trackedFrames(std::move(cameras), tracks);
  }
  return study::toJson(study::scoreTracked(tracks, truth, std::move(tracked), {.radius = radius}));
}

py::tuple calibrate(const Numbers& camera, const Numbers& frame, const Column& x, const Column& y,
                    const std::optional<Column>& time, const std::optional<Column>& sigmaX,
                    const std::optional<Column>& sigmaY, const CalibrationArguments& request) {
  PointColumns columns{spanOf(camera), spanOf(frame), spanOf(x), spanOf(y), {}, {}, {}};
  if (time) columns.time = spanOf(*time);
  if (sigmaX) columns.sigmaX = spanOf(*sigmaX);
  if (sigmaY) columns.sigmaY = spanOf(*sigmaY);
  capture::Interrupt ignored;
  const CalibrationTexts texts =
      interruptibly(ignored, [&] { return calibrationOf(columns, request); });
  return py::make_tuple(texts.rig, texts.account, texts.record);
}

py::tuple calibrateBoard(const CalibrationArguments& request) {
  capture::Interrupt interrupt;
  const CalibrationTexts texts =
      interruptibly(interrupt, [&] { return boardCalibrationOf(request, interrupt); });
  return py::make_tuple(texts.rig, texts.account, texts.record);
}

py::tuple reconstruct(const Numbers& camera, const Numbers& frame, const Column& x, const Column& y,
                      const std::optional<Column>& time, const std::optional<Column>& sigmaX,
                      const std::optional<Column>& sigmaY, const std::optional<Numbers>& set,
                      const std::string& rig, const std::vector<size_t>& cameras,
                      const std::string& bodies, double rate, const Settings& settings) {
  PointColumns columns{spanOf(camera), spanOf(frame), spanOf(x), spanOf(y), {}, {}, {}};
  if (time) columns.time = spanOf(*time);
  if (sigmaX) columns.sigmaX = spanOf(*sigmaX);
  if (sigmaY) columns.sigmaY = spanOf(*sigmaY);
  if (set) columns.set = spanOf(*set);
  capture::Interrupt ignored;
  const SpaceTables tables = interruptibly(ignored, [&] {
    return reconstructOf(columns, {{rig, cameras, bodies}, rate, settings.track});
  });
  return py::make_tuple(toPython(tables.points), toPython(tables.poses));
}

CalibrationArguments calibrationArguments(
    const std::vector<std::pair<int, int>>& sizes, const std::string& wand, const std::string& lens,
    const std::optional<std::tuple<size_t, size_t, double>>& distance,
    const std::map<size_t, double>& offsets, const std::string& intrinsics, bool fix,
    const std::string& board, const std::vector<std::string>& sources, const std::string& origin,
    const std::string& up) {
  CalibrationArguments request{.sizes = {},
                               .wand = wand,
                               .lens = lens,
                               .board = board,
                               .sources = tellApart({sources.begin(), sources.end()}),
                               .origin = origin,
                               .up = up,
                               .distance = {},
                               .offsets = offsets,
                               .intrinsics = intrinsics,
                               .fix = fix};
  for (const auto& [width, height] : sizes) request.sizes.push_back({width, height});
  if (distance)
    request.distance =
        motion::BaseLine{std::get<0>(*distance), std::get<1>(*distance), std::get<2>(*distance)};
  return request;
}

}  // namespace

void bindMeasures(py::module_& module) {
  module.def("distance", distance);
  module.def("filter", filter);
  module.def("add_filter_folder", addFilterFolder);
  module.def("probe", probe);
  py::class_<std::vector<motion::Sample>>(module, "Samples").def(py::init(&samples));
  module.def("read_tracks", motion::readTracks, py::call_guard<Unlocked>());
  module.def("read_truth", motion::readTruth, py::call_guard<Unlocked>());
  module.def("evaluate", evaluate, py::call_guard<Unlocked>());
  py::class_<CalibrationArguments>(module, "CalibrationArguments")
      .def(py::init(&calibrationArguments));
  module.def("calibrate", calibrate);
  module.def("calibrate_board", calibrateBoard);
  module.def("reconstruct", reconstruct);
}

}  // namespace glint::python
