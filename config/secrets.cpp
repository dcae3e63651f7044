#include "config/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "config/error.h"

namespace glint {
namespace {

constexpr std::string_view kMark = "***";
/// A mark can end an address elsewhere than its secret did, so what is shown is read again.
constexpr int kPasses = 16;
constexpr std::array<std::string_view, 9> kSecretNames{"pass", "pwd",  "token",   "key", "secret",
                                                       "auth", "cred", "session", "sig"};
constexpr std::array<std::string_view, 4> kShortNames{"p", "pw", "sid", "code"};
constexpr std::array<std::string_view, 2> kEndings{"pas", "psw"};  // also "loginpas"

struct Store {
  std::mutex mutex;
  std::map<std::string, std::string> addresses;           ///< by what is shown of them
  std::map<std::string, std::string, std::less<>> shown;  ///< of an address
  std::map<std::string, int> alike;  ///< how many addresses are shown so, but for a number
  std::set<std::string> secrets;
};

Store& store() {
  static Store all;
  return all;
}

bool isLetter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

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
  std::string name = decoded(coded);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  return std::ranges::find(kShortNames, name) != kShortNames.end() ||
         std::ranges::any_of(kEndings, ends) || std::ranges::any_of(kSecretNames, has);
}

/// Letters and digits by chance.
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

class Finder {
 public:
  explicit Finder(std::string_view address) : address_(address) {}

  /// In order, apart from each other.
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
  void add(size_t begin, size_t end) {
    if (begin < end && !address_.substr(begin, end - begin).starts_with(kMark))
      found_.push_back({begin, end - begin});
  }

  /// Of `user:password@host`. The place behind it.
  size_t inUser(size_t begin) {
    size_t slash = std::min(address_.find_first_of("/?#", begin), address_.size());
    const std::string_view authority = address_.substr(begin, slash - begin);
    size_t at = authority.rfind('@');
    size_t colon = std::min(authority.find(':'), authority.find("%3A"));
    if (at == std::string_view::npos && colon != std::string_view::npos &&
        !std::all_of(authority.begin() + static_cast<ptrdiff_t>(colon) + 1, authority.end(),
                     isDigit) &&
        !authority.starts_with('[')) {
      // No port: a password with a slash in it.
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

  /// Values behind names, and keys that stand alone.
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

  void inPart(size_t at, size_t end, bool inQuery) {
    const std::string_view part = address_.substr(at, end - at);
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      const bool plain =
          std::ranges::all_of(part, [](char c) { return isLetter(c) || isDigit(c); });
      if (plain && looksLikeKey(part)) add(at, end);
      return;
    }
    // In paths: user=admin_password=secret_channel=1
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

void keepSecret(Store& all, const std::string& secret) {
  constexpr size_t kTelling = 4;  // shorter ones stand in too many words
  for (const std::string& form : {secret, decoded(secret)})
    if (form.size() >= kTelling) all.secrets.insert(form);
}

std::string hideAddress(std::string_view address, bool keep) {
  const std::vector<Secret> secrets = Finder(address).find();
  if (secrets.empty()) return std::string(address);
  if (!keep) return marked(address, secrets, 1);
  Store& all = store();
  const std::lock_guard lock(all.mutex);
  for (const auto& [at, size] : secrets) keepSecret(all, std::string(address.substr(at, size)));
  const auto known = all.shown.find(address);
  if (known != all.shown.end()) return known->second;
  int& number = all.alike[marked(address, secrets, 1)];
  std::string shown;
  do {
    shown = marked(address, secrets, ++number);
  } while (!all.addresses.try_emplace(shown, address).second);
  return all.shown.emplace(address, std::move(shown)).first->second;
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

/// Every address of `text` by hideAddress().
std::string hideOnce(std::string_view text, bool keep) {
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
    shown += address.starts_with("file://") ? std::string(address) : hideAddress(address, keep);
    done = stop;
  }
  return shown.append(text.substr(done));
}

/// Until nothing is left to hide.
std::string hideAll(std::string_view text, bool keep) {
  std::string shown = hideOnce(text, keep);
  for (int pass = 1; pass < kPasses; ++pass) {
    std::string again = hideOnce(shown, keep);
    if (again == shown) break;
    shown = std::move(again);
  }
  return shown;
}

/// Of an address hidden in one pass.
std::optional<std::string> findOne(const Store& all, const std::string& shown) {
  const auto found = all.addresses.lower_bound(shown);
  if (found == all.addresses.end() || !found->first.starts_with(shown)) return std::nullopt;
  if (found->first == shown) return found->second;
  // "ADDRESS#12" was given, and the number of the frame taken off.
  if (found->first[shown.size()] != '#') return std::nullopt;
  return found->second.substr(0, found->second.rfind('#'));
}

std::optional<std::string> find(const std::string& shown) {
  Store& all = store();
  const std::lock_guard lock(all.mutex);
  std::optional<std::string> address = findOne(all, shown);
  for (int pass = 1; address && pass < kPasses; ++pass) {
    const auto before = findOne(all, *address);
    if (!before) break;
    address = before;
  }
  return address;
}

}  // namespace

std::string hideSecrets(std::string_view text) {
  return hideAll(text, true);
}

std::string withoutSecrets(std::string_view text) {
  std::string shown = hideAll(text, false);
  Store& all = store();
  const std::lock_guard lock(all.mutex);
  for (const std::string& secret : all.secrets)
    for (size_t at = shown.find(secret); at != std::string::npos;
         at = shown.find(secret, at + kMark.size()))
      shown.replace(at, secret.size(), kMark);
  return shown;
}

std::string revealed(const std::string& shown) {
  if (const auto address = find(shown)) return *address;
  if (shown.find(kMark) == std::string::npos) return shown;
  throw Error(fmt::format(
      "'{}' cannot be opened: Glint does not store passwords; write the password in place of {}",
      shown, kMark));
}

bool canReveal(const std::string& shown) {
  return shown.find("://") == std::string::npos || shown.find(kMark) == std::string::npos ||
         find(shown).has_value();
}

}  // namespace glint
