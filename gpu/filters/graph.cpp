#include "gpu/filters/graph.h"

#include <algorithm>

#include "gpu/frame_pool.h"

namespace glint::gpu {

double FilterGraph::FilterStep::parameter(const char* name, uint32_t layer) const {
  const filters::Parameter* p = filter->head.find(name);
  if (p == nullptr) return 0;
  if (const auto& from = layers[layer].from) {
    const auto found = from->first.find(name);
    if (found != from->first.end()) return found->second[0];
  }
  return p->initial[0];
}

size_t FilterGraph::add(Value value) {
  values.push_back(std::move(value));
  return values.size() - 1;
}

size_t FilterGraph::frameBytes(uint32_t channels) const {
  return planeBytes(frameShape(channels), format.layers);
}

shared::PlaneShape FilterGraph::shapeOf(const Rect& rect, uint32_t channels) const {
  return planeShape(ImageFormat{rect.width, rect.height, channels, format.image.bits});
}

shared::PlaneShape FilterGraph::shapeOf(const Value& value) const {
  return shapeOf(rects[value.rect], value.channels);
}

std::vector<std::pair<std::string, double>> FilterGraph::reported(uint32_t layer) const {
  std::vector<std::pair<std::string, double>> all;
  const auto& used = layers[layer].used;
  for (size_t r = 0; r < std::min(used.size(), reductions.size()); ++r) {
    const Reduction& from = *reductions[r];
    for (size_t i = 0; used[r] && !from.id.empty() && i < used[r]->size(); ++i)
      all.emplace_back(from.id + "." + from.channel + filters::reducedNumbers()[i], (*used[r])[i]);
  }
  return all;
}

filters::ParameterValues FilterGraph::parametersOf(const FilterUse& use, uint32_t layer) const {
  filters::ParameterValues parameters = use.values;
  if (use.driven.empty()) return parameters;
  const auto numbers = reported(layer);
  for (const auto& [name, driven] : use.driven) {
    const std::string number = driven.id + "." + driven.number;
    const auto found = std::find_if(numbers.begin(), numbers.end(),
                                    [&](const auto& known) { return known.first == number; });
    if (found != numbers.end()) parameters[name] = {driven.times * found->second + driven.plus};
  }
  return parameters;
}

std::vector<size_t> inputsOf(const FilterGraph::Step& step) {
  if (const auto* filter = std::get_if<FilterGraph::FilterStep>(&step)) return filter->inputs;
  return std::visit(
      [](const auto& s) -> std::vector<size_t> {
        if constexpr (requires { s.input; }) return {s.input};
        return {};
      },
      step);
}

std::optional<size_t> outputOf(const FilterGraph::Step& step) {
  return std::visit(
      [](const auto& s) -> std::optional<size_t> {
        if constexpr (requires { s.output; }) return s.output;
        return std::nullopt;
      },
      step);
}

}  // namespace glint::gpu
