#include "ui/panels/camera_chooser.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ui/draw/widgets.h"

namespace glint::ui {
namespace {

constexpr size_t kMostAddresses = 4;  // the most addresses that are listed of those used before

bool isStream(const Address& source) {
  return capture::sourceKindOf(source.shown()).sort == capture::SourceKind::Sort::stream;
}

std::string sizeOf(const capture::CameraMode& mode) {
  return fmt::format("{}x{}", mode.width, mode.height);
}

/// Draws a list of `automatic` and the values of `all`. An empty value means automatic; then the
/// closed list shows `brief`. Returns true if another value was chosen.
bool chooseValue(const std::string& name, const char* brief, const char* automatic, float width,
                 const std::vector<std::string>& all, std::string& value) {
  bool changed = false;
  ImGui::SetNextItemWidth(width);
  const bool open = ImGui::BeginCombo(("##" + name).c_str(), value.empty() ? brief : value.c_str());
  named(name);
  if (!open) return false;
  const auto item = [&](const std::string& label, const std::string& of) {
    if (!selectable(name + ":" + label, label, value == of) || value == of) return;
    value = of;
    changed = true;
  };
  item(automatic, "");
  for (const std::string& one : all) item(one, one);
  ImGui::EndCombo();
  return changed;
}

template <typename T>
void addOnce(std::vector<T>& all, T text) {
  if (std::ranges::find(all, text) == all.end()) all.push_back(std::move(text));
}

/// Returns why none of the camera's formats can be read; empty if one can.
std::string unreadable(const capture::CameraInfo& camera) {
  if (std::ranges::any_of(camera.modes, &capture::CameraMode::usable)) return "";
  std::vector<std::string> formats;
  for (const capture::CameraMode& mode : camera.modes) addOnce(formats, mode.format);
  if (formats.empty()) return "it offers no format";
  return fmt::format("it sends no format that Glint can read, only {}", fmt::join(formats, ", "));
}

}  // namespace

CameraChooser::CameraChooser(Context& context, capture::CameraWatch& watch, RecentSources recent)
    : actions_(context.actions),
      watch_(watch),
      task_(context.model.task),
      recentOf_(std::move(recent)),
      preview_(context.actions.wake) {}

void CameraChooser::begin() {
  begun_ = true;
  recent_ = recentOf_();
  asked_ = false;
  size_t before = 0;
  for (const auto& sources : recent_)
    for (const Address& source : sources)
      if (isStream(source) && before++ < kMostAddresses) addOnce(addresses_, source);
}

void CameraChooser::endPicture() {
  if (!drawn_) {
    begun_ = false;
    cameras_.reset();
    const auto opened = [this](const Ticked& ticked) { return isOpen(ticked.source); };
    asked_ = asked_ && !std::ranges::all_of(ticked_, opened);
    if (!asked_) ticked_.clear();
  }
  followPreview();
  watch_.watch(std::exchange(drawn_, false));
}

void CameraChooser::recall(const Choice& choice) {
  ticked_ = choice.ticked;
  addresses_ = choice.addresses;
  asked_ = !ticked_.empty();
}

bool CameraChooser::isOpen(const Address& source) const {
  return std::ranges::find(task_.sources, source) != task_.sources.end();
}

/// Returns the place of a source among the sessions that were opened before, of which the latest is
/// 0.
size_t CameraChooser::rankOf(const Address& source) const {
  size_t rank = 0;
  for (const auto& sources : recent_) {
    if (std::ranges::find(sources, source) != sources.end()) return rank;
    ++rank;
  }
  return rank;
}

CameraChooser::Row CameraChooser::rowOf(const capture::CameraInfo& camera, bool plugged) const {
  Row row{.source = Address(camera.source),
          .name = camera.name.empty() ? camera.path : camera.name,
          .about = camera.source,
          .id = camera.id,
          .problem = camera.problem,
          .network = capture::sourceKindOf(camera.source).network,
          .plugged = plugged};
  if (row.network) row.about = fmt::format("{} at {}", camera.driver, camera.path);
  for (const capture::CameraMode& mode : camera.modes)
    if (mode.usable) row.modes.push_back(mode);
  row.open = isOpen(row.source) || isOpen(Address(camera.path));
  // Cameras of the network, and those that somebody else uses, are listed without being opened.
  const bool known = cameras_->opened.contains(camera.source) ||
                     (!row.network && !camera.driver.empty()) || !camera.modes.empty();
  row.asked = !known && camera.problem.empty() && !row.open;
  if (row.open)
    row.about += ", open now";
  else if (!camera.holder.empty() && camera.holder != capture::kThisProgram)
    row.problem = "in use by " + camera.holder;
  else if (known && row.problem.empty())
    row.problem = unreadable(camera);
  return row;
}

/// Lists the cameras and streams that exist now, those that were used last first.
void CameraChooser::follow() {
  cameras_ = watch_.cameras();
  rows_.clear();
  for (const capture::CameraInfo& camera : cameras_->all)
    rows_.push_back(rowOf(camera, cameras_->plugged.contains(camera.source)));
  for (const Address& address : addresses_)
    rows_.push_back(
        {.source = address, .name = address.shown(), .about = "stream", .open = isOpen(address)});
  std::ranges::stable_sort(rows_, {}, [&](const Row& row) { return rankOf(row.source); });
  std::erase_if(ticked_, [&](const Ticked& ticked) {
    return std::ranges::none_of(
        rows_, [&](const Row& row) { return row.source == ticked.source && row.problem.empty(); });
  });
}

CameraChooser::Ticked* CameraChooser::tickedOf(const Address& source) {
  const auto it = std::ranges::find(ticked_, source, &Ticked::source);
  return it == ticked_.end() ? nullptr : &*it;
}

void CameraChooser::tick(const Row& row) {
  if (tickedOf(row.source)) {
    std::erase_if(ticked_, [&](const Ticked& ticked) { return ticked.source == row.source; });
    previewed_ = ticked_.empty() ? Address() : ticked_.back().source;
    return;
  }
  if (!row.id.empty() || !isStream(row.source) || row.source.isComplete()) {
    ticked_.push_back({.source = row.source});
    previewed_ = row.source;
    if (row.asked) watch_.inspect(row.source.shown());
  } else {
    // The user has to add the password.
    typed_[row.source.shown().copy(typed_.data(), typed_.size() - 1)] = '\0';
  }
}

void CameraChooser::drawModes(const Row& row, Ticked& chosen) {
  const float em = ImGui::GetFontSize();
  const float unit = std::min(em, ImGui::GetContentRegionAvail().x / 22);
  std::vector<std::string> formats, sizes, rates;
  std::string rate = chosen.request.rate > 0 ? fmt::format("{:g}", chosen.request.rate) : "";
  const auto fits = [](const std::string& requested, const std::string& value) {
    return requested.empty() || requested == value;
  };
  for (const capture::CameraMode& mode : row.modes) {
    addOnce(formats, mode.format);
    if (!fits(chosen.request.format, mode.format)) continue;
    addOnce(sizes, sizeOf(mode));
    if (!fits(chosen.request.size, sizeOf(mode))) continue;
    for (const double one : mode.rates) addOnce(rates, fmt::format("{:g}", one));
  }
  ImGui::Dummy({unit, 0});
  ImGui::SameLine();
  if (row.modes.empty())
    return faint(row.open ? "as it is set now" : "asking it what it offers ...");
  const auto kept = [](const std::vector<std::string>& all, std::string& value) {
    if (std::ranges::find(all, value) == all.end()) value.clear();
  };
  const std::string& source = row.source.shown();
  // Leaves size and rate to the camera if they do not go with the new format.
  if (chooseValue("format:" + source, "format", "any format", unit * 6, formats,
                  chosen.request.format)) {
    chosen.request.size.clear();
    rate.clear();
  }
  beside(4);
  if (chooseValue("size:" + source, "size", "any size", unit * 7, sizes, chosen.request.size))
    rate.clear();
  beside(4);
  chooseValue("rate:" + source, "fastest", "fastest", unit * 6, rates, rate);
  kept(rates, rate);
  beside(4);
  faint(rate.empty() ? "" : "/s");
  chosen.request.rate = rate.empty() ? 0 : std::stod(rate);
}

void CameraChooser::drawRow(const Row& row) {
  ImGui::PushID(row.source.shown().c_str());
  Ticked* chosen = tickedOf(row.source);
  bool on = chosen != nullptr;
  ImGui::BeginDisabled(!row.problem.empty());
  const std::string number =
      on && ticked_.size() > 1 ? fmt::format("{}: ", chosen - ticked_.data()) : "";
  if (checkbox("camera:" + row.source.shown(), (number + row.name + "###tick").c_str(), on))
    tick(row);
  ImGui::EndDisabled();
  if (row.name != row.source.shown()) {
    beside(12);
    faint(row.about);
  }
  if (row.plugged) {
    beside(12);
    text(kAccent, "new");
    named("plugged:" + row.source.shown());
  }
  if (!row.problem.empty()) {
    ImGui::Indent(ImGui::GetFontSize() * 1.5F);
    wrapped(kFaint, row.problem);
    namedWords("problem:" + row.source.shown(), row.problem);
    ImGui::Unindent(ImGui::GetFontSize() * 1.5F);
  }
  chosen = tickedOf(row.source);
  if (chosen && !isStream(row.source)) drawModes(row, *chosen);
  ImGui::PopID();
}

/// Returns the row of a source; null if it is no longer listed.
const CameraChooser::Row* CameraChooser::rowFor(const Address& source) const {
  const auto row = std::ranges::find(rows_, source, &Row::source);
  return row == rows_.end() ? nullptr : &*row;
}

/// Shows the picture of the camera that was ticked last. A camera that is open in this window, or
/// is just being asked for its modes, must not be opened a second time.
void CameraChooser::followPreview() {
  const Ticked* wanted = drawn_ ? tickedOf(previewed_) : nullptr;
  const Row* row = rowFor(previewed_);
  if (wanted && row && !row->open && !row->asked)
    preview_.follow(PreviewPane::Wanted{wanted->source, wanted->request});
  else
    preview_.follow({});
}

/// Returns the words that replace a missing picture.
std::string CameraChooser::previewWords() const {
  const Row* row = rowFor(previewed_);
  if (row && row->open) return "it is open in this window";
  return ticked_.empty() ? "tick a camera to see it" : "opening it ...";
}

void CameraChooser::add(const Address& source) {
  refused_.clear();
  if (!isStream(source) &&
      capture::sourceKindOf(source.shown()).sort != capture::SourceKind::Sort::camera) {
    refused_ = "An address begins with rtsp://, http://, udp:// or the like.";
    return;
  }
  typed_.front() = '\0';
  std::erase(addresses_, source);
  addresses_.insert(addresses_.begin(), source);
  if (!tickedOf(source)) ticked_.push_back({.source = source});
  previewed_ = source;
}

void CameraChooser::drawAddress() {
  const bool entered = textField("address", typed_, -ImGui::GetFontSize() * 5,
                                 "the address of a stream: rtsp://..., http://...",
                                 ImGuiInputTextFlags_EnterReturnsTrue);
  const std::string typed(typed_.data());
  ImGui::SameLine();
  if (button("add_address", "Add", "", {-1, 0}, !typed.empty()) || (entered && !typed.empty()))
    add(Address(typed));
  if (refused_.empty()) return;
  text(kWarning, refused_);
  namedWords("address_refused", refused_);
}

void CameraChooser::drawOpen() {
  const std::string label = ticked_.size() > 1
                                ? fmt::format("Show {} cameras###show", ticked_.size())
                                : "Show the camera###show";
  const bool asked = button("cameras_go", label.c_str(), "", {}, !ticked_.empty());
  if (asked)
    // Opening a camera that does not work would end the present session for nothing.
    refused_ = task_.empty ? "" : preview_.problem();
  // The camera may work by now, so it is tried again.
  if (asked && !refused_.empty()) preview_.follow({});
  if (asked && refused_.empty()) {
    shell::Opening opening;
    for (Ticked& ticked : ticked_) {
      opening.sources.push_back(ticked.source);
      // An empty id keeps the settings that the camera has already.
      const Row* row = rowFor(ticked.source);
      ticked.request.id = row && !row->open && !row->asked ? row->id : "";
      opening.cameras.push_back(ticked.request);
    }
    actions_.open(std::move(opening));
    asked_ = true;
  }
  beside(12);
  ImGui::AlignTextToFramePadding();
  textThatFits(kFaint, "Several opened together are treated as synchronised.",
               ImGui::GetContentRegionAvail().x);
}

void CameraChooser::draw(float height) {
  drawn_ = true;
  if (!begun_) begin();
  follow();
  const float em = ImGui::GetFontSize(), row = ImGui::GetFrameHeightWithSpacing();
  const float width = ImGui::GetContentRegionAvail().x;
  const float preview = std::min(em * 15, width * 0.36F);
  const float below = row * 2 + (refused_.empty() ? 0 : row);
  const float list = std::max(row * 2, height - below);
  ImGui::BeginChild("cameras", {width - preview - em, list});
  // Iterates over a copy, because ticking a row may change the rows.
  const std::vector<Row> rows = rows_;
  for (const Row& one : rows) drawRow(one);
  if (!cameras_->complete)
    faint(rows.empty() ? "looking for cameras ..." : "looking for more ...");
  else if (rows.empty())
    faint("no camera is plugged in");
  ImGui::EndChild();
  ImGui::SameLine(0, em);
  ImGui::BeginChild("preview", {preview, list});
  preview_.draw(std::min(preview, (list - row) / 0.75F), previewWords());
  ImGui::EndChild();
  drawAddress();
  drawOpen();
}

void CameraChooser::describe(nlohmann::json& to) const {
  to["cameras"] = nlohmann::json::array();
  for (const Row& row : rows_) to["cameras"].push_back(row.source.shown());
  to["ticked"] = nlohmann::json::array();
  for (const Ticked& ticked : ticked_) to["ticked"].push_back(ticked.source.shown());
  to["previewed"] = previewed_.shown();
}

}  // namespace glint::ui
