#include "gpu/filters/planner.h"

#include <algorithm>
#include <cstring>

#include "config/error.h"
#include "config/filters/glsl.h"

namespace glint {
namespace {

std::string sizeText(const ImageFormat& image) {
  return std::to_string(image.width) + "x" + std::to_string(image.height);
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

}  // namespace

size_t FilterChain::Planner::bytesOf(uint32_t channels) const {
  return planeBytes(channels == 3 ? c_.colour_ : c_.grey_, c_.format_.layers);
}

size_t FilterChain::Planner::add(const Value& value) {
  c_.values_.push_back(value);
  return c_.values_.size() - 1;
}

size_t FilterChain::Planner::fileValue(const FilterUse& use, const std::string& file,
                                       uint32_t channels) {
  const auto key = std::make_pair(file, channels);
  if (const auto found = files_.find(key); found != files_.end()) return found->second;
  const auto images = c_.images_ ? c_.images_->find(file) : decltype(c_.images_->end()){};
  if (!c_.images_ || images == c_.images_->end())
    throw UsageError("the filter '" + use.id + "': the image '" + file + "' was not read");
  auto buffer = std::make_shared<Buffer>(c_.device_, bytesOf(channels), MemoryUse::upload,
                                         "image '" + file + "'");
  const ImageFormat& format = c_.format_.image;
  for (uint32_t l = 0; l < c_.format_.layers; ++l) {
    const FilterImage& image = images->second.at(l);
    if (image.format.width != format.width || image.format.height != format.height)
      throw UsageError("the filter '" + use.id + "': the image '" + file + "' is " +
                       sizeText(image.format) + ", the frames are " + sizeText(format));
    if (image.format.bits != format.bits)
      throw UsageError("the filter '" + use.id + "': the image '" + file + "' has " +
                       std::to_string(image.format.bits) + " bits, the frames have " +
                       std::to_string(format.bits));
    fillImage(*buffer, image, l, channels, channels == 3 ? c_.colour_ : c_.grey_);
  }
  const size_t value = add({.channels = channels, .image = buffer});
  for (const FilterImage& image : images->second) {
    double sum = 0;
    for (const uint16_t v : image.values) sum += v;
    c_.values_[value].means.push_back(sum / static_cast<double>(image.values.size()));
  }
  return files_[key] = value;
}

/// The value that an input names.
size_t FilterChain::Planner::from(const FilterUse& use, const std::string& input) {
  const auto found = use.inputs.find(input);
  if (found == use.inputs.end()) return last_;
  const std::string& name = found->second;
  if (name == "source") return kSourceValue;
  if (name.starts_with("file:")) return fileValue(use, name.substr(5), c_.format_.image.channels);
  return ids_.at(name);
}

size_t FilterChain::Planner::greyOf(size_t value) {
  if (c_.values_[value].channels == 1) return value;
  if (value == kSourceValue) return kLuminanceValue;
  if (const auto found = greys_.find(value); found != greys_.end()) return found->second;
  const size_t grey = add({.channels = 1});
  auto step = std::make_unique<Step>();
  step->kind = Step::Kind::luminance;
  step->inputs = {value};
  step->output = grey;
  c_.steps_.push_back(std::move(step));
  measures_[grey] = measures_[value];
  return greys_[value] = grey;
}

size_t FilterChain::Planner::addPoint(size_t index, size_t input) {
  auto step = std::make_unique<Step>();
  step->kind = Step::Kind::point;
  step->uses = {index};
  step->inputs = {input};
  step->channels = step->outChannels = c_.values_[input].channels;
  step->output = add({.channels = step->channels});
  c_.steps_.push_back(std::move(step));
  return c_.values_.size() - 1;
}

size_t FilterChain::Planner::addFilter(size_t index, const filters::Filter& filter, size_t input) {
  const FilterUse& use = c_.uses_[index];
  const filters::Head& head = filter.head;
  auto step = std::make_unique<Step>();
  step->filter = &filter;
  step->uses = {index};
  std::vector<size_t> inputs{input};
  uint32_t channels = c_.values_[input].channels;
  for (const filters::Input& further : head.inputs) {
    const std::string& name = use.inputs.at(further.name);
    inputs.push_back(name.starts_with("file:") ? fileValue(use, name.substr(5), channels)
                                               : from(use, further.name));
    if (c_.values_[inputs.back()].channels != channels) channels = 1;
  }
  if (!colour_[index]) channels = 1;
  if (channels == 1 && !head.grey) {
    throw UsageError(
        "the filter '" + use.id + "' needs colour, and " +
        (c_.format_.image.channels == 1 ? "the frames are grey" : "what it reads is grey"));
  }
  for (size_t& value : inputs)
    if (channels == 1) value = greyOf(value);
  step->inputs = inputs;
  step->channels = channels;
  step->outChannels = head.givesGrey ? 1 : channels;
  step->output = add({.channels = step->outChannels});
  const size_t output = step->output;
  c_.steps_.push_back(std::move(step));
  return output;
}

void FilterChain::Planner::addReduction(size_t index, size_t input) {
  const size_t grey = greyOf(input);
  auto step = std::make_unique<Step>();
  step->kind = Step::Kind::reduce;
  step->uses = {index};
  step->inputs = {grey};
  step->output = grey;
  step->reduction = c_.reductions_.size();
  c_.steps_.push_back(std::move(step));
  const uint32_t layers = c_.format_.layers;
  c_.reductions_.push_back(std::make_unique<Reduction>(
      Reduction{c_.uses_[index].id, ScanMemory(c_.device_, c_.passes_, c_.grey_, layers),
                Buffer(c_.device_, sizeof(shared::PlaneStatistics) * layers, MemoryUse::readback,
                       "told numbers"),
                Buffer(c_.device_, sizeof(shared::Feedback), MemoryUse::settings, "no feedback")}));
  auto& feedback = c_.reductions_.back()->feedback;
  std::fill(feedback.mapped().begin(), feedback.mapped().end(), std::byte{0});
}

void FilterChain::Planner::addUse(size_t index) {
  const FilterUse& use = c_.uses_[index];
  const filters::Filter& filter = filters::catalog().get(use.name, "filters");
  const filters::Head& head = filter.head;
  size_t input = from(use, "input");
  const bool measures = measures_[input];
  if (!colour_[index]) input = greyOf(input);
  size_t output = input;
  if (head.reduces)
    addReduction(index, input);
  else if (head.point)
    output = addPoint(index, input);
  else
    output = addFilter(index, filter, input);
  measures_[output] =
      head.reduces ? measures : measures && head.feeds == filters::Head::Feeds::measure;
  if (measures_[output]) measured_ = output;
  ids_[use.id] = last_ = output;
}

/// Point filters that follow each other, and whose plane between them nobody else reads, are one.
void FilterChain::Planner::fusePoints() {
  auto& steps = c_.steps_;
  for (size_t i = 0; i + 1 < steps.size();) {
    Step& a = *steps[i];
    Step& b = *steps[i + 1];
    const auto reads = [&](const auto& step) {
      return std::count(step->inputs.begin(), step->inputs.end(), a.output);
    };
    int64_t readers = 0;
    for (const auto& step : steps) readers += reads(step);
    const bool kept = a.output == c_.measured_ || a.output == c_.response_ || a.output == c_.kept_;
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

void FilterChain::Planner::countUses() {
  for (size_t i = 0; i < c_.steps_.size(); ++i) {
    c_.values_[c_.steps_[i]->output].lastUse = i;
    for (const size_t input : c_.steps_[i]->inputs) c_.values_[input].lastUse = i;
  }
  for (const size_t value : {c_.measured_, c_.response_, c_.kept_})
    c_.values_[value].lastUse = c_.steps_.size();
}

/// The smallest free buffer that is large enough, or a new one.
size_t FilterChain::Planner::takeBuffer(size_t bytes, std::vector<size_t>& free) {
  const auto fits = std::find_if(free.begin(), free.end(), [&](size_t b) {
    return c_.buffers_[b]->size() == (bytes + 15) / 16 * 16;
  });
  if (fits != free.end()) {
    const size_t taken = *fits;
    free.erase(fits);
    return taken;
  }
  c_.buffers_.push_back(
      std::make_unique<Buffer>(c_.device_, bytes, MemoryUse::device, "plane of a filter"));
  return c_.buffers_.size() - 1;
}

/// Planes are used again once nothing reads them any more.
void FilterChain::Planner::placeBuffers() {
  std::vector<size_t> free;
  for (size_t i = 0; i < c_.steps_.size(); ++i) {
    Step& step = *c_.steps_[i];
    Value& output = c_.values_[step.output];
    if (step.kind != Step::Kind::reduce) output.buffer = takeBuffer(bytesOf(output.channels), free);
    if (step.filter != nullptr) {
      for (const std::string& name : step.filter->head.scratches()) {
        uint32_t deeper = 1;
        for (const auto& pass : step.filter->head.passes) {
          if (pass.into != name) continue;
          if (pass.words) deeper = 32 / c_.format_.image.bits;
          if (pass.twice) deeper = 2;
        }
        step.scratches.push_back(takeBuffer(bytesOf(step.outChannels) * deeper, free));
      }
      free.insert(free.end(), step.scratches.begin(), step.scratches.end());
    }
    std::vector<size_t> done = step.inputs;
    if (step.kind != Step::Kind::reduce) done.push_back(step.output);
    std::sort(done.begin(), done.end());
    done.erase(std::unique(done.begin(), done.end()), done.end());
    for (const size_t v : done) {
      const Value& value = c_.values_[v];
      if (!value.given && !value.image && value.lastUse == i) free.push_back(value.buffer);
    }
  }
}

void FilterChain::Planner::makeStep(Step& step) {
  const Device& device = c_.device_;
  const uint32_t bits = c_.format_.image.bits, layers = c_.format_.layers;
  if (step.kind == Step::Kind::point) {
    step.kernels = {kernels_.point(bits, step.channels)};
    step.pointValues.assign(layers, {filters::ParameterValues{{"", {}}}});  // no table is made yet
    step.tables =
        std::make_unique<Buffer>(device, (size_t{c_.format_.image.fullScale()} + 1) * 4 * layers,
                                 MemoryUse::settings, "point tables");
  } else if (step.kind == Step::Kind::filter) {
    for (size_t pass = 0; pass < step.filter->head.passes.size(); ++pass) {
      step.kernels.push_back(kernels_.pass(*step.filter, pass, bits, step.channels));
      const bool apart =
          step.filter->head.passes[pass].blockWide > 0 && device.info().type == "cpu";
      step.inner.push_back(apart ? kernels_.pass(*step.filter, pass, bits, step.channels + 4)
                                 : nullptr);
    }
    step.blockWords = filters::blockWords(step.filter->head);
    step.numbers.resize(layers);
    step.tables = std::make_unique<Buffer>(device, 16, MemoryUse::settings, "tables");
    step.slotWords = static_cast<uint32_t>(bytesOf(step.outChannels) / 4 * (32 / bits));
  } else {
    return;
  }
  step.blocks = std::make_unique<Buffer>(device, step.blockWords * 4 * shared::kMaxLayers,
                                         MemoryUse::settings, "filter parameters");
}

/// Whether a use reads the plane of an earlier one.
bool FilterChain::Planner::reads(size_t reader, size_t index) const {
  const auto& inputs = c_.uses_[reader].inputs;
  if (reader == index + 1 && !inputs.contains("input")) return true;
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const auto& input) { return input.second == c_.uses_[index].id; });
}

/// Colour goes to filters that need it, and through those before them.
void FilterChain::Planner::findColour(bool everywhere) {
  colour_.assign(c_.uses_.size(), false);
  for (size_t i = c_.uses_.size(); i-- > 0;) {
    const auto& head = filters::catalog().get(c_.uses_[i].name, "filters").head;
    bool wanted = everywhere || !head.grey;
    for (size_t j = i + 1; j < c_.uses_.size(); ++j) wanted |= colour_[j] && reads(j, i);
    colour_[i] = wanted && head.colour;
  }
}

void FilterChain::Planner::plan(const Keep& keep) {
  const uint32_t channels = c_.format_.image.channels;
  add({.channels = channels, .given = true});
  add({.channels = 1, .given = true});
  last_ = measured_ = kSourceValue;
  measures_[kSourceValue] = measures_[kLuminanceValue] = true;
  findColour(keep.colour);
  for (size_t i = 0; i < c_.uses_.size(); ++i) addUse(i);
  const std::string& id = keep.plane;
  if (!id.empty() && id != "source" && !ids_.contains(id))
    throw UsageError("no filter has the id '" + id + "'");
  c_.kept_ = id.empty() ? last_ : id == "source" ? kSourceValue : ids_[id];
  const size_t last = last_;
  c_.measured_ = greyOf(measured_);
  c_.response_ = greyOf(last);
  fusePoints();
  countUses();
  placeBuffers();
  for (const auto& step : c_.steps_) makeStep(*step);
}

}  // namespace glint
