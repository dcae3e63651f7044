// The declarations in a filter's file: the lines that begin with //! in shaders/filters/*.comp.
// docs/filters.md ("Writing a filter") describes them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/expression.h"

namespace glint::filters {

/// One of a filter's parameters; all kinds are kept as numbers.
struct Parameter {
  enum class Kind { number, whole, choice, toggle };
  std::string name, unit, help;
  Kind kind = Kind::number;
  std::vector<double> initial = {};        ///< more than one: a list of that many numbers
  double least = 0, most = 0;              ///< the allowed range
  double sliderLeast = 0, sliderMost = 0;  ///< the usual range
  std::optional<double> neutral = {};      ///< with it the filter changes nothing
  std::vector<std::string> choices = {};   ///< their values are 0, 1, ...

  bool isList() const { return initial.size() > 1; }
  /// "0.1 to 20 px", "dilate, erode or open", "true or false".
  std::string allowed() const;
  /// A value as TOML.
  std::string print(const std::vector<double>& value) const;
};

/// A further image that a filter reads: another plane or a file.
struct Input {
  enum class Form {
    plane,    ///< an image of the frames' size
    pattern,  ///< an image of its own size, as words: see gpu/filters/templates.h
    colours   ///< a table of colours from a file, as words: see ColourTable in gpu/filters/images.h
  };
  std::string name, help;
  Form form = Form::plane;
};

/// A number that follows from the parameters.
struct Derived {
  std::string name;
  bool whole = false;
  Expression formula;
};

/// A list of numbers that follow from the parameters.
struct Table {
  std::string name;
  bool whole = false;
  Expression size, entry;
};

/// One run over all pixels. The last pass writes the filter's output; an earlier one may write it
/// instead. The others write planes of their own.
struct Pass {
  std::string name, into;  ///< `into`: the plane written; empty: the output
  bool changes = false;    ///< the plane exists already, and the pass changes parts of it
  bool words = false;      ///< a value of that plane has 32 bits, not those of the image
  bool twice = false;      ///< or twice as many as the image
  uint32_t times = 1;  ///< that plane has so many times the image's words, which the code places
  /// An invocation makes this many values of this many rows; 0: one word, value by value.
  uint32_t blockWide = 0, blockHigh = 0;
  bool tile = false;  ///< or a workgroup does, sharing memory; where Surroundings::tiles says so
  std::optional<Expression> when = {};
};

/// A file of a filter.
struct Head {
  enum class Feeds { view, response, measure };
  enum class Border { none, replicate, mirror };
  std::string name, help, check, code;
  size_t codeLine = 1;  ///< where the code begins in the file
  bool exact = true;    ///< the same on every device; otherwise within one count
  Feeds feeds = Feeds::response;
  bool grey = true, colour = true;  ///< planes that it takes
  uint32_t gives = 0;               ///< channels of its output, whatever it takes; 0: as many
  bool reduces = false;             ///< its output is its input, and it reports named numbers
  bool crops = false;               ///< its output is a part of its input
  bool follows = false;             ///< formulas know input_mean: the frame's before, counts
  Border border = Border::none;
  std::vector<Input> inputs = {};
  std::vector<Parameter> parameters = {};
  std::vector<Derived> derived = {};
  std::vector<Table> tables = {};
  std::vector<Pass> passes = {};
  std::optional<Expression> point = {};   ///< the output of one value; then there is no code
  std::optional<Expression> memory = {};  ///< frames that it remembers, this one included

  uint32_t channelsOut(uint32_t channelsIn) const { return gives == 0 ? channelsIn : gives; }
  /// Null if there is none.
  const Parameter* find(std::string_view parameter) const;
  /// Planes that passes write, in the order of the passes.
  std::vector<std::string> scratches() const;
};

/// Reads a file's text; `name` is the filter's, `where` the file's. Throws UsageError with the
/// line.
Head parseHead(const std::string& name, const std::string& text, const std::string& where);

/// The values that formulas know in addition to the parameters.
struct Surroundings {
  uint32_t bits = 8, channels = 1, width = 1, height = 1;
  bool tiles = false;                            ///< true if the device runs passes with tiles
  std::map<std::string, double> fileMeans = {};  ///< NAME_mean of inputs from files, counts
  std::optional<double> inputMean = {};  ///< input_mean, counts; empty: no frame before is known

  bool operator==(const Surroundings&) const = default;
};

/// Whether passes with tiles run: `there`, on the device, and of grey of 8 bits.
constexpr bool takesTiles(bool there, uint32_t bits, uint32_t channels) {
  return there && bits == 8 && channels == 1;
}

/// Parameters by their names; those not among them have their default.
using ParameterValues = std::map<std::string, std::vector<double>, std::less<>>;

/// A filter's numbers as its kernels take them.
class Numbers {
 public:
  /// `head` must outlive it.
  Numbers(const Head& head, const Surroundings& around, const ParameterValues& given);

  /// Parameters and derived numbers in the order of declaration, lists spread out.
  std::vector<uint32_t> words() const;
  /// The tables one after the other, and where each begins.
  std::vector<uint32_t> tables(std::vector<uint32_t>& begins) const;
  /// Of a point filter: what it makes of 0, 1, ... full scale.
  std::vector<uint32_t> pointTable() const;
  /// Whether a pass runs.
  bool runs(const Pass& pass) const {
    return (!pass.tile || tiles_) && (!pass.when || (*pass.when)(values_) != 0);
  }
  uint32_t memoryFrames() const;

 private:
  const Head& head_;
  double full_;
  bool tiles_;
  std::vector<double> values_;  // of namesOf(head)
  size_t own_ = 0;              // the index of the first parameter among them
};

/// "measure", "response" or "view".
std::string_view nameOf(Head::Feeds feeds);

}  // namespace glint::filters
