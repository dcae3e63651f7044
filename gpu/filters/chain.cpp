#include "gpu/filters/chain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "config/filter_glsl.h"
#include "gpu/filters/planner.h"
#include "gpu/statistics.h"

namespace glint {

using filters::BlockStart;
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
             .layers = std::vector<Layer>(format.layers)} {
  planGraph(graph_, kernels, keep.plane, keep.colour);
  placeRects(uses);
  for (const auto& step : graph_.steps) {
    if (!step->matching) continue;
    fillTemplate(*step, step->use(uses));
    putTemplate(*step, step->use(uses));
  }
}

FilterChain::~FilterChain() = default;

bool FilterChain::fits(const FilterUses& uses, const FilterImages& images) const {
  return images == graph_.images &&
         std::equal(uses.begin(), uses.end(), graph_.uses.begin(), graph_.uses.end(),
                    [](const FilterUse& a, const FilterUse& b) { return a.sameShape(b); });
}

ImageFormat FilterChain::keptFormat() const {
  const Rect& rect = graph_.rects[graph_.values[graph_.kept].rect];
  return {rect.width, rect.height, graph_.values[graph_.kept].channels, graph_.format.image.bits};
}

shared::PlaneShape FilterChain::shapeOf(const Rect& rect, uint32_t channels) const {
  return planeShape(ImageFormat{rect.width, rect.height, channels, graph_.format.image.bits});
}

shared::PlaneShape FilterChain::shapeOf(const Value& value) const {
  return shapeOf(graph_.rects[value.rect], value.channels);
}

/// Which frame of each camera this is, and whose numbers it uses.
void FilterChain::advance(const FrameSlot& frame) {
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    Layer& layer = graph_.layers[l];
    layer.present = frame.stamps[l].has_value();
    if (!layer.present) continue;
    const FrameNumber sequence = frame.stamps[l]->sequence;
    if (layer.last == sequence) continue;
    const bool follows = layer.last && sequence > *layer.last &&
                         sequence - *layer.last <= 1 + frame.stamps[l]->droppedBefore;
    layer.frame = follows ? layer.frame + 1 : 0;
    layer.used = follows ? layer.learned : std::vector<std::optional<ReducedNumbers>>();
    layer.used.resize(graph_.reductions.size());
    layer.last = sequence;
    for (const auto& step : graph_.steps) {
      if (!step->matching || step->matching->states.empty()) continue;
      auto& [original, used, learned] = step->matching->states[l];
      const TemplateImage& now = follows && learned ? *learned : original;
      step->matching->changed |= used != now;
      used = now;
      learned.reset();
    }
  }
}

size_t FilterChain::runsFor(const FrameSlot& frame) const {
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    const Layer& layer = graph_.layers[l];
    if (!frame.stamps[l] || graph_.reductions.empty()) continue;
    const FrameNumber sequence = frame.stamps[l]->sequence;
    const bool follows = layer.last && sequence > *layer.last &&
                         sequence - *layer.last <= 1 + frame.stamps[l]->droppedBefore;
    const bool again = layer.last == sequence && !layer.own;
    if (!follows && !again) return 1 + graph_.reducers;
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
      const Rect& rect = graph_.rects[graph_.values[graph_.reductions[r]->value].rect];
      const size_t pixels = size_t{rect.width} * rect.height;
      const double average = mean(s, pixels);
      layer.learned[r] =
          ReducedNumbers{average / full * static_cast<double>(pixels), average / full,
                         s.least / full, s.most / full, variance(s, pixels) / (full * full)};
      layer.own = layer.frame == 0;
      if (layer.own) layer.used[r] = layer.learned[r];
    }
  }
  for (const auto& step : graph_.steps)
    if (step->matching) followTemplate(*step);
}

std::optional<double> FilterChain::drivenBy(const FilterUse::Driven& driven, uint32_t layer) const {
  const std::string name = driven.id + "." + driven.number;
  for (const auto& [known, value] : used(layer))
    if (known == name) return driven.times * value + driven.plus;
  return std::nullopt;
}

std::vector<std::pair<std::string, double>> FilterChain::used(uint32_t layer) const {
  std::vector<std::pair<std::string, double>> all;
  const auto& used = graph_.layers[layer].used;
  for (size_t r = 0; r < std::min(used.size(), graph_.reductions.size()); ++r) {
    const Reduction& from = *graph_.reductions[r];
    for (size_t i = 0; used[r] && !from.id.empty() && i < used[r]->size(); ++i)
      all.emplace_back(from.id + "." + from.channel + filters::reducedNumbers()[i], (*used[r])[i]);
  }
  return all;
}

filters::ParameterValues FilterChain::valuesOf(const FilterUse& use, uint32_t layer) const {
  filters::ParameterValues values = use.values;
  for (const auto& [name, driven] : use.driven) {
    if (const auto number = drivenBy(driven, layer)) values[name] = {*number};
  }
  return values;
}

BlockStart* FilterChain::blockOf(Step& step, uint32_t layer) const {
  return reinterpret_cast<BlockStart*>(step.blocks->as<uint32_t>().data() +
                                       layer * step.blockWords);
}

void FilterChain::fillPoint(Step& step, const FilterUses& uses) {
  const size_t entries = size_t{graph_.format.image.fullScale()} + 1;
  const filters::Surroundings around{graph_.format.image.bits, step.channels,
                                     graph_.format.image.width, graph_.format.image.height};
  const bool driven = std::any_of(step.uses.begin(), step.uses.end(),
                                  [&](size_t u) { return !uses[u].driven.empty(); });
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    const size_t own = driven ? l : 0;  // otherwise all cameras have one table
    blockOf(step, l)->extra = static_cast<uint32_t>(own * entries);
    std::vector<filters::ParameterValues> values;
    for (const size_t u : step.uses) values.push_back(valuesOf(uses[u], l));
    if (own != l || values == step.pointValues[l]) continue;
    step.pointValues[l] = values;
    std::vector<uint32_t> table;
    for (size_t i = 0; i < step.uses.size(); ++i) {
      const auto& head = filters::catalog().get(uses[step.uses[i]].name, "filters").head;
      const auto next = Numbers(head, around, values[i]).pointTable();
      if (i == 0)
        table = next;
      else
        for (uint32_t& v : table) v = next[v];
    }
    std::copy(table.begin(), table.end(),
              step.tables->as<uint32_t>().begin() + static_cast<std::ptrdiff_t>(l * entries));
  }
}

void FilterChain::fillFilter(Step& step, const FilterUses& uses) {
  const FilterUse& use = step.use(uses);
  const filters::Head& head = step.filter->head;
  const shared::PlaneShape shape = shapeOf(graph_.values[step.output]);
  filters::Surroundings around{graph_.format.image.bits, step.channels, shape.width, shape.height,
                               graph_.tiles};
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    auto values = valuesOf(use, l);
    values["#width"] = {double(shape.width)};  // not parameters, but what numbers follow from, too
    values["#height"] = {double(shape.height)};
    if (step.follows && graph_.layers[l].used.size() > *step.follows &&
        graph_.layers[l].used[*step.follows]) {
      around.inputMean =
          graph_.layers[l].used[*step.follows]->at(1) * graph_.format.image.fullScale();
      values["#input"] = {*around.inputMean};
    }
    LayerNumbers& numbers = step.numbers[l];
    if (!numbers.made || values != numbers.values) {
      for (size_t i = 0; i < head.inputs.size(); ++i) {
        const auto& means = graph_.values[step.inputs[i + 1]].means;
        if (!means.empty()) around.fileMeans[head.inputs[i].name] = means[l];
      }
      const Numbers made(head, around, values);
      numbers.tables = made.tables(numbers.begins);
      numbers.words = made.words();
      numbers.runs.clear();
      for (const auto& pass : head.passes) numbers.runs.push_back(made.runs(pass));
      numbers.frames = made.memoryFrames();
      numbers.values = std::move(values);
      numbers.made = step.changed = true;
    }
  }
  if (step.changed) {
    if (step.matching) fillTemplate(step, use);
    size_t words = 0;
    for (const auto& numbers : step.numbers) words += numbers.tables.size();
    if (words * 4 > step.tables->size())
      step.tables = std::make_unique<Buffer>(graph_.device, words * 4, MemoryUse::settings,
                                             "tables of " + head.name);
    const uint32_t slots = step.numbers[0].frames;
    const size_t bytes = size_t{step.slotWords} * 4 * slots;
    if (slots > 0 && (!step.memory || step.memory->size() < bytes)) {
      step.memory = std::make_unique<Buffer>(graph_.device, bytes, MemoryUse::device,
                                             "memory of " + head.name);
    }
    if (slots != step.slots) {
      for (Layer& layer : graph_.layers) layer.frame = 0;  // what is remembered begins anew
    }
    step.slots = slots;
    uint32_t begin = 0;
    for (uint32_t l = 0; l < graph_.format.layers; ++l) {
      const LayerNumbers& numbers = step.numbers[l];
      std::copy(numbers.tables.begin(), numbers.tables.end(),
                step.tables->as<uint32_t>().begin() + begin);
      uint32_t* word =
          step.blocks->as<uint32_t>().data() + l * step.blockWords + filters::kBlockStart;
      for (const uint32_t b : numbers.begins) *word++ = begin + b;
      std::copy(numbers.words.begin(), numbers.words.end(), word);
      begin += static_cast<uint32_t>(numbers.tables.size());
    }
    step.changed = false;
  }
  if (step.matching && step.matching->changed) putTemplate(step, use);
}

void FilterChain::fill(Step& step, const FilterUses& uses) {
  if (step.kind == Step::Kind::point) fillPoint(step, uses);
  if (step.kind == Step::Kind::filter) fillFilter(step, uses);
}

void FilterChain::runPasses(Recorder& recorder, const Step& step,
                            const std::vector<Plane>& planes) {
  const filters::Head& head = step.filter->head;
  const auto scratches = head.scratches();
  const auto shape = shapeOf(graph_.rects[graph_.values[step.output].rect], 1);
  const std::array<uint32_t, 3> push{shape.width, shape.height, shape.pitch};
  for (size_t i = 0; i < head.passes.size(); ++i) {
    if (!step.numbers[0].runs[i]) continue;
    std::vector<const Buffer*> buffers{step.blocks.get(), step.tables.get(),
                                       planes[step.inputs[0]].buffer};
    for (size_t k = 1; k < step.inputs.size(); ++k)
      buffers.push_back(planes[step.inputs[k]].buffer);
    for (const size_t scratch : step.scratches) buffers.push_back(graph_.buffers[scratch].get());
    if (step.memory) buffers.push_back(step.memory.get());
    if (head.passes[i].into.empty()) buffers.push_back(planes[step.output].buffer);
    if (head.passes[i].blockWide > 0) {
      runBlocks(recorder, step, i, buffers);
      continue;
    }
    recorder.run(*step.kernels[i], buffers, std::as_bytes(std::span(push)),
                 {shape.pitch * step.outChannels, shape.height, graph_.format.layers});
  }
}

/// A pass with blocks. On a CPU those near the left and the right edge run apart from the others,
/// which need not ask where the image ends.
void FilterChain::runBlocks(Recorder& recorder, const Step& step, size_t pass,
                            const std::vector<const Buffer*>& buffers) {
  const auto shape = shapeOf(graph_.rects[graph_.values[step.output].rect], 1);
  const filters::Pass& form = step.filter->head.passes[pass];
  const uint32_t channels = step.outChannels, wide = form.blockWide;
  const auto up = [](uint32_t a, uint32_t b) { return (a + b - 1) / b; };
  const uint32_t all = up(shape.pitch * channels * (32 / graph_.format.image.bits), wide);
  const uint32_t rows = up(shape.height, form.blockHigh);
  const uint32_t margin = filters::kMargin * channels, width = shape.width * channels;
  const uint32_t before = up(margin, wide);
  const uint32_t end = width > margin ? (width - margin) / wide : 0;  // of those that are inner
  const bool apart = step.inner[pass] && end > before;
  const auto run = [&](const Kernel& kernel, uint32_t first, uint32_t gap, uint32_t blocks) {
    const std::array push{shape.width, shape.height, shape.pitch, first, gap, blocks};
    recorder.run(kernel, buffers, std::as_bytes(std::span(push)),
                 {blocks, rows, graph_.format.layers});
  };
  if (form.tile) {
    const std::array push{shape.width, shape.height, shape.pitch, all, 0U, all};
    return recorder.run(*step.kernels[pass], buffers, std::as_bytes(std::span(push)),
                        {all * filters::kTileLanes, rows, graph_.format.layers});
  }
  if (!apart) return run(*step.kernels[pass], all, 0, all);
  run(*step.inner[pass], 0, before, end - before);
  run(*step.kernels[pass], before, end - before, all - (end - before));
}

void FilterChain::runPoint(Recorder& recorder, const Step& step, const Buffer& from,
                           const Buffer& to) const {
  const auto shape = shapeOf(graph_.rects[graph_.values[step.output].rect], 1);
  const std::array<uint32_t, 3> push{shape.width, shape.height, shape.pitch};
  const std::array<const Buffer*, 4> buffers{step.blocks.get(), step.tables.get(), &from, &to};
  recorder.run(*step.kernels[0], buffers, std::as_bytes(std::span(push)),
               {shape.pitch * step.channels / 4, shape.height, graph_.format.layers});
}

/// Of point filters that are one step those up to `last`, whose plane nothing else needs.
void FilterChain::runPart(Recorder& recorder, const Step& whole, size_t last,
                          const FilterUses& uses, const Buffer& to) {
  const auto end = std::find(whole.uses.begin(), whole.uses.end(), last) + 1;
  const std::vector<size_t> part(whole.uses.begin(), end);
  if (!part_ || part_->uses != part) {
    part_ = std::make_unique<Step>();
    part_->kind = Step::Kind::point;
    part_->uses = part;
    part_->inputs = whole.inputs;
    part_->output = whole.output;  // of the same shape
    part_->channels = part_->outChannels = whole.channels;
    part_->kernels = whole.kernels;
    part_->pointValues.assign(graph_.format.layers, {filters::ParameterValues{{"", {}}}});
    const auto like = [&](const Buffer& buffer) {
      return std::make_unique<Buffer>(graph_.device, buffer.size(), MemoryUse::settings, "viewed");
    };
    part_->tables = like(*whole.tables);
    part_->blocks = like(*whole.blocks);
  }
  fillPoint(*part_, uses);
  startBlocks(*part_);
  runPoint(recorder, *part_, *planes_[part_->inputs[0]].buffer, to);
}

/// What all blocks of parameters begin with.
void FilterChain::startBlocks(Step& step) {
  for (uint32_t l = 0; step.blocks && l < graph_.format.layers; ++l) {
    BlockStart& start = *blockOf(step, l);
    start.frame = graph_.layers[l].frame;
    start.present = graph_.layers[l].present ? 1 : 0;
    start.slots = step.slots;
    if (step.memory) start.extra = step.slotWords;
  }
}

void FilterChain::run(Recorder& recorder, Step& step, const std::vector<Plane>& planes) {
  switch (step.kind) {
    case Step::Kind::luminance:
      return graph_.passes.luminance(recorder, planes[step.inputs[0]], planes[step.output]);
    case Step::Kind::reduce: {
      const Reduction& r = *graph_.reductions[step.reduction];
      return graph_.passes.statistics(recorder, planes[step.inputs[0]], {}, r.feedback, r.memory,
                                      r.result);
    }
    case Step::Kind::place:
      return place(recorder, step, planes);
    case Step::Kind::point:
      return runPoint(recorder, step, *planes[step.inputs[0]].buffer, *planes[step.output].buffer);
    case Step::Kind::filter:
      return runPasses(recorder, step, planes);
  }
}

/// Which parts of the frame planes show. What is remembered begins anew where they change.
void FilterChain::placeRects(const FilterUses& uses) {
  const auto before = graph_.rects;
  for (const auto& step : graph_.steps) {
    if (!step->crops) continue;
    const Rect& from = graph_.rects[graph_.values[step->inputs[0]].rect];
    const FilterUse& use = uses[step->uses[0]];
    const auto& head = filters::catalog().get(use.name, "filters").head;
    const auto values = valuesOf(use, 0);
    const auto number = [&](const char* name) {
      const auto found = values.find(name);
      return found == values.end() ? head.find(name)->initial[0] : found->second[0];
    };
    // The first pixel and how many, along an axis of n pixels.
    const auto along = [](double centre, double size, uint32_t n) {
      const double count = size == 0 ? 1 : std::max(1.0, std::floor(size * n + 0.5));
      const double first =
          size == 0 ? std::floor(centre * n) : std::floor(centre * n - count / 2 + 0.5);
      return std::pair(static_cast<int64_t>(std::clamp(first, 0.0, n - count)),
                       static_cast<uint32_t>(count));
    };
    const auto [left, width] = along(number("centre_x"), number("size_x"), from.width);
    const auto [top, height] = along(number("centre_y"), number("size_y"), from.height);
    graph_.rects[graph_.values[step->output].rect] = {from.left + left, from.top + top, width,
                                                      height};
  }
  if (graph_.rects == before) return;
  for (Layer& layer : graph_.layers) layer.frame = 0;
}

void FilterChain::place(Recorder& recorder, const Step& step,
                        const std::vector<Plane>& planes) const {
  const Rect &from = graph_.rects[graph_.values[step.inputs[0]].rect],
             &to = graph_.rects[graph_.values[step.output].rect];
  const auto in = shapeOf(from, 1), out = shapeOf(to, 1);
  const std::array<uint32_t, 8> push{out.width,
                                     out.height,
                                     out.pitch,
                                     in.width,
                                     in.height,
                                     in.pitch,
                                     static_cast<uint32_t>(to.left - from.left),
                                     static_cast<uint32_t>(to.top - from.top)};
  const std::array<const Buffer*, 2> buffers{planes[step.inputs[0]].buffer,
                                             planes[step.output].buffer};
  recorder.run(*step.kernels[0], buffers, std::as_bytes(std::span(push)),
               {out.pitch * step.channels, out.height, graph_.format.layers});
}

/// The marks of every camera's frame: full scale there, 0 elsewhere.
void FilterChain::draw(const Value& value) {
  const ImageFormat& image = graph_.format.image;
  const size_t bytes = value.channels * image.bits / 8;  // of a pixel
  const size_t pitch = shapeOf(value).pitch * size_t{4};
  const std::span<std::byte> all = value.image->mapped();
  std::fill(all.begin(), all.end(), std::byte{0});
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    if (!graph_.layers[l].last) continue;
    const auto& marks = value.marks->at(l).marks;
    const auto byFrame = [](const FilterMark& a, const FilterMark& b) { return a.frame < b.frame; };
    const auto [from, to] = std::equal_range(
        marks.begin(), marks.end(), FilterMark{.frame = graph_.layers[l].last->value()}, byFrame);
    for (auto mark = from; mark != to; ++mark) {
      if (mark->x < 0 || mark->y < 0 || mark->x >= image.width || mark->y >= image.height) continue;
      const size_t row = size_t{l} * image.height + static_cast<size_t>(mark->y);
      const size_t at = row * pitch + static_cast<size_t>(mark->x) * bytes;
      std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(at), bytes, std::byte{0xff});
    }
  }
}

ChainPlanes FilterChain::record(Recorder& recorder, const FrameSlot& frame, const FilterUses& uses,
                                const Plane& source, const Plane& luminance, const View& view) {
  advance(frame);
  placeRects(uses);
  for (const auto& step : graph_.steps) fill(*step, uses);
  for (const Value& value : graph_.values)
    if (value.marks != nullptr) draw(value);
  for (const auto& step : graph_.steps) startBlocks(*step);
  planes_.clear();
  for (size_t v = 0; v < graph_.values.size(); ++v) {
    const Value& value = graph_.values[v];
    if (value.given)
      planes_.push_back(v == kSourceValue ? source : luminance);
    else
      planes_.push_back({value.image ? value.image.get() : graph_.buffers[value.buffer].get(),
                         shapeOf(value), graph_.format.layers});
  }
  const auto wanted = std::find_if(uses.begin(), uses.end(),
                                   [&](const FilterUse& use) { return use.id == view.filter; });
  const bool views = view.to && wanted != uses.end();
  const auto use = static_cast<size_t>(wanted - uses.begin());
  const size_t viewed = views ? graph_.outputs[use] : 0;
  const auto copy = [&] {
    const Plane& plane = planes_[viewed];
    recorder.copy(*plane.buffer, *view.to, planeBytes(plane.shape, plane.layers), "view");
  };
  if (views && graph_.values[viewed].given) copy();
  for (const auto& step : graph_.steps) {
    run(recorder, *step, planes_);
    if (!views || step->kind == Step::Kind::reduce) continue;
    if (step->output == viewed)
      copy();  // at once: later ones use the buffer again
    else if (step->kind == Step::Kind::point && std::ranges::count(step->uses, use) > 0)
      runPart(recorder, *step, use, uses, *view.to);
  }
  ChainPlanes made{planes_[graph_.measured], planes_[graph_.response], planes_[graph_.kept], {}};
  if (!views) return made;
  const Value& value = graph_.values[viewed];
  const Rect& rect = graph_.rects[value.rect];
  made.viewed = ViewedPlane{{rect.width, rect.height, value.channels, graph_.format.image.bits},
                            shapeOf(value),
                            static_cast<int32_t>(rect.left),
                            static_cast<int32_t>(rect.top)};
  return made;
}

}  // namespace glint
