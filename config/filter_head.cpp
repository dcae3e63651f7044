#include "config/filter_head.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/error.h"

namespace glint::filters {
namespace {

constexpr size_t kMostWords = 1 << 26;  // most words of all tables of a filter
constexpr size_t kMostNumbers = 200;    // most variables that the formulas of a filter know
constexpr uint32_t kMostMemory = 64;    // most frames that a filter remembers

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const size_t from = text.find_first_not_of(kSpace);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kSpace) - from + 1);
}

/// Splits `rest` at the first `mark`. Returns the text before the mark, and leaves the text after
/// it in `rest`. If there is no mark, returns the whole text and leaves nothing.
std::string_view cut(std::string_view& rest, std::string_view mark) {
  const size_t at = rest.find(mark);
  const std::string_view before = trimmed(rest.substr(0, at));
  rest = at == std::string_view::npos ? std::string_view{} : trimmed(rest.substr(at + mark.size()));
  return before;
}

std::vector<std::string> wordsOf(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

double numberOf(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error(fmt::format("'{}' is not a number", text));
  return value;
}

std::string nameFrom(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (text.empty() || text[0] < 'a' || text[0] > 'z' ||
      !std::all_of(text.begin(), text.end(), plain))
    throw Error(fmt::format("'{}' cannot be a name: use a to z, 0 to 9 and _", text));
  return std::string(text);
}

void range(std::string_view text, double& least, double& most) {
  std::string_view rest = text;
  least = numberOf(cut(rest, " to "));
  most = numberOf(rest);
  if (!(least < most)) throw Error(fmt::format("the range '{}' is empty", text));
}

std::string spread(const std::string& name, size_t i) {
  return fmt::format("{}_{}", name, i);
}

/// Returns the names of the variables that formulas of a head know: surroundings, choices,
/// parameters and derived numbers.
std::vector<std::string> namesOf(const Head& head) {
  std::vector<std::string> names{"full", "bits", "channels", "width", "height", "tiles"};
  for (const Input& input : head.inputs) names.push_back(input.name + "_mean");
  if (head.follows) names.push_back("input_mean");
  for (const Parameter& p : head.parameters)
    for (const std::string& choice : p.choices) names.push_back(choice);
  for (const Parameter& p : head.parameters) {
    for (size_t i = 0; i < p.initial.size(); ++i)
      names.push_back(p.isList() ? spread(p.name, i) : p.name);
  }
  for (const Derived& d : head.derived) names.push_back(d.name);
  return names;
}

Expression formula(const Head& head, std::string_view text, std::vector<std::string> more = {}) {
  auto names = namesOf(head);
  names.insert(names.end(), more.begin(), more.end());
  return Expression(text, std::move(names));
}

double choiceOf(const Parameter& p, const std::string& word) {
  const auto found = std::find(p.choices.begin(), p.choices.end(), word);
  if (found == p.choices.end()) throw Error(fmt::format("'{}' is none of the choices", word));
  return static_cast<double>(found - p.choices.begin());
}

void setDefault(Parameter& p, std::string_view text) {
  for (const std::string& word : wordsOf(text)) {
    if (p.kind == Parameter::Kind::choice)
      p.initial.push_back(choiceOf(p, word));
    else if (word == "true" || word == "false")
      p.initial.push_back(word == "true" ? 1 : 0);
    else
      p.initial.push_back(numberOf(word));
  }
}

/// A parameter whose attributes are being read.
struct Declared {
  Parameter p;
  std::string_view initial = {};
  bool slider = false;
};

/// An attribute of a parameter: its keyword, and the function that reads the text after it.
struct Attribute {
  std::string_view key;
  void (*take)(Declared& declared, std::string_view text);
};

constexpr Attribute kAttributes[] = {
    {"default", [](Declared& d, std::string_view text) { d.initial = text; }},
    {"range", [](Declared& d, std::string_view text) { range(text, d.p.least, d.p.most); }},
    {"slider",
     [](Declared& d, std::string_view text) {
       range(text, d.p.sliderLeast, d.p.sliderMost);
       d.slider = true;
     }},
    {"neutral", [](Declared& d, std::string_view text) { d.p.neutral = numberOf(text); }},
    {"unit", [](Declared& d, std::string_view text) { d.p.unit = text; }},
    {"help", [](Declared& d, std::string_view text) { d.p.help = text; }},
    {"whole", [](Declared& d, std::string_view) { d.p.kind = Parameter::Kind::whole; }},
    {"choices",
     [](Declared& d, std::string_view text) {
       d.p.kind = Parameter::Kind::choice;
       d.p.choices = wordsOf(text);
     }},
};

/// Returns the row of a table that has this key. If there is none, throws Error with the message
/// `none` and the key.
template <class Row, size_t n>
const Row& rowOf(const Row (&table)[n], std::string_view key, const char* none) {
  const auto* found =
      std::find_if(table, table + n, [&](const Row& row) { return row.key == key; });
  if (found == table + n) throw Error(fmt::format("{} '{}'", none, key));
  return *found;
}

/// Reads "default 3; range 1 to 32; unit px; help What it is." The help is the last attribute, and
/// may contain semicolons.
Parameter attributesOf(std::string_view text) {
  Declared declared;
  Parameter& p = declared.p;
  while (!text.empty()) {
    std::string_view rest = text.starts_with("help ") ? std::exchange(text, {}) : cut(text, ";");
    const std::string_view key = cut(rest, " ");
    rowOf(kAttributes, key, "a parameter has no attribute").take(declared, rest);
  }
  if (declared.initial == "true" || declared.initial == "false") p.kind = Parameter::Kind::toggle;
  if (p.kind == Parameter::Kind::toggle) p.most = 1;
  if (p.kind == Parameter::Kind::choice) p.most = static_cast<double>(p.choices.size()) - 1;
  setDefault(p, declared.initial);
  if (!declared.slider) p.sliderLeast = p.least, p.sliderMost = p.most;
  return p;
}

Parameter parameterOf(std::string_view text) {
  const std::string name = nameFrom(cut(text, ":"));
  Parameter p = attributesOf(text);
  p.name = name;
  if (p.help.empty() || p.initial.empty())
    throw Error(fmt::format("parameter '{}' needs a default and a help", p.name));
  for (const double value : p.initial) {
    if (!(value >= p.least && value <= p.most))
      throw Error(fmt::format("the default of '{}' is out of its range", p.name));
  }
  return p;
}

/// Removes "whole " from the beginning of `text`. Returns true if it was there.
bool takeWhole(std::string_view& text) {
  if (!text.starts_with("whole ")) return false;
  text = trimmed(text.substr(6));
  return true;
}

Derived derivedOf(const Head& head, std::string_view text) {
  const std::string name = nameFrom(cut(text, ":"));
  const bool whole = takeWhole(text);
  return {name, whole, formula(head, text)};
}

/// Reads "taps(i): whole reach + 1: exp(-i * i)".
Table tableOf(const Head& head, std::string_view text) {
  const std::string name = nameFrom(cut(text, "(i):"));
  const bool whole = takeWhole(text);
  const std::string_view size = cut(text, ":");
  return {name, whole, formula(head, size), formula(head, text, {"i"})};
}

/// Reads the size of a block, "4x8".
void readBlock(Pass& pass, std::string_view text) {
  const double wide = numberOf(cut(text, "x")), high = numberOf(text);
  if (!(wide >= 4 && wide <= 256 && high >= 1 && high <= 256) || std::fmod(wide, 4) != 0 ||
      high != std::floor(high))
    throw Error("a block is 4, 8, ... 256 values wide and 1 to 256 rows high");
  pass.blockWide = static_cast<uint32_t>(wide);
  pass.blockHigh = static_cast<uint32_t>(high);
}

/// Reads "columns -> middle words block 4x8 when op > 0" or "unite changes label".
Pass passOf(const Head& head, std::string_view text) {
  Pass pass;
  std::string_view body = cut(text, " when ");
  if (!text.empty()) pass.when = formula(head, text);
  pass.tile = body.find(" tile ") != std::string_view::npos;
  std::string_view block = body;
  body = cut(block, pass.tile ? " tile " : " block ");
  if (!block.empty()) readBlock(pass, block);
  pass.changes = body.find(" changes ") != std::string_view::npos;
  pass.name = nameFrom(cut(body, pass.changes ? " changes " : "->"));
  if (body.empty()) return pass;
  const auto words = wordsOf(body);
  pass.into = nameFrom(words[0]);
  pass.words = words.size() > 1 && words[1] == "words";
  pass.twice = words.size() > 1 && words[1] == "double";
  if (words.size() > 2 && words[1] == "times") {
    const double times = numberOf(words[2]);
    if (!(times >= 2 && times <= 16) || times != std::floor(times))
      throw Error("a plane has 2 to 16 times the image's words");
    pass.times = static_cast<uint32_t>(times);
  }
  if ((pass.twice || pass.times > 1) && pass.blockWide == 0)
    throw Error("a plane of other depth is written by a pass with a block");
  return pass;
}

template <class Value>
Value choose(std::string_view text, std::initializer_list<std::pair<std::string_view, Value>> all) {
  for (const auto& [name, value] : all)
    if (text == name) return value;
  std::vector<std::string_view> names;
  for (const auto& [name, value] : all) names.push_back(name);
  throw Error(fmt::format("'{}' is none of: {}", text, fmt::join(names, ", ")));
}

void readPlanes(Head& head, std::string_view text) {
  const auto words = wordsOf(text);
  const auto has = [&](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  head.grey = has("grey");
  head.colour = has("colour");
  if (!head.grey && !head.colour) throw Error("planes are grey, colour or both");
}

template <Input::Form form>
void addInput(Head& head, std::string_view text) {
  const std::string name = nameFrom(cut(text, ":"));
  head.inputs.push_back({name, std::string(text), form});
}

/// A line of a head: its keyword, and the function that reads the text after it.
struct Line {
  std::string_view key;
  void (*take)(Head& head, std::string_view text);
};

constexpr Line kLines[] = {
    {"help", [](Head& h, std::string_view text) { h.help = text; }},
    {"check", [](Head& h, std::string_view text) { h.check = text; }},
    {"kind",
     [](Head& h, std::string_view text) {
       h.exact = choose<bool>(text, {{"exact", true}, {"float", false}});
     }},
    {"feeds",
     [](Head& h, std::string_view text) {
       using Feeds = Head::Feeds;
       h.feeds = choose<Feeds>(
           text,
           {{"measure", Feeds::measure}, {"response", Feeds::response}, {"view", Feeds::view}});
     }},
    {"planes", readPlanes},
    {"gives",
     [](Head& h, std::string_view text) {
       h.gives = choose<uint32_t>(text, {{"grey", 1}, {"colour", 3}, {"same", 0}});
     }},
    {"border",
     [](Head& h, std::string_view text) {
       using Border = Head::Border;
       h.border = choose<Border>(text, {{"none", Border::none},
                                        {"ignore", Border::none},
                                        {"replicate", Border::replicate},
                                        {"mirror", Border::mirror}});
     }},
    {"reduces", [](Head& h, std::string_view) { h.reduces = true; }},
    {"crops", [](Head& h, std::string_view) { h.crops = true; }},
    {"follows", [](Head& h, std::string_view) { h.follows = true; }},
    {"input", addInput<Input::Form::plane>},
    {"colours", addInput<Input::Form::colours>},
    {"pattern", addInput<Input::Form::pattern>},
    {"param", [](Head& h, std::string_view text) { h.parameters.push_back(parameterOf(text)); }},
    {"value", [](Head& h, std::string_view text) { h.derived.push_back(derivedOf(h, text)); }},
    {"table", [](Head& h, std::string_view text) { h.tables.push_back(tableOf(h, text)); }},
    {"point",
     [](Head& h, std::string_view text) {
       h.point = formula(h, text, {"v", "x"});
     }},
    {"memory", [](Head& h, std::string_view text) { h.memory = formula(h, text); }},
    {"pass", [](Head& h, std::string_view text) { h.passes.push_back(passOf(h, text)); }},
};

void readLine(Head& head, std::string_view line) {
  std::string_view rest = line;
  const std::string_view key = cut(rest, " ");
  rowOf(kLines, key, "a filter's head has no line").take(head, rest);
}

/// Throws Error if the head has a pattern but lacks a parameter from which its variants are made
/// (gpu/filters/templates.h).
void checkPatterns(const Head& head) {
  if (std::none_of(head.inputs.begin(), head.inputs.end(),
                   [](const Input& input) { return input.form == Input::Form::pattern; }))
    return;
  for (const char* name :
       {"angle_from", "angle_to", "angle_step", "scale_from", "scale_to", "scale_step", "part"}) {
    const Parameter* p = head.find(name);
    const size_t numbers = std::string_view(name) == "part" ? 4 : 1;
    if (p == nullptr || p->initial.size() != numbers)
      throw Error(fmt::format("a pattern needs a parameter '{}' of {} numbers", name, numbers));
    if (numbers == 1 && std::string_view(name).ends_with("_step") && p->least <= 0)
      throw Error(fmt::format("'{}' must be above 0", name));
  }
}

void checkWhole(Head& head) {
  if (head.help.empty()) throw Error("the head has no help");
  if (head.passes.empty() && !head.point && !head.reduces && !head.crops)
    head.passes.push_back({.name = "all", .into = ""});
  for (size_t i = 0; i < head.passes.size(); ++i) {
    const Pass& pass = head.passes[i];
    if (i + 1 == head.passes.size() ? !pass.into.empty() : pass.into.empty() && !pass.when)
      throw Error("the last pass must write the output; earlier passes may do so only with 'when'");
    const auto before = head.passes.begin() + static_cast<std::ptrdiff_t>(i);
    const bool there = std::any_of(head.passes.begin(), before, [&](const Pass& earlier) {
      return earlier.into == pass.into && earlier.words;
    });
    if (pass.changes && !there)
      throw Error(fmt::format("the pass '{}' changes '{}', which no pass before it writes as words",
                              pass.name, pass.into));
  }
  checkPatterns(head);
  if (namesOf(head).size() > kMostNumbers) throw Error("there are too many parameters");
}

}  // namespace

std::string_view nameOf(Head::Feeds feeds) {
  return feeds == Head::Feeds::measure    ? "measure"
         : feeds == Head::Feeds::response ? "response"
                                          : "view";
}

std::string Parameter::allowed() const {
  if (kind == Kind::toggle) return "true or false";
  if (kind == Kind::choice) return fmt::format("{}", fmt::join(choices, ", "));
  const std::string of = isList() ? fmt::format("{} numbers of ", initial.size()) : "";
  return fmt::format("{}{} to {}{}{}", of, least, most, unit.empty() ? "" : " ", unit);
}

std::string Parameter::print(const std::vector<double>& value) const {
  const auto one = [&](double v) -> std::string {
    if (kind == Kind::toggle) return v != 0 ? "true" : "false";
    if (kind == Kind::choice) return fmt::format("\"{}\"", choices.at(static_cast<size_t>(v)));
    if (kind == Kind::whole) return fmt::format("{}", static_cast<int64_t>(v));
    const std::string text = fmt::format("{}", v);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  };
  if (!isList()) return one(value.at(0));
  std::vector<std::string> all;
  for (const double v : value) all.push_back(one(v));
  return fmt::format("[{}]", fmt::join(all, ", "));
}

const Parameter* Head::find(std::string_view parameter) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& p) { return p.name == parameter; });
  return found == parameters.end() ? nullptr : &*found;
}

std::vector<std::string> Head::scratches() const {
  std::vector<std::string> names;
  for (const Pass& pass : passes) {
    if (!pass.into.empty() && std::find(names.begin(), names.end(), pass.into) == names.end())
      names.push_back(pass.into);
  }
  return names;
}

Head parseHead(const std::string& name, const std::string& text, const std::string& where) {
  Head head;
  std::istringstream stream(text);
  std::string line, open;
  size_t number = 0, openNumber = 0;
  // Lines of tables and points, and their numbers. They are read last, because they may use all
  // derived numbers.
  std::vector<std::pair<size_t, std::string>> last;
  const auto read = [&](size_t at, const std::string& declared) {
    try {
      readLine(head, declared);
    } catch (const Error& error) {
      throw UsageError(fmt::format("{}, line {}: {}", where, at, error.what()));
    }
  };
  const auto close = [&] {
    if (open.starts_with("table ") || open.starts_with("point "))
      last.emplace_back(openNumber, open);
    else if (!open.empty())
      read(openNumber, open);
    open.clear();
  };
  try {
    head.name = nameFrom(name);
    while (std::getline(stream, line)) {
      ++number;
      if (!line.starts_with("//!")) {
        head.code += line + '\n';
        continue;
      }
      if (head.code.find_first_not_of(" \n\t\r") != std::string::npos)
        throw Error(fmt::format("line {} of the head comes after code", number));
      head.code.clear();
      head.codeLine = number + 1;
      if (line.starts_with("//!   ")) {
        open += ' ' + std::string(trimmed(line.substr(3)));
        continue;
      }
      close();
      open = trimmed(line.substr(3));
      openNumber = number;
    }
    close();
    for (const auto& [at, declared] : last) read(at, declared);
    checkWhole(head);
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    throw UsageError(fmt::format("{}: {}", where, error.what()));
  }
  return head;
}

namespace {

/// Returns the lower 32 bits of a whole number, or 0 for NaN and numbers far out of range.
uint32_t wholeWord(double value) {
  constexpr double kMost = 1LL << 53;
  return std::abs(value) <= kMost ? static_cast<uint32_t>(static_cast<int64_t>(value)) : 0;
}

}  // namespace

Numbers::Numbers(const Head& head, const Surroundings& around, const ParameterValues& given)
    : head_(head),
      full_((1U << around.bits) - 1),
      tiles_(takesTiles(around.tiles, around.bits, around.channels)) {
  values_ = {full_,
             double(around.bits),
             double(around.channels),
             double(around.width),
             double(around.height),
             double(tiles_)};
  for (const Input& input : head.inputs) {
    const auto mean = around.fileMeans.find(input.name);
    values_.push_back(mean == around.fileMeans.end() ? 0 : mean->second);
  }
  if (head.follows) values_.push_back(around.inputMean.value_or(0));
  for (const Parameter& p : head.parameters)
    for (size_t i = 0; i < p.choices.size(); ++i) values_.push_back(static_cast<double>(i));
  own_ = values_.size();
  for (const Parameter& p : head.parameters) {
    const auto found = given.find(p.name);
    const auto& value = found == given.end() ? p.initial : found->second;
    for (const double v : value) values_.push_back(std::clamp(v, p.least, p.most));
  }
  for (const Derived& d : head.derived) values_.push_back(d.formula(values_));
}

std::vector<uint32_t> Numbers::words() const {
  std::vector<uint32_t> words;
  const auto add = [&](bool whole) {
    const double value = values_[own_ + words.size()];
    words.push_back(whole ? wholeWord(value) : std::bit_cast<uint32_t>(static_cast<float>(value)));
  };
  for (const Parameter& p : head_.parameters)
    for (size_t i = 0; i < p.initial.size(); ++i) add(p.kind != Parameter::Kind::number);
  for (const Derived& d : head_.derived) add(d.whole);
  return words;
}

std::vector<uint32_t> Numbers::tables(std::vector<uint32_t>& begins) const {
  std::vector<uint32_t> words;
  begins.clear();
  for (const Table& table : head_.tables) {
    begins.push_back(static_cast<uint32_t>(words.size()));
    const double size = table.size(values_);
    if (!(size >= 0) || static_cast<double>(words.size()) + size > double(kMostWords))
      throw Error(fmt::format("the filter '{}' has a table '{}' of {} entries", head_.name,
                              table.name, size));
    auto values = values_;
    values.push_back(0);
    for (size_t i = 0; i < static_cast<size_t>(size); ++i) {
      values.back() = static_cast<double>(i);
      const double entry = table.entry(values);
      words.push_back(table.whole ? wholeWord(entry)
                                  : std::bit_cast<uint32_t>(static_cast<float>(entry)));
    }
  }
  return words;
}

std::vector<uint32_t> Numbers::pointTable() const {
  std::vector<uint32_t> table;
  auto values = values_;
  values.resize(values.size() + 2);
  for (double v = 0; v <= full_; ++v) {
    values[values.size() - 2] = v;
    values[values.size() - 1] = v / full_;
    const double out = (*head_.point)(values);
    const double held = out > 0 ? std::min(std::floor(out + 0.5), full_) : 0;  // NaN becomes 0, too
    table.push_back(static_cast<uint32_t>(held));
  }
  return table;
}

uint32_t Numbers::memoryFrames() const {
  if (!head_.memory) return 0;
  const double frames = (*head_.memory)(values_);
  return frames >= 1 ? static_cast<uint32_t>(std::min(frames, double(kMostMemory))) : 1;
}

}  // namespace glint::filters
