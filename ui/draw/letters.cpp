#include "ui/draw/letters.h"

#include <algorithm>

#include <imgui_internal.h>

namespace glint::ui {
namespace {

constexpr size_t kMostLetters = 1000;  // as many as the font's image has room for

std::set<char32_t>& letters() {
  static std::set<char32_t> all;
  return all;
}

bool isUsual(unsigned int letter) {
  if (letter < 0x20) return true;  // control characters are not drawn
  for (const ImWchar* range = usualLetters(); *range != 0; range += 2)
    if (letter >= range[0] && letter <= range[1]) return true;
  return false;
}

}  // namespace

const ImWchar* usualLetters() {
  static constexpr ImWchar kRanges[] = {0x20, 0x17f, 0x370, 0x3ff, 0x400, 0x4ff, 0x2010, 0x2026, 0};
  return kRanges;
}

void noteLetters(const std::string& words) {
  const auto isAscii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(words, isAscii)) return;
  const char* const end = words.data() + words.size();
  for (const char* at = words.data(); at < end;) {
    unsigned int letter = 0;
    at += std::max(1, ImTextCharFromUtf8(&letter, at, end));
    // ImGui draws only letters of 16 bits, and the last sign stands for what is not UTF-8.
    if (letter > IM_UNICODE_CODEPOINT_MAX || letter == IM_UNICODE_CODEPOINT_INVALID) continue;
    if (!isUsual(letter) && letters().size() < kMostLetters) letters().insert(letter);
  }
}

const std::set<char32_t>& furtherLetters() {
  return letters();
}

}  // namespace glint::ui
