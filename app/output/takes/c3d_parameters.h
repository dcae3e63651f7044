// The groups and parameters of a C3D file. Internal to takes/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/output/takes/c3d_numbers.h"

namespace glint::output {

/// A parameter as it stands in the file.
struct C3dParameter {
  int bytesEach = 0;          ///< -1: text, 1: bytes, 2: words, 4: real numbers
  std::vector<size_t> sizes;  ///< of its dimensions, the fastest first; empty: one value
  std::vector<std::byte> values;
};

/// All parameters of a file, by "GROUP:NAME" in capitals.
class C3dParameters {
 public:
  /// Parses the parameter section, which begins with its four bytes. A group or parameter that
  /// reaches beyond the section ends the parsing; complete() is then false.
  C3dParameters(std::span<const std::byte> section, C3dProcessor processor);

  bool complete() const { return complete_; }

  /// Return a value of a parameter; empty if there is none, or it has another type.
  std::optional<double> number(const std::string& name, size_t index = 0) const;
  std::optional<uint16_t> word(const std::string& name, size_t index = 0) const;
  /// The texts of a parameter without the blanks at their ends.
  std::vector<std::string> texts(const std::string& name) const;
  /// The texts of NAME, NAME2, NAME3 and so on, in one list.
  std::vector<std::string> allTexts(const std::string& name) const;

 private:
  const C3dParameter* find(const std::string& name) const;

  C3dProcessor processor_;
  bool complete_ = true;
  std::map<std::string, C3dParameter> parameters_;
};

/// Builds a parameter section for a file of the Intel kind.
class C3dSection {
 public:
  /// Begins a group; what follows belongs to it.
  void group(std::string_view name, std::string_view about);
  void words(std::string_view name, std::span<const uint16_t> values, bool single = false);
  void word(std::string_view name, uint16_t value) { words(name, std::span(&value, 1), true); }
  void real(std::string_view name, float value);
  void text(std::string_view name, std::string_view value);
  /// Texts of one length; above 255 of them, the parameters NAME2, NAME3 and so on hold the rest.
  void texts(const std::string& name, const std::vector<std::string>& values);
  /// A parameter without a value, whose last dimension is 0.
  void none(std::string_view name, int bytesEach, std::vector<uint8_t> sizes);

  size_t bytes() const { return bytes_.size(); }
  /// Returns the section, filled up to whole blocks of 512 bytes, with the word `dataStart`, the
  /// number of the first block of data, where a parameter of this name stands. Throws Error if it
  /// is longer than 255 blocks.
  std::vector<std::byte> finish(std::string_view dataStart);

 private:
  void add(std::string_view name, int bytesEach, std::span<const uint8_t> sizes,
           std::span<const std::byte> values);
  void putByte(int value) { bytes_.push_back(static_cast<std::byte>(value)); }
  void putWord(uint16_t value);
  void putText(std::string_view text);

  std::vector<std::byte> bytes_{std::byte{1}, std::byte{80}, std::byte{0}, std::byte{84}};
  int group_ = 0;
  std::map<std::string, size_t, std::less<>> valuesAt_;  ///< of parameters, in bytes_
};

}  // namespace glint::output
