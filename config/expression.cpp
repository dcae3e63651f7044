#include "config/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "config/error.h"

namespace glint::filters {
namespace {

using Values = std::vector<double>;
using Formula = std::function<double(Values&)>;

// The most terms that all sums of a formula may have in one evaluation, and their count so far.
constexpr size_t kMostTerms = 1 << 20;
thread_local size_t terms = 0;

/// A function or operator, and the number of its operands. `of` ignores operands beyond them.
struct Function {
  std::string_view name;
  size_t operands;
  double (*of)(double a, double b, double c);
};

#define GLINT_FUNCTION(name, operands, expression)                                            \
  Function {                                                                                  \
    name, operands,                                                                           \
        []([[maybe_unused]] double a, [[maybe_unused]] double b, [[maybe_unused]] double c) { \
          return double(expression);                                                          \
        }                                                                                     \
  }

const std::array kFunctions{GLINT_FUNCTION("rnd", 1, std::floor(a + 0.5)),
                            GLINT_FUNCTION("floor", 1, std::floor(a)),
                            GLINT_FUNCTION("ceil", 1, std::ceil(a)),
                            GLINT_FUNCTION("rint", 1, std::nearbyint(a)),
                            GLINT_FUNCTION("abs", 1, std::abs(a)),
                            GLINT_FUNCTION("sqrt", 1, std::sqrt(std::max(a, 0.0))),
                            GLINT_FUNCTION("exp", 1, std::exp(a)),
                            GLINT_FUNCTION("log", 1, std::log(a)),
                            GLINT_FUNCTION("sin", 1, std::sin(a)),
                            GLINT_FUNCTION("cos", 1, std::cos(a)),
                            GLINT_FUNCTION("pow", 2, std::pow(a, b)),
                            GLINT_FUNCTION("min", 2, std::min(a, b)),
                            GLINT_FUNCTION("max", 2, std::max(a, b)),
                            GLINT_FUNCTION("clamp", 3, std::min(std::max(a, b), c)),
                            GLINT_FUNCTION("mix", 3, a + (b - a) * c)};

/// Binary operators by precedence, those that bind least first. If an operator is the beginning of
/// another one, the longer one comes first.
const std::array<std::vector<Function>, 6> kLevels{{
    {GLINT_FUNCTION("||", 2, a != 0 || b != 0)},
    {GLINT_FUNCTION("&&", 2, a != 0 && b != 0)},
    {GLINT_FUNCTION("==", 2, a == b), GLINT_FUNCTION("!=", 2, a != b)},
    {GLINT_FUNCTION("<=", 2, a <= b), GLINT_FUNCTION(">=", 2, a >= b),
     GLINT_FUNCTION("<", 2, a < b), GLINT_FUNCTION(">", 2, a > b)},
    {GLINT_FUNCTION("+", 2, a + b), GLINT_FUNCTION("-", 2, a - b)},
    {GLINT_FUNCTION("*", 2, a* b), GLINT_FUNCTION("/", 2, a / b),
     GLINT_FUNCTION("%", 2, a - b * std::floor(a / b))},  // has the sign of the divisor
}};

/// Parses a formula by recursive descent, with one level of recursion per level of precedence.
class Parser {
 public:
  Parser(std::string_view text, std::vector<std::string> names)
      : text_(text), names_(std::move(names)) {}

  Formula parse() {
    Formula formula = choice();
    skip();
    if (at_ != text_.size()) fail("an operator");
    return formula;
  }
  size_t depth() const { return depth_; }

 private:
  [[noreturn]] void fail(const std::string& wanted) const {
    throw Error(
        fmt::format("'{}': {} is missing before '{}'", text_, wanted, text_.substr(at_, 20)));
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(std::string_view word) {
    skip();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void need(std::string_view word) {
    if (!take(word)) fail(fmt::format("'{}'", word));
  }

  void nest() {
    if (++nested_ > 64) throw Error(fmt::format("'{}' nests too deep", text_));
  }

  Formula choice() {
    nest();
    Formula condition = binary(0);
    if (take("?")) {
      Formula yes = choice();
      need(":");
      condition = [condition = std::move(condition), yes = std::move(yes),
                   no = choice()](Values& v) { return condition(v) != 0 ? yes(v) : no(v); };
    }
    --nested_;
    return condition;
  }

  const Function* operatorAt(const std::vector<Function>& level) {
    for (const Function& f : level)
      if (take(f.name)) return &f;
    return nullptr;
  }

  Formula binary(size_t level) {
    if (level == kLevels.size()) return unary();
    Formula left = binary(level + 1);
    while (const Function* f = operatorAt(kLevels[level])) {
      left = [level, of = f->of, left = std::move(left), right = binary(level + 1)](Values& v) {
        const double a = left(v);
        const bool decided = level == 0 ? a != 0 : level == 1 && a == 0;  // || and && stop early
        return of(a, decided ? 0 : right(v), 0);
      };
    }
    return left;
  }

  Formula unary() {
    const bool minus = take("-");
    if (!minus && !take("!")) return primary();
    nest();
    Formula operand = unary();
    --nested_;
    if (minus) return [operand = std::move(operand)](Values& v) { return -operand(v); };
    return [operand = std::move(operand)](Values& v) { return double(operand(v) == 0); };
  }

  Formula primary() {
    if (take("(")) {
      Formula inner = choice();
      need(")");
      return inner;
    }
    if (at_ < text_.size() &&
        (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
      return constant(number());
    const std::string name = word();
    if (name.empty()) fail("a number or a name");
    if (take("(")) return name == "sum" ? sum() : call(name);
    if (name == "pi") return constant(std::numbers::pi);
    const auto found = std::find(names_.rbegin(), names_.rend(), name);
    if (found == names_.rend()) throw Error(fmt::format("'{}': there is no '{}'", text_, name));
    return [at = static_cast<size_t>(names_.rend() - found) - 1](Values& v) { return v[at]; };
  }

  static Formula constant(double value) {
    return [value](Values&) { return value; };
  }

  double number() {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("a number");
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  std::string word() {
    skip();
    const size_t from = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    return std::string(text_.substr(from, at_ - from));
  }

  Formula call(const std::string& name) {
    const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                    [&](const Function& f) { return f.name == name; });
    if (found == kFunctions.end())
      throw Error(fmt::format("'{}': there is no function '{}'", text_, name));
    std::vector<Formula> operands;
    while (operands.size() < found->operands) {
      if (!operands.empty()) need(",");
      operands.push_back(choice());
    }
    need(")");
    return [of = found->of, operands = std::move(operands)](Values& v) {
      std::array<double, 3> x{};
      std::transform(operands.begin(), operands.end(), x.begin(),
                     [&](const Formula& operand) { return operand(v); });
      return of(x[0], x[1], x[2]);
    };
  }

  Formula sum() {
    const size_t counter = names_.size();
    const std::string name = word();
    need(",");
    Formula from = choice();
    need(",");
    Formula to = choice();
    need(",");
    names_.push_back(name);
    depth_ = std::max(depth_, names_.size());
    Formula term = choice();
    names_.pop_back();
    need(")");
    return
        [counter, from = std::move(from), to = std::move(to), term = std::move(term)](Values& v) {
          const double last = to(v);
          double sum = 0;
          for (double k = from(v); k <= last; ++k) {
            if (++terms > kMostTerms)
              throw Error(fmt::format("a formula adds up more than {} terms", kMostTerms));
            v[counter] = k;
            sum += term(v);
          }
          return sum;
        };
  }

  std::string_view text_;
  std::vector<std::string> names_;
  size_t at_ = 0, depth_ = 0, nested_ = 0;
};

}  // namespace

Expression::Expression(std::string_view text, std::vector<std::string> names)
    : names_(names.size()) {
  Parser parser(text, std::move(names));
  formula_ = parser.parse();
  depth_ = std::max(names_, parser.depth());
}

double Expression::operator()(const std::vector<double>& values) const {
  if (values.size() < names_) throw Error("a formula lacks values");
  Values all(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(names_));
  all.resize(depth_);
  terms = 0;
  return formula_(all);
}

}  // namespace glint::filters
