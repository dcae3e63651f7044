#include "gpu/filters/planner.h"

#include <algorithm>
#include <map>

#include "config/error.h"
#include "gpu/filters/file_planes.h"
#include "gpu/filters/resources.h"

namespace glint::gpu {
namespace {

using FilterStep = FilterGraph::FilterStep;
using LuminanceStep = FilterGraph::LuminanceStep;
using PlaceStep = FilterGraph::PlaceStep;
using PointStep = FilterGraph::PointStep;
using ReduceStep = FilterGraph::ReduceStep;
using Value = FilterGraph::Value;

class Planner {
 public:
  explicit Planner(FilterGraph& graph) : graph_(graph), files_(graph) {}

  void plan(const std::string& kept, bool colour) {
    const uint32_t channels = graph_.format.image.channels;
    graph_.add({.channels = channels, .content = Value::Given{}});
    graph_.add({.channels = 1, .content = Value::Given{}});
    last_ = measured_ = kSourceValue;
    measures_[kSourceValue] = measures_[kLuminanceValue] = true;
    findColour(colour);
    for (size_t i = 0; i < graph_.uses.size(); ++i) addUse(i);
    if (!kept.empty() && kept != "source" && !ids_.contains(kept))
      throw UsageError("no filter has the id '" + kept + "'");
    graph_.kept = kept.empty() ? last_ : kept == "source" ? kSourceValue : ids_[kept];
    const size_t last = last_;
    graph_.measured = addPlace(greyOf(measured_), 0);
    graph_.response = addPlace(greyOf(last), 0);
    fusePoints();
  }

 private:
  /// Adds a plane that a step makes.
  size_t addPlane(uint32_t channels, size_t rect) {
    return graph_.add({.channels = channels, .rect = rect});
  }

  /// Returns the plane that shows the source as it was `frames` frames ago.
  size_t frameBack(uint32_t frames) {
    if (const auto found = backs_.find(frames); found != backs_.end()) return found->second;
    const FilterUse use{.id = "frame", .name = "delay", .values = {{"frames", {double(frames)}}}};
    return backs_[frames] = addOwn(use, kSourceValue);
  }

  /// Adds a filter that is not in the chain, and returns its plane.
  size_t addOwn(const FilterUse& use, size_t input) {
    const filters::Filter& filter = filters::catalog().get(use.name, "filters");
    const size_t output =
        addPlane(filter.head.channelsOut(graph_.channelsOf(input)), graph_.values[input].rect);
    graph_.steps.push_back(
        FilterStep{.use = use, .filter = &filter, .inputs = {input}, .output = output});
    return output;
  }

  /// Returns the plane that a filter's input `input` names; the last one if the input is not given.
  size_t from(const FilterUse& use, const std::string& input) {
    const auto found = use.inputs.find(input);
    if (found == use.inputs.end()) return last_;
    const std::string& name = found->second.shown();
    if (name == "source") return kSourceValue;
    if (const auto file = filters::fileOf(found->second))
      return files_.image(use, *file, graph_.format.image.channels);
    if (const auto back = filters::framesBack(name)) return frameBack(*back);
    return ids_.at(name);
  }

  size_t greyOf(size_t value) {
    if (graph_.channelsOf(value) == 1) return value;
    if (value == kSourceValue) return kLuminanceValue;
    if (const auto found = greys_.find(value); found != greys_.end()) return found->second;
    const size_t grey = addPlane(1, graph_.values[value].rect);
    graph_.steps.push_back(LuminanceStep{value, grey});
    measures_[grey] = measures_[value];
    return greys_[value] = grey;
  }

  size_t colourOf(size_t value) {
    if (graph_.channelsOf(value) == 3) return value;
    if (const auto found = colours_.find(value); found != colours_.end()) return found->second;
    return colours_[value] = addOwn({.id = "colour", .name = "colour"}, value);
  }

  size_t addPoint(size_t index, size_t input) {
    const size_t output = addPlane(graph_.channelsOf(input), graph_.values[input].rect);
    graph_.steps.push_back(PointStep{.uses = {index}, .input = input, .output = output});
    return output;
  }

  /// Returns a plane that shows the part `rect` of the frame, with the pixels of `input`.
  size_t addPlace(size_t input, size_t rect) {
    if (graph_.values[input].rect == rect) return input;
    const auto key = std::make_pair(input, rect);
    if (const auto found = places_.find(key); found != places_.end()) return found->second;
    const size_t output = addPlane(graph_.channelsOf(input), rect);
    graph_.steps.push_back(PlaceStep{.input = input, .output = output});
    return places_[key] = output;
  }

  size_t addCrop(size_t index, size_t input) {
    graph_.rects.push_back({});
    const size_t rect = graph_.rects.size() - 1, output = addPlane(graph_.channelsOf(input), rect);
    graph_.steps.push_back(PlaceStep{.input = input, .output = output, .crop = index});
    return places_[{input, rect}] = output;
  }

  size_t addFilter(size_t index, const filters::Filter& filter, size_t input) {
    const FilterUse& use = graph_.uses[index];
    const filters::Head& head = filter.head;
    std::vector<size_t> inputs{input};
    uint32_t channels = graph_.channelsOf(input);
    for (const filters::Input& further : head.inputs) {
      const Address file = filters::fileOf(use.inputs.at(further.name)).value_or(Address());
      if (further.form == filters::Input::Form::colours)
        inputs.push_back(files_.colours(use, file));
      else if (further.form == filters::Input::Form::pattern)
        inputs.push_back(files_.pattern(use, file));
      else
        inputs.push_back(file.empty() ? from(use, further.name)
                                      : files_.image(use, file, channels));
    }
    if (!colour_[index]) channels = 1;
    if (channels == 1 && !head.grey) {
      throw UsageError(
          "the filter '" + use.id + "' needs colour, but " +
          (graph_.format.image.channels == 1 ? "the frames are grey" : "its input is grey"));
    }
    const size_t rect = graph_.values[input].rect;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (i > 0 && head.inputs[i - 1].form != filters::Input::Form::plane) continue;
      inputs[i] = addPlace(channels == 1 ? greyOf(inputs[i]) : colourOf(inputs[i]), rect);
    }
    FilterStep step{.use = index, .filter = &filter, .inputs = inputs};
    if (head.follows) {
      step.follows = graph_.reductions.size();
      addReduction("", "", inputs[0]);
      ++graph_.reducers;
    }
    const size_t output = addPlane(head.channelsOut(channels), rect);
    step.output = output;
    if (std::any_of(inputs.begin(), inputs.end(), [&](size_t value) {
          return std::holds_alternative<Value::Variants>(graph_.values[value].content);
        })) {
      step.matching = std::make_unique<FilterGraph::Template>();
    }
    graph_.steps.push_back(std::move(step));
    return output;
  }

  /// Returns true if a parameter follows a number that the use measures in a single channel.
  bool reducesChannels(size_t index) const {
    const std::string& id = graph_.uses[index].id;
    for (const FilterUse& use : graph_.uses)
      for (const auto& [name, driven] : use.driven)
        if (driven.id == id && driven.number.find('_') != std::string::npos) return true;
    return false;
  }

  void addReductions(size_t index, size_t input) {
    const std::string& id = graph_.uses[index].id;
    addReduction(id, "", greyOf(input));
    ++graph_.reducers;
    if (!reducesChannels(index)) return;
    const std::vector<std::pair<std::string, std::vector<double>>> channels{
        {"red_", {1, 0, 0}}, {"green_", {0, 1, 0}}, {"blue_", {0, 0, 1}}};
    for (const auto& [channel, weights] : channels) {
      const bool colour = graph_.channelsOf(input) == 3;
      const FilterUse use{.id = channel, .name = "grey", .values = {{"weights", weights}}};
      addReduction(id, channel, colour ? addOwn(use, input) : input);
    }
  }

  void addReduction(const std::string& id, const std::string& channel, size_t grey) {
    graph_.steps.push_back(ReduceStep{grey, graph_.reductions.size()});
    graph_.reductions.push_back(makeReduction(graph_, id, channel, grey));
  }

  void addUse(size_t index) {
    const FilterUse& use = graph_.uses[index];
    const filters::Filter& filter = filters::catalog().get(use.name, "filters");
    const filters::Head& head = filter.head;
    size_t input = from(use, "input");
    const bool measures = measures_[input];
    if (!colour_[index]) input = greyOf(input);
    size_t output = input;
    if (head.reduces)
      addReductions(index, input);
    else if (head.crops)
      output = addCrop(index, input);
    else if (head.point)
      output = addPoint(index, input);
    else
      output = addFilter(index, filter, input);
    measures_[output] =
        head.reduces ? measures : measures && head.feeds == filters::Head::Feeds::measure;
    // Behind a crop, markers are measured in the whole plane, so that none of them is cut through.
    if (measures_[output] && !head.crops) measured_ = output;
    ids_[use.id] = last_ = output;
    graph_.outputs.push_back(output);
  }

  /// Joins point filters that follow each other, if nothing else reads the plane between them.
  void fusePoints() {
    auto& steps = graph_.steps;
    for (size_t i = 0; i + 1 < steps.size();) {
      auto* a = std::get_if<PointStep>(&steps[i]);
      auto* b = std::get_if<PointStep>(&steps[i + 1]);
      if (a == nullptr || b == nullptr || b->input != a->output || readers(a->output) > 1 ||
          isResult(a->output)) {
        ++i;
        continue;
      }
      a->uses.insert(a->uses.end(), b->uses.begin(), b->uses.end());
      a->output = b->output;
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }

  int64_t readers(size_t value) const {
    int64_t all = 0;
    for (const auto& step : graph_.steps) all += std::ranges::count(inputsOf(step), value);
    return all;
  }

  bool isResult(size_t value) const {
    return value == graph_.measured || value == graph_.response || value == graph_.kept;
  }

  /// Returns true if the use `reader` reads the plane of the earlier use `index`.
  bool reads(size_t reader, size_t index) const {
    const auto& inputs = graph_.uses[reader].inputs;
    if (reader == index + 1 && !inputs.contains("input")) return true;
    return std::any_of(inputs.begin(), inputs.end(), [&](const auto& input) {
      return input.second.shown() == graph_.uses[index].id;
    });
  }

  /// Finds the uses that are given colour: all that take it if `everywhere`, otherwise those that
  /// need it and those from which they get it.
  void findColour(bool everywhere) {
    colour_.assign(graph_.uses.size(), false);
    for (size_t i = graph_.uses.size(); i-- > 0;) {
      const auto& head = filters::catalog().get(graph_.uses[i].name, "filters").head;
      bool wanted = everywhere || !head.grey || (head.reduces && reducesChannels(i));
      for (size_t j = i + 1; j < graph_.uses.size(); ++j) wanted |= colour_[j] && reads(j, i);
      colour_[i] = wanted && head.colour;
    }
  }

  FilterGraph& graph_;
  FilePlanes files_;
  size_t last_ = 0, measured_ = 0;                      // planes; see ChainPlanes for the second
  std::vector<bool> colour_;                            // for each use: true if it is given colour
  std::map<std::string, size_t> ids_;                   // the plane of each filter's id
  std::map<std::pair<size_t, size_t>, size_t> places_;  // plane by source plane and rect
  std::map<uint32_t, size_t> backs_;                    // plane by number of frames ago
  std::map<size_t, size_t> greys_;                      // the luminance of each plane
  std::map<size_t, size_t> colours_;                    // the plane of 3 channels of a grey plane
  std::map<size_t, bool> measures_;  // true: markers may be measured in the plane
};

}  // namespace

bool runsTiles(const Device& device) {
  return device.hasHalves() && device.hasByteProducts() &&
         device.limits().maxComputeSharedMemorySize >= filters::kTileBytes &&
         device.limits().maxComputeWorkGroupInvocations >= filters::kTileLanes;
}

void planGraph(FilterGraph& graph, FilterKernels& kernels, const std::string& kept, bool colour) {
  Planner(graph).plan(kept, colour);
  makeResources(graph, kernels);
}

}  // namespace glint::gpu
