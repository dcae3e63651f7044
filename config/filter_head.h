// The head of a filter's file: declarations in the lines that begin with //! in
// shaders/filters/*.comp. docs/filters.md ("Writing a filter") describes them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/expression.h"

namespace glint::filters {

/// One of a filter's parameters. The values of all kinds are stored as numbers.
struct Parameter {
  enum class Kind { number, whole, choice, toggle };
  std::string name, unit, help;
  Kind kind = Kind::number;
  std::vector<double> initial = {};        ///< default; a list parameter has more than one number
  double least = 0, most = 0;              ///< the allowed range
  double sliderLeast = 0, sliderMost = 0;  ///< the usual range, which sliders cover
  std::optional<double> neutral = {};      ///< the value with which the filter changes nothing
  std::vector<std::string> choices = {};   ///< names of the values 0, 1, ...

  bool isList() const { return initial.size() > 1; }
  /// Returns the allowed values in words: "0.1 to 20 px", "dilate, erode, open", "true or false".
  std::string allowed() const;
  /// Returns a value as TOML.
  std::string print(const std::vector<double>& value) const;
};

/// A further image that a filter reads, from another plane or from a file.
struct Input {
  enum class Form {
    plane,    ///< an image of the frames' size
    pattern,  ///< an image of any size, read as words: see gpu/filters/templates.h
    colours   ///< a table of colours, read as words: see ColourTable in gpu/filters/images.h
  };
  std::string name, help;
  Form form = Form::plane;
};

/// A number that is computed from the parameters.
struct Derived {
  std::string name;
  bool whole = false;
  Expression formula;
};

/// A list of numbers that are computed from the parameters. `entry` also knows the index i.
struct Table {
  std::string name;
  bool whole = false;
  Expression size, entry;
};

/// One run over all pixels. The last pass writes the filter's output, or an earlier one writes it
/// instead. The other passes write intermediate planes.
struct Pass {
  std::string name, into;  ///< `into`: name of the plane that the pass writes; empty: the output
  bool changes = false;    ///< true if the plane exists already and the pass changes parts of it
  bool words = false;      ///< true if the plane has 32 bits per value
  bool twice = false;      ///< true if the plane has twice as many bits per value as the image
  uint32_t times = 1;  ///< how many times the words of the image it has; the code orders the words
  /// Values and rows of the block that one invocation computes. 0: an invocation computes one word,
  /// value by value.
  uint32_t blockWide = 0, blockHigh = 0;
  /// True if a workgroup computes the block together, with shared memory. Such passes run only if
  /// Surroundings::tiles is true.
  bool tile = false;
  std::optional<Expression> when = {};  ///< the pass runs only if this is not 0
};

/// The file of a filter.
struct Head {
  /// The use of the filter's output: only for pictures to look at, for finding markers, or also for
  /// measuring them.
  enum class Feeds { view, response, measure };
  enum class Border { none, replicate, mirror };
  std::string name, help, check, code;
  size_t codeLine = 1;  ///< the line of the file at which the code begins
  bool exact = true;    ///< true: same output on every device; false: it may differ by one count
  Feeds feeds = Feeds::response;
  bool grey = true, colour = true;  ///< the kinds of planes that the filter accepts
  uint32_t gives = 0;               ///< channels of the output; 0: as many as the input has
  bool reduces = false;             ///< true if it passes its input on, and reports named numbers
  bool crops = false;               ///< true if its output is a part of its input
  bool follows = false;             ///< true if formulas know input_mean (see Surroundings)
  Border border = Border::none;
  std::vector<Input> inputs = {};
  std::vector<Parameter> parameters = {};
  std::vector<Derived> derived = {};
  std::vector<Table> tables = {};
  std::vector<Pass> passes = {};
  std::optional<Expression> point = {};   ///< output for one value; such a filter has no code
  std::optional<Expression> memory = {};  ///< frames that it remembers, including the present one

  uint32_t channelsOut(uint32_t channelsIn) const { return gives == 0 ? channelsIn : gives; }
  /// Returns the parameter with this name, or null if there is none.
  const Parameter* find(std::string_view parameter) const;
  /// Returns the names of the intermediate planes, in the order of the passes that write them.
  std::vector<std::string> scratches() const;
};

/// Parses the text of a filter's file. `name` is the name of the filter and `where` that of the
/// file. Throws UsageError with the line of the error.
Head parseHead(const std::string& name, const std::string& text, const std::string& where);

/// Values that formulas know in addition to the parameters.
struct Surroundings {
  uint32_t bits = 8, channels = 1, width = 1, height = 1;
  bool tiles = false;                            ///< true if the device runs passes with tiles
  std::map<std::string, double> fileMeans = {};  ///< NAME_mean: mean of an input file, counts
  /// input_mean: the mean of the input in the previous frame, counts; empty: not known.
  std::optional<double> inputMean = {};

  bool operator==(const Surroundings&) const = default;
};

/// Returns true if passes with tiles run. The device must support them, which `there` tells, and
/// the image must be grey with 8 bits.
constexpr bool takesTiles(bool there, uint32_t bits, uint32_t channels) {
  return there && bits == 8 && channels == 1;
}

/// Values of parameters by name. Parameters that are missing have their defaults.
using ParameterValues = std::map<std::string, std::vector<double>, std::less<>>;

/// The numbers of a filter in the form that its kernels need. Values outside of a parameter's range
/// are moved to its limits.
class Numbers {
 public:
  /// `head` must outlive it.
  Numbers(const Head& head, const Surroundings& around, const ParameterValues& given);

  /// Returns parameters and derived numbers in the order of declaration, with the numbers of a list
  /// one after another.
  std::vector<uint32_t> words() const;
  /// Returns the tables one after another, and sets `begins` to the index at which each begins.
  /// Throws Error if a table is too large.
  std::vector<uint32_t> tables(std::vector<uint32_t>& begins) const;
  /// Returns the output of a point filter for each value from 0 to full scale.
  std::vector<uint32_t> pointTable() const;
  /// Returns true if a pass runs.
  bool runs(const Pass& pass) const {
    return (!pass.tile || tiles_) && (!pass.when || (*pass.when)(values_) != 0);
  }
  /// Returns the number of frames that the filter remembers, 1 to 64, or 0 if it has no memory.
  uint32_t memoryFrames() const;

 private:
  const Head& head_;
  double full_;  // full scale
  bool tiles_;
  std::vector<double> values_;  // values of the variables in namesOf(head)
  size_t own_ = 0;              // index of the first parameter in values_
};

/// Returns "measure", "response" or "view".
std::string_view nameOf(Head::Feeds feeds);

}  // namespace glint::filters
