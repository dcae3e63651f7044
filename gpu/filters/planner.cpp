#include "gpu/filters/planner.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "config/error.h"
#include "config/filter_glsl.h"
#include "gpu/frame_pool.h"

namespace glint {
namespace {

std::string sizeText(const ImageFormat& image) {
  return std::to_string(image.width) + "x" + std::to_string(image.height);
}

/// Bytes of the device's own memory.
uint64_t roomOf(const Device& device) {
  const vk::raii::Context loader;
  const auto properties = reinterpret_cast<PFN_vkGetPhysicalDeviceMemoryProperties>(
      loader.getDispatcher()->vkGetInstanceProcAddr(device.instance(),
                                                    "vkGetPhysicalDeviceMemoryProperties"));
  VkPhysicalDeviceMemoryProperties memory;
  properties(device.physical(), &memory);
  uint64_t room = 0;
  for (uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
      room = std::max<uint64_t>(room, memory.memoryHeaps[i].size);
  }
  return room;
}

/// A value of an image with `channels`: grey for colour is its luminance.
uint32_t valueAt(const FilterImage& image, size_t pixel, uint32_t channel, uint32_t channels) {
  if (image.format.channels == channels) return image.values[pixel * channels + channel];
  if (image.format.channels == 1) return image.values[pixel];
  const uint16_t* bgr = &image.values[pixel * 3];
  return (19U * bgr[0] + 183U * bgr[1] + 54U * bgr[2] + 128) >> 8;
}

void fillImage(Buffer& buffer, const FilterImage& image, uint32_t layer, uint32_t channels,
               const shared::PlaneShape& shape) {
  const size_t bytes = image.format.bits / 8;
  for (size_t y = 0; y < shape.height; ++y) {
    std::byte* row =
        buffer.mapped().data() + (size_t{layer} * shape.layerStride + y * shape.pitch) * 4;
    for (size_t x = 0; x < shape.width; ++x) {
      for (uint32_t c = 0; c < channels; ++c) {
        const uint32_t value = valueAt(image, y * shape.width + x, c, channels);
        std::memcpy(row + (x * channels + c) * bytes, &value, bytes);  // little endian
      }
    }
  }
}

using Step = FilterGraph::Step;
using Value = FilterGraph::Value;
using Reduction = FilterGraph::Reduction;

class Planner {
 public:
  Planner(FilterGraph& graph, FilterKernels& kernels) : graph_(graph), kernels_(kernels) {}

  void plan(const std::string& kept, bool colour) {
    const uint32_t channels = graph_.format.image.channels;
    add({.channels = channels, .given = true});
    add({.channels = 1, .given = true});
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
    countUses();
    placeBuffers();
    makeBuffers();
    for (const auto& step : graph_.steps) makeStep(*step);
  }

 private:
  /// Of whole frames.
  shared::PlaneShape shapeOf(uint32_t channels) const {
    const ImageFormat& image = graph_.format.image;
    return planeShape(ImageFormat{image.width, image.height, channels, image.bits});
  }

  size_t bytesOf(uint32_t channels) const {
    return planeBytes(shapeOf(channels), graph_.format.layers);
  }

  size_t add(const Value& value) {
    graph_.values.push_back(value);
    return graph_.values.size() - 1;
  }

  const std::vector<FilterImage>& imagesOf(const FilterUse& use, const std::string& file,
                                           filters::Input::Form form) const {
    if (graph_.images) {
      const auto images = graph_.images->find(imageKey(form, file));
      if (images != graph_.images->end()) return images->second;
    }
    throw UsageError("the filter '" + use.id + "': the image '" + file + "' was not read");
  }

  /// A plane that shows the marks of each frame.
  size_t markValue(const std::string& file, const std::vector<FilterImage>& images,
                   uint32_t channels) {
    const auto key = std::make_pair(file, channels);
    if (const auto found = files_.find(key); found != files_.end()) return found->second;
    auto buffer =
        std::make_shared<Buffer>(graph_.device, bytesOf(channels), MemoryUse::upload, "marks");
    return files_[key] = add({.channels = channels, .image = buffer, .marks = &images});
  }

  /// An image whose variants are made when its filter's parameters are known.
  size_t templateValue(const FilterUse& use, const std::string& file) {
    const auto& images = imagesOf(use, file, filters::Input::Form::pattern);
    for (const FilterImage& image : images) {
      if (image.format.bits != graph_.format.image.bits)
        throw UsageError("the filter '" + use.id + "': the image '" + file + "' has " +
                         std::to_string(image.format.bits) + " bits, but the frames have " +
                         std::to_string(graph_.format.image.bits));
    }
    return add({.channels = 1, .templates = &images});
  }

  /// The words of a file that is no plane: where each layer's begin, and they.
  size_t tableValue(const FilterUse& use, const std::string& file) {
    if (const auto found = tables_.find(file); found != tables_.end()) return found->second;
    const auto& images = imagesOf(use, file, filters::Input::Form::colours);
    std::vector<uint32_t> words(graph_.format.layers);
    for (uint32_t l = 0; l < graph_.format.layers; ++l) {
      words[l] = static_cast<uint32_t>(words.size());
      const ColourTable& table = images.at(l).table;
      words.insert(words.end(), table.begin(), table.end());
    }
    auto buffer = std::make_shared<Buffer>(graph_.device, words.size() * 4, MemoryUse::settings,
                                           "table '" + file + "'");
    std::copy(words.begin(), words.end(), buffer->as<uint32_t>().begin());
    return tables_[file] = add({.channels = 1, .image = buffer});
  }

  /// An earlier frame of the source.
  size_t frameBack(uint32_t frames) {
    if (const auto found = backs_.find(frames); found != backs_.end()) return found->second;
    const FilterUse use{.id = "frame", .name = "delay", .values = {{"frames", {double(frames)}}}};
    return backs_[frames] = addOwn(use, kSourceValue, graph_.values[kSourceValue].channels);
  }

  /// A filter that is not one of the chain's.
  size_t addOwn(const FilterUse& use, size_t input, uint32_t channels) {
    auto step = std::make_unique<Step>();
    step->own = use;
    step->filter = &filters::catalog().get(use.name, "filters");
    step->inputs = {input};
    step->channels = channels;
    step->outChannels = step->filter->head.channelsOut(channels);
    step->output = add({.channels = step->outChannels, .rect = graph_.values[input].rect});
    const size_t output = step->output;
    graph_.steps.push_back(std::move(step));
    return output;
  }

  size_t fileValue(const FilterUse& use, const std::string& file, uint32_t channels) {
    const auto& images = imagesOf(use, file, filters::Input::Form::plane);
    if (images.front().hasMarks) return markValue(file, images, channels);
    const auto key = std::make_pair(file, channels);
    if (const auto found = files_.find(key); found != files_.end()) return found->second;
    auto buffer = std::make_shared<Buffer>(graph_.device, bytesOf(channels), MemoryUse::upload,
                                           "image '" + file + "'");
    const ImageFormat& format = graph_.format.image;
    for (uint32_t l = 0; l < graph_.format.layers; ++l) {
      const FilterImage& image = images.at(l);
      if (image.format.width != format.width || image.format.height != format.height)
        throw UsageError("the filter '" + use.id + "': the image '" + file + "' is " +
                         sizeText(image.format) + ", but the frames are " + sizeText(format));
      if (image.format.bits != format.bits)
        throw UsageError("the filter '" + use.id + "': the image '" + file + "' has " +
                         std::to_string(image.format.bits) + " bits, but the frames have " +
                         std::to_string(format.bits));
      fillImage(*buffer, image, l, channels, shapeOf(channels));
    }
    const size_t value = add({.channels = channels, .image = buffer});
    for (const FilterImage& image : images) {
      double sum = 0;
      for (const uint16_t v : image.values) sum += v;
      graph_.values[value].means.push_back(sum / static_cast<double>(image.values.size()));
    }
    return files_[key] = value;
  }

  /// The value that an input names.
  size_t from(const FilterUse& use, const std::string& input) {
    const auto found = use.inputs.find(input);
    if (found == use.inputs.end()) return last_;
    const std::string& name = found->second;
    if (name == "source") return kSourceValue;
    if (name.starts_with("file:"))
      return fileValue(use, name.substr(5), graph_.format.image.channels);
    if (const auto back = filters::framesBack(name)) return frameBack(*back);
    return ids_.at(name);
  }

  size_t greyOf(size_t value) {
    if (graph_.values[value].channels == 1) return value;
    if (value == kSourceValue) return kLuminanceValue;
    if (const auto found = greys_.find(value); found != greys_.end()) return found->second;
    const size_t grey = add({.channels = 1, .rect = graph_.values[value].rect});
    auto step = std::make_unique<Step>();
    step->kind = Step::Kind::luminance;
    step->inputs = {value};
    step->output = grey;
    graph_.steps.push_back(std::move(step));
    measures_[grey] = measures_[value];
    return greys_[value] = grey;
  }

  size_t colourOf(size_t value) {
    if (graph_.values[value].channels == 3) return value;
    if (const auto found = colours_.find(value); found != colours_.end()) return found->second;
    return colours_[value] = addOwn({.id = "colour", .name = "colour"}, value, 1);
  }

  size_t addPoint(size_t index, size_t input) {
    auto step = std::make_unique<Step>();
    step->kind = Step::Kind::point;
    step->uses = {index};
    step->inputs = {input};
    step->channels = step->outChannels = graph_.values[input].channels;
    step->output = add({.channels = step->channels, .rect = graph_.values[input].rect});
    graph_.steps.push_back(std::move(step));
    return graph_.values.size() - 1;
  }

  /// What a plane has of another part of the frame.
  size_t addPlace(size_t input, size_t rect) {
    if (graph_.values[input].rect == rect) return input;
    const auto key = std::make_pair(input, rect);
    if (const auto found = places_.find(key); found != places_.end()) return found->second;
    auto step = std::make_unique<Step>();
    step->kind = Step::Kind::place;
    step->inputs = {input};
    step->channels = step->outChannels = graph_.values[input].channels;
    const size_t output = add({.channels = step->channels, .rect = rect});
    step->output = output;
    graph_.steps.push_back(std::move(step));
    return places_[key] = output;
  }

  size_t addCrop(size_t index, size_t input) {
    graph_.rects.push_back({});
    const size_t output = addPlace(input, graph_.rects.size() - 1);
    graph_.steps.back()->crops = true;
    graph_.steps.back()->uses = {index};
    return output;
  }

  size_t addFilter(size_t index, const filters::Filter& filter, size_t input) {
    const FilterUse& use = graph_.uses[index];
    const filters::Head& head = filter.head;
    auto step = std::make_unique<Step>();
    step->filter = &filter;
    step->uses = {index};
    std::vector<size_t> inputs{input};
    uint32_t channels = graph_.values[input].channels;
    for (const filters::Input& further : head.inputs) {
      const std::string& name = use.inputs.at(further.name);
      if (further.form != filters::Input::Form::plane) {
        const std::string file = name.substr(5);
        inputs.push_back(further.form == filters::Input::Form::colours ? tableValue(use, file)
                                                                       : templateValue(use, file));
        continue;
      }
      inputs.push_back(name.starts_with("file:") ? fileValue(use, name.substr(5), channels)
                                                 : from(use, further.name));
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
    step->inputs = inputs;
    step->channels = channels;
    step->outChannels = head.channelsOut(channels);
    if (head.follows) {
      step->follows = graph_.reductions.size();
      addReduction("", "", inputs[0]);
      ++graph_.reducers;
    }
    step->output = add({.channels = step->outChannels, .rect = rect});
    const size_t output = step->output;
    if (std::any_of(inputs.begin(), inputs.end(),
                    [&](size_t value) { return graph_.values[value].templates != nullptr; })) {
      step->matching = std::make_unique<FilterGraph::Template>();
    }
    graph_.steps.push_back(std::move(step));
    return output;
  }

  /// Whether a parameter follows a number of one channel.
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
      const bool colour = graph_.values[input].channels == 3;
      const FilterUse use{.id = channel, .name = "grey", .values = {{"weights", weights}}};
      addReduction(id, channel, colour ? addOwn(use, input, 3) : input);
    }
  }

  void addReduction(const std::string& id, const std::string& channel, size_t grey) {
    auto step = std::make_unique<Step>();
    step->kind = Step::Kind::reduce;
    step->inputs = {grey};
    step->output = grey;
    step->reduction = graph_.reductions.size();
    graph_.steps.push_back(std::move(step));
    graph_.reductions.push_back(makeReduction(id, channel, grey));
  }

  std::unique_ptr<Reduction> makeReduction(const std::string& id, const std::string& channel,
                                           size_t grey) const {
    const uint32_t layers = graph_.format.layers;
    auto reduction = std::make_unique<Reduction>(Reduction{
        id, channel, grey, ScanMemory(graph_.device, graph_.passes, shapeOf(1), layers),
        Buffer(graph_.device, sizeof(shared::PlaneStatistics) * layers, MemoryUse::readback,
               "reduced numbers"),
        Buffer(graph_.device, sizeof(shared::Feedback), MemoryUse::settings, "no feedback")});
    const auto feedback = reduction->feedback.mapped();
    std::fill(feedback.begin(), feedback.end(), std::byte{0});
    return reduction;
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
    // A part that is cut out is measured in the whole plane: no marker is cut through.
    if (measures_[output] && !head.crops) measured_ = output;
    ids_[use.id] = last_ = output;
    graph_.outputs.push_back(output);
  }

  /// Point filters that follow each other, and whose plane between them nobody else reads, are one.
  void fusePoints() {
    auto& steps = graph_.steps;
    for (size_t i = 0; i + 1 < steps.size();) {
      Step& a = *steps[i];
      Step& b = *steps[i + 1];
      const auto reads = [&](const auto& step) {
        return std::count(step->inputs.begin(), step->inputs.end(), a.output);
      };
      int64_t readers = 0;
      for (const auto& step : steps) readers += reads(step);
      const bool kept =
          a.output == graph_.measured || a.output == graph_.response || a.output == graph_.kept;
      if (a.kind != Step::Kind::point || b.kind != Step::Kind::point || b.inputs[0] != a.output ||
          readers > 1 || kept) {
        ++i;
        continue;
      }
      a.uses.insert(a.uses.end(), b.uses.begin(), b.uses.end());
      a.output = b.output;
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }

  void countUses() {
    for (size_t i = 0; i < graph_.steps.size(); ++i) {
      graph_.values[graph_.steps[i]->output].lastUse = i;
      for (const size_t input : graph_.steps[i]->inputs) graph_.values[input].lastUse = i;
    }
    for (const size_t value : {graph_.measured, graph_.response, graph_.kept})
      graph_.values[value].lastUse = graph_.steps.size();
    for (const auto& step : graph_.steps) {
      if (!step->matching) continue;  // it is looked at again behind the frame
      graph_.values[step->output].lastUse = graph_.steps.size();
      graph_.values[step->inputs[0]].lastUse = graph_.steps.size();
    }
  }

  /// The smallest free buffer that is large enough, or a new one.
  size_t takeBuffer(size_t bytes, std::vector<size_t>& free) {
    const auto fits =
        std::find_if(free.begin(), free.end(), [&](size_t b) { return sizes_[b] == bytes; });
    if (fits != free.end()) {
      const size_t taken = *fits;
      free.erase(fits);
      return taken;
    }
    sizes_.push_back(bytes);
    return sizes_.size() - 1;
  }

  /// What filters remember, with the parameters as they are.
  size_t rememberedBytes() const {
    size_t bytes = 0;
    const ImageFormat& image = graph_.format.image;
    for (const auto& step : graph_.steps) {
      if (step->kind != Step::Kind::filter) continue;
      const filters::Numbers numbers(step->filter->head,
                                     {image.bits, step->channels, image.width, image.height},
                                     step->use(graph_.uses).values);
      bytes += bytesOf(step->outChannels) * (32 / image.bits) * numbers.memoryFrames();
    }
    return bytes;
  }

  /// Throws Error, before anything is made, where the device has no room for all of them.
  void makeBuffers() {
    uint64_t needed = rememberedBytes();
    for (const size_t bytes : sizes_) needed += bytes;
    const uint64_t room = roomOf(graph_.device);
    if (needed > room)
      throw Error("the filters need " + std::to_string(needed >> 20) + " MiB, and the device '" +
                  graph_.device.info().name + "' has " + std::to_string(room >> 20) +
                  "; use fewer filters, smaller frames or fewer cameras");
    for (const size_t bytes : sizes_)
      graph_.buffers.push_back(
          std::make_unique<Buffer>(graph_.device, bytes, MemoryUse::device, "plane of a filter"));
  }

  /// Planes are used again once nothing reads them any more.
  void placeBuffers() {
    std::vector<size_t> free;
    for (size_t i = 0; i < graph_.steps.size(); ++i) {
      Step& step = *graph_.steps[i];
      Value& output = graph_.values[step.output];
      if (step.kind != Step::Kind::reduce)
        output.buffer = takeBuffer(bytesOf(output.channels), free);
      if (step.filter != nullptr) {
        for (const std::string& name : step.filter->head.scratches()) {
          uint32_t deeper = 1;
          for (const auto& pass : step.filter->head.passes) {
            if (pass.into != name) continue;
            if (pass.words) deeper = 32 / graph_.format.image.bits;
            if (pass.twice) deeper = 2;
            if (pass.times > 1) deeper = pass.times;
          }
          step.scratches.push_back(takeBuffer(bytesOf(step.outChannels) * deeper, free));
        }
        if (!step.matching) free.insert(free.end(), step.scratches.begin(), step.scratches.end());
      }
      std::vector<size_t> done = step.inputs;
      if (step.kind != Step::Kind::reduce) done.push_back(step.output);
      std::sort(done.begin(), done.end());
      done.erase(std::unique(done.begin(), done.end()), done.end());
      for (const size_t v : done) {
        const Value& value = graph_.values[v];
        if (!value.given && !value.image && value.templates == nullptr && value.lastUse == i)
          free.push_back(value.buffer);
      }
    }
  }

  void makeStep(Step& step) {
    const Device& device = graph_.device;
    const uint32_t bits = graph_.format.image.bits, layers = graph_.format.layers;
    if (step.kind == Step::Kind::point) {
      step.kernels = {kernels_.point(bits, step.channels + (graph_.tiles ? 4 : 0))};
      step.pointValues.assign(layers,
                              {filters::ParameterValues{{"", {}}}});  // no table is made yet
      step.tables = std::make_unique<Buffer>(
          device, (size_t{graph_.format.image.fullScale()} + 1) * 4 * layers, MemoryUse::settings,
          "point tables");
    } else if (step.kind == Step::Kind::filter) {
      for (size_t pass = 0; pass < step.filter->head.passes.size(); ++pass) {
        const filters::Pass& form = step.filter->head.passes[pass];
        const bool never = form.tile && !filters::takesTiles(graph_.tiles, bits, step.channels);
        step.kernels.push_back(never ? nullptr
                                     : kernels_.pass(*step.filter, pass, bits, step.channels));
        const bool apart = form.blockWide > 0 && !form.tile && device.info().type == "cpu";
        step.inner.push_back(apart ? kernels_.pass(*step.filter, pass, bits, step.channels + 4)
                                   : nullptr);
      }
      step.blockWords = filters::blockWords(step.filter->head);
      step.numbers.resize(layers);
      step.tables = std::make_unique<Buffer>(device, 16, MemoryUse::settings, "tables");
      const auto scratches = step.filter->head.scratches();
      if (step.matching && !scratches.empty() && scratches[0] == "best") {
        graph_.matchers.push_back(&step);
        if (step.filter->head.find("update") != nullptr)
          step.matching->best = makeReduction("", "", step.output);
      }
      step.slotWords = static_cast<uint32_t>(bytesOf(step.outChannels) / 4 * (32 / bits));
    } else if (step.kind == Step::Kind::place) {
      step.kernels = {kernels_.place(bits, step.channels)};
      return;
    } else {
      return;
    }
    step.blocks = std::make_unique<Buffer>(device, step.blockWords * 4 * shared::kMaxLayers,
                                           MemoryUse::settings, "filter parameters");
  }

  /// Whether a use reads the plane of an earlier one.
  bool reads(size_t reader, size_t index) const {
    const auto& inputs = graph_.uses[reader].inputs;
    if (reader == index + 1 && !inputs.contains("input")) return true;
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const auto& input) { return input.second == graph_.uses[index].id; });
  }

  /// Colour goes to filters that need it, and through those before them.
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
  FilterKernels& kernels_;
  size_t last_ = 0, measured_ = 0;                      // values
  std::vector<bool> colour_;                            // uses that are given it
  std::vector<size_t> sizes_;                           // of buffers, bytes
  std::map<std::string, size_t> ids_;                   // their values
  std::map<std::pair<size_t, size_t>, size_t> places_;  // values by value and rect
  std::map<std::pair<std::string, uint32_t>, size_t> files_;
  std::map<std::string, size_t> tables_;
  std::map<uint32_t, size_t> backs_;
  std::map<size_t, size_t> greys_;    // luminances of values
  std::map<size_t, size_t> colours_;  // grey values with three channels
  std::map<size_t, bool> measures_;   // values in which markers may be measured
};

}  // namespace

bool runsTiles(const Device& device) {
  return device.hasHalves() && device.hasByteProducts() &&
         device.limits().maxComputeSharedMemorySize >= filters::kTileBytes &&
         device.limits().maxComputeWorkGroupInvocations >= filters::kTileLanes;
}

void planGraph(FilterGraph& graph, FilterKernels& kernels, const std::string& kept, bool colour) {
  Planner(graph, kernels).plan(kept, colour);
}

}  // namespace glint
