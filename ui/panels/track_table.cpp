#include "ui/panels/track_table.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/lower_case.h"
#include "ui/draw/widgets.h"
#include "ui/panels/point_table.h"

namespace glint::ui {
namespace {

using Summary = shell::TrackSummary;

struct SummaryColumn {
  const char* name;
  const char* help;
  std::string (*text)(const Summary&);
  double (*value)(const Summary&);  ///< value to sort by
  /// The widest number of the column, to align numbers; empty: not aligned.
  const char* widest = "";
};

constexpr const char* kDigits = "0000";

double number(uint64_t value) {
  return static_cast<double>(value);
}

constexpr std::array kSummaryColumns{
    SummaryColumn{"id", "Id of the track, in its colour",
                  [](const Summary& s) { return fmt::to_string(s.track); },
                  [](const Summary& s) { return number(s.track.value()); }},
    SummaryColumn{"name", "F2 gives the selected track one",
                  [](const Summary& s) { return s.name; }, nullptr},
    SummaryColumn{"camera", "In the order of the sources, from 0",
                  [](const Summary& s) { return fmt::to_string(s.camera); },
                  [](const Summary& s) { return number(s.camera.value()); }},
    SummaryColumn{"first", "First frame of the track, as numbered in the timeline",
                  [](const Summary& s) { return fmt::to_string(s.first); },
                  [](const Summary& s) { return number(s.first.value()); }, kDigits},
    SummaryColumn{"last", "Last frame of the track, as numbered in the timeline",
                  [](const Summary& s) { return fmt::to_string(s.last); },
                  [](const Summary& s) { return number(s.last.value()); }, kDigits},
    SummaryColumn{"rows", "Number of frames in which the track was measured or predicted",
                  [](const Summary& s) { return fmt::to_string(s.rows); },
                  [](const Summary& s) { return number(s.rows); }, kDigits},
    SummaryColumn{"gaps", "Number of gaps between these frames",
                  [](const Summary& s) { return fmt::to_string(s.gaps); },
                  [](const Summary& s) { return number(s.gaps); }, kDigits},
    SummaryColumn{
        "residual",
        "Jitter: mean distance of a measured position from the midpoint of its two neighbours"
        " in time, px. Sharp turns also raise it",
        [](const Summary& s) {
          return s.residual ? fmt::format("{:.3f}", *s.residual) : std::string();
        },
        [](const Summary& s) { return s.residual.value_or(-1); }},
    SummaryColumn{"path", "Length of the path, px",
                  [](const Summary& s) { return fmt::format("{:.0f}", s.path); },
                  [](const Summary& s) { return s.path; }, kDigits}};
constexpr int kNameColumn = 1, kCameraColumn = 2;

/// Returns true if the track's id begins with the searched text, or its name contains it.
bool isSought(const Summary& summary, std::string_view sought) {
  return fmt::to_string(summary.track).starts_with(sought) ||
         lowerCase(summary.name).find(lowerCase(std::string(sought))) != std::string::npos;
}

/// Returns the set nearest to `shown` in which the track exists.
SetIndex nearest(const Summary& summary, SetIndex shown) {
  SetIndex best = summary.first;
  uint64_t least = UINT64_MAX;
  for (const auto& [first, last] : summary.stretches) {
    const SetIndex at = std::clamp(shown, first, last);
    const uint64_t away = at > shown ? at - shown : shown - at;
    if (away < least) best = at, least = away;
  }
  return best;
}

/// Jumps to a frame of the track if it is not in the present one, and moves the view if it shows
/// other parts of the image.
void goTo(Context& context, const Summary& summary) {
  const WindowModel& model = context.model;
  const TrackEditor& editor = model.editor;
  ViewState& viewState = context.viewState;
  const SetIndex shown = model.shown.frame ? model.shown.frame->set : SetIndex();
  const SetIndex set = nearest(summary, shown);
  const size_t camera = summary.camera.value();
  if (set != shown) context.model.player.seek(set.value());
  if (viewState.enlarged && *viewState.enlarged != camera) viewState.enlarged = camera;
  static const output::EditedTracks none;
  const auto frame = editor.known()->frame(summary.camera, set);
  const motion::TrackRow* row =
      frame ? shell::rowOf(*frame, editor.applied() ? *editor.applied() : none, summary.track)
            : nullptr;
  if (!row || camera >= viewState.views.size()) return;
  View& view = viewState.views[camera];
  if (!view.area().contains(view.toScreen({row->x, row->y})))
    view.showAt({row->x, row->y}, view.zoom());
}

void drawSummary(Context& context, const Summary& summary) {
  ViewState& viewState = context.viewState;
  const Selection own{summary.camera.value(), summary.track};
  ImGui::TableNextRow();
  for (int i = 0; i < static_cast<int>(kSummaryColumns.size()); ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    const std::string words = kSummaryColumns[static_cast<size_t>(i)].text(summary);
    const ImU32 ink = summary.hidden ? kFaint : kText;
    if (i == kNameColumn) {
      textThatFits(ink, words, ImGui::GetContentRegionAvail().x);
      continue;
    }
    if (i > 0) {
      columnNumber(ink, words, kSummaryColumns[static_cast<size_t>(i)].widest);
      continue;
    }
    if (!drawTrackCell(context, own, "all:" + words, words, isSelected(viewState, own),
                       summary.hidden))
      continue;
    const bool picks = viewState.pick != Pick::nothing || ImGui::GetIO().KeyCtrl;
    select(viewState, own);
    if (!picks) goTo(context, summary);
  }
}

void drawEdits(TrackEditor& editor) {
  const size_t count = editor.edits().edits.size();
  if (count == 0) {
    faint("Right click a marker, or a track in a table, to edit it.");
    return;
  }
  ImGui::BeginChild("edits");
  std::optional<size_t> dropped;
  for (size_t i = 0; i < count; ++i) {
    const bool matches = editor.matches(i);
    const std::string words = editor.wordsOf(i);
    if (removableLine(fmt::format("edit_drop:{}", i), "Removes this edit; Ctrl+Z brings it back",
                      matches || !editor.applied() ? kText : kWarning, words))
      dropped = i;
    namedWords(fmt::format("edit:{}", i), words);
    if (matches) hint(editor.placeOf(i));
  }
  ImGui::EndChild();
  if (dropped) editor.removeEdit(*dropped);
}

/// Adds a track to the selection, or removes it.
void selectAlso(ViewState& viewState, const Selection& track) {
  if (viewState.selected == track) {
    viewState.selected =
        viewState.more.empty() ? std::nullopt : std::optional(viewState.more.back());
    if (!viewState.more.empty()) viewState.more.pop_back();
  } else if (std::erase(viewState.more, track) == 0) {
    if (viewState.selected) viewState.more.push_back(*viewState.selected);
    viewState.selected = track;
  }
}

bool subTab(const char* name, const std::string& label) {
  return named(std::string("tracks:") + name, ImGui::BeginTabItem((label + "###" + name).c_str()));
}

}  // namespace

bool isSelected(const ViewState& viewState, const Selection& track) {
  return viewState.selected == track ||
         std::find(viewState.more.begin(), viewState.more.end(), track) != viewState.more.end();
}

void select(ViewState& viewState, std::optional<Selection> track) {
  if (viewState.pick != Pick::nothing) {
    if (track && track != viewState.selected) viewState.picked = track;
  } else if (ImGui::GetIO().KeyCtrl) {
    if (track) selectAlso(viewState, *track);
  } else {
    viewState.selected = track;
    viewState.more.clear();
  }
}

bool drawTrackCell(Context& context, const Selection& track, const std::string& name,
                   const std::string& id, bool chosen, bool hidden) {
  ViewState& viewState = context.viewState;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = selectable(name, fmt::format("   {}##{}", id, track.camera), chosen,
                                  ImGuiSelectableFlags_SpanAllColumns);
  if (ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
    viewState.selected = track;
    viewState.menu = true;
  }
  const float side = ImGui::GetFontSize() * 0.6F;
  const ImVec2 from{at.x, at.y + (ImGui::GetTextLineHeight() - side) / 2};
  const ImVec2 to{from.x + side, from.y + side};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = colourOfTrack(context.model.tracks.colouredAs(track));
  if (hidden)
    list.AddRect(from, to, colour, 2);
  else
    list.AddRectFilled(from, to, colour, 2);
  return clicked;
}

void TrackTables::sortAndSearch(const TrackEditor& editor) {
  const std::vector<Summary>& all = editor.tracks();
  const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  const bool sorted = specs && specs->SpecsCount > 0;
  const int column = sorted ? specs->Specs[0].ColumnIndex : 0;
  const bool down = sorted && specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
  if (order_.revision == editor.revision() && order_.column == column && order_.down == down &&
      order_.searched == search_ && order_.tracks.size() <= all.size())
    return;
  order_ = {editor.revision(), column, down, search_, {}};
  for (size_t i = 0; i < all.size(); ++i)
    if (isSought(all[i], search_.data())) order_.tracks.push_back(i);
  const auto value = kSummaryColumns[static_cast<size_t>(column)].value;
  const auto before = [&](const Summary& a, const Summary& b) {
    return value ? value(a) < value(b) : a.name < b.name;
  };
  std::stable_sort(order_.tracks.begin(), order_.tracks.end(), [&](size_t a, size_t b) {
    return down ? before(all[b], all[a]) : before(all[a], all[b]);
  });
}

void TrackTables::drawAll(Context& context) {
  const WindowModel& model = context.model;
  const TrackEditor& editor = model.editor;
  if (!editor.known()) {
    const char* words = model.task.stills       ? kStillsShareNothing
                        : model.state().canSeek ? "Tracking the whole recording ..."
                                                : "The table of all tracks needs a recording.";
    faint(words);
    return namedWords("tracks_empty", words);
  }
  textField("tracks_search", search_, ImGui::GetFontSize() * 10, "id or name");
  ImGui::SameLine();
  const auto& all = editor.tracks();
  std::string words = counted(all.size(), "track");
  if (search_[0] != '\0') {
    const auto sought = [&](const Summary& one) { return isSought(one, search_.data()); };
    words = fmt::format("{} of {}", std::count_if(all.begin(), all.end(), sought), words);
  }
  if (const auto progress = model.tracks.progress())
    words += fmt::format(" in the first {:.0f} %", 100 * *progress);
  if (!editor.known()->rowsKept()) words += "; the recording is too long to know all";
  faint(words);
  namedWords("tracks_count", words);
  constexpr ImGuiTableFlags kTableFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY |
                                          ImGuiTableFlags_Hideable | ImGuiTableFlags_RowBg |
                                          ImGuiTableFlags_SizingStretchProp;
  if (!ImGui::BeginTable("all", static_cast<int>(kSummaryColumns.size()), kTableFlags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  const bool names = std::ranges::any_of(all, [](const auto& one) { return !one.name.empty(); });
  for (const SummaryColumn& column : kSummaryColumns)
    ImGui::TableSetupColumn(column.name,
                            names ? columnFlags(&column == &kSummaryColumns[kNameColumn]) : 0);
  ImGui::TableSetColumnEnabled(kCameraColumn, model.cameras() > 1);
  ImGui::TableSetColumnEnabled(kNameColumn, names);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < static_cast<int>(kSummaryColumns.size()); ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    const SummaryColumn& column = kSummaryColumns[static_cast<size_t>(i)];
    ImGui::TableHeader(column.name);
    named(std::string("all_column:") + column.name);
    hint(column.help);
  }
  sortAndSearch(editor);
  for (const size_t i : order_.tracks) displayed_->all.push_back(all[i].track);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(order_.tracks.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      drawSummary(context, all[order_.tracks[static_cast<size_t>(i)]]);
  ImGui::EndTable();
}

void TrackTables::draw(Context& context) {
  displayed_.begin();
  TrackEditor& editor = context.model.editor;
  if (!ImGui::BeginTabBar("kinds")) return;
  if (subTab("frame", "In this frame")) {
    displayed_->frame = drawFrameTracks(context);
    ImGui::EndTabItem();
  }
  if (subTab("all", "All")) {
    drawAll(context);
    ImGui::EndTabItem();
  }
  if (context.model.task.rig && subTab("points", "Points")) {
    displayed_->points = drawFramePoints(context);
    ImGui::EndTabItem();
  }
  const size_t edits = editor.edits().edits.size();
  if (subTab("edits", edits > 0 ? fmt::format("Edits ({})", edits) : std::string("Edits"))) {
    drawEdits(editor);
    ImGui::EndTabItem();
  }
  if (subTab("measures", "Measures")) {
    measures_.drawList(context.model);
    ImGui::EndTabItem();
  }
  ImGui::EndTabBar();
}

void TrackTables::describe(nlohmann::json& to) const {
  const Displayed displayed = displayed_.get();
  to["table"] = nlohmann::json::array();
  for (const TrackId track : displayed.frame) to["table"].push_back(fmt::to_string(track));
  to["point_table"] = displayed.points;
  to["all_tracks"] = nlohmann::json::array();
  for (const TrackId track : displayed.all) to["all_tracks"].push_back(track.value());
}

}  // namespace glint::ui
