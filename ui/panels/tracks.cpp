// The tracks of the frame that is shown.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/draw/widgets.h"
#include "ui/panels/panels.h"

namespace glint::ui {
namespace {

struct Line {
  size_t camera;
  const TrackRow* row;
  double speed;  ///< px/s
};

enum Column { kId, kCamera, kX, kY, kSpeed, kRadius, kColumns };

double valueOf(const Line& line, int column) {
  switch (column) {
    case kCamera:
      return static_cast<double>(line.camera);
    case kX:
      return line.row->x;
    case kY:
      return line.row->y;
    case kSpeed:
      return line.speed;
    case kRadius:
      return line.row->seen.radius;
    default:
      return static_cast<double>(line.row->track.value());
  }
}

void sortAsAsked(std::vector<Line>& lines) {
  const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  if (!specs || specs->SpecsCount == 0) return;
  const int column = specs->Specs[0].ColumnIndex;
  const bool up = specs->Specs[0].SortDirection == ImGuiSortDirection_Ascending;
  std::stable_sort(lines.begin(), lines.end(), [&](const Line& a, const Line& b) {
    return up ? valueOf(a, column) < valueOf(b, column) : valueOf(b, column) < valueOf(a, column);
  });
}

void drawLine(const Line& line, std::optional<Selection>& selected) {
  const TrackRow& row = *line.row;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const bool chosen = selected && selected->camera == line.camera && selected->track == row.track;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (selectable(fmt::format("track:{}", row.track),
                 fmt::format("   {}##{}", row.track, line.camera), chosen,
                 ImGuiSelectableFlags_SpanAllColumns))
    selected = Selection{line.camera, row.track};
  const float side = ImGui::GetFontSize() * 0.6F;
  const float top = at.y + (ImGui::GetTextLineHeight() - side) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side},
                                            colourOfTrack(row.track), 2);
  ImGui::TableNextColumn();
  ImGui::Text("%zu", line.camera);
  for (const double value : {row.x, row.y, line.speed, row.seen.radius}) {
    ImGui::TableNextColumn();
    ImGui::Text("%.1f", value);
  }
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(row.state == TrackState::measured ? "seen" : "expected");
}

/// As ImGui::TableHeadersRow() has them.
void drawHeaders() {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i <= kColumns; ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    const char* name = ImGui::TableGetColumnName(i);
    ImGui::TableHeader(name);
    named(std::string("column:") + name);
  }
}

}  // namespace

void drawTracks(const WindowModel& model, std::optional<Selection>& selected,
                Displayed& displayed) {
  std::vector<Line> lines;
  for (size_t i = 0; i < model.tracks.cameras().size(); ++i)
    for (const TrackRow& row : model.tracks.cameras()[i].rows)
      lines.push_back({i, &row, std::hypot(row.vx, row.vy)});
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY |
                                     ImGuiTableFlags_Hideable |  // by TableSetColumnEnabled()
                                     ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp;
  if (!ImGui::BeginTable("tracks", kColumns + 1, kFlags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const char* name : {"track", "cam", "x", "y", "px/s", "radius"})
    ImGui::TableSetupColumn(name);
  ImGui::TableSetupColumn("state", ImGuiTableColumnFlags_NoSort);
  ImGui::TableSetColumnEnabled(kCamera, model.cameras() > 1);
  drawHeaders();
  sortAsAsked(lines);
  for (const Line& line : lines) displayed.table.push_back(line.row->track);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      drawLine(lines[static_cast<size_t>(i)], selected);
  ImGui::EndTable();
}

}  // namespace glint::ui
