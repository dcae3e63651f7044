#include "gpu/filters/chain.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "config/error.h"
#include "config/filters/glsl.h"
#include "gpu/filters/chain_parts.h"
#include "gpu/filters/planner.h"
#include "gpu/statistics.h"

namespace glint {

using filters::BlockStart;
using filters::Numbers;

FilterChain::FilterChain(const Device& device, const Passes& passes, FilterKernels& kernels,
                         const FrameFormat& format, const FilterUses& uses,
                         const FilterImages& images, const Keep& keep)
    : device_(device),
      passes_(passes),
      format_(format),
      uses_(uses),
      images_(images),
      layers_(format.layers) {
  ImageFormat image = format.image;
  image.channels = 1;
  grey_ = planeShape(image);
  image.channels = 3;
  colour_ = planeShape(image);
  Planner(*this, kernels).plan(keep);
}

FilterChain::~FilterChain() = default;

bool FilterChain::fits(const FilterUses& uses, const FilterImages& images) const {
  return images == images_ &&
         std::equal(uses.begin(), uses.end(), uses_.begin(), uses_.end(),
                    [](const FilterUse& a, const FilterUse& b) { return a.sameShape(b); });
}

uint32_t FilterChain::keptChannels() const {
  return values_[kept_].channels;
}

/// Which frame of each camera this is, and whose numbers it uses.
void FilterChain::advance(const FrameSlot& frame) {
  for (uint32_t l = 0; l < format_.layers; ++l) {
    Layer& layer = layers_[l];
    layer.present = frame.stamps[l].has_value();
    if (!layer.present) continue;
    const uint64_t sequence = frame.stamps[l]->sequence;
    if (layer.last == sequence) continue;
    const bool follows = layer.last && sequence > *layer.last &&
                         sequence - *layer.last <= 1 + frame.stamps[l]->droppedBefore;
    layer.frame = follows ? layer.frame + 1 : 0;
    layer.used = follows ? layer.learned : std::vector<std::optional<ToldNumbers>>();
    layer.used.resize(reductions_.size());
    layer.last = sequence;
  }
}

size_t FilterChain::runsFor(const FrameSlot& frame) const {
  for (uint32_t l = 0; l < format_.layers; ++l) {
    const Layer& layer = layers_[l];
    if (!frame.stamps[l] || reductions_.empty()) continue;
    const uint64_t sequence = frame.stamps[l]->sequence;
    const bool follows = layer.last && sequence > *layer.last &&
                         sequence - *layer.last <= 1 + frame.stamps[l]->droppedBefore;
    const bool again = layer.last == sequence && !layer.own;
    if (!follows && !again) return 1 + reductions_.size();
  }
  return 1;
}

void FilterChain::learn() {
  for (size_t r = 0; r < reductions_.size(); ++r) {
    const auto statistics = reductions_[r]->result.as<shared::PlaneStatistics>();
    for (uint32_t l = 0; l < format_.layers; ++l) {
      Layer& layer = layers_[l];
      if (!layer.present) continue;
      layer.learned.resize(reductions_.size());
      const shared::PlaneStatistics& s = statistics[l];
      const double full = format_.image.fullScale();
      const double average = mean(s, format_.image.pixels());
      layer.learned[r] = ToldNumbers{average / full * static_cast<double>(format_.image.pixels()),
                                     average / full, s.least / full, s.most / full,
                                     variance(s, format_.image.pixels()) / (full * full)};
      layer.own = layer.frame == 0;
      if (layer.own) layer.used[r] = layer.learned[r];
    }
  }
}

std::optional<double> FilterChain::told(const FilterUse::Driven& driven, uint32_t layer) const {
  for (size_t r = 0; r < reductions_.size(); ++r) {
    if (reductions_[r]->id != driven.id) continue;
    const auto& used = layers_[layer].used;
    if (r >= used.size() || !used[r]) return std::nullopt;
    const auto& names = filters::reducedNumbers();
    const auto at = std::find(names.begin(), names.end(), driven.number) - names.begin();
    return driven.times * used[r]->at(static_cast<size_t>(at)) + driven.plus;
  }
  return std::nullopt;
}

filters::ParameterValues FilterChain::valuesOf(const FilterUse& use, uint32_t layer) const {
  filters::ParameterValues values = use.values;
  for (const auto& [name, driven] : use.driven) {
    if (const auto number = told(driven, layer)) values[name] = {*number};
  }
  return values;
}

BlockStart* FilterChain::blockOf(Step& step, uint32_t layer) const {
  return reinterpret_cast<BlockStart*>(step.blocks->as<uint32_t>().data() +
                                       layer * step.blockWords);
}

void FilterChain::fillPoint(Step& step, const FilterUses& uses) {
  const size_t entries = size_t{format_.image.fullScale()} + 1;
  const filters::Surroundings around{format_.image.bits, step.channels, grey_.width, grey_.height};
  const bool driven = std::any_of(step.uses.begin(), step.uses.end(),
                                  [&](size_t u) { return !uses[u].driven.empty(); });
  for (uint32_t l = 0; l < format_.layers; ++l) {
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
  const FilterUse& use = uses[step.uses[0]];
  const filters::Head& head = step.filter->head;
  filters::Surroundings around{format_.image.bits, step.channels, grey_.width, grey_.height};
  for (uint32_t l = 0; l < format_.layers; ++l) {
    auto values = valuesOf(use, l);
    LayerNumbers& numbers = step.numbers[l];
    if (!numbers.made || values != numbers.values) {
      for (size_t i = 0; i < head.inputs.size(); ++i) {
        const auto& means = values_[step.inputs[i + 1]].means;
        if (!means.empty()) around.means[head.inputs[i].name] = means[l];
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
    size_t words = 0;
    for (const auto& numbers : step.numbers) words += numbers.tables.size();
    if (words * 4 > step.tables->size())
      step.tables = std::make_unique<Buffer>(device_, words * 4, MemoryUse::settings,
                                             "tables of " + head.name);
    const uint32_t slots = step.numbers[0].frames;
    const size_t bytes = size_t{step.slotWords} * 4 * slots;
    if (slots > 0 && (!step.memory || step.memory->size() < bytes)) {
      step.memory =
          std::make_unique<Buffer>(device_, bytes, MemoryUse::device, "memory of " + head.name);
    }
    if (slots != step.slots) {
      for (Layer& layer : layers_) layer.frame = 0;  // what is remembered begins anew
    }
    step.slots = slots;
    uint32_t begin = 0;
    for (uint32_t l = 0; l < format_.layers; ++l) {
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
}

void FilterChain::fill(Step& step, const FilterUses& uses) {
  if (step.kind == Step::Kind::point) fillPoint(step, uses);
  if (step.kind == Step::Kind::filter) fillFilter(step, uses);
}

void FilterChain::runPasses(Recorder& recorder, const Step& step,
                            const std::vector<Plane>& planes) {
  const filters::Head& head = step.filter->head;
  const auto scratches = head.scratches();
  const std::array<uint32_t, 3> push{grey_.width, grey_.height, grey_.pitch};
  for (size_t i = 0; i < head.passes.size(); ++i) {
    if (!step.numbers[0].runs[i]) continue;
    std::vector<const Buffer*> buffers{step.blocks.get(), step.tables.get(),
                                       planes[step.inputs[0]].buffer};
    for (size_t k = 1; k < step.inputs.size(); ++k)
      buffers.push_back(planes[step.inputs[k]].buffer);
    for (const size_t scratch : step.scratches) buffers.push_back(buffers_[scratch].get());
    if (step.memory) buffers.push_back(step.memory.get());
    if (head.passes[i].into.empty()) buffers.push_back(planes[step.output].buffer);
    if (head.passes[i].blockWide > 0) {
      runBlocks(recorder, step, i, buffers);
      continue;
    }
    recorder.run(*step.kernels[i], buffers, std::as_bytes(std::span(push)),
                 {grey_.pitch * step.outChannels, grey_.height, format_.layers});
  }
}

/// A pass with blocks. On a CPU those near the left and the right edge run apart from the others,
/// which need not ask where the image ends.
void FilterChain::runBlocks(Recorder& recorder, const Step& step, size_t pass,
                            const std::vector<const Buffer*>& buffers) {
  const filters::Pass& form = step.filter->head.passes[pass];
  const uint32_t channels = step.outChannels, wide = form.blockWide;
  const auto up = [](uint32_t a, uint32_t b) { return (a + b - 1) / b; };
  const uint32_t all = up(grey_.pitch * channels * (32 / format_.image.bits), wide);
  const uint32_t rows = up(grey_.height, form.blockHigh);
  const uint32_t margin = filters::kMargin * channels, width = grey_.width * channels;
  const uint32_t before = up(margin, wide);
  const uint32_t end = width > margin ? (width - margin) / wide : 0;  // of those that are inner
  const bool apart = step.inner[pass] && end > before;
  const auto run = [&](const Kernel& kernel, uint32_t first, uint32_t gap, uint32_t blocks) {
    const std::array push{grey_.width, grey_.height, grey_.pitch, first, gap, blocks};
    recorder.run(kernel, buffers, std::as_bytes(std::span(push)), {blocks, rows, format_.layers});
  };
  if (!apart) return run(*step.kernels[pass], all, 0, all);
  run(*step.inner[pass], 0, before, end - before);
  run(*step.kernels[pass], before, end - before, all - (end - before));
}

void FilterChain::run(Recorder& recorder, Step& step, const std::vector<Plane>& planes) {
  const std::array<uint32_t, 3> push{grey_.width, grey_.height, grey_.pitch};
  switch (step.kind) {
    case Step::Kind::luminance:
      return passes_.luminance(recorder, planes[step.inputs[0]], planes[step.output]);
    case Step::Kind::reduce: {
      const Reduction& r = *reductions_[step.reduction];
      return passes_.statistics(recorder, planes[step.inputs[0]], {}, r.feedback, r.memory,
                                r.result);
    }
    case Step::Kind::point: {
      const std::array<const Buffer*, 4> buffers{step.blocks.get(), step.tables.get(),
                                                 planes[step.inputs[0]].buffer,
                                                 planes[step.output].buffer};
      return recorder.run(*step.kernels[0], buffers, std::as_bytes(std::span(push)),
                          {grey_.pitch * step.channels / 4, grey_.height, format_.layers});
    }
    case Step::Kind::filter:
      return runPasses(recorder, step, planes);
  }
}

ChainPlanes FilterChain::record(Recorder& recorder, const FrameSlot& frame, const FilterUses& uses,
                                const Plane& source, const Plane& luminance) {
  advance(frame);
  for (const auto& step : steps_) fill(*step, uses);
  for (const auto& step : steps_) {
    for (uint32_t l = 0; step->blocks && l < format_.layers; ++l) {
      BlockStart& start = *blockOf(*step, l);
      start.frame = layers_[l].frame;
      start.present = layers_[l].present ? 1 : 0;
      start.slots = step->slots;
      if (step->memory) start.extra = step->slotWords;
    }
  }
  std::vector<Plane> planes;
  for (size_t v = 0; v < values_.size(); ++v) {
    const Value& value = values_[v];
    if (value.given)
      planes.push_back(v == kSourceValue ? source : luminance);
    else
      planes.push_back({value.image ? value.image.get() : buffers_[value.buffer].get(),
                        value.channels == 3 ? colour_ : grey_, format_.layers});
  }
  for (const auto& step : steps_) run(recorder, *step, planes);
  return {planes[measured_], planes[response_], planes[kept_]};
}

}  // namespace glint
