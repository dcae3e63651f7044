#include "ui/panels/point_table.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "ui/draw/space_scene.h"
#include "ui/draw/widgets.h"
#include "ui/panels/space.h"

namespace glint::ui {
namespace {

using motion::SpaceRow;

/// Returns the largest standard deviation along an axis, mm.
double largestSigma(const SpaceRow& row) {
  return std::sqrt(std::max(0.0, row.covariance.diagonal().maxCoeff()));
}

template <int axis>
double coordinate(const SpaceRow& row) {
  return row.at[axis];
}

struct PointColumn {
  const char* name;
  const char* help;
  double (*value)(const SpaceRow&);  ///< value that is shown and sorted by; null: other words
  int decimals = 0;
  const char* widest = "0000.0";
};

constexpr std::array kPointColumns{
    PointColumn{"point", "Id of the point, in its colour",
                [](const SpaceRow& row) { return static_cast<double>(row.point); }},
    PointColumn{"marker", "Marker of a body", nullptr},
    PointColumn{"x", "x, mm", coordinate<0>, 1},
    PointColumn{"y", "y, mm", coordinate<1>, 1},
    PointColumn{"z", "z, mm", coordinate<2>, 1},
    PointColumn{"sigma", "Largest standard deviation along an axis, mm", largestSigma, 2},
    PointColumn{"rays", "Number of cameras that see the point",
                [](const SpaceRow& row) { return static_cast<double>(row.rays()); }, 0, ""},
    PointColumn{"speed", "Magnitude of the velocity, mm/s",
                [](const SpaceRow& row) { return row.velocity.norm(); }, 0},
    PointColumn{"tracks", "Tracks in the images: camera:track", nullptr}};
constexpr int kPointId = 0, kMarker = 1, kTracks = 8;

std::string markerName(const SpaceRow& row) {
  return row.body.empty() ? row.label : row.body + ":" + row.label;
}

void sortPoints(std::vector<const SpaceRow*>& rows) {
  const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  if (!specs || specs->SpecsCount == 0) return;
  const int index = specs->Specs[0].ColumnIndex;
  const auto value = kPointColumns[static_cast<size_t>(index)].value;
  const bool down = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
  std::ranges::stable_sort(rows, [&](const SpaceRow* a, const SpaceRow* b) {
    if (down) std::swap(a, b);
    if (value) return value(*a) < value(*b);
    return index == kMarker && markerName(*a) < markerName(*b);
  });
}

/// Draws the first cell of a row: a square of the point's colour, and its id.
void drawPointCell(SpaceViewState& space, const SpaceRow& row) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool chosen = space.point == row.point || std::ranges::count(space.group, row.point) > 0;
  if (selectable(fmt::format("row_of_point:{}", row.point), fmt::format("   {}", row.point), chosen,
                 ImGuiSelectableFlags_SpanAllColumns))
    selectPoint(space, row.point, ImGui::GetIO().KeyCtrl);
  const float side = ImGui::GetFontSize() * 0.6F;
  const ImVec2 from{at.x, at.y + (ImGui::GetTextLineHeight() - side) / 2};
  ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + side, from.y + side},
                                            colourOfPoint(row.point), 2);
}

void drawPointRow(Context& context, const SpaceRow& row) {
  ImGui::TableNextRow();
  for (int i = 0; i < static_cast<int>(kPointColumns.size()); ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    const PointColumn& column = kPointColumns[static_cast<size_t>(i)];
    if (i == kPointId) {
      drawPointCell(context.viewState.space, row);
    } else if (column.value) {
      columnNumber(kText, fmt::format("{:.{}f}", column.value(row), column.decimals),
                   column.widest);
    } else {
      const std::string words =
          i == kMarker ? markerName(row) : context.model.tracks.tracksOfPoint(row.point);
      textThatFits(kText, words, ImGui::GetContentRegionAvail().x);
      if (i == kTracks) namedWords(fmt::format("tracks_of_point:{}", row.point), words);
    }
  }
}

}  // namespace

std::vector<uint64_t> drawFramePoints(Context& context) {
  std::vector<const SpaceRow*> rows;
  for (const SpaceRow& row : context.model.tracks.points()) rows.push_back(&row);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY |
                                     ImGuiTableFlags_Hideable |  // through TableSetColumnEnabled()
                                     ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp;
  if (!ImGui::BeginTable("points", static_cast<int>(kPointColumns.size()), kFlags)) return {};
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const PointColumn& column : kPointColumns) ImGui::TableSetupColumn(column.name);
  ImGui::TableSetColumnEnabled(
      kMarker, std::ranges::any_of(rows, [](const SpaceRow* row) { return !row->label.empty(); }));
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < static_cast<int>(kPointColumns.size()); ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    const PointColumn& column = kPointColumns[static_cast<size_t>(i)];
    ImGui::TableHeader(column.name);
    named(std::string("point_column:") + column.name);
    hint(column.help);
  }
  sortPoints(rows);
  std::vector<uint64_t> order;
  for (const SpaceRow* row : rows) order.push_back(row->point);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      drawPointRow(context, *rows[static_cast<size_t>(i)]);
  ImGui::EndTable();
  return order;
}

}  // namespace glint::ui
