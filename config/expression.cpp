#include "config/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "config/error.h"

namespace glint::filters {

using Values = std::vector<double>;
using Operands = std::vector<std::unique_ptr<const Expression::Node>>;

/// A constant, a variable, or a function of its operands.
struct Expression::Node {
  double constant = 0;
  size_t variable = 0;
  double (*apply)(const Node&, Values&) = nullptr;
  Operands operands = {};

  double value(size_t i, Values& values) const {
    const Node& operand = *operands[i];
    return operand.apply(operand, values);
  }
};

namespace {

using Node = Expression::Node;
using Apply = double (*)(const Node&, Values&);

double constantOf(const Node& n, Values&) {
  return n.constant;
}
double variableOf(const Node& n, Values& v) {
  return v[n.variable];
}
// Of all sums of a formula, in one evaluation.
constexpr size_t kMostTerms = 1 << 20;
thread_local size_t terms = 0;

double sumOf(const Node& n, Values& v) {
  const double last = n.value(1, v);
  double sum = 0;
  for (double k = n.value(0, v); k <= last; ++k) {
    if (++terms > kMostTerms)
      throw Error(fmt::format("a formula adds up more than {} terms", kMostTerms));
    v[n.variable] = k;
    sum += n.value(2, v);
  }
  return sum;
}
/// The remainder that has the divisor's sign.
double remainderOf(double a, double b) {
  return a - b * std::floor(a / b);
}

struct Function {
  std::string_view name;
  size_t operands;
  Apply apply;
};

#define GLINT_ONE(name, expression)         \
  Function {                                \
    name, 1, [](const Node& n, Values& v) { \
      const double a = n.value(0, v);       \
      return double(expression);            \
    }                                       \
  }
#define GLINT_TWO(name, expression)                      \
  Function {                                             \
    name, 2, [](const Node& n, Values& v) {              \
      const double a = n.value(0, v), b = n.value(1, v); \
      return double(expression);                         \
    }                                                    \
  }
#define GLINT_THREE(name, expression)                                       \
  Function {                                                                \
    name, 3, [](const Node& n, Values& v) {                                 \
      const double a = n.value(0, v), b = n.value(1, v), c = n.value(2, v); \
      return double(expression);                                            \
    }                                                                       \
  }

const std::array kFunctions{
    GLINT_ONE("rnd", std::floor(a + 0.5)), GLINT_ONE("floor", std::floor(a)),
    GLINT_ONE("ceil", std::ceil(a)),       GLINT_ONE("rint", std::nearbyint(a)),
    GLINT_ONE("abs", std::abs(a)),         GLINT_ONE("sqrt", std::sqrt(std::max(a, 0.0))),
    GLINT_ONE("exp", std::exp(a)),         GLINT_ONE("log", std::log(a)),
    GLINT_ONE("sin", std::sin(a)),         GLINT_ONE("cos", std::cos(a)),
    GLINT_TWO("pow", std::pow(a, b)),      GLINT_TWO("min", std::min(a, b)),
    GLINT_TWO("max", std::max(a, b)),      GLINT_THREE("clamp", std::min(std::max(a, b), c)),
    GLINT_THREE("mix", a + (b - a) * c),
};

/// Binary operators, the loosest first, the longer of two that begin alike first.
struct Level {
  std::vector<Function> operators;
};
const std::array<Level, 6> kLevels{
    Level{{Function{"||", 2,
                    [](const Node& n, Values& v) {
                      return double(n.value(0, v) != 0 || n.value(1, v) != 0);
                    }}}},
    Level{{Function{"&&", 2,
                    [](const Node& n, Values& v) {
                      return double(n.value(0, v) != 0 && n.value(1, v) != 0);
                    }}}},
    Level{{GLINT_TWO("==", a == b), GLINT_TWO("!=", a != b)}},
    Level{{GLINT_TWO("<=", a <= b), GLINT_TWO(">=", a >= b), GLINT_TWO("<", a < b),
           GLINT_TWO(">", a > b)}},
    Level{{GLINT_TWO("+", a + b), GLINT_TWO("-", a - b)}},
    Level{{GLINT_TWO("*", a* b), GLINT_TWO("/", a / b), GLINT_TWO("%", remainderOf(a, b))}},
};

std::unique_ptr<const Node> make(Node node) {
  return std::make_unique<const Node>(std::move(node));
}

/// By recursive descent, a level of precedence a function.
class Parser {
 public:
  Parser(std::string_view text, std::vector<std::string> names)
      : text_(text), names_(std::move(names)) {}

  std::unique_ptr<const Node> parse() {
    auto node = choice();
    skip();
    if (at_ != text_.size()) fail("an operator");
    return node;
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

  std::unique_ptr<const Node> choice() {
    if (++nested_ > 64) throw Error(fmt::format("'{}' nests too deep", text_));
    auto condition = binary(0);
    if (take("?")) {
      Node node{.apply = [](const Node& n, Values& v) {
        return n.value(0, v) != 0 ? n.value(1, v) : n.value(2, v);
      }};
      node.operands.push_back(std::move(condition));
      node.operands.push_back(choice());
      need(":");
      node.operands.push_back(choice());
      condition = make(std::move(node));
    }
    --nested_;
    return condition;
  }

  const Function* operatorAt(const Level& level) {
    for (const Function& f : level.operators)
      if (take(f.name)) return &f;
    return nullptr;
  }

  std::unique_ptr<const Node> binary(size_t level) {
    if (level == kLevels.size()) return unary();
    auto left = binary(level + 1);
    while (const Function* f = operatorAt(kLevels[level])) {
      Node node{.apply = f->apply};
      node.operands.push_back(std::move(left));
      node.operands.push_back(binary(level + 1));
      left = make(std::move(node));
    }
    return left;
  }

  std::unique_ptr<const Node> unary() {
    Apply apply = nullptr;
    if (take("-"))
      apply = [](const Node& n, Values& v) { return -n.value(0, v); };
    else if (take("!"))
      apply = [](const Node& n, Values& v) { return double(n.value(0, v) == 0); };
    if (apply == nullptr) return primary();
    if (++nested_ > 64) throw Error(fmt::format("'{}' nests too deep", text_));
    Node node{.apply = apply};
    node.operands.push_back(unary());
    --nested_;
    return make(std::move(node));
  }

  std::unique_ptr<const Node> primary() {
    if (take("(")) {
      auto inner = choice();
      need(")");
      return inner;
    }
    if (at_ < text_.size() &&
        (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
      return number();
    const std::string name = word();
    if (name.empty()) fail("a number or a name");
    if (take("(")) return name == "sum" ? sum() : call(name);
    if (name == "pi") return make({.constant = std::numbers::pi, .apply = constantOf});
    const auto found = std::find(names_.rbegin(), names_.rend(), name);
    if (found == names_.rend()) throw Error(fmt::format("'{}': there is no '{}'", text_, name));
    return make({.variable = static_cast<size_t>(names_.rend() - found) - 1, .apply = variableOf});
  }

  std::unique_ptr<const Node> number() {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("a number");
    at_ = static_cast<size_t>(end - text_.data());
    return make({.constant = value, .apply = constantOf});
  }

  std::string word() {
    skip();
    const size_t from = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    return std::string(text_.substr(from, at_ - from));
  }

  std::unique_ptr<const Node> call(const std::string& name) {
    const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                    [&](const Function& f) { return f.name == name; });
    if (found == kFunctions.end())
      throw Error(fmt::format("'{}': there is no function '{}'", text_, name));
    Node node{.apply = found->apply};
    for (size_t i = 0; i < found->operands; ++i) {
      if (i > 0) need(",");
      node.operands.push_back(choice());
    }
    need(")");
    return make(std::move(node));
  }

  std::unique_ptr<const Node> sum() {
    Node node{.variable = names_.size(), .apply = sumOf};
    const std::string counter = word();
    need(",");
    node.operands.push_back(choice());
    need(",");
    node.operands.push_back(choice());
    need(",");
    names_.push_back(counter);
    depth_ = std::max(depth_, names_.size());
    node.operands.push_back(choice());
    names_.pop_back();
    need(")");
    return make(std::move(node));
  }

  std::string_view text_;
  std::vector<std::string> names_;
  size_t at_ = 0, depth_ = 0, nested_ = 0;
};

}  // namespace

Expression::Expression(std::string_view text, std::vector<std::string> names)
    : names_(names.size()) {
  Parser parser(text, std::move(names));
  root_ = parser.parse();
  depth_ = std::max(names_, parser.depth());
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

double Expression::operator()(const std::vector<double>& values) const {
  if (values.size() < names_) throw Error("a formula lacks values");
  Values all(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(names_));
  all.resize(depth_);
  terms = 0;
  return root_->apply(*root_, all);
}

}  // namespace glint::filters
