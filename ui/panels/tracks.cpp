// The tracks of the frame that is shown.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <imgui.h>

#include "ui/colours.h"
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
      return static_cast<double>(line.row->track);
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

void drawLine(Context& context, const Line& line) {
  const TrackRow& row = *line.row;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const bool chosen = context.selected && context.selected->camera == line.camera &&
                      context.selected->track == row.track;
  const std::string id = "   " + std::to_string(row.track) + "##" + std::to_string(line.camera);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::Selectable(id.c_str(), chosen, ImGuiSelectableFlags_SpanAllColumns))
    context.selected = Selection{line.camera, row.track};
  context.driver.note("track:" + std::to_string(row.track));
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
void drawHeaders(Context& context) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i <= kColumns; ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    const char* name = ImGui::TableGetColumnName(i);
    ImGui::TableHeader(name);
    context.driver.note(std::string("column:") + name);
  }
}

void tellOrder(Context& context, const std::vector<Line>& lines) {
  if (!context.driver.on()) return;
  std::vector<std::string> tracks;
  for (const Line& line : lines) tracks.push_back(std::to_string(line.row->track));
  context.driver.set("table", tracks);
}

}  // namespace

void drawTracks(Context& context) {
  std::vector<Line> lines;
  if (context.shown.frame) {
    for (size_t i = 0; i < context.shown.cameras.size(); ++i)
      for (const TrackRow& row : context.shown.cameras[i].live)
        lines.push_back({i, &row, std::hypot(row.vx, row.vy)});
  }
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY |
                                     ImGuiTableFlags_Hideable |  // by TableSetColumnEnabled()
                                     ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp;
  if (!ImGui::BeginTable("tracks", kColumns + 1, kFlags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const char* name : {"track", "cam", "x", "y", "px/s", "radius"})
    ImGui::TableSetupColumn(name);
  ImGui::TableSetupColumn("state", ImGuiTableColumnFlags_NoSort);
  ImGui::TableSetColumnEnabled(kCamera, context.cameras() > 1);
  drawHeaders(context);
  sortAsAsked(lines);
  tellOrder(context, lines);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      drawLine(context, lines[static_cast<size_t>(i)]);
  ImGui::EndTable();
}

}  // namespace glint::ui
