#include "gpu/filters/chain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "gpu/filters/planner.h"
#include "gpu/statistics.h"

namespace glint::gpu {

using filters::Numbers;

FilterChain::FilterChain(const Device& device, const Passes& passes, FilterKernels& kernels,
                         const FrameFormat& format, const FilterUses& uses,
                         const FilterImages& images, const Keep& keep)
    : graph_{.device = device,
             .passes = passes,
             .format = format,
             .uses = uses,
             .images = images,
             .tiles = keep.tiles.value_or(device.info().type != "cpu") && runsTiles(device),
             .rects = {{0, 0, format.image.width, format.image.height}},
             .layers = std::vector<Layer>(format.layers)},
      templates_(graph_, planes_) {
  planGraph(graph_, kernels, keep.plane, keep.colour);
  placeRects(uses);
  for (auto& step : graph_.steps) {
    auto* filter = std::get_if<FilterStep>(&step);
    if (filter == nullptr || !filter->matching) continue;
    templates_.prepare(*filter, filter->useOf(uses));
    templates_.put(*filter, filter->useOf(uses));
  }
}

FilterChain::~FilterChain() = default;

bool FilterChain::fits(const FilterUses& uses, const FilterImages& images) const {
  return images == graph_.images &&
         std::equal(uses.begin(), uses.end(), graph_.uses.begin(), graph_.uses.end(),
                    [](const FilterUse& a, const FilterUse& b) { return a.sameShape(b); });
}

ImageFormat FilterChain::keptFormat() const {
  const Rect& rect = graph_.rectOf(graph_.kept);
  return {rect.width, rect.height, graph_.channelsOf(graph_.kept), graph_.format.image.bits};
}

/// Returns true if a frame comes next after the layer's last one.
bool FilterChain::follows(const Layer& layer, const FrameStamp& stamp) const {
  return layer.last && stamp.sequence > *layer.last &&
         stamp.sequence - *layer.last <= 1 + stamp.droppedBefore;
}

/// Counts the frame for each camera that is in it, and chooses the numbers that it uses: those
/// learned from the camera's frame before, or none where frames are missing.
void FilterChain::advance(const FrameSlot& frame) {
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    Layer& layer = graph_.layers[l];
    const auto& stamp = frame.stamps[l];
    layer.present = stamp.has_value();
    if (!layer.present || layer.last == stamp->sequence) continue;
    const bool next = follows(layer, *stamp);
    layer.frame = next ? layer.frame + 1 : 0;
    layer.used = next ? layer.learned : std::vector<std::optional<ReducedNumbers>>();
    layer.used.resize(graph_.reductions.size());
    layer.last = stamp->sequence;
    templates_.beginFrame(l, next);
  }
}

size_t FilterChain::runsFor(const FrameSlot& frame) const {
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    const Layer& layer = graph_.layers[l];
    const auto& stamp = frame.stamps[l];
    if (!stamp || graph_.reductions.empty()) continue;
    const bool again = layer.last == stamp->sequence && !layer.own;
    if (!follows(layer, *stamp) && !again) return 1 + graph_.reducers;
  }
  return 1;
}

void FilterChain::learn() {
  for (size_t r = 0; r < graph_.reductions.size(); ++r) {
    const auto statistics = graph_.reductions[r]->result.as<shared::PlaneStatistics>();
    for (uint32_t l = 0; l < graph_.format.layers; ++l) {
      Layer& layer = graph_.layers[l];
      if (!layer.present) continue;
      layer.learned.resize(graph_.reductions.size());
      const shared::PlaneStatistics& s = statistics[l];
      const double full = graph_.format.image.fullScale();
      const Rect& rect = graph_.rectOf(graph_.reductions[r]->value);
      const size_t pixels = size_t{rect.width} * rect.height;
      const double average = mean(s, pixels);
      layer.learned[r] =
          ReducedNumbers{average / full * static_cast<double>(pixels), average / full,
                         s.least / full, s.most / full, variance(s, pixels) / (full * full)};
      layer.own = layer.frame == 0;
      if (layer.own) layer.used[r] = layer.learned[r];
    }
  }
  templates_.learn();
}

/// Makes the tables of point filters whose parameters changed.
void FilterChain::fill(PointStep& step, const FilterUses& uses) const {
  step.host.resize(graph_.format.layers);
  const auto& [image, layers] = graph_.format;
  const size_t entries = size_t{image.fullScale()} + 1;
  const filters::Surroundings around{image.bits, graph_.channelsOf(step.input), image.width,
                                     image.height};
  const bool driven = std::any_of(step.uses.begin(), step.uses.end(),
                                  [&](size_t u) { return !uses[u].driven.empty(); });
  for (uint32_t l = 0; l < layers; ++l) {
    const size_t own = driven ? l : 0;  // without driven parameters all cameras share one table
    step.numbers.start(l).extra = static_cast<uint32_t>(own * entries);
    std::vector<filters::ParameterValues> values;
    for (const size_t u : step.uses) values.push_back(graph_.parametersOf(uses[u], l));
    if (own != l || values == step.tabled[l]) continue;
    step.tabled[l] = values;
    std::vector<uint32_t> table;
    for (size_t i = 0; i < step.uses.size(); ++i) {
      const auto& head = filters::catalog().get(uses[step.uses[i]].name, "filters").head;
      const auto next = Numbers(head, around, values[i]).pointTable();
      if (i == 0)
        table = next;
      else
        for (uint32_t& v : table) v = next[v];
    }
    std::copy(
        table.begin(), table.end(),
        step.numbers.tables->as<uint32_t>().begin() + static_cast<std::ptrdiff_t>(l * entries));
    if (const HostFilters* host = graph_.device.hostFilters())
      step.host[l] =
          host->replaceValues(table, {image.width, image.height, around.channels, image.bits});
  }
  if (!driven) std::fill(step.host.begin() + 1, step.host.end(), step.host[0]);
}

/// Makes the numbers of a layer if the parameters or surroundings from which they follow have
/// changed, and returns true if so.
bool FilterChain::makeNumbers(FilterStep& step, const FilterUse& use, uint32_t l) const {
  const filters::Head& head = step.filter->head;
  const ImageFormat& image = graph_.format.image;
  const shared::PlaneShape shape = graph_.shapeOf(graph_.values[step.output]);
  filters::Surroundings around{image.bits, graph_.channelsOf(step.inputs[0]), shape.width,
                               shape.height, graph_.tiles};
  const auto& used = graph_.layers[l].used;
  if (step.follows && used.size() > *step.follows && used[*step.follows])
    around.inputMean = used[*step.follows]->at(1) * image.fullScale();
  for (size_t i = 0; i < head.inputs.size(); ++i) {
    const auto* file = std::get_if<Value::File>(&graph_.values[step.inputs[i + 1]].content);
    if (file != nullptr && !file->means.empty())
      around.fileMeans[head.inputs[i].name] = file->means[l];
  }
  FilterStep::LayerNumbers& numbers = step.layers[l];
  std::pair from(graph_.parametersOf(use, l), std::move(around));
  if (numbers.from == from) return false;
  const Numbers made(head, from.second, from.first);
  numbers.tables = made.tables(numbers.begins);
  numbers.words = made.words();
  numbers.runs.clear();
  for (const auto& pass : head.passes) numbers.runs.push_back(made.runs(pass));
  numbers.rememberedFrames = made.memoryFrames();
  const bool plain = step.inputs.size() == 1 && !head.memory && !step.matching && !step.follows;
  if (const HostFilters* host = graph_.device.hostFilters(); host != nullptr && plain)
    numbers.host =
        host->find(head, from.first, {shape.width, shape.height, from.second.channels, image.bits});
  numbers.from = std::move(from);
  return true;
}

void FilterChain::fill(FilterStep& step, const FilterUses& uses) {
  const FilterUse& use = step.useOf(uses);
  for (uint32_t l = 0; l < graph_.format.layers; ++l) step.stale |= makeNumbers(step, use, l);
  if (step.stale) {
    if (step.matching) templates_.prepare(step, use);
    upload(step);
    step.stale = false;
  }
  if (step.matching) templates_.put(step, use);
}

/// Puts the numbers of all layers where the kernels read them.
void FilterChain::upload(FilterStep& step) {
  const std::string& name = step.filter->head.name;
  size_t words = 0;
  for (const auto& numbers : step.layers) words += numbers.tables.size();
  auto& tables = step.numbers.tables;
  if (words * 4 > tables->size())
    tables = std::make_unique<Buffer>(graph_.device, words * 4, MemoryUse::settings,
                                      "tables of " + name);
  FilterStep::Memory& memory = step.memory;
  const uint32_t frames = step.layers[0].rememberedFrames;
  const size_t bytes = size_t{memory.frameWords} * 4 * frames;
  if (frames > 0 && (!memory.buffer || memory.buffer->size() < bytes))
    memory.buffer =
        std::make_unique<Buffer>(graph_.device, bytes, MemoryUse::device, "memory of " + name);
  if (frames != memory.frames) {
    for (Layer& layer : graph_.layers) layer.frame = 0;  // filters forget earlier frames
  }
  memory.frames = frames;
  uint32_t begin = 0;
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    const FilterStep::LayerNumbers& numbers = step.layers[l];
    std::copy(numbers.tables.begin(), numbers.tables.end(), tables->as<uint32_t>().begin() + begin);
    uint32_t* word = step.numbers.words(l) + filters::kBlockStart;
    for (const uint32_t b : numbers.begins) *word++ = begin + b;
    std::copy(numbers.words.begin(), numbers.words.end(), word);
    begin += static_cast<uint32_t>(numbers.tables.size());
  }
}

/// Writes the first words, alike for all filters, of a step's blocks of numbers. `memory`: null for
/// steps that remember nothing.
void FilterChain::startBlocks(const FilterGraph::NumberBuffers& numbers,
                              const FilterStep::Memory* memory) const {
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    filters::BlockStart& start = numbers.start(l);
    start.frame = graph_.layers[l].frame;
    start.present = graph_.layers[l].present ? 1 : 0;
    start.slots = memory != nullptr ? memory->frames : 0;
    if (memory != nullptr && memory->buffer) start.extra = memory->frameWords;
  }
}

/// Finds out which parts of the frame the planes show. If one of them changes, filters forget
/// earlier frames.
void FilterChain::placeRects(const FilterUses& uses) {
  const auto before = graph_.rects;
  for (const auto& step : graph_.steps) {
    const auto* crop = std::get_if<PlaceStep>(&step);
    if (crop == nullptr || !crop->crop) continue;
    const Rect& from = graph_.rectOf(crop->input);
    const FilterUse& use = uses[*crop->crop];
    const auto& head = filters::catalog().get(use.name, "filters").head;
    const auto values = graph_.parametersOf(use, 0);
    const auto number = [&](const char* name) {
      const auto found = values.find(name);
      return found == values.end() ? head.find(name)->initial[0] : found->second[0];
    };
    // Returns the first pixel of a part and its number of pixels, along an axis of n pixels.
    const auto along = [](double centre, double size, uint32_t n) {
      const double count = size == 0 ? 1 : std::max(1.0, std::floor(size * n + 0.5));
      const double first =
          size == 0 ? std::floor(centre * n) : std::floor(centre * n - count / 2 + 0.5);
      return std::pair(static_cast<int64_t>(std::clamp(first, 0.0, n - count)),
                       static_cast<uint32_t>(count));
    };
    const auto [left, width] = along(number("centre_x"), number("size_x"), from.width);
    const auto [top, height] = along(number("centre_y"), number("size_y"), from.height);
    graph_.rects[graph_.values[crop->output].rect] = {from.left + left, from.top + top, width,
                                                      height};
  }
  if (graph_.rects == before) return;
  for (Layer& layer : graph_.layers) layer.frame = 0;
}

/// Records the work of the host for a step, a function for each layer. Returns false if a layer has
/// no function, or if the host does not see the planes; then nothing is recorded.
bool FilterChain::runOnHost(Recorder& recorder, const std::string& name, size_t input,
                            size_t output, const std::vector<HostFilter>& layers) const {
  const bool all = std::ranges::all_of(layers, [](const HostFilter& f) { return bool{f}; });
  const Buffer &from = *planes_[input].buffer, &to = *planes_[output].buffer;
  if (!all || from.mapped().empty() || to.mapped().empty()) return false;
  const auto view = [&](size_t value, const Buffer& buffer, uint32_t layer) {
    const shared::PlaneShape& shape = planes_[value].shape;
    return ImageView{
        {shape.width, shape.height, graph_.channelsOf(value), graph_.format.image.bits},
        buffer.mapped().data() + planeBytes(shape, layer),
        size_t{shape.pitch} * 4};
  };
  struct Work {
    HostFilter filter;
    ImageView from, to;
  };
  std::vector<Work> work;
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    if (graph_.layers[l].present)
      work.push_back({layers[l], view(input, from, l), view(output, to, l)});
  }
  recorder.runOnHost(name, [work = std::move(work)] {
    for (const Work& one : work) one.filter(one.from, one.to);
  });
  return true;
}

void FilterChain::run(Recorder& recorder, const FilterStep& step) const {
  const filters::Head& head = step.filter->head;
  std::vector<HostFilter> host;
  for (const FilterStep::LayerNumbers& numbers : step.layers) host.push_back(numbers.host);
  if (runOnHost(recorder, head.name, step.inputs[0], step.output, host)) return;
  const uint32_t channels = graph_.channelsOf(step.output);
  const auto shape = graph_.shapeOf(graph_.rectOf(step.output), 1);
  const std::array<uint32_t, 3> push{shape.width, shape.height, shape.pitch};
  for (size_t i = 0; i < head.passes.size(); ++i) {
    if (!step.layers[0].runs[i]) continue;
    std::vector<const Buffer*> buffers{step.numbers.blocks.get(), step.numbers.tables.get()};
    for (const size_t input : step.inputs) buffers.push_back(planes_[input].buffer);
    for (const size_t scratch : step.scratches) buffers.push_back(graph_.buffers[scratch].get());
    if (step.memory.buffer) buffers.push_back(step.memory.buffer.get());
    if (head.passes[i].into.empty()) buffers.push_back(planes_[step.output].buffer);
    if (head.passes[i].blockWide > 0) {
      runBlocks(recorder, step, i, buffers);
      continue;
    }
    recorder.run(*step.kernels[i].all, buffers, std::as_bytes(std::span(push)),
                 {shape.pitch * channels, shape.height, graph_.format.layers});
  }
}

/// Runs a pass with blocks or tiles. On a CPU the blocks near the left and the right edge run in a
/// kernel of their own, so that the kernel of the others need not check where the image ends.
void FilterChain::runBlocks(Recorder& recorder, const FilterStep& step, size_t pass,
                            const std::vector<const Buffer*>& buffers) const {
  const auto shape = graph_.shapeOf(graph_.rectOf(step.output), 1);
  const filters::Pass& form = step.filter->head.passes[pass];
  const auto& [kernel, inner] = step.kernels[pass];
  const uint32_t channels = graph_.channelsOf(step.output), wide = form.blockWide;
  const auto up = [](uint32_t a, uint32_t b) { return (a + b - 1) / b; };
  const uint32_t all = up(shape.pitch * channels * (32 / graph_.format.image.bits), wide);
  const uint32_t rows = up(shape.height, form.blockHigh);
  const uint32_t margin = filters::kMargin * channels, width = shape.width * channels;
  const uint32_t before = up(margin, wide);
  const uint32_t end = width > margin ? (width - margin) / wide : 0;  // after the last inner block
  const auto run = [&](const Kernel& which, uint32_t first, uint32_t gap, uint32_t blocks) {
    const std::array push{shape.width, shape.height, shape.pitch, first, gap, blocks};
    const uint32_t lanes = form.tile ? filters::kTileLanes : 1;
    recorder.run(which, buffers, std::as_bytes(std::span(push)),
                 {blocks * lanes, rows, graph_.format.layers});
  };
  if (!inner || end <= before) return run(*kernel, all, 0, all);
  run(*inner, 0, before, end - before);
  run(*kernel, before, end - before, all - (end - before));
}

void FilterChain::run(Recorder& recorder, const PointStep& step) const {
  if (runOnHost(recorder, "point", step.input, step.output, step.host)) return;
  runPoint(recorder, step, *planes_[step.output].buffer);
}

void FilterChain::runPoint(Recorder& recorder, const PointStep& step, const Buffer& to) const {
  const auto shape = graph_.shapeOf(graph_.rectOf(step.output), 1);
  const std::array<uint32_t, 3> push{shape.width, shape.height, shape.pitch};
  const std::array<const Buffer*, 4> buffers{step.numbers.blocks.get(), step.numbers.tables.get(),
                                             planes_[step.input].buffer, &to};
  recorder.run(
      *step.kernel, buffers, std::as_bytes(std::span(push)),
      {shape.pitch * graph_.channelsOf(step.input) / 4, shape.height, graph_.format.layers});
}

/// Runs the first few of several fused point filters, up to the use `last`, for a view of its
/// plane, which nothing else needs.
void FilterChain::runPart(Recorder& recorder, const PointStep& whole, size_t last,
                          const FilterUses& uses, const Buffer& to) {
  const auto end = std::find(whole.uses.begin(), whole.uses.end(), last) + 1;
  const std::vector<size_t> part(whole.uses.begin(), end);
  if (!part_ || part_->uses != part) {
    const auto like = [&](const Buffer& buffer) {
      return std::make_unique<Buffer>(graph_.device, buffer.size(), MemoryUse::settings, "viewed");
    };
    part_ = std::make_unique<PointStep>(PointStep{
        .uses = part,
        .input = whole.input,
        .output = whole.output,  // only for its shape
        .kernel = whole.kernel,
        .numbers = {.blocks = like(*whole.numbers.blocks), .tables = like(*whole.numbers.tables)}});
    part_->tabled.resize(graph_.format.layers);
  }
  fill(*part_, uses);
  startBlocks(part_->numbers, nullptr);
  runPoint(recorder, *part_, to);
}

void FilterChain::run(Recorder& recorder, const LuminanceStep& step) const {
  graph_.passes.luminance(recorder, planes_[step.input], planes_[step.output]);
}

void FilterChain::run(Recorder& recorder, const ReduceStep& step) const {
  const Reduction& r = *graph_.reductions[step.reduction];
  graph_.passes.statistics(recorder, planes_[step.input], {}, r.feedback, r.memory, r.result);
}

void FilterChain::run(Recorder& recorder, const PlaceStep& step) const {
  const Rect &from = graph_.rectOf(step.input), &to = graph_.rectOf(step.output);
  const auto in = graph_.shapeOf(from, 1), out = graph_.shapeOf(to, 1);
  const std::array<uint32_t, 8> push{out.width,
                                     out.height,
                                     out.pitch,
                                     in.width,
                                     in.height,
                                     in.pitch,
                                     static_cast<uint32_t>(to.left - from.left),
                                     static_cast<uint32_t>(to.top - from.top)};
  const std::array<const Buffer*, 2> buffers{planes_[step.input].buffer,
                                             planes_[step.output].buffer};
  recorder.run(*step.kernel, buffers, std::as_bytes(std::span(push)),
               {out.pitch * graph_.channelsOf(step.input), out.height, graph_.format.layers});
}

/// Draws the marks of every camera's frame: pixels with a mark are at full scale, the others 0.
void FilterChain::drawMarks() {
  const ImageFormat& image = graph_.format.image;
  for (const Value& value : graph_.values) {
    const auto* drawn = std::get_if<Value::Marks>(&value.content);
    if (drawn == nullptr) continue;
    const size_t bytes = value.channels * image.bits / 8;  // bytes of a pixel
    const size_t pitch = graph_.shapeOf(value).pitch * size_t{4};
    const std::span<std::byte> all = drawn->buffer->mapped();
    std::fill(all.begin(), all.end(), std::byte{0});
    for (uint32_t l = 0; l < graph_.format.layers; ++l) {
      if (!graph_.layers[l].last) continue;
      const auto& marks = drawn->images->at(l).marks;
      const auto byFrame = [](const FilterMark& a, const FilterMark& b) {
        return a.frame < b.frame;
      };
      const auto [from, to] = std::equal_range(
          marks.begin(), marks.end(), FilterMark{.frame = graph_.layers[l].last->value()}, byFrame);
      for (auto mark = from; mark != to; ++mark) {
        if (mark->x < 0 || mark->y < 0 || mark->x >= image.width || mark->y >= image.height)
          continue;
        const size_t row = size_t{l} * image.height + static_cast<size_t>(mark->y);
        const size_t at = row * pitch + static_cast<size_t>(mark->x) * bytes;
        std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(at), bytes, std::byte{0xff});
      }
    }
  }
}

/// Fills `planes_` with the planes of all values for this frame.
void FilterChain::collectPlanes(const Plane& source, const Plane& luminance) {
  planes_.clear();
  for (const Value& value : graph_.values) {
    const auto plane = [&](const Buffer& buffer) {
      return Plane{&buffer, graph_.shapeOf(value), graph_.format.layers};
    };
    if (const auto* made = std::get_if<Value::Made>(&value.content))
      planes_.push_back(plane(*graph_.buffers[made->buffer]));
    else if (const auto* file = std::get_if<Value::File>(&value.content))
      planes_.push_back(plane(*file->buffer));
    else if (const auto* marks = std::get_if<Value::Marks>(&value.content))
      planes_.push_back(plane(*marks->buffer));
    else if (const auto* variants = std::get_if<Value::Variants>(&value.content))
      planes_.push_back(plane(*variants->buffer));
    else
      planes_.push_back(planes_.empty() ? source : luminance);
  }
}

ChainPlanes FilterChain::record(Recorder& recorder, const FrameSlot& frame, const FilterUses& uses,
                                const Plane& source, const Plane& luminance, const View& view) {
  advance(frame);
  placeRects(uses);
  for (auto& step : graph_.steps) {
    if (auto* point = std::get_if<PointStep>(&step)) fill(*point, uses);
    if (auto* filter = std::get_if<FilterStep>(&step)) fill(*filter, uses);
  }
  drawMarks();
  // This comes after all steps are filled, because filling one may reset Layer::frame for all.
  for (auto& step : graph_.steps) {
    if (auto* point = std::get_if<PointStep>(&step)) startBlocks(point->numbers, nullptr);
    if (auto* filter = std::get_if<FilterStep>(&step))
      startBlocks(filter->numbers, &filter->memory);
  }
  collectPlanes(source, luminance);
  const auto wanted = std::find_if(uses.begin(), uses.end(),
                                   [&](const FilterUse& use) { return use.id == view.filter; });
  const bool views = view.to && wanted != uses.end();
  const auto use = static_cast<size_t>(wanted - uses.begin());
  const size_t viewed = views ? graph_.outputs[use] : 0;
  const auto copy = [&] {
    const Plane& plane = planes_[viewed];
    recorder.copy(*plane.buffer, *view.to, planeBytes(plane.shape, plane.layers), "view");
  };
  if (views && std::holds_alternative<Value::Given>(graph_.values[viewed].content)) copy();
  for (const auto& step : graph_.steps) {
    std::visit([&](const auto& s) { run(recorder, s); }, step);
    if (!views) continue;
    const auto* point = std::get_if<PointStep>(&step);
    if (outputOf(step) == viewed)
      copy();  // now, because later steps may use the buffer again
    else if (point != nullptr && std::ranges::count(point->uses, use) > 0)
      runPart(recorder, *point, use, uses, *view.to);
  }
  ChainPlanes made{planes_[graph_.measured], planes_[graph_.response], planes_[graph_.kept], {}};
  if (!views) return made;
  const Value& value = graph_.values[viewed];
  const Rect& rect = graph_.rects[value.rect];
  made.viewed = ViewedPlane{{rect.width, rect.height, value.channels, graph_.format.image.bits},
                            graph_.shapeOf(value),
                            static_cast<int32_t>(rect.left),
                            static_cast<int32_t>(rect.top)};
  return made;
}

}  // namespace glint::gpu
