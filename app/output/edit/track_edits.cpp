#include "app/output/edit/track_edits.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace glint::output {
namespace {

constexpr std::array<std::pair<EditKind, const char*>, 7> kNames{{{EditKind::rename, "rename"},
                                                                  {EditKind::hide, "hide"},
                                                                  {EditKind::show, "show"},
                                                                  {EditKind::remove, "delete"},
                                                                  {EditKind::split, "split"},
                                                                  {EditKind::join, "join"},
                                                                  {EditKind::swap, "swap"}}};

std::string placeOf(const TrackAnchor& at, size_t cameras, const FrameWords& frame) {
  const std::string camera = cameras > 1 ? fmt::format("camera {}, ", at.camera) : std::string();
  return fmt::format("{}{} at {:.1f}, {:.1f}", camera, frame(at), at.x, at.y);
}

}  // namespace

std::string nameOf(EditKind kind) {
  for (const auto& [one, name] : kNames)
    if (one == kind) return name;
  return {};
}

std::optional<EditKind> editKind(const std::string& name) {
  for (const auto& [kind, known] : kNames)
    if (known == name) return kind;
  return std::nullopt;
}

bool hasTwo(EditKind kind) {
  return kind == EditKind::join || kind == EditKind::swap;
}

std::string frameInTables(const TrackAnchor& at) {
  return fmt::format("frame {}", at.frame);
}

std::string wordsOf(const TrackEdit& edit, size_t cameras, const FrameWords& frame) {
  std::string what = nameOf(edit.kind);
  if (edit.kind == EditKind::rename)
    what = edit.name.empty() ? "take the name away" : fmt::format("rename to '{}'", edit.name);
  const std::string with =
      edit.with ? " and " + placeOf(*edit.with, cameras, frame) : std::string();
  return fmt::format("{}, {}{}", what, placeOf(edit.at, cameras, frame), with);
}

std::string wordsOf(const TrackEdit& edit, std::span<const TrackId> tracks,
                    const FrameWords& frame) {
  std::string words = fmt::format("{} {}", nameOf(edit.kind), fmt::join(tracks, " and "));
  if (edit.kind == EditKind::rename)
    words += edit.name.empty() ? " to its number" : fmt::format(" to '{}'", edit.name);
  if (edit.kind == EditKind::split) words += " at " + frame(edit.at);
  if (edit.kind == EditKind::swap) words += " from " + frame(edit.at);
  return words;
}

bool canBeName(const std::string& name) {
  if (name.size() > TrackEdits::kLongestName) return false;
  size_t follow = 0;  // bytes of the character that must still follow
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (follow > 0) {
      if ((byte & 0xC0) != 0x80) return false;
      --follow;
    } else if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && byte < 0xC2) || byte > 0xF4) {
      return false;
    } else if (byte >= 0xC2) {
      follow = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    }
  }
  return follow == 0;
}

}  // namespace glint::output
