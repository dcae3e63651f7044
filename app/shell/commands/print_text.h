// Output of commands on a terminal.
#pragma once

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "app/study/opening/source_words.h"
#include "config/printable.h"

namespace glint::shell {

/// Prints to `out` in a form that is fit for a terminal, whatever names contain. If not everything
/// arrives on standard output, the end of the program reports it.
template <class... Values>
void printText(std::FILE* out, fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = fmt::format(format, std::forward<Values>(values)...);
  std::fputs(printable(text, true).c_str(), out);
}

/// Prints to standard output in the same way.
template <class... Values>
void printText(fmt::format_string<Values...> format, Values&&... values) {
  printText(stdout, format, std::forward<Values>(values)...);
}

/// Prints the line about a source, and its warnings below it, indented.
void printSource(std::FILE* out, const study::SourceReport& report);

}  // namespace glint::shell
