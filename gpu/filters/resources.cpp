#include "gpu/filters/resources.h"

#include <algorithm>

#include "config/error.h"
#include "gpu/frame_pool.h"
#include "gpu/visible_on_cpu.h"

namespace glint::gpu {
namespace {

using FilterStep = FilterGraph::FilterStep;
using PointStep = FilterGraph::PointStep;

/// Returns the bytes of the largest heap of the device's own memory.
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

class Resources {
 public:
  Resources(FilterGraph& graph, FilterKernels& kernels) : graph_(graph), kernels_(kernels) {}

  void make() {
    findLastUses();
    placeBuffers();
    makeBuffers();
    for (auto& step : graph_.steps) std::visit([&](auto& s) { make(s); }, step);
  }

 private:
  /// Finds the last step that reads each plane.
  void findLastUses() {
    lastUses_.assign(graph_.values.size(), 0);
    for (size_t i = 0; i < graph_.steps.size(); ++i) {
      if (const auto output = outputOf(graph_.steps[i])) lastUses_[*output] = i;
      for (const size_t input : inputsOf(graph_.steps[i])) lastUses_[input] = i;
    }
    for (const size_t value : {graph_.measured, graph_.response, graph_.kept})
      lastUses_[value] = graph_.steps.size();
    for (const auto& step : graph_.steps) {
      const auto* filter = std::get_if<FilterStep>(&step);
      if (filter == nullptr || !filter->matching) continue;
      // Templates read these planes again after the frame.
      lastUses_[filter->output] = graph_.steps.size();
      lastUses_[filter->inputs[0]] = graph_.steps.size();
    }
  }

  /// Returns a free buffer of `bytes` bytes, or a new one.
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

  /// Returns the bytes that filters need to remember frames, with their present parameters.
  size_t rememberedBytes() const {
    size_t bytes = 0;
    const ImageFormat& image = graph_.format.image;
    for (const auto& step : graph_.steps) {
      const auto* filter = std::get_if<FilterStep>(&step);
      if (filter == nullptr) continue;
      const uint32_t channels = graph_.channelsOf(filter->inputs[0]);
      const filters::Numbers numbers(filter->filter->head,
                                     {image.bits, channels, image.width, image.height},
                                     filter->useOf(graph_.uses).values);
      bytes += graph_.frameBytes(graph_.channelsOf(filter->output)) * (32 / image.bits) *
               numbers.memoryFrames();
    }
    return bytes;
  }

  /// Makes the buffers that takeBuffer() returned. Throws Error where the device has no room.
  void makeBuffers() {
    uint64_t needed = rememberedBytes();
    for (const size_t bytes : sizes_) needed += bytes;
    const uint64_t room = roomOf(graph_.device);
    if (needed > room)
      throw Error("the filters need " + std::to_string(needed >> 20) + " MiB, and the device '" +
                  graph_.device.info().name + "' has " + std::to_string(room >> 20) +
                  "; use fewer filters, smaller frames or fewer cameras");
    for (const size_t bytes : sizes_)
      graph_.buffers.push_back(std::make_unique<Buffer>(
          graph_.device, bytes, visibleOnCpu(graph_.device), "plane of a filter"));
  }

  /// Gives every plane that a step makes a buffer. Buffers are used again once nothing reads them
  /// any more.
  void placeBuffers() {
    std::vector<size_t> free;
    for (size_t i = 0; i < graph_.steps.size(); ++i) {
      auto done = inputsOf(graph_.steps[i]);
      if (const auto output = outputOf(graph_.steps[i])) {
        graph_.values[*output].content = FilterGraph::Value::Made{
            takeBuffer(graph_.frameBytes(graph_.channelsOf(*output)), free)};
        done.push_back(*output);
      }
      if (auto* filter = std::get_if<FilterStep>(&graph_.steps[i])) placeScratches(*filter, free);
      std::sort(done.begin(), done.end());
      done.erase(std::unique(done.begin(), done.end()), done.end());
      for (const size_t v : done) {
        const auto* made = std::get_if<FilterGraph::Value::Made>(&graph_.values[v].content);
        if (made != nullptr && lastUses_[v] == i) free.push_back(made->buffer);
      }
    }
  }

  void placeScratches(FilterStep& step, std::vector<size_t>& free) {
    for (const std::string& name : step.filter->head.scratches()) {
      uint32_t deeper = 1;
      for (const auto& pass : step.filter->head.passes) {
        if (pass.into != name) continue;
        if (pass.words) deeper = 32 / graph_.format.image.bits;
        if (pass.twice) deeper = 2;
        if (pass.times > 1) deeper = pass.times;
      }
      step.scratches.push_back(
          takeBuffer(graph_.frameBytes(graph_.channelsOf(step.output)) * deeper, free));
    }
    // The matches of a template are read after the frame.
    if (!step.matching) free.insert(free.end(), step.scratches.begin(), step.scratches.end());
  }

  void makeBlocks(FilterGraph::NumberBuffers& numbers) const {
    numbers.blocks =
        std::make_unique<Buffer>(graph_.device, numbers.blockWords * 4 * shared::kMaxLayers,
                                 MemoryUse::settings, "filter parameters");
  }

  void make(PointStep& step) const {
    const auto& [image, layers] = graph_.format;
    step.kernel =
        kernels_.point(image.bits, graph_.channelsOf(step.input) + (graph_.tiles ? 4 : 0));
    step.tabled.resize(layers);
    step.numbers.tables =
        std::make_unique<Buffer>(graph_.device, (size_t{image.fullScale()} + 1) * 4 * layers,
                                 MemoryUse::settings, "point tables");
    makeBlocks(step.numbers);
  }

  void make(FilterStep& step) {
    const Device& device = graph_.device;
    const filters::Head& head = step.filter->head;
    const uint32_t bits = graph_.format.image.bits, channels = graph_.channelsOf(step.inputs[0]);
    for (size_t pass = 0; pass < head.passes.size(); ++pass) {
      const filters::Pass& form = head.passes[pass];
      const bool never = form.tile && !filters::takesTiles(graph_.tiles, bits, channels);
      const bool apart = form.blockWide > 0 && !form.tile && device.info().type == "cpu";
      step.kernels.push_back(
          {never ? nullptr : kernels_.pass(*step.filter, pass, bits, channels),
           apart ? kernels_.pass(*step.filter, pass, bits, channels + 4) : nullptr});
    }
    step.layers.resize(graph_.format.layers);
    step.numbers.blockWords = filters::blockWords(head);
    step.numbers.tables = std::make_unique<Buffer>(device, 16, MemoryUse::settings, "tables");
    const auto scratches = head.scratches();
    if (step.matching && !scratches.empty() && scratches[0] == "best") {
      graph_.matchers.push_back(&step);
      if (head.find("update") != nullptr)
        step.matching->best = makeReduction(graph_, "", "", step.output);
    }
    step.memory.frameWords =
        static_cast<uint32_t>(graph_.frameBytes(graph_.channelsOf(step.output)) / 4 * (32 / bits));
    makeBlocks(step.numbers);
  }

  void make(FilterGraph::PlaceStep& step) const {
    step.kernel = kernels_.place(graph_.format.image.bits, graph_.channelsOf(step.input));
  }

  void make(FilterGraph::LuminanceStep&) const {}
  void make(FilterGraph::ReduceStep&) const {}

  FilterGraph& graph_;
  FilterKernels& kernels_;
  std::vector<size_t> lastUses_;  // for each plane, the last step that reads it
  std::vector<size_t> sizes_;     // bytes of each buffer
};

}  // namespace

std::unique_ptr<FilterGraph::Reduction> makeReduction(const FilterGraph& graph,
                                                      const std::string& id,
                                                      const std::string& channel, size_t grey) {
  const uint32_t layers = graph.format.layers;
  auto reduction = std::make_unique<FilterGraph::Reduction>(FilterGraph::Reduction{
      id, channel, grey, ScanMemory(graph.device, graph.passes, graph.frameShape(1), layers),
      Buffer(graph.device, sizeof(shared::PlaneStatistics) * layers, MemoryUse::readback,
             "reduced numbers"),
      Buffer(graph.device, sizeof(shared::Feedback), MemoryUse::settings, "no feedback")});
  const auto feedback = reduction->feedback.mapped();
  std::fill(feedback.begin(), feedback.end(), std::byte{0});
  return reduction;
}

void makeResources(FilterGraph& graph, FilterKernels& kernels) {
  Resources(graph, kernels).make();
}

}  // namespace glint::gpu
