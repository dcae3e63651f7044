#include "app/output/report/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "config/printable.h"

namespace glint::output::report {
namespace {

// Returns the number of decimals that tell multiples of `step` apart.
int decimalsOf(double step) {
  return std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
}

void addTicks(Axis& axis, double step) {
  const double low = std::min(axis.least, axis.most), high = std::max(axis.least, axis.most);
  // The tolerance includes the ends in spite of rounding.
  const double first = std::ceil(low / step - 1e-6), last = std::floor(high / step + 1e-6);
  // Counts separately from `first`, which may be too large for steps of 1.
  for (double i = 0; i <= last - first; ++i) {
    const double value = first + i == 0 ? 0 : (first + i) * step;  // avoids "-0"
    const bool many = step >= 1 && value >= 1e4 && value < 1e18;
    axis.ticks.push_back({value, many ? grouped(static_cast<uint64_t>(value + 0.5))
                                      : fmt::format("{:.{}f}", value, decimalsOf(step))});
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  constexpr std::array<std::pair<char, std::string_view>, 5> kEntities{
      {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}}};
  std::string result;
  for (size_t length; !text.empty(); text.remove_prefix(std::max<size_t>(length, 1))) {
    length = characterLength(text);
    const char c = text.front();
    const auto entity =
        std::ranges::find_if(kEntities, [&](const auto& each) { return each.first == c; });
    if (length == 0 || static_cast<unsigned char>(c) < 0x20)
      result += "\xef\xbf\xbd";
    else
      result += entity != kEntities.end() ? entity->second : text.substr(0, length);
  }
  return result;
}

std::string figure(std::string_view id, bool wide, std::string_view title, std::string_view aid,
                   const std::string& svg) {
  return fmt::format(
      "<figure id=\"{}\" class=\"{}\"><figcaption><h3>{}</h3><p>{}</p></figcaption>{}</figure>\n",
      id, wide ? "wide" : "half", title, aid,
      wide ? fmt::format("<div class=\"scroll\">{}</div>", svg) : svg);
}

std::string keyFigure(std::string_view name, std::string_view value, std::string_view detail) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd><dd class=\"detail\">{}</dd></div>", name, value,
                     detail);
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t i = digits.size(); i > 3;) digits.insert(i -= 3, "\xe2\x80\xaf");  // U+202F
  return digits;
}

std::string rounded(double number) {
  if (number == 0) return "0";
  const int before = static_cast<int>(std::floor(std::log10(std::abs(number)))) + 1;
  return fmt::format("{:.{}f}", number, std::max(0, 3 - before));
}

double Axis::place(double value) const {
  if (logarithmic) return std::log(value / least) / std::log(most / least);
  return (value - least) / (most - least);
}

double niceStep(double span, int parts) {
  const double rough = span / parts;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= rough * (1 - 1e-9)) return step * power;
  return 10 * power;
}

Axis linearAxis(std::string title, double least, double most, int parts, bool roomy) {
  if (!(most > least)) {
    const double room = std::max(0.5, std::abs(least) * 1e-3);
    least -= room;
    most += room;
  }
  const double step = niceStep(most - least, parts);
  if (roomy) {
    least = step * std::floor(least / step + 1e-6);
    most = step * std::ceil(most / step - 1e-6);
  }
  Axis axis{std::move(title), least, most, false, {}};
  addTicks(axis, step);
  return axis;
}

Axis logAxis(std::string title, double least, double most) {
  Axis axis{std::move(title), least, most, true, {}};
  const double decades = std::log10(most / least);
  const int first = static_cast<int>(std::floor(std::log10(least))) - 1;
  const int last = static_cast<int>(std::ceil(std::log10(most)));
  for (int decade = first; decade <= last; ++decade) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      if (digit > 1 && decades > 3) continue;
      const double value = digit * std::pow(10, decade);
      if (value < least * (1 - 1e-9) || value > most * (1 + 1e-9)) continue;
      axis.ticks.push_back({value, fmt::format("{:.{}f}", value, std::max(0, -decade))});
    }
  }
  return axis;
}

Axis timeAxis(double least, double most) {
  const double span = most - least;
  const auto [unit, name] = span > 4 * 3600 ? std::pair{3600.0, "time (h)"}
                            : span > 5 * 60 ? std::pair{60.0, "time (min)"}
                                            : std::pair{1.0, "time (s)"};
  Axis axis = linearAxis(name, least / unit, most / unit, 12);
  axis.least *= unit;
  axis.most *= unit;
  for (Tick& tick : axis.ticks) tick.value *= unit;
  return axis;
}

Chart::Chart(double width, double height, Axis x, Axis y)
    : width_(width),
      height_(height),
      x_(std::move(x)),
      y_(std::move(y)),
      legendEnd_(width - kRight) {}

void Chart::addLegend(std::string_view name, std::string_view className) {
  // 7 px are about the width of a wide font's letters at 12 px.
  const double start = legendEnd_ - 7 * static_cast<double>(name.size());
  add(fmt::format("<text x=\"{:.1f}\" y=\"12\" class=\"key\">{}</text>", start, escaped(name)));
  add(fmt::format("<path class=\"{}\" d=\"M{:.1f} 8h14\"/>", className, start - 19));
  legendEnd_ = start - 36;
}

std::string Chart::finish(std::string_view description) const {
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\"><g class=\"axis\">",
                  width_, height_, escaped(description));
  const double right = kLeft + width(), bottom = kTop + height();
  for (const Tick& tick : y_.ticks) {
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{0} {1:.1f}H{2}\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "class=\"end\">{5}</text>",
        kLeft, y(tick.value), right, kLeft - 7, y(tick.value) + 4, escaped(tick.label));
  }
  for (const Tick& tick : x_.ticks) {
    svg += fmt::format(
        "<path class=\"tick\" d=\"M{0:.1f} {1}v4\"/><text x=\"{0:.1f}\" y=\"{2}\" "
        "class=\"mid\">{3}</text>",
        x(tick.value), bottom, bottom + 17, escaped(tick.label));
  }
  svg += fmt::format("<path class=\"base\" d=\"M{} {}H{}\"/>", kLeft, bottom, right);
  svg += fmt::format("<text x=\"0\" y=\"12\" class=\"title\">{}</text>", escaped(y_.title));
  svg += fmt::format("<text x=\"{}\" y=\"{}\" class=\"title mid\">{}</text></g>",
                     kLeft + width() / 2, bottom + 35, escaped(x_.title));
  return svg + marks_ + "</svg>";
}

}  // namespace glint::output::report
