// Hides passwords in addresses. Every text from outside (the command line, settings, requests, the
// window's field, the list of recent files) goes through hideSecrets(). After that the program only
// handles addresses without secrets. So nothing that is written (messages, records, reports, lists)
// can contain one.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glint {

/// Returns `text` with *** in place of the secrets of all addresses in it (`scheme://...`, except
/// `file://`): "http://user:***@camera/?token=***2". If the text begins with an address, all of it
/// is taken as this address.
///
/// These are secrets: the password after a user's name; a user's name that looks like a key; the
/// value of a name such as key, password or token; and any part of the path and any value that
/// looks like a key, with at least 16 letters and digits. Secrets are kept in the memory of this
/// process, for revealed(), and nowhere else. If addresses differ only by their secrets, they get
/// different marks. Thread-safe.
std::string hideSecrets(std::string_view text);

/// A text that names a source: a file, "synth:SCENE", "camera:0" or the address of a stream, which
/// may hold secrets. Immutable.
class Address {
 public:
  Address() = default;
  // Explicit, so that what is shown of an address is never taken for the address itself.
  explicit Address(std::string_view text);
  Address(const char* text) : Address(std::string_view(text)) {}  // NOLINT: names of scenes

  /// The text for messages, records, lists and everything else that is written.
  const std::string& shown() const { return shown_; }
  /// The text as it was given, for opening and comparing, never for printing.
  const std::string& real() const { return real_; }

  /// Returns false if *** stands for a secret that nobody gave, as in an address that was shown,
  /// written and read again. It cannot be opened.
  bool isComplete() const;

  bool empty() const { return real_.empty(); }

  /// Returns `text`, which a library says about this address, without its secrets, wherever in the
  /// text they stand. Secrets of fewer than four characters are hidden only in whole addresses.
  std::string hideIn(std::string_view text) const;

  bool operator==(const Address& other) const { return real_ == other.real_; }
  auto operator<=>(const Address& other) const { return real_ <=> other.real_; }

 private:
  friend class HiddenText;
  friend std::vector<Address> tellApart(std::vector<Address> addresses);
  Address(std::string real, std::string shown) : real_(std::move(real)), shown_(std::move(shown)) {}

  std::string real_, shown_;
};

/// Returns the addresses of one session. Where different ones would be shown alike, the marks of
/// the later ones get numbers: ***2, ***3.
std::vector<Address> tellApart(std::vector<Address> addresses);

std::vector<std::string> shownOf(std::span<const Address> addresses);

/// A text in which addresses are named among other things, such as a settings file. It is read
/// without its secrets; then the parts that are addresses get them back.
class HiddenText {
 public:
  /// `number`: of the first mark, as in ***2; 1 is not written.
  explicit HiddenText(std::string_view text, int number = 1);

  /// hideSecrets() of the text.
  const std::string& shown() const { return shown_; }
  /// Returns the address that `part` of shown() names, with the secrets that the text has.
  Address addressOf(std::string_view part) const;
  /// Returns the secrets of all addresses of the text, as they are written and with their
  /// percent-encoding undone.
  std::vector<std::string> secrets() const;

 private:
  std::optional<std::string> restoredOnce(std::string_view part) const;

  std::string shown_;
  std::map<std::string, std::string> addresses_;  // by what is shown of them
};

}  // namespace glint
