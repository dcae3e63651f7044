// The table of the tracks in the frame on the screen.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/output/tables/tables.h"
#include "ui/draw/widgets.h"
#include "ui/panels/track_table.h"

namespace glint::ui {
namespace {

using Row = output::TracksTable::Row;

/// Returns the columns of the table: the most useful ones of tracks.csv, and the speed.
const std::vector<const output::Column<Row>*>& columns() {
  static constexpr output::Column<Row> kSpeed{
      "speed", "px/s", "magnitude of the velocity",
      [](const Row& r) -> output::Cell { return std::hypot(r.track.vx, r.track.vy); }};
  static const std::vector<const output::Column<Row>*> all = [] {
    std::vector<const output::Column<Row>*> some;
    for (const char* name : {"track", "name", "camera", "x", "y", "radius", "state"})
      some.push_back(&output::columnOf(output::TracksTable::columns(), name));
    some.insert(some.end() - 2, &kSpeed);
    return some;
  }();
  return all;
}
constexpr int kTrack = 0, kNamed = 1, kCamera = 2;

bool isNamed(const Row& row) {
  return row.edits && !row.edits->name(row.track.track).empty();
}

void sortAsAsked(std::vector<Row>& rows) {
  const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  if (!specs || specs->SpecsCount == 0) return;
  const auto cell = columns()[static_cast<size_t>(specs->Specs[0].ColumnIndex)]->cell;
  const bool up = specs->Specs[0].SortDirection == ImGuiSortDirection_Ascending;
  std::vector<std::pair<output::Cell, Row*>> order;
  for (Row& row : rows) order.emplace_back(cell(row), &row);
  std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    return up ? a.first < b.first : b.first < a.first;
  });
  std::vector<Row> sorted;
  for (const auto& [key, row] : order) sorted.push_back(*row);
  rows.swap(sorted);
}

void drawRow(const Row& row, Context& context) {
  ViewState& viewState = context.viewState;
  ImGui::TableNextRow();
  for (int i = 0; i < static_cast<int>(columns().size()); ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    std::string text;
    const output::Cell cell = columns()[static_cast<size_t>(i)]->cell(row);
    if (const auto* words = std::get_if<std::string>(&cell))
      text = *words;
    else
      output::appendCsv(text, cell, 1);
    if (i == kNamed) {
      textThatFits(kText, text, ImGui::GetContentRegionAvail().x);
      if (!text.empty()) named("named:" + text);
      continue;
    }
    if (i != kTrack) {
      columnNumber(kText, text, std::holds_alternative<double>(cell) ? "0000.0" : "");
      continue;
    }
    const Selection own{row.camera, row.track.track};
    if (drawTrackCell(context, own, "track:" + text, text, viewState.selected == own, false))
      select(viewState, own);
  }
}

/// Draws the headers as ImGui::TableHeadersRow() does, and names them for tests.
void drawHeaders() {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < static_cast<int>(columns().size()); ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    const output::Column<Row>& column = *columns()[static_cast<size_t>(i)];
    ImGui::TableHeader(ImGui::TableGetColumnName(i));
    named("column:" + std::string(column.name));
    hint(fmt::format("{}{}{}", column.help, column.unit.empty() ? "" : ", ", column.unit));
  }
}

}  // namespace

std::vector<TrackId> drawFrameTracks(Context& context) {
  const WindowModel& model = context.model;
  std::vector<Row> rows;
  for (size_t i = 0; i < model.tracks.cameras().size(); ++i)
    for (const motion::TrackRow& row : model.tracks.cameras()[i].rows)
      rows.push_back({.camera = i, .track = row, .edits = model.tracks.cameras()[i].edits.get()});
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY |
                                     ImGuiTableFlags_Hideable |  // through TableSetColumnEnabled()
                                     ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp;
  if (!ImGui::BeginTable("tracks", static_cast<int>(columns().size()), kFlags)) return {};
  ImGui::TableSetupScrollFreeze(0, 1);
  const bool names = std::ranges::any_of(rows, isNamed);
  for (const output::Column<Row>* column : columns())
    ImGui::TableSetupColumn(std::string(column->name).c_str(),
                            names ? columnFlags(column == columns()[kNamed]) : 0);
  ImGui::TableSetColumnEnabled(kNamed, names);
  ImGui::TableSetColumnEnabled(kCamera, model.cameras() > 1);
  drawHeaders();
  sortAsAsked(rows);
  std::vector<TrackId> order;
  for (const Row& row : rows) order.push_back(row.track.track);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      drawRow(rows[static_cast<size_t>(i)], context);
  ImGui::EndTable();
  return order;
}

}  // namespace glint::ui
