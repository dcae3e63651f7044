#include "gpu/filters/template_matching.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace glint::gpu {
namespace {

constexpr double kLeastMatch = 0.5;        // least score, 0 to 1, that a template follows
constexpr uint32_t kVariantBits = 0xffff;  // bits of the variant in a word of the matches

/// Returns the index of a plane's value, counted in values from the plane's start.
size_t valueAt(const shared::PlaneShape& shape, size_t perWord, uint32_t layer, size_t x,
               size_t y) {
  return (size_t{layer} * shape.height + y) * shape.pitch * perWord + x;
}

/// Returns the buffer `kept`, after replacing it by one of `bytes` bytes if it is too small.
const Buffer& roomFor(const Device& device, std::unique_ptr<Buffer>& kept, size_t bytes) {
  if (!kept || kept->size() < bytes)
    kept = std::make_unique<Buffer>(device, bytes, MemoryUse::readback, "what a picture fits");
  return *kept;
}

}  // namespace

void TemplateMatching::prepare(FilterStep& step, const FilterUse& use) const {
  const auto& head = step.filter->head;
  for (size_t i = 0; i < head.inputs.size(); ++i) {
    const Value& value = graph_.values[step.inputs[i + 1]];
    const auto* variants = std::get_if<Value::Variants>(&value.content);
    if (variants == nullptr) continue;
    step.matching->states.resize(graph_.format.layers);
    for (uint32_t l = 0; l < graph_.format.layers; ++l) {
      Template::State& state = step.matching->states[l];
      TemplateImage original =
          templateImage(variants->images->at(l), head, graph_.parametersOf(use, l),
                        "the filter '" + use.id + "'");
      if (original == state.original) continue;
      state = {original, original, {}};
    }
  }
  step.matching->changed = true;
}

void TemplateMatching::put(FilterStep& step, const FilterUse& use) {
  if (!step.matching->changed) return;
  const auto& head = step.filter->head;
  std::vector<uint32_t> words(graph_.format.layers);
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    words[l] = static_cast<uint32_t>(words.size());
    const auto values = graph_.parametersOf(use, l);
    const auto own =
        templateWords(step.matching->states[l].used, head, values, "the filter '" + use.id + "'");
    words.insert(words.end(), own.begin(), own.end());
    if (l == 0) step.matching->variants = templateVariants(head, values);
  }
  for (size_t i = 0; i < head.inputs.size(); ++i) {
    auto* variants = std::get_if<Value::Variants>(&graph_.values[step.inputs[i + 1]].content);
    if (variants == nullptr) continue;
    auto& buffer = variants->buffer;
    if (!buffer || buffer->size() < words.size() * 4)
      buffer = std::make_shared<const Buffer>(graph_.device, words.size() * 4, MemoryUse::settings,
                                              "variants of '" + use.id + "'");
    std::copy(words.begin(), words.end(), buffer->as<uint32_t>().begin());
  }
  step.matching->changed = false;
  step.matching->fitters.clear();
}

void TemplateMatching::beginFrame(uint32_t layer, bool follows) {
  for (auto& step : graph_.steps) {
    const auto* filter = std::get_if<FilterStep>(&step);
    if (filter == nullptr || !filter->matching || filter->matching->states.empty()) continue;
    auto& [original, used, learned] = filter->matching->states[layer];
    const TemplateImage& now = follows && learned ? *learned : original;
    filter->matching->changed |= used != now;
    used = now;
    learned.reset();
  }
}

/// Begins a recording of work that follows a frame.
Recorder& TemplateMatching::begin() {
  if (!after_) after_ = std::make_unique<Recorder>(graph_.device);
  after_->begin();
  return *after_;
}

bool TemplateMatching::finds() const {
  std::vector<bool> finds(graph_.values.size(), false);
  for (const auto& step : graph_.steps) {
    const auto output = outputOf(step);
    if (!output) continue;
    const auto* filter = std::get_if<FilterStep>(&step);
    const bool matches = std::ranges::count(graph_.matchers, filter) > 0;
    if (matches ? filter->parameter("form", 0) == 0
                : std::ranges::any_of(inputsOf(step), [&](size_t input) { return finds[input]; }))
      finds[*output] = true;
  }
  return finds[graph_.response];
}

/// Returns the pixels of the parts `cuts`; beyond a plane's edges, the plane's nearest pixels.
/// Waits for the device.
std::vector<TemplateImage> TemplateMatching::cutOut(std::span<const Cut> cuts) {
  const size_t perWord = 32 / graph_.format.image.bits, bytes = graph_.format.image.bits / 8;
  struct Kept {
    int64_t left, top, right, bottom;
    size_t at;
  };
  std::vector<Kept> kept;
  std::map<size_t, std::vector<Recorder::Part>> parts;
  size_t size = 0;
  for (const Cut& cut : cuts) {
    const auto& shape = planes_[cut.value].shape;
    const auto within = [](int64_t v, int64_t n) { return std::clamp<int64_t>(v, 0, n - 1); };
    const Kept k{within(cut.left, shape.width), within(cut.top, shape.height),
                 within(cut.left + cut.width - 1, shape.width),
                 within(cut.top + cut.height - 1, shape.height), size};
    const size_t row = size_t(k.right - k.left + 1) * bytes;
    for (int64_t y = k.top; y <= k.bottom; ++y, size += row)
      parts[cut.value].push_back(
          {valueAt(shape, perWord, cut.layer, size_t(k.left), size_t(y)) * bytes, size, row});
    kept.push_back(k);
  }
  const Buffer& pixels = roomFor(graph_.device, pixels_, std::max<size_t>(size, 4));
  begin();
  for (const auto& [value, own] : parts) after_->copyParts(*planes_[value].buffer, pixels, own);
  after_->submit();
  after_->wait();
  std::vector<TemplateImage> images;
  for (size_t i = 0; i < cuts.size(); ++i) {
    const auto& [left, top, right, bottom, at] = kept[i];
    TemplateImage& image = images.emplace_back(TemplateImage{cuts[i].width, cuts[i].height, {}});
    image.values.reserve(size_t(image.width * image.height));
    for (int64_t y = cuts[i].top; y < cuts[i].top + image.height; ++y) {
      const size_t row = size_t(std::clamp(y, top, bottom) - top) * size_t(right - left + 1);
      for (int64_t x = cuts[i].left; x < cuts[i].left + image.width; ++x) {
        uint32_t value = 0;  // little endian
        const size_t pixel = row + size_t(std::clamp(x, left, right) - left);
        std::memcpy(&value, pixels.mapped().data() + at + pixel * bytes, bytes);
        image.values.push_back(value);
      }
    }
  }
  return images;
}

/// Returns the words `score << 16 | variant` (variants count from 1) at the upper left corner of
/// each place. Waits for the device.
std::vector<uint32_t> TemplateMatching::wordsAt(const FilterStep& step,
                                                std::span<const Cut> places) {
  if (places.empty()) return {};
  const size_t perWord = 32 / graph_.format.image.bits;
  std::vector<Recorder::Part> parts;
  for (const Cut& place : places)
    parts.push_back({valueAt(planes_[step.output].shape, perWord, place.layer, size_t(place.left),
                             size_t(place.top)) *
                         4,
                     parts.size() * 4, 4});
  const Buffer& words = roomFor(graph_.device, fits_, parts.size() * 4);
  begin().copyParts(*graph_.buffers[step.scratches[0]], words, parts);
  after_->submit();
  after_->wait();
  const auto all = words.as<uint32_t>();
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(parts.size())};
}

const TemplateFitter& TemplateMatching::fitterOf(FilterStep& step, uint32_t layer,
                                                 uint32_t which) const {
  Template& own = *step.matching;
  const std::pair key{layer, which};
  auto found = own.fitters.find(key);
  if (found == own.fitters.end()) {
    const auto shape = templateShape(own.states[layer].used, own.variants[which - 1]);
    const bool gain = step.parameter("method", layer) == 0;
    found = own.fitters.emplace(key, TemplateFitter(shape, gain)).first;
  }
  return found->second;
}

/// Places the matches in `asked` to a fraction of a pixel, and measures their pictures. Waits for
/// the device.
void TemplateMatching::place(std::span<const Asked> asked) {
  std::vector<Cut> cuts;
  for (const Asked& one : asked) {
    const auto [w, h] = templateBox(one.step->matching->states[one.layer].used,
                                    one.step->matching->variants[one.which - 1]);
    const Rect& rect = graph_.rectOf(one.step->output);
    const Rect& whole = graph_.rectOf(graph_.measured);
    const int64_t left = one.x - w / 2, top = one.y - h / 2;
    cuts.push_back({one.step->inputs[0], one.layer, left - kFitMargin, top - kFitMargin,
                    w + 2 * kFitMargin, h + 2 * kFitMargin});
    cuts.push_back({graph_.measured, one.layer, left + rect.left - whole.left - 1,
                    top + rect.top - whole.top - 1, w + 2, h + 2});
  }
  const auto images = cutOut(cuts);
  for (size_t i = 0; i < asked.size(); ++i) {
    const Asked& one = asked[i];
    const TemplateFitter& fitter = fitterOf(*one.step, one.layer, one.which);
    const TemplateImage &around = images[2 * i], &measured = images[2 * i + 1];
    const auto& plane = planes_[cuts[2 * i].value].shape;
    const Rect& rect = graph_.rectOf(one.step->output);
    const int64_t w = measured.width - 2, h = measured.height - 2;
    TemplateMatch& match = **one.match;
    // This is the place if the fit finds none: the pixel itself, anywhere in the window.
    TemplatePlace place{0, 0, double(w) / 2, double(h) / 2, match.fit.score};
    if (const auto found = fitter.placeIn(around)) place = *found;
    match.fit.score = place.score;
    match.x = double(one.x - w / 2 + rect.left) + double(w - 1) / 2 + place.x;
    match.y = double(one.y - h / 2 + rect.top) + double(h - 1) / 2 + place.y;
    match.sigmaX = place.sigmaX;
    match.sigmaY = place.sigmaY;
    match.radius = fitter.radius();
    match.eccentricity = fitter.eccentricity();
    double rim = 0, brightest = 0;
    TemplateImage window{w, h, {}};
    for (int64_t y = 0; y < h + 2; ++y) {
      for (int64_t x = 0; x < w + 2; ++x) {
        const double value = measured.at(x, y);
        if (x == 0 || y == 0 || x == w + 1 || y == h + 1) {
          rim += value;
        } else {
          window.values.push_back(value);
          brightest = std::max(brightest, value);
        }
      }
    }
    match.background = rim / double(2 * (w + h) + 4);
    match.mass = std::max(fitter.sumAbove(window, match.background), 0.0);
    match.saturated = brightest >= graph_.format.image.fullScale();
    constexpr int64_t kRead = 4;  // px around the window that an interpolation reads
    match.cut = one.x - w / 2 < kRead || one.y - h / 2 < kRead ||
                one.x - w / 2 + w + kRead > plane.width || one.y - h / 2 + h + kRead > plane.height;
  }
}

TemplateMatching::Matches TemplateMatching::matchesAt(const Places& places, bool placed) {
  Matches matches(places.size());
  for (size_t l = 0; l < places.size(); ++l) matches[l].resize(places[l].size());
  if (planes_.empty()) return matches;
  std::map<std::optional<TemplateMatch>*, Asked> best;
  for (FilterStep* step : graph_.matchers) {
    const Rect& rect = graph_.rectOf(step->output);
    std::vector<Cut> cuts;
    std::vector<std::optional<TemplateMatch>*> wanted;
    for (uint32_t l = 0; l < places.size(); ++l) {
      for (size_t i = 0; i < places[l].size(); ++i) {
        const int64_t x = places[l][i].first - rect.left, y = places[l][i].second - rect.top;
        if (x < 0 || y < 0 || x >= rect.width || y >= rect.height) continue;
        cuts.push_back({.layer = l, .left = x, .top = y});
        wanted.push_back(&matches[l][i]);
      }
    }
    const auto words = wordsAt(*step, cuts);
    for (size_t i = 0; i < words.size(); ++i) {
      const uint32_t which = words[i] & kVariantBits, score = words[i] >> 16;
      if (which == 0 || which > step->matching->variants.size()) continue;
      if (*wanted[i] && best.at(wanted[i]).score >= score) continue;
      const TemplateVariant& variant = step->matching->variants[which - 1];
      best[wanted[i]] = {step, cuts[i].layer, which, score, cuts[i].left, cuts[i].top, wanted[i]};
      *wanted[i] = TemplateMatch{
          .fit = {variant.angle, variant.scale, score / double(graph_.format.image.fullScale())}};
    }
  }
  if (!placed) return matches;
  std::vector<Asked> all;
  for (const auto& [match, asked] : best) all.push_back(asked);
  constexpr size_t kAtOnce = 256;
  for (size_t i = 0; i < all.size(); i += kAtOnce)
    place(std::span(all).subspan(i, std::min(kAtOnce, all.size() - i)));
  return matches;
}

/// Returns what the image of a layer shows at the place (x, y), turned and scaled back by the
/// variant that fits there; empty where no variant fits.
std::optional<TemplateImage> TemplateMatching::seenAt(const FilterStep& step, uint32_t l, int64_t x,
                                                      int64_t y) {
  const TemplateImage& used = step.matching->states[l].used;
  Cut cut{.layer = l, .left = x, .top = y};
  const uint32_t which = wordsAt(step, {&cut, 1})[0] & kVariantBits;
  if (which == 0 || which > step.matching->variants.size()) return std::nullopt;
  const TemplateVariant& variant = step.matching->variants[which - 1];
  const auto [w, h] = templateBox(used, variant);
  cut = {step.inputs[0], l, x - w / 2, y - h / 2, w, h};
  return templateSeen(cutOut({&cut, 1})[0], variant, used.width, used.height);
}

/// Changes the template towards what the image shows where the template fits best. That part of the
/// image is taken at whole pixels, not between them, so that the template of an object that stands
/// still does not drift.
void TemplateMatching::follow(FilterStep& step) {
  if (!step.matching->best) return;
  const auto follows = [&](uint32_t l) {
    return graph_.layers[l].present && step.parameter("update", l) > 0 &&
           step.parameter("form", l) == 0;
  };
  bool any = false;
  for (uint32_t l = 0; l < graph_.format.layers; ++l) {
    Template::State& state = step.matching->states[l];
    if (graph_.layers[l].present && state.used != state.original) state.learned = state.used;
    any |= follows(l);
  }
  if (!any) return;
  const Reduction& best = *step.matching->best;
  graph_.passes.statistics(begin(), planes_[step.output], {}, best.feedback, best.memory,
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
    const double rate = step.parameter("update", l);
    for (size_t i = 0; i < seen->values.size(); ++i)
      state.learned->values[i] += rate * (seen->values[i] - state.used.values[i]);
  }
}

void TemplateMatching::learn() {
  for (auto& step : graph_.steps) {
    auto* filter = std::get_if<FilterStep>(&step);
    if (filter != nullptr && filter->matching) follow(*filter);
  }
}

}  // namespace glint::gpu
