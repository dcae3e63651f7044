// Pictures that are sought: how they fit at a place, and how they follow what they find.
#include <algorithm>
#include <cstring>

#include "gpu/filters/chain.h"
#include "gpu/filters/graph.h"

namespace glint {
namespace {

constexpr double kLeastMatch = 0.5;  // that a picture follows
constexpr uint32_t kVariantBits = 0xffff;

/// Where a plane's value lies, in values from the start.
size_t valueAt(const shared::PlaneShape& shape, size_t perWord, uint32_t layer, size_t x,
               size_t y) {
  return (size_t{layer} * shape.height + y) * shape.pitch * perWord + x;
}

/// `kept`, made anew where it is too small.
const Buffer& roomFor(const Device& device, std::unique_ptr<Buffer>& kept, size_t bytes) {
  if (!kept || kept->size() < bytes)
    kept = std::make_unique<Buffer>(device, bytes, MemoryUse::readback, "what a picture fits");
  return *kept;
}

}  // namespace

/// The looks that the parameters ask for, as they are without following anything.
void FilterChain::fillTemplate(Step& step, const FilterUse& use) {
  const auto& head = step.filter->head;
  for (size_t i = 0; i < head.inputs.size(); ++i) {
    const auto* images = graph_.values[step.inputs[i + 1]].templates;
    if (images == nullptr) continue;
    step.matching->states.resize(graph_.format.layers);
    for (uint32_t l = 0; l < graph_.format.layers; ++l) {
      Template::State& state = step.matching->states[l];
      TemplateImage original =
          templateImage(images->at(l), head, valuesOf(use, l), "the filter '" + use.id + "'");
      if (original == state.original) continue;
      state = {original, original, {}};
    }
  }
  step.matching->changed = true;
}

/// What the kernels read of them.
void FilterChain::putTemplate(Step& step, const FilterUse& use) {
  const auto& head = step.filter->head;
  std::vector<uint32_t> words(graph_.format.layers);
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    words[l] = static_cast<uint32_t>(words.size());
    const auto values = valuesOf(use, l);
    const auto own =
        templateWords(step.matching->states[l].used, head, values, "the filter '" + use.id + "'");
    words.insert(words.end(), own.begin(), own.end());
    if (l == 0) step.matching->variants = templateVariants(head, values);
  }
  for (size_t i = 0; i < head.inputs.size(); ++i) {
    Value& value = graph_.values[step.inputs[i + 1]];
    if (value.templates == nullptr) continue;
    if (!value.image || value.image->size() < words.size() * 4)
      value.image = std::make_shared<const Buffer>(
          graph_.device, words.size() * 4, MemoryUse::settings, "variants of '" + use.id + "'");
    std::copy(words.begin(), words.end(), value.image->as<uint32_t>().begin());
  }
  step.matching->changed = false;
}

/// What is done behind a frame begins; made when it is first wanted.
Recorder& FilterChain::beginAfter() {
  if (!after_) after_ = std::make_unique<Recorder>(graph_.device);
  after_->begin();
  return *after_;
}

std::vector<std::vector<std::optional<TemplateFit>>> FilterChain::fitsAt(
    const std::vector<std::vector<std::pair<uint32_t, uint32_t>>>& places) {
  std::vector<std::vector<std::optional<TemplateFit>>> fits(places.size());
  for (size_t l = 0; l < places.size(); ++l) fits[l].resize(places[l].size());
  if (graph_.matcher == nullptr || planes_.empty()) return fits;
  const Rect& rect = graph_.rects[graph_.values[graph_.matcher->output].rect];
  const auto shape = shapeOf(rect, 1);
  std::vector<Recorder::Part> parts;
  std::vector<std::optional<TemplateFit>*> wanted;
  for (uint32_t l = 0; l < places.size(); ++l) {
    for (size_t i = 0; i < places[l].size(); ++i) {
      const int64_t x = places[l][i].first - rect.left, y = places[l][i].second - rect.top;
      if (x < 0 || y < 0 || x >= rect.width || y >= rect.height) continue;
      const size_t at = valueAt(shape, 32 / graph_.format.image.bits, l, size_t(x), size_t(y));
      parts.push_back({at * 4, parts.size() * 4, 4});
      wanted.push_back(&fits[l][i]);
    }
  }
  if (parts.empty()) return fits;
  const Buffer& words = roomFor(graph_.device, fits_, parts.size() * 4);
  beginAfter().copyParts(*graph_.buffers[graph_.matcher->scratches[0]], words, parts);
  after_->submit();
  after_->wait();
  for (size_t i = 0; i < wanted.size(); ++i) {
    const uint32_t which = words.as<uint32_t>()[i] & kVariantBits;
    if (which == 0 || which > graph_.matcher->matching->variants.size()) continue;
    const TemplateVariant& variant = graph_.matcher->matching->variants[which - 1];
    *wanted[i] = TemplateFit{variant.angle, variant.scale};
  }
  return fits;
}

/// A parameter of the step's filter in a layer.
double FilterChain::parameterOf(const Step& step, const char* name, uint32_t layer) const {
  const filters::Parameter* p = step.filter->head.find(name);
  const auto& values = step.numbers[layer].values;
  const auto found = values.find(name);
  return p == nullptr ? 0.0 : found == values.end() ? p->initial[0] : found->second[0];
}

/// What the image of a layer has where the picture fits at a place; empty where it does not.
std::optional<TemplateImage> FilterChain::seenAt(const Step& step, uint32_t l, int64_t x,
                                                 int64_t y) {
  const Plane& in = planes_[step.inputs[0]];
  const auto& [original, used, learned] = step.matching->states[l];
  const size_t perWord = 32 / graph_.format.image.bits, bytes = graph_.format.image.bits / 8;
  int64_t wide = 1, high = 1;  // the largest box of a variant
  for (const TemplateVariant& variant : step.matching->variants) {
    const auto [w, h] = templateBox(used, variant);
    wide = std::max(wide, w);
    high = std::max(high, h);
  }
  const int64_t left = std::max<int64_t>(x - wide / 2, 0), top = std::max<int64_t>(y - high / 2, 0);
  const int64_t right = std::min<int64_t>(x - wide / 2 + wide, in.shape.width);
  const int64_t bottom = std::min<int64_t>(y - high / 2 + high, in.shape.height);
  const size_t row = size_t(right - left) * bytes;
  std::vector<Recorder::Part> parts;
  for (int64_t j = top; j < bottom; ++j)
    parts.push_back(
        {valueAt(in.shape, perWord, l, size_t(left), size_t(j)) * bytes, parts.size() * row, row});
  const Buffer& pixels = roomFor(graph_.device, pixels_, parts.size() * row);
  const Buffer& word = roomFor(graph_.device, fits_, 4);
  const Recorder::Part one{valueAt(in.shape, perWord, l, size_t(x), size_t(y)) * 4, 0, 4};
  beginAfter().copyParts(*in.buffer, pixels, parts);
  after_->copyParts(*graph_.buffers[step.scratches[0]], word, {&one, 1});
  after_->submit();
  after_->wait();
  const uint32_t which = word.as<uint32_t>()[0] & kVariantBits;
  if (which == 0 || which > step.matching->variants.size()) return std::nullopt;
  const TemplateVariant& variant = step.matching->variants[which - 1];
  const auto [w, h] = templateBox(used, variant);
  TemplateImage window{w, h, {}};
  for (int64_t j = y - h / 2 - top; j < y - h / 2 - top + h; ++j) {
    for (int64_t i = x - w / 2 - left; i < x - w / 2 - left + w; ++i) {
      uint32_t value = 0;  // little endian
      std::memcpy(&value, pixels.mapped().data() + size_t(j) * row + size_t(i) * bytes, bytes);
      window.values.push_back(value);
    }
  }
  return templateSeen(window, variant, used.width, used.height);
}

/// The picture comes nearer to what it fits best. That is taken at the place where it fits, and not
/// between pixels, so what stands still is never moved.
void FilterChain::followTemplate(Step& step) {
  if (!step.matching->best) return;
  const auto follows = [&](uint32_t l) {
    return graph_.layers[l].present && parameterOf(step, "update", l) > 0 &&
           parameterOf(step, "form", l) == 0;
  };
  bool any = false;
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    Template::State& state = step.matching->states[l];
    if (graph_.layers[l].present && state.used != state.original) state.learned = state.used;
    any |= follows(l);
  }
  if (!any) return;
  const Reduction& best = *step.matching->best;
  graph_.passes.statistics(beginAfter(), planes_[step.output], {}, best.feedback, best.memory,
                           best.result);
  after_->submit();
  after_->wait();
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    const shared::PlaneStatistics s = best.result.as<shared::PlaneStatistics>()[l];
    if (!follows(l) || s.most < kLeastMatch * graph_.format.image.fullScale()) continue;
    const uint32_t width = planes_[step.output].shape.width;
    const auto seen = seenAt(step, l, s.mostIndex % width, s.mostIndex / width);
    if (!seen) continue;
    Template::State& state = step.matching->states[l];
    state.learned = state.used;
    const double rate = parameterOf(step, "update", l);
    for (size_t i = 0; i < seen->values.size(); ++i)
      state.learned->values[i] += rate * (seen->values[i] - state.used.values[i]);
  }
}

}  // namespace glint
