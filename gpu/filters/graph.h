// The graph of planes that a chain of filters consists of. Internal to gpu/filters/.
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
#include "gpu/filters/images.h"
#include "gpu/filters/kernels.h"
#include "gpu/filters/template_fit.h"
#include "gpu/filters/templates.h"
#include "gpu/passes.h"
#include "shared/feedback.h"

namespace glint::gpu {

/// sum, mean, min, max, variance: fractions of full scale.
using ReducedNumbers = std::array<double, 5>;

/// The first two planes are the frame as it came and its luminance.
inline constexpr size_t kSourceValue = 0, kLuminanceValue = 1;

/// A graph for frames of one format. The filters' parameters may differ from frame to frame. Planes
/// are named by their index in `values`.
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
      std::vector<double> means = {};  ///< the image's mean for each layer, counts
    };
    /// The plane shows the marks of each frame.
    struct Marks {
      std::shared_ptr<const Buffer> buffer;
      const std::vector<FilterImage>* images;  ///< with the marks of each layer
    };
    /// The plane has the variants of a template, once its filter's parameters are known.
    struct Variants {
      const std::vector<FilterImage>* images;  ///< what each layer searches for
      std::shared_ptr<const Buffer> buffer = {};
    };

    uint32_t channels = 1;
    size_t rect = 0;  ///< the part of the frame that the plane shows, an index of `rects`
    std::variant<Made, Given, File, Marks, Variants> content = Made{};
  };

  /// Statistics of a plane, which the host reads.
  struct Reduction {
    std::string id, channel;  ///< channel: "", "red_", "green_" or "blue_"
    size_t value = 0;
    ScanMemory memory;
    Buffer result, feedback;
  };

  /// A template, and how it follows what it finds.
  struct Template {
    struct State {
      TemplateImage original, used;          ///< `used`: in the last frame
      std::optional<TemplateImage> learned;  ///< from it, for the next one
    };
    std::vector<State> states;  ///< one for each layer
    std::vector<TemplateVariant> variants;
    bool changed = true;              ///< the device does not have the words of `states` yet
    std::unique_ptr<Reduction> best;  ///< of the scores
    /// By layer and variant, made when they are needed.
    std::map<std::pair<uint32_t, uint32_t>, TemplateFitter> fitters;
  };

  /// The numbers of a step as its kernels read them.
  struct NumberBuffers {
    size_t blockWords = 4;  ///< of the block of one layer
    std::unique_ptr<Buffer> blocks, tables;

    filters::BlockStart& start(uint32_t layer) const {
      return *reinterpret_cast<filters::BlockStart*>(words(layer));
    }
    uint32_t* words(uint32_t layer) const {
      return blocks->as<uint32_t>().data() + layer * blockWords;
    }
  };

  /// Point filters that follow each other: every value is looked up in a table.
  struct PointStep {
    std::vector<size_t> uses;  ///< of the chain
    size_t input = 0, output = 0;
    std::shared_ptr<const Kernel> kernel = {};
    NumberBuffers numbers = {};
    /// The uses' parameters that the table of each layer was made from; empty: it was not made.
    std::vector<std::optional<std::vector<filters::ParameterValues>>> tabled = {};
  };

  /// A filter that has passes.
  struct FilterStep {
    struct PassKernels {
      std::shared_ptr<const Kernel> all;
      /// On CPUs, for passes with blocks: runs the blocks that are far from the left and right
      /// edges. Otherwise null.
      std::shared_ptr<const Kernel> inner;
    };
    /// The numbers of one layer.
    struct LayerNumbers {
      /// What the numbers were made from; empty: they were not made.
      std::optional<std::pair<filters::ParameterValues, filters::Surroundings>> from;
      std::vector<uint32_t> words, tables, begins;
      std::vector<bool> runs;  ///< true for each pass that runs
      uint32_t rememberedFrames = 0;
    };
    /// The frames that a filter remembers.
    struct Memory {
      std::unique_ptr<Buffer> buffer;
      uint32_t frameWords = 0, frames = 0;
    };

    /// A use of the chain, or one that the graph added, whose parameters never change.
    std::variant<size_t, FilterUse> use;
    const filters::Filter* filter = nullptr;
    std::vector<size_t> inputs;  ///< first the filtered plane, then the further inputs
    size_t output = 0;
    std::optional<size_t> follows = {};  ///< the reduction of its input, if formulas know its mean
    std::vector<PassKernels> kernels = {};
    std::vector<size_t> scratches = {};  ///< buffers of the graph
    std::vector<LayerNumbers> layers = {};
    bool stale = false;  ///< the device does not have the numbers of `layers` yet
    NumberBuffers numbers = {};
    Memory memory = {};
    std::unique_ptr<Template> matching = {};  ///< null for filters that match none

    const FilterUse& useOf(const FilterUses& chain) const {
      const auto* index = std::get_if<size_t>(&use);
      return index != nullptr ? chain[*index] : std::get<FilterUse>(use);
    }
    /// Returns the parameter `name` in a layer as it was in the last frame.
    double parameter(const char* name, uint32_t layer) const;
  };

  /// The luminance of a plane of three channels.
  struct LuminanceStep {
    size_t input = 0, output = 0;
  };

  /// Statistics of a plane.
  struct ReduceStep {
    size_t input = 0, reduction = 0;
  };

  /// Another part of the frame than the input shows; what the input lacks becomes 0.
  struct PlaceStep {
    size_t input = 0, output = 0;
    std::optional<size_t> crop = {};  ///< the use whose parameters give the output's part
    std::shared_ptr<const Kernel> kernel = {};
  };

  using Step = std::variant<PointStep, FilterStep, LuminanceStep, ReduceStep, PlaceStep>;

  /// The frames of one camera.
  struct Layer {
    std::optional<FrameNumber> last;  ///< sequence of its last frame
    uint32_t frame = 0;               ///< since it began
    bool present = false;
    bool own = false;  ///< `used` are the numbers of the frame itself
    std::vector<std::optional<ReducedNumbers>> used, learned;  ///< one for each reduction
  };

  const Device& device;
  const Passes& passes;
  FrameFormat format;
  FilterUses uses;  // as they were when the graph was planned
  FilterImages images;
  bool tiles;               // passes with tiles run
  std::vector<Rect> rects;  // the first one is the whole frame
  size_t reducers = 0;      // filters whose numbers are of the frame before
  std::vector<Value> values = {};
  std::vector<std::unique_ptr<Buffer>> buffers = {};
  std::vector<Step> steps = {};
  std::vector<std::unique_ptr<Reduction>> reductions = {};
  std::vector<Layer> layers = {};
  size_t measured = 0, response = 0, kept = 0;  // values
  std::vector<size_t> outputs = {};             // values, one of each use
  std::vector<FilterStep*> matchers = {};       // the steps that match a template

  /// Adds a plane and returns its index.
  size_t add(Value value);
  uint32_t channelsOf(size_t value) const { return values[value].channels; }
  const Rect& rectOf(size_t value) const { return rects[values[value].rect]; }
  /// Returns the shape of a plane of the whole frame, and the bytes of all layers of it.
  shared::PlaneShape frameShape(uint32_t channels) const { return shapeOf(rects[0], channels); }
  size_t frameBytes(uint32_t channels) const;
  shared::PlaneShape shapeOf(const Rect& rect, uint32_t channels) const;
  shared::PlaneShape shapeOf(const Value& value) const;

  /// Returns the numbers that parameters could follow in a layer's last frame: "light.mean", ...
  std::vector<std::pair<std::string, double>> reported(uint32_t layer) const;
  /// Returns the parameters of a use in a layer's last frame, those that follow numbers included.
  filters::ParameterValues parametersOf(const FilterUse& use, uint32_t layer) const;
};

/// Returns the planes that a step reads.
std::vector<size_t> inputsOf(const FilterGraph::Step& step);
/// Returns the plane that a step makes; empty for statistics.
std::optional<size_t> outputOf(const FilterGraph::Step& step);

}  // namespace glint::gpu
