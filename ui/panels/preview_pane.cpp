#include "ui/panels/preview_pane.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/draw/grey_picture.h"
#include "ui/draw/widgets.h"

namespace glint::ui {

void PreviewPane::end() {
  if (!preview_) return;
  preview_->cancel();
  ending_.push_back(std::move(preview_));
}

void PreviewPane::follow(const std::optional<Wanted>& wanted) {
  using State = shell::BackgroundTask::Progress::State;
  std::erase_if(ending_, [](const auto& one) { return one->progress().state != State::running; });
  if (preview_ &&
      (!wanted || preview_->source() != wanted->source || preview_->request() != wanted->request))
    end();
  if (wanted && !preview_ && ending_.empty())
    preview_ = std::make_unique<shell::CameraPreview>(wanted->source, wanted->request, wake_);
}

void PreviewPane::draw(float width, std::string words) const {
  const float height = width * 0.75F, em = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height},
                                            IM_COL32(12, 14, 17, 255));
  const auto picture = preview_ ? preview_->picture() : nullptr;
  if (const std::string why = problem(); !why.empty()) words = why;
  if (picture) {
    const auto [wide, high] = sizeWithin(*picture, {width, height});
    const ImVec2 corner{at.x + (width - wide) / 2, at.y + (height - high) / 2};
    drawGrey(*picture, corner, wide, high);
    namePlace("preview", {corner.x, corner.y, wide, high});
  } else {
    const std::string lines = inLines(words, width - em);
    const ImVec2 size = ImGui::CalcTextSize(lines.c_str());
    ImGui::SetCursorScreenPos({std::round(at.x + (width - size.x) / 2),
                               std::round(at.y + std::max(em / 2, (height - size.y) / 2))});
    faint(lines);
    namedWords("preview_words", words);
  }
  ImGui::SetCursorScreenPos({at.x, at.y + height + wholePx(4)});
  if (picture)
    faint(fmt::format("{} x {}, {}, {} bits", picture->image.width, picture->image.height,
                      picture->image.channels == 3 ? "colour" : "grey", picture->image.bits));
}

}  // namespace glint::ui
