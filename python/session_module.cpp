// Binds sessions and whole recordings to Python.
#include <array>
#include <functional>
#include <tuple>

#include "config/error.h"
#include "config/printable.h"
#include "python/array_source.h"
#include "python/binding.h"
#include "python/calls.h"
#include "python/devices.h"
#include "python/image_copy.h"
#include "python/session_reader.h"

namespace py = pybind11;

namespace glint::python {
namespace {

SessionRequest requestOf(const std::vector<std::string>& sources, const Settings& settings,
                         const Settings& before, const std::vector<std::string>& filters,
                         const SettingEntries& entries, const std::string& from,
                         std::optional<uint64_t> frames, std::optional<bool> stills,
                         std::optional<bool> stitch, bool realtime, const std::string& rig,
                         const std::vector<size_t>& cameras, const std::string& bodies) {
  SessionRequest request{.sources = tellApart({sources.begin(), sources.end()}),
                         .settings = settings,
                         .settingsFor = settingsForKinds(before, filters, entries),
                         .from = from,
                         .frames = frames,
                         .stills = stills,
                         .stitch = stitch,
                         .realtime = realtime,
                         .rig = {rig, cameras, bodies}};
  return request;
}

/// The images of one camera: an iterator of pairs of an array in C's order and its time (s), the
/// width, height, channels and bits of the images, their number (or None), and their rate (Hz, 0:
/// none).
using ArrayFeed = std::tuple<py::object, std::array<uint32_t, 4>, std::optional<uint64_t>, double>;

/// Copies the next image of an iterator, and returns its time; empty at its end. Takes Python's
/// lock meanwhile. Throws Error if the iterator raises an exception.
std::optional<double> takeImage(const py::object& iterator, const gpu::ImageView& to) {
  if (isEnding()) return std::nullopt;
  const py::gil_scoped_acquire acquire;
  const auto next = py::reinterpret_steal<py::object>(PyIter_Next(iterator.ptr()));
  if (!next) {
    if (!PyErr_Occurred()) return std::nullopt;
    const py::error_already_set raised;
    throw Error(std::string("the images ended with ") + raised.what());
  }
  const auto [array, time] = next.cast<std::pair<py::array, double>>();
  copyImage(static_cast<const std::byte*>(array.data()), to);
  return time;
}

/// Returns a function that makes a source of each feed. The iterators live as long as `feeds`,
/// which must outlive the sources.
std::function<capture::SourceList()> sourcesOf(const std::vector<ArrayFeed>& feeds) {
  return [&feeds] {
    capture::SourceList sources;
    for (const auto& [iterator, format, count, rate] : feeds) {
      sources.push_back(std::make_unique<ArraySource>(
          gpu::ImageFormat{format[0], format[1], format[2], format[3]},
          "array" + std::to_string(sources.size()), count, rate,
          [&iterator = iterator](const gpu::ImageView& to) { return takeImage(iterator, to); }));
    }
    return sources;
  };
}

/// Tracks a whole recording, and returns the rows, the findings (as the run record has them), the
/// reason why the session ended early (or an empty text), points and poses, the words about the
/// sources, and the first and last frame of each camera that were tracked (or None). `progress`: a
/// function of frames and length, or None.
py::tuple track(SessionRequest request, const py::object& progress,
                const std::vector<ArrayFeed>& feeds, const std::string& details) {
  refuseForked();
  request.details = details;
  if (!feeds.empty()) request.makeSources = sourcesOf(feeds);
  capture::Interrupt interrupt;
  SessionProgress reached;
  uint64_t reported = 0;
  const auto report = [&] {
    const uint64_t frames = reached.frames, length = reached.length;
    if (progress.is_none() || frames == std::exchange(reported, frames)) return;
    progress(frames, length > 0 ? py::object(py::int_(length)) : py::none());
  };
  const TrackedRows tracked = interruptibly(
      interrupt, [&] { return trackAll(request, interrupt, reached); }, report);
  report();
  py::list findings;
  for (const study::Finding& finding : tracked.findings) {
    py::dict entry;
    entry["finding"] = study::nameOf(finding.kind);
    entry["severity"] = study::nameOf(finding.severity);
    entry["text"] = printable(finding.sentences());
    entry["options"] = study::argumentsOf(finding.remedy);
    findings.append(entry);
  }
  return py::make_tuple(toPython(tracked.rows), findings, tracked.failure, toPython(tracked.points),
                        toPython(tracked.poses), tracked.sources, tracked.frames);
}

/// Returns a view of a camera's pixels that cannot be written, in which colour is red, green, blue;
/// None if the camera gave no frame.
py::object imageOf(const TakenFrame& frame, size_t camera) {
  auto pixels = frame.pixels(camera);
  if (!pixels) return py::none();
  const gpu::ImageFormat& format = pixels->image.format;
  const auto bytes = static_cast<py::ssize_t>(format.bits / 8);
  const auto step = static_cast<py::ssize_t>(format.bytesPerPixel());
  std::vector<py::ssize_t> shape{format.height, format.width};
  std::vector<py::ssize_t> strides{static_cast<py::ssize_t>(pixels->image.rowPitch), step};
  const std::byte* first = pixels->image.data;
  if (format.channels == 3) {
    shape.push_back(3);
    strides.push_back(-bytes);
    first += 2 * bytes;
  }
  using Owner = std::shared_ptr<const void>;
  const py::capsule owner(new Owner(std::move(pixels->owner)),
                          [](void* held) { delete static_cast<Owner*>(held); });
  py::array view(format.bits == 8 ? py::dtype::of<uint8_t>() : py::dtype::of<uint16_t>(), shape,
                 strides, first, owner);
  view.attr("flags").attr("writeable") = false;
  return view;
}

/// Waits for the next frame, handles Python's signals meanwhile, and returns the frame; None at the
/// end.
py::object next(SessionReader& reader) {
  SessionReader::Polled polled;
  {
    const Unlocked unlocked;
    while (!polled.frame && !polled.over && !isEnding()) {
      polled = reader.poll(std::chrono::milliseconds(20));
      if (!polled.frame) checkSignals();
    }
  }
  return polled.frame ? py::cast(std::move(polled.frame)) : py::none();
}

template <FrameTable::Kind kind>
py::tuple tableOf(const TakenFrame& frame, std::optional<size_t> camera) {
  return toPython(frame.table(kind, camera));
}

std::unique_ptr<SessionReader> open(const SessionRequest& request) {
  refuseForked();
  auto interrupt = std::make_shared<capture::Interrupt>();
  return interruptibly(*interrupt,
                       [&] { return std::make_unique<SessionReader>(request, interrupt); });
}

}  // namespace

void bindSession(py::module_& module) {
  using Kind = FrameTable::Kind;
  const auto unlocked = py::call_guard<Unlocked>();
  py::class_<SessionRequest>(module, "Request").def(py::init(&requestOf));
  module.def("track", track);
  py::class_<TakenFrame, std::shared_ptr<TakenFrame>>(module, "Frame")
      .def_property_readonly("cameras", &TakenFrame::cameras)
      .def_property_readonly("index", &TakenFrame::index)
      .def_property_readonly("time", &TakenFrame::time)
      .def("camera",
           [](const TakenFrame& frame, size_t index) {
             const TakenFrame::Camera camera = frame.camera(index);
             return py::make_tuple(camera.state, camera.number, camera.time);
           })
      .def("markers", tableOf<Kind::markers>)
      .def("tracks", tableOf<Kind::live>)
      .def("image", imageOf);
  py::class_<SessionReader>(module, "Session")
      .def(py::init(&open))
      .def("next", next)
      .def("change", &SessionReader::change, unlocked)
      .def("settings", &SessionReader::settings, unlocked)
      .def("close", &SessionReader::close, unlocked)
      .def_property_readonly("cameras", &SessionReader::cameras)
      .def_property_readonly("live", &SessionReader::live)
      .def_property_readonly("length", &SessionReader::length);
}

}  // namespace glint::python
