#include "config/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "config/lower_case.h"

namespace glint {
namespace {

constexpr std::string_view kMark = "***";
/// Passes over a text. A mark may end an address at another place than its secret did, so the
/// result is searched again.
constexpr int kPasses = 16;
constexpr std::array<std::string_view, 9> kSecretNames{"pass", "pwd",  "token",   "key", "secret",
                                                       "auth", "cred", "session", "sig"};
constexpr std::array<std::string_view, 4> kShortNames{"p", "pw", "sid", "code"};
constexpr std::array<std::string_view, 2> kEndings{"pas", "psw"};  // such as "loginpas"

bool isLetter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Replaces "%41" by "A" and so on.
std::string decoded(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string digits(text.substr(std::min(i + 1, text.size()), 2));
    const bool coded = text[i] == '%' && digits.size() == 2 &&
                       std::all_of(digits.begin(), digits.end(),
                                   [](unsigned char c) { return std::isxdigit(c) != 0; });
    plain += coded ? static_cast<char>(std::stoi(digits, nullptr, 16)) : text[i];
    if (coded) i += 2;
  }
  return plain;
}

bool isSecretName(std::string_view coded) {
  const std::string name = lowerCase(decoded(coded));
  const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  return std::ranges::find(kShortNames, name) != kShortNames.end() ||
         std::ranges::any_of(kEndings, ends) || std::ranges::any_of(kSecretNames, has);
}

/// Returns true if a text looks like random letters and digits.
bool looksLikeKey(std::string_view text) {
  constexpr size_t kLeast = 16;
  constexpr ptrdiff_t kLetters = 2, kDigits = 4;
  return text.size() >= kLeast && std::ranges::count_if(text, isLetter) >= kLetters &&
         std::ranges::count_if(text, isDigit) >= kDigits &&
         text.find('.') == std::string_view::npos && text.find('=') == std::string_view::npos;
}

/// One secret in a text.
struct Secret {
  size_t at, size;
};

/// Finds the secrets of one address.
class Finder {
 public:
  explicit Finder(std::string_view address) : address_(address) {}

  /// Returns the secrets in order. Those that overlap or touch are joined.
  std::vector<Secret> find() {
    size_t path = std::string_view::npos;
    for (size_t at = address_.find("://"); at != std::string_view::npos;
         at = address_.find("://", at + 3)) {
      path = std::min(path, inUser(at + 3));
    }
    inPath(path);
    std::ranges::sort(found_, {}, &Secret::at);
    std::vector<Secret> apart;
    for (const Secret& one : found_) {
      const size_t done = apart.empty() ? 0 : apart.back().at + apart.back().size;
      if (apart.empty() || one.at > done)
        apart.push_back(one);
      else
        apart.back().size = std::max(done, one.at + one.size) - apart.back().at;
    }
    return apart;
  }

 private:
  /// Adds a secret, unless it is empty or already replaced by a mark.
  void add(size_t begin, size_t end) {
    if (begin < end && !address_.substr(begin, end - begin).starts_with(kMark))
      found_.push_back({begin, end - begin});
  }

  /// Finds the password of `user:password@host`, which starts at `begin`. Returns the position
  /// after it.
  size_t inUser(size_t begin) {
    size_t slash = std::min(address_.find_first_of("/?#", begin), address_.size());
    const std::string_view authority = address_.substr(begin, slash - begin);
    size_t at = authority.rfind('@');
    size_t colon = std::min(authority.find(':'), authority.find("%3A"));
    if (at == std::string_view::npos && colon != std::string_view::npos &&
        !std::all_of(authority.begin() + static_cast<ptrdiff_t>(colon) + 1, authority.end(),
                     isDigit) &&
        !authority.starts_with('[')) {
      // The text after the colon is no port, so it is a password that contains a slash.
      at = address_.substr(begin).rfind('@');
    }
    if (at == std::string_view::npos) return slash;
    const size_t end = begin + at;
    colon = std::min(colon, authority.find("%3a"));
    if (colon < at) {
      add(begin + colon + (authority[colon] == ':' ? 1 : 3), end);
    } else if (looksLikeKey(address_.substr(begin, at))) {
      add(begin, end);
    }
    return std::max(slash, end);
  }

  /// Finds values of names, and keys without a name, from `begin` to the end of the address.
  void inPath(size_t begin) {
    const size_t query = std::min(address_.find('?', begin), address_.size());
    for (size_t at = begin; at < address_.size();) {
      const bool inQuery = at >= query;
      const size_t end =
          std::min(address_.find_first_of(inQuery ? "?&;#" : "?&;/,#", at), address_.size());
      inPart(at, end, inQuery);
      at = end + 1;
    }
  }

  /// Finds secrets in one part of the path or the query: the value of a name such as `password`,
  /// and a text that looks like a key.
  void inPart(size_t at, size_t end, bool inQuery) {
    const std::string_view part = address_.substr(at, end - at);
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      const bool plain =
          std::ranges::all_of(part, [](char c) { return isLetter(c) || isDigit(c); });
      if (plain && looksLikeKey(part)) add(at, end);
      return;
    }
    // A path may contain several names and values: user=admin_password=secret_channel=1
    size_t stop = part.size();
    for (size_t i = equals + 1; !inQuery && i < part.size(); ++i) {
      const size_t next = part.find('=', i);
      if (part[i] != '_' || next == std::string_view::npos) continue;
      if (!std::all_of(part.begin() + static_cast<ptrdiff_t>(i) + 1,
                       part.begin() + static_cast<ptrdiff_t>(next), isLetter))
        continue;
      stop = i;
      break;
    }
    const std::string_view value = part.substr(equals + 1, stop - equals - 1);
    if (isSecretName(part.substr(0, equals)) || looksLikeKey(value))
      add(at + equals + 1, at + stop);
    if (stop < part.size()) inPart(at + stop + 1, end, inQuery);
  }

  std::string_view address_;
  std::vector<Secret> found_;
};

/// Returns the address with marks in place of its secrets. A number above 1 follows each mark.
std::string marked(std::string_view address, const std::vector<Secret>& secrets, int number) {
  std::string shown;
  size_t done = 0;
  for (const auto& [at, size] : secrets) {
    shown += address.substr(done, at - done);
    shown += kMark;
    if (number > 1) shown += std::to_string(number);
    done = at + size;
  }
  return shown.append(address.substr(done));
}

/// Where an address within a text ends. A quote in it is part of a password where a host follows.
size_t endOf(std::string_view text, size_t at) {
  constexpr std::string_view kBehind = " \t\r\n\"'<>";
  size_t stop = std::min(text.find_first_of(kBehind, at), text.size());
  while (stop < text.size() && text[stop] == '\'') {
    const size_t next = std::min(text.find_first_of(kBehind, stop + 1), text.size());
    if (text.substr(stop, next - stop).find('@') == std::string_view::npos) break;
    stop = next;
  }
  return stop;
}

/// The shown forms of the addresses in a text. Different addresses have different forms.
struct Marks {
  int first;                                              ///< number of the first mark
  std::map<std::string, std::string>& addresses;          ///< real addresses by their shown forms
  std::map<std::string, std::string, std::less<>> shown;  ///< shown forms by real addresses
  /// Number of addresses whose shown forms differ only in their numbers, by the form with number 1.
  std::map<std::string, int> alike;
};

std::string hideAddress(std::string_view address, Marks& marks) {
  const std::vector<Secret> secrets = Finder(address).find();
  if (secrets.empty()) return std::string(address);
  const auto known = marks.shown.find(address);
  if (known != marks.shown.end()) return known->second;
  int& count = marks.alike[marked(address, secrets, 1)];
  std::string shown;
  do {
    shown = marked(address, secrets, marks.first + count++);
  } while (!marks.addresses.try_emplace(shown, address).second);
  return marks.shown.emplace(address, std::move(shown)).first->second;
}

/// Hides the secrets of every address of `text` once.
std::string hideOnce(std::string_view text, Marks& marks) {
  std::string shown;
  size_t done = 0;
  for (size_t at = text.find("://"); at != std::string_view::npos; at = text.find("://", done)) {
    size_t begin = at;
    while (begin > done &&
           (isLetter(text[begin - 1]) || isDigit(text[begin - 1]) ||
            std::string_view("+-.").find(text[begin - 1]) != std::string_view::npos))
      --begin;
    const size_t stop = begin == 0 ? text.size() : endOf(text, at);
    shown += text.substr(done, begin - done);
    const std::string_view address = text.substr(begin, stop - begin);
    shown += address.starts_with("file://") ? std::string(address) : hideAddress(address, marks);
    done = stop;
  }
  return shown.append(text.substr(done));
}

}  // namespace

HiddenText::HiddenText(std::string_view text, int number) : shown_(text) {
  Marks marks{number, addresses_, {}, {}};
  for (int pass = 0; pass < kPasses; ++pass) {
    std::string shown = hideOnce(shown_, marks);
    if (shown == shown_) break;
    shown_ = std::move(shown);
  }
}

std::vector<std::string> HiddenText::secrets() const {
  std::vector<std::string> all;
  for (const auto& [shown, address] : addresses_) {
    for (const auto& [at, size] : Finder(address).find()) {
      all.push_back(address.substr(at, size));
      all.push_back(decoded(all.back()));
    }
  }
  return all;
}

std::optional<std::string> HiddenText::restoredOnce(std::string_view part) const {
  std::optional<std::string> restored;
  for (const auto& [shown, address] : addresses_) {
    const auto endsWithNumber = [](std::string_view rest) {  // the mark is ***2, not ***
      return !rest.empty() && isDigit(rest.front());
    };
    const size_t whole = part.find(shown);
    if (whole != std::string_view::npos && !endsWithNumber(part.substr(whole + shown.size())))
      return std::string(part).replace(whole, shown.size(), address);
    // The address may go on behind the part: "ADDRESS:threshold=3".
    for (size_t begin = 0; begin < part.size() && !restored; ++begin) {
      const std::string_view end = part.substr(begin);
      if (end.find(kMark) == std::string_view::npos) break;
      if (!shown.starts_with(end)) continue;
      const std::string_view rest = std::string_view(shown).substr(end.size());
      if (endsWithNumber(rest) || !address.ends_with(rest)) continue;
      restored =
          std::string(part.substr(0, begin)) + address.substr(0, address.size() - rest.size());
    }
  }
  return restored;
}

Address HiddenText::addressOf(std::string_view part) const {
  std::string real(part);
  for (int pass = 0; pass < kPasses; ++pass) {
    auto restored = restoredOnce(real);
    if (!restored) break;
    real = std::move(*restored);
  }
  return Address(std::move(real), std::string(part));
}

std::string hideSecrets(std::string_view text) {
  return HiddenText(text).shown();
}

Address::Address(std::string_view text) : real_(text), shown_(hideSecrets(text)) {}

bool Address::isComplete() const {
  return real_ != shown_ || real_.find("://") == std::string::npos ||
         real_.find(kMark) == std::string::npos;
}

std::string Address::hideIn(std::string_view text) const {
  constexpr size_t kTelling = 4;  // bytes; shorter secrets stand in too many words
  std::string hidden = hideSecrets(text);
  for (const std::string& secret : HiddenText(real_).secrets()) {
    if (secret.size() < kTelling) continue;
    for (size_t at = hidden.find(secret); at != std::string::npos;
         at = hidden.find(secret, at + kMark.size()))
      hidden.replace(at, secret.size(), kMark);
  }
  return hidden;
}

std::vector<Address> tellApart(std::vector<Address> addresses) {
  for (auto address = addresses.begin(); address != addresses.end(); ++address) {
    const auto isTaken = [&](const Address& other) {
      return other.shown_ == address->shown_ && other.real_ != address->real_;
    };
    for (int number = 2; std::any_of(addresses.begin(), address, isTaken); ++number)
      address->shown_ = HiddenText(address->real_, number).shown();
  }
  return addresses;
}

std::vector<std::string> shownOf(std::span<const Address> addresses) {
  std::vector<std::string> all;
  for (const Address& address : addresses) all.push_back(address.shown());
  return all;
}

}  // namespace glint
