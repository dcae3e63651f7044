// The letters of names, which may be of any script.
#pragma once

#include <set>
#include <string>

#include <imgui.h>

namespace glint::ui {

/// Returns the ranges of letters that the font always has: Latin, Greek and Cyrillic ones and some
/// signs, of which most names consist. Ends with 0.
const ImWchar* usualLetters();

/// Notes the letters of a text that is drawn, so that further fonts are loaded for those that the
/// usual font lacks. `words` is UTF-8. Main thread.
void noteLetters(const std::string& words);

/// Returns the letters that were noted and are not among the usual ones, at most a thousand. Main
/// thread.
const std::set<char32_t>& furtherLetters();

}  // namespace glint::ui
