#include "app/motion/labels/pickled_names.h"

#include <cstdint>
#include <map>
#include <optional>
#include <variant>

#include "config/error.h"

namespace glint::motion {
namespace {

using Tuple = std::vector<std::string>;

/// A mark on the stack of the pickle, below the items of a list or tuple.
struct Mark {};
/// A list of tuples.
using Tuples = std::vector<Tuple>;
using Item = std::variant<Mark, std::string, Tuple, Tuples>;

[[noreturn]] void refuse() {
  throw Error("the names of its columns are not as pandas writes them");
}

void appendUtf8(std::string& text, uint32_t code) {
  const auto put = [&](uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

/// Returns a text that Python has written with its codec raw-unicode-escape: Latin-1, and \uXXXX or
/// \UXXXXXXXX for what is not in it.
std::string decode(std::string_view raw) {
  std::string text;
  for (size_t i = 0; i < raw.size(); ++i) {
    const bool escape =
        raw[i] == '\\' && i + 1 < raw.size() && (raw[i + 1] == 'u' || raw[i + 1] == 'U');
    if (!escape) {
      appendUtf8(text, static_cast<unsigned char>(raw[i]));
      continue;
    }
    const size_t digits = raw[i + 1] == 'u' ? 4 : 8;
    if (i + 2 + digits > raw.size()) refuse();
    uint32_t code = 0;
    for (const char c : raw.substr(i + 2, digits)) {
      const size_t value = std::string_view("0123456789abcdef").find(c);
      if (value == std::string_view::npos) refuse();
      code = code << 4 | static_cast<uint32_t>(value);
    }
    constexpr uint32_t kMostCode = 0x10ffff, kFirstHalf = 0xd800, kLastHalf = 0xdfff;
    if (code > kMostCode || (code >= kFirstHalf && code <= kLastHalf)) refuse();
    appendUtf8(text, code);
    i += 1 + digits;
  }
  return text;
}

/// Runs the few instructions of protocol 0 that build a list of tuples of texts. See Python's
/// pickletools for what they mean.
class Unpickler {
 public:
  explicit Unpickler(std::string_view pickle) : rest_(pickle) {}

  Tuples run() {
    while (true) {
      if (rest_.empty() || stack_.size() > kMostItems) refuse();
      const char code = rest_.front();
      rest_.remove_prefix(1);
      switch (code) {
        case '(':
          stack_.emplace_back(Mark());
          break;
        case 'V':
          stack_.emplace_back(decode(line()));
          break;
        case 'p':
          if (stack_.empty()) refuse();
          memo_[std::string(line())] = stack_.back();
          break;
        case 'g': {
          const auto found = memo_.find(line());
          if (found == memo_.end()) refuse();
          stack_.push_back(found->second);
          break;
        }
        case 't':
          makeTuple();
          break;
        case 'l':
          if (stack_.empty() || !std::holds_alternative<Mark>(stack_.back())) refuse();
          stack_.back() = Tuples();
          break;
        case 'a':
          append();
          break;
        case '.':
          if (stack_.size() != 1 || !std::holds_alternative<Tuples>(stack_.back())) refuse();
          return std::get<Tuples>(std::move(stack_.back()));
        default:
          refuse();
      }
    }
  }

 private:
  static constexpr size_t kMostItems = 1000;

  std::string_view line() {
    const size_t end = rest_.find('\n');
    if (end == std::string_view::npos) refuse();
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }

  void makeTuple() {
    Tuple tuple;
    for (; !stack_.empty() && std::holds_alternative<std::string>(stack_.back()); stack_.pop_back())
      tuple.insert(tuple.begin(), std::get<std::string>(std::move(stack_.back())));
    if (stack_.empty() || !std::holds_alternative<Mark>(stack_.back())) refuse();
    stack_.back() = std::move(tuple);
  }

  void append() {
    if (stack_.size() < 2 || !std::holds_alternative<Tuple>(stack_.back())) refuse();
    Tuple tuple = std::get<Tuple>(std::move(stack_.back()));
    stack_.pop_back();
    if (!std::holds_alternative<Tuples>(stack_.back())) refuse();
    std::get<Tuples>(stack_.back()).push_back(std::move(tuple));
  }

  std::string_view rest_;
  std::vector<Item> stack_;
  std::map<std::string, Item, std::less<>> memo_;
};

}  // namespace

std::vector<std::vector<std::string>> readPickledNames(std::string_view pickle) {
  return Unpickler(pickle).run();
}

}  // namespace glint::motion
