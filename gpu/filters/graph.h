// Describes a chain of filters as a graph of planes. Internal to gpu/filters/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "config/filter_catalog.h"
#include "config/filter_glsl.h"
#include "config/filter_use.h"
#include "gpu/filters/host_filters.h"
#include "gpu/filters/images.h"
#include "gpu/filters/kernels.h"
#include "gpu/filters/template_fit.h"
#include "gpu/filters/templates.h"
#include "gpu/passes.h"
#include "shared/feedback.h"

namespace glint::gpu {

/// Sum, mean, minimum, maximum and variance of a plane, in units of full scale (the variance in its
/// square).
using ReducedNumbers = std::array<double, 5>;

/// The first two planes are the frame as it came and its luminance.
inline constexpr size_t kSourceValue = 0, kLuminanceValue = 1;

/// A graph for frames of one format. The filters' parameters may differ from frame to frame. A
/// plane is named by its index in `values`.
struct FilterGraph {
  /// A part of the frame, px.
  struct Rect {
    int64_t left = 0, top = 0;
    uint32_t width = 1, height = 1;
    bool operator==(const Rect&) const = default;
  };

  /// One plane of the graph.
  struct Value {
    /// A step makes the plane, in a buffer of the graph.
    struct Made {
      size_t buffer = 0;
    };
    /// The plane comes with the frame.
    struct Given {};
    /// The plane is an image or a table of colours from a file.
    struct File {
      std::shared_ptr<const Buffer> buffer;
      std::vector<double> means = {};  ///< counts: the image's mean for each layer
    };
    /// The plane shows the marks of each frame.
    struct Marks {
      std::shared_ptr<const Buffer> buffer;
      const std::vector<FilterImage>* images;  ///< have the marks of each layer
    };
    /// The plane holds the variants of a template, once its filter's parameters are known.
    struct Variants {
      const std::vector<FilterImage>* images;  ///< the image that each layer searches for
      std::shared_ptr<const Buffer> buffer = {};
    };

    uint32_t channels = 1;
    size_t rect = 0;  ///< index in `rects` of the part of the frame that the plane shows
    std::variant<Made, Given, File, Marks, Variants> content = Made{};
  };

  /// Statistics of a plane, which the host reads after each frame.
  struct Reduction {
    std::string id, channel;  ///< id of the filter; "", "red_", "green_" or "blue_"
    size_t value = 0;
    ScanMemory memory;
    Buffer result, feedback;
  };

  /// A template, and how it changes towards what it finds.
  struct Template {
    struct State {
      TemplateImage original, used;          ///< as the file has it; as the last frame used it
      std::optional<TemplateImage> learned;  ///< made from the last frame, for the next one
    };
    std::vector<State> states;  ///< one for each layer
    std::vector<TemplateVariant> variants;
    bool changed = true;  ///< true if the device does not have the words of `states` yet
    std::unique_ptr<Reduction> best;  ///< statistics of the scores
    /// Fitters by layer and variant, made when they are needed.
    std::map<std::pair<uint32_t, uint32_t>, TemplateFitter> fitters;
  };

  /// The numbers of a step as its kernels read them: a block for each layer, and tables.
  struct NumberBuffers {
    size_t blockWords = 4;  ///< words of one layer's block
    std::unique_ptr<Buffer> blocks, tables;

    filters::BlockStart& start(uint32_t layer) const {
      return *reinterpret_cast<filters::BlockStart*>(words(layer));
    }
    uint32_t* words(uint32_t layer) const {
      return blocks->as<uint32_t>().data() + layer * blockWords;
    }
  };

  /// One or several point filters in a row, run as one: every value is looked up in a table.
  struct PointStep {
    std::vector<size_t> uses;  ///< indices of the filters in the chain
    size_t input = 0, output = 0;
    std::shared_ptr<const Kernel> kernel = {};
    NumberBuffers numbers = {};
    /// The uses' parameters from which the table of each layer was made; empty: not made yet.
    std::vector<std::optional<std::vector<filters::ParameterValues>>> tabled = {};
    std::vector<HostFilter> host = {};  ///< for each layer; empty functions: the kernel runs
  };

  /// A filter that has passes.
  struct FilterStep {
    struct PassKernels {
      std::shared_ptr<const Kernel> all;
      /// Runs the blocks that are far from the left and right edges: on CPUs, for passes with
      /// blocks. Otherwise null.
      std::shared_ptr<const Kernel> inner;
    };
    /// The numbers of one layer.
    struct LayerNumbers {
      /// The parameters and surroundings from which the numbers were made; empty: not made yet.
      std::optional<std::pair<filters::ParameterValues, filters::Surroundings>> from;
      std::vector<uint32_t> words, tables, begins;
      std::vector<bool> runs;  ///< true for each pass that runs with these numbers
      HostFilter host = {};    ///< computes the filter instead of the passes, if it is not empty
      uint32_t rememberedFrames = 0;
    };
    /// The frames that a filter remembers.
    struct Memory {
      std::unique_ptr<Buffer> buffer;
      uint32_t frameWords = 0, frames = 0;
    };

    /// Index of the filter in the chain, or a filter that the graph added, whose parameters never
    /// change.
    std::variant<size_t, FilterUse> use;
    const filters::Filter* filter = nullptr;
    std::vector<size_t> inputs;  ///< first the filtered plane, then the further inputs
    size_t output = 0;
    /// The reduction of the filtered plane, if the filter's formulas use that plane's mean.
    std::optional<size_t> follows = {};
    std::vector<PassKernels> kernels = {};
    std::vector<size_t> scratches = {};  ///< indices in the graph's `buffers`
    std::vector<LayerNumbers> layers = {};
    bool stale = false;  ///< true if the device does not have the numbers of `layers` yet
    NumberBuffers numbers = {};
    Memory memory = {};
    std::unique_ptr<Template> matching = {};  ///< null for filters without a template

    const FilterUse& useOf(const FilterUses& chain) const {
      const auto* index = std::get_if<size_t>(&use);
      return index != nullptr ? chain[*index] : std::get<FilterUse>(use);
    }
    /// Returns the parameter `name` as a layer's last frame had it; 0 if the filter has none of
    /// that name.
    double parameter(const char* name, uint32_t layer) const;
  };

  /// Computes the luminance of a plane of three channels.
  struct LuminanceStep {
    size_t input = 0, output = 0;
  };

  /// Computes the statistics of a plane.
  struct ReduceStep {
    size_t input = 0, reduction = 0;
  };

  /// Makes a plane that shows another part of the frame than its input; pixels that the input lacks
  /// become 0.
  struct PlaceStep {
    size_t input = 0, output = 0;
    std::optional<size_t> crop = {};  ///< the use whose parameters say which part the output shows
    std::shared_ptr<const Kernel> kernel = {};
  };

  using Step = std::variant<PointStep, FilterStep, LuminanceStep, ReduceStep, PlaceStep>;

  /// The state of one camera's frames.
  struct Layer {
    std::optional<FrameNumber> last;  ///< sequence number of its last frame
    uint32_t frame = 0;               ///< frames since filters last began to remember; first is 0
    bool present = false;             ///< true if the camera has a picture in the last frame
    /// True if the last frame used the numbers that were measured in itself, as the first one does.
    bool own = false;
    /// For each reduction: the numbers that the last frame used, and those that were measured in
    /// it.
    std::vector<std::optional<ReducedNumbers>> used, learned;
  };

  const Device& device;
  const Passes& passes;
  FrameFormat format;
  FilterUses uses;  // the filters as they were when the graph was planned
  FilterImages images;
  bool tiles;               // true if passes with tiles run
  std::vector<Rect> rects;  // parts of the frame; the first one is the whole frame
  size_t reducers = 0;      // number of filters that measure a plane for the next frame
  std::vector<Value> values = {};
  std::vector<std::unique_ptr<Buffer>> buffers = {};
  std::vector<Step> steps = {};
  std::vector<std::unique_ptr<Reduction>> reductions = {};
  std::vector<Layer> layers = {};
  size_t measured = 0, response = 0, kept = 0;  // planes; see ChainPlanes
  std::vector<size_t> outputs = {};             // plane that each use makes
  std::vector<FilterStep*> matchers = {};       // the steps that match a template

  /// Adds a plane and returns its index.
  size_t add(Value value);
  uint32_t channelsOf(size_t value) const { return values[value].channels; }
  const Rect& rectOf(size_t value) const { return rects[values[value].rect]; }
  /// Returns the shape of a plane of the whole frame.
  shared::PlaneShape frameShape(uint32_t channels) const { return shapeOf(rects[0], channels); }
  /// Returns the bytes of all layers of a plane of the whole frame.
  size_t frameBytes(uint32_t channels) const;
  shared::PlaneShape shapeOf(const Rect& rect, uint32_t channels) const;
  shared::PlaneShape shapeOf(const Value& value) const;

  /// Returns the numbers that parameters could follow in a layer's last frame, with their names
  /// (such as "light.mean").
  std::vector<std::pair<std::string, double>> reported(uint32_t layer) const;
  /// Returns the parameters of a use in a layer's last frame, including those that follow numbers.
  filters::ParameterValues parametersOf(const FilterUse& use, uint32_t layer) const;
};

/// Returns the planes that a step reads.
std::vector<size_t> inputsOf(const FilterGraph::Step& step);
/// Returns the plane that a step makes; empty if it computes statistics.
std::optional<size_t> outputOf(const FilterGraph::Step& step);

}  // namespace glint::gpu
