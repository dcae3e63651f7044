// The chain of filters that a user has set up: the filters, their order and their parameters.
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

/// One filter of a chain. Parameters that are not set have their defaults.
struct FilterUse {
  /// The value times * number + plus, where another filter has reported `number` for the previous
  /// frame.
  struct Driven {
    std::string id, number;  ///< id of the other filter, "light", and name of its number, "mean"
    double times = 1, plus = 0;
    bool operator==(const Driven&) const = default;
  };
  std::string id;    ///< unique in the chain
  std::string name;  ///< name of the filter
  filters::ParameterValues values = {};
  std::map<std::string, Driven, std::less<>> driven = {};  ///< parameters
  /// The images that the filter reads, by the names of its inputs, of which the first one is called
  /// "input". A value is "source", "frame:-1" (the source's previous frame), the id of an earlier
  /// filter, or "file:NAME", where NAME may be an address with secrets. Without "input", the filter
  /// reads the output of the filter before it.
  std::map<std::string, Address, std::less<>> inputs = {};

  bool operator==(const FilterUse&) const = default;
  /// Returns true if `other` is the same filter with the same inputs. Parameters may differ.
  bool sameShape(const FilterUse& other) const {
    return id == other.id && name == other.name && inputs == other.inputs;
  }
};

using FilterUses = std::vector<FilterUse>;

namespace filters {

/// A value for a parameter or an input, as a user has given it.
using Given = std::variant<double, bool, std::string, std::vector<double>, FilterUse::Driven>;

/// Sets a parameter or an input of `use`. Throws UsageError if there is none with this name or the
/// value is not allowed. The message begins with `where`, names the key, and says what is allowed
/// or which name is nearest.
void set(FilterUse& use, std::string_view key, const Given& value, std::string_view where);

/// Does the same with a value as text: "3", "true", "dilate", "0,1,0", "light.mean*1.5+0.1".
void setFromText(FilterUse& use, std::string_view key, std::string_view text,
                 std::string_view where);

/// Parses "smooth=gaussian:sigma=2:..." or "gaussian:sigma=2". In the second form the id is the
/// name of the filter. Throws UsageError, whose message begins with `where`.
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

/// The earliest frame that an input may read, in frames before the present one.
inline constexpr uint32_t kMostFramesBack = 16;
/// Returns n for "frame:-n", where n is 1 to kMostFramesBack, and nothing for other texts.
std::optional<uint32_t> framesBack(std::string_view from);

/// Throws UsageError if the last plane of the chain depends on a filter that makes pictures to look
/// at, so that no markers can be found in it.
void checkSeeks(const FilterUses& uses);

/// Returns the value of a parameter in this use, or its default.
const std::vector<double>& valueOf(const FilterUse& use, const Parameter& parameter);

/// Returns the value of a parameter, or the number that drives it, as TOML.
std::string printValue(const FilterUse& use, const Parameter& parameter);

/// Returns the names of the numbers that filters with Head::reduces report.
const std::vector<std::string>& reducedNumbers();

}  // namespace filters
}  // namespace glint
