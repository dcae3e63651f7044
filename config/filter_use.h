// Filters as a user chains them: which, in what order, with which parameters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/filter_head.h"
#include "config/secrets.h"

namespace glint {

/// One filter of a chain. What is not set has its default.
struct FilterUse {
  /// A number that another filter reports for the frame before: times * number + plus.
  struct Driven {
    std::string id, number;  ///< "light", "mean"
    double times = 1, plus = 0;
    bool operator==(const Driven&) const = default;
  };
  std::string id;    ///< its own in the chain
  std::string name;  ///< of the filter
  filters::ParameterValues values = {};
  std::map<std::string, Driven, std::less<>> driven = {};  ///< parameters
  /// What it reads: "input" and the filter's further inputs by name; "source", "frame:-1" (the
  /// source's frame before), an earlier id or "file:NAME". Without "input" it reads the filter
  /// before it. What "file:" names may be an address with secrets.
  std::map<std::string, Address, std::less<>> inputs = {};

  bool operator==(const FilterUse&) const = default;
  /// The same filters on the same planes: only parameters may differ.
  bool sameShape(const FilterUse& other) const {
    return id == other.id && name == other.name && inputs == other.inputs;
  }
};

using FilterUses = std::vector<FilterUse>;

namespace filters {

/// What a parameter or an input is set to.
using Given = std::variant<double, bool, std::string, std::vector<double>, FilterUse::Driven>;

/// Sets a parameter or an input of `use`. Throws UsageError naming it, what is allowed and, for an
/// unknown one, the nearest; `where` opens the message.
void set(FilterUse& use, std::string_view key, const Given& value, std::string_view where);

/// The same from text: "3", "true", "dilate", "0,1,0", "light.mean*1.5+0.1".
void setFromText(FilterUse& use, std::string_view key, std::string_view text,
                 std::string_view where);

/// From "smooth=gaussian:sigma=2:..." or "gaussian:sigma=2"; the id is then the filter's name.
FilterUse parseUse(std::string_view text, std::string_view where);

/// The file, folder or address that an input names with "file:NAME".
std::optional<Address> fileOf(const Address& from);

/// Gives the inputs of `uses`, which were read from text.shown(), their secrets back.
void restoreSecrets(std::span<FilterUse> uses, const HiddenText& text);
/// Gives inputs of `uses` that were written and read again, and so lost their secrets, those of the
/// inputs of `known` that are shown alike.
void restoreSecrets(std::span<FilterUse> uses, std::span<const FilterUse> known);

/// Throws UsageError unless ids are their own, inputs exist before their use, and what drives a
/// parameter reports numbers.
void check(const FilterUses& uses, std::string_view where);

/// Of "frame:-1" to "frame:-16": 1 to 16.
inline constexpr uint32_t kMostFramesBack = 16;
std::optional<uint32_t> framesBack(std::string_view from);

/// Throws UsageError where the last plane comes from a filter that makes pictures to look at.
void checkSeeks(const FilterUses& uses);

/// The parameter's value in this use, or its default.
const std::vector<double>& valueOf(const FilterUse& use, const Parameter& parameter);

/// A value or what drives it, as TOML.
std::string printValue(const FilterUse& use, const Parameter& parameter);

/// The names of the numbers that a reducing filter reports.
const std::vector<std::string>& reducedNumbers();

}  // namespace filters
}  // namespace glint
