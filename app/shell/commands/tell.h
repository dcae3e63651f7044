// What a command prints on a terminal.
#pragma once

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "app/study/opening/source_words.h"
#include "config/printable.h"

namespace glint::shell {

/// Prints to `out` what is fit for a terminal, whatever names hold. The program's end reports what
/// did not arrive on standard output.
template <class... Values>
void tell(std::FILE* out, fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = fmt::format(format, std::forward<Values>(values)...);
  std::fputs(printable(text, true).c_str(), out);
}

/// The same to standard output.
template <class... Values>
void tell(fmt::format_string<Values...> format, Values&&... values) {
  tell(stdout, format, std::forward<Values>(values)...);
}

/// Prints the line about a source, and its warnings below it, indented.
void tellSource(std::FILE* out, const study::SourceReport& report);

}  // namespace glint::shell
