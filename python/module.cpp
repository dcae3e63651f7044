// Binds the Python module glint._native, on which the package glint is built. All work runs without
// Python's lock.
#include <algorithm>

#include "app/base/version.h"
#include "config/error.h"
#include "config/nearest.h"
#include "config/printable.h"
#include "config/toml_value.h"
#include "python/binding.h"
#include "python/calls.h"
#include "python/frame_table.h"

namespace py = pybind11;

namespace glint::python {
namespace {

PyObject* errorType = nullptr;  // glint.Error; its reference is never released

/// Turns UsageError into ValueError and Error into glint.Error. Their messages are made printable,
/// because they may name files whose names are any bytes.
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const UsageError& error) {
    PyErr_SetString(PyExc_ValueError, printable(error.what()).c_str());
  } catch (const Error& error) {
    PyErr_SetString(errorType, printable(error.what()).c_str());
  }
}

std::vector<std::string> settingKeys() {
  std::vector<std::string> keys;
  for (const SettingInfo& setting : listSettings(Settings())) keys.push_back(setting.key);
  return keys;
}

void bindSettings(py::module_& module) {
  py::class_<Settings>(module, "Settings")
      .def(py::init<>())
      .def(py::init<const Settings&>())
      .def("read", readSettings)
      .def("know", know)
      .def("filter", addFilters)
      .def("set", [](Settings& settings, const std::string& key, const std::string& text,
                     const std::string& where) { setFromText(settings, key, text, where); })
      .def("list", [](const Settings& settings) {
        std::vector<std::tuple<std::string, std::string, std::string, std::string>> all;
        for (const SettingInfo& s : listSettings(settings))
          all.emplace_back(s.key, s.value, s.allowed, s.help);
        return all;
      });
  module.def("setting_keys", settingKeys);
  module.def("did_you_mean", [](const std::string& given, const std::vector<std::string>& all) {
    return didYouMean(given, all);
  });
  module.def("text", [](const std::string& text) { return tomlString(text); });
}

py::tuple detect(const py::array& array, bool colour, const Settings& settings) {
  const Images images = imagesOf(array, colour);
  std::optional<FrameTable> table;
  {
    const Unlocked unlocked;
    table = detectOnce(images, settings);
  }
  return toPython(*table);
}

void bindDetector(py::module_& module) {
  module.def("detect", detect);
  py::class_<ImageDetector>(module, "Detector")
      .def(py::init([](const Settings& settings, uint32_t width, uint32_t height, uint32_t bits,
                       bool colour, size_t cameras) {
        const gpu::ImageFormat format{width, height, colour ? 3U : 1U, bits};
        const Unlocked unlocked;
        return std::make_unique<ImageDetector>(settings, format, cameras);
      }))
      .def("submit",
           [](ImageDetector& detector, const py::array& array, bool colour, double time) {
             const Images images = imagesOf(array, colour);
             const Unlocked unlocked;
             detector.submit(images, time, false);
           })
      .def("apply", &ImageDetector::apply, py::call_guard<Unlocked>())
      .def("collect", [](ImageDetector& detector) {
        FrameTable table(FrameTable::Kind::markers);
        {
          const Unlocked unlocked;
          table.add(*detector.collect());
        }
        return toPython(table);
      });
}

}  // namespace

Images imagesOf(const py::array& array, bool colour) {
  const auto dims = array.ndim();
  const py::ssize_t last = colour ? 1 : 0;
  if (dims != 2 + last && dims != 3 + last) throw UsageError("an image has two to four axes");
  const auto side = [&](py::ssize_t fromEnd) {
    return static_cast<uint32_t>(array.shape(dims - last - fromEnd));
  };
  Images images{.format = {.width = side(1),
                           .height = side(2),
                           .channels = colour ? 3U : 1U,
                           .bits = static_cast<uint32_t>(8 * array.itemsize())},
                .cameras = dims == 3 + last ? static_cast<size_t>(array.shape(0)) : 1,
                .pixels = static_cast<const std::byte*>(array.data())};
  return images;
}

py::tuple toPython(const FrameTable& table) {
  using Type = FrameTable::Type;
  const size_t columns = table.columns().size();
  py::tuple names(columns);
  std::string types;
  for (size_t i = 0; i < columns; ++i) {
    names[i] = py::str(table.columns()[i].name.data(), table.columns()[i].name.size());
    types += "ift"[static_cast<size_t>(table.columns()[i].type)];
  }
  const auto rows = static_cast<py::ssize_t>(table.rows());
  py::array_t<int64_t> whole({std::count(types.begin(), types.end(), 'i'), rows});
  py::array_t<double> real({std::count(types.begin(), types.end(), 'f'), rows});
  py::list texts;
  std::vector<py::object> words;
  for (const std::string& word : table.words()) words.push_back(py::str(word));
  int64_t* nextWhole = whole.mutable_data();
  double* nextReal = real.mutable_data();
  for (const auto& column : table.columns()) {
    nextWhole = std::copy(column.integers.begin(), column.integers.end(), nextWhole);
    nextReal = std::copy(column.floats.begin(), column.floats.end(), nextReal);
    if (column.type != Type::texts) continue;
    py::list values(table.rows());
    for (size_t i = 0; i < table.rows(); ++i) values[i] = words[column.texts[i]];
    texts.append(values);
  }
  return py::make_tuple(names, types, whole, real, texts);
}

}  // namespace glint::python

PYBIND11_MODULE(_native, module) {
  using namespace glint::python;
  module.doc() = "Glint's parts as glint/__init__.py uses them.";
  errorType = PyErr_NewExceptionWithDoc("glint.Error",
                                        "A device, a file or a camera did not do what was asked: "
                                        "one sentence says what, why, and what to do.",
                                        PyExc_RuntimeError, nullptr);
  module.attr("Error") = py::reinterpret_borrow<py::object>(errorType);
  py::register_exception_translator(translate);
  bindSettings(module);
  bindDetector(module);
  bindFiles(module);
  bindMeasures(module);
  bindSession(module);
  module.attr("version") = glint::base::kVersion;
  py::module_::import("atexit").attr("register")(py::cpp_function([] {
    const py::gil_scoped_release release;
    waitForOthers();
    closeAll();
  }));
}
