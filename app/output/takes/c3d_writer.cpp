// C3D of the Intel kind with real numbers.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "app/base/version.h"
#include "app/output/sinks/row_file.h"
#include "app/output/takes/c3d_parameters.h"
#include "app/output/takes/take_formats.h"
#include "app/output/takes/wide_rows.h"
#include "config/error.h"

namespace glint::output {
namespace {

constexpr size_t kWriteBlock = 512;       // bytes
constexpr uint64_t kMostInWord = 0xffff;  // a frame or a count that a word holds

uint16_t wordOf(uint64_t value) {
  return static_cast<uint16_t>(std::min(value, kMostInWord));
}

std::array<uint16_t, 2> twoWordsOf(uint64_t value) {
  return {static_cast<uint16_t>(value & 0xffff), static_cast<uint16_t>(value >> 16)};
}

std::vector<std::string> descriptionsOf(const TakeSurvey& survey) {
  std::vector<std::string> all;
  for (const TakeMarker& marker : survey.info.markers)
    all.push_back(marker.body.empty() ? "" : fitName("of " + marker.body, {.most = 127}));
  return all;
}

class C3dWriter final : public TakeWriter {
 public:
  C3dWriter(const std::string& path, const TakeSurvey& survey, UpAxis up, double mmPerUnit)
      : file_(path), row_(survey), mmPerUnit_(mmPerUnit) {
    if (survey.info.markers.empty()) throw Error("there is no point, which '{}' needs", path);
    if (survey.info.markers.size() > kMostInWord)
      throw Error("there are {} markers, and C3D holds {}", survey.info.markers.size(),
                  kMostInWord);
    step_ = static_cast<float>(survey.contents.residualStep / mmPerUnit);
    if (!(step_ > 0) || !std::isfinite(step_))
      throw Error("a coordinate of {} mm is more than C3D holds", survey.largest);
    const std::vector<std::byte> section = sectionOf(survey, up);
    put(headerOf(survey, 2 + section.size() / kWriteBlock));
    put(section);
  }

  void add(const TakeFrame& frame) override {
    row_.set(frame);
    bytes_.clear();
    for (size_t i = 0; i < row_.markers(); ++i) addPoint(row_.point(i));
    put(bytes_);
  }

  void finish() override {
    const size_t over = written_ % kWriteBlock;
    put(std::vector<std::byte>(over == 0 ? 0 : kWriteBlock - over));
    file_.finish();
  }

 private:
  void put(std::span<const std::byte> bytes) {
    file_.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    written_ += bytes.size();
  }

  std::vector<std::byte> headerOf(const TakeSurvey& survey, size_t dataStart) const {
    std::vector<std::byte> header(kWriteBlock);
    const auto word = [&](size_t number, uint16_t value) {
      header[2 * (number - 1)] = static_cast<std::byte>(value & 0xff);
      header[2 * (number - 1) + 1] = static_cast<std::byte>(value >> 8);
    };
    const auto real = [&](size_t number, float value) {
      const auto bits = std::bit_cast<uint32_t>(value);
      word(number, static_cast<uint16_t>(bits & 0xffff));
      word(number + 1, static_cast<uint16_t>(bits >> 16));
    };
    header[0] = std::byte{2};
    header[1] = std::byte{0x50};
    word(2, wordOf(row_.markers()));
    word(4, wordOf(survey.first + 1));
    word(5, wordOf(survey.first + survey.frames));
    real(7, -step_);
    word(9, static_cast<uint16_t>(dataStart));
    word(10, 1);  // samples of an analog channel in each frame, as ANALOG:RATE says
    real(11, static_cast<float>(survey.rate));
    word(150, 12345);  // names of events have four letters
    return header;
  }

  std::vector<std::byte> sectionOf(const TakeSurvey& survey, UpAxis up) const {
    C3dSection section;
    const uint64_t last = survey.first + survey.frames;
    section.group("POINT", "");
    section.word("USED", wordOf(row_.markers()));
    section.real("SCALE", -step_);
    section.real("RATE", static_cast<float>(survey.rate));
    section.word("DATA_START", 0);
    if (survey.frames > kMostInWord)
      section.real("FRAMES", static_cast<float>(survey.frames));
    else
      section.word("FRAMES", wordOf(survey.frames));
    section.text("UNITS", mmPerUnit_ == 1 ? "mm" : "m");
    section.text("X_SCREEN", "+X");
    section.text("Y_SCREEN", up == UpAxis::y ? "+Y" : "+Z");
    section.texts("LABELS", survey.names);
    section.texts("DESCRIPTIONS", descriptionsOf(survey));
    section.group("ANALOG", "");
    section.word("USED", 0);
    section.none("LABELS", -1, {4});
    section.none("DESCRIPTIONS", -1, {4});
    section.real("GEN_SCALE", 1);
    section.none("SCALE", 4, {});
    section.none("OFFSET", 2, {});
    section.none("UNITS", -1, {4});
    section.real("RATE", static_cast<float>(survey.rate));
    section.text("FORMAT", "SIGNED");
    section.word("BITS", 16);
    section.group("FORCE_PLATFORM", "");
    section.word("USED", 0);
    section.none("TYPE", 2, {});
    section.words("ZERO", std::array<uint16_t, 2>{1, 0});
    section.none("CORNERS", 4, {3, 4});
    section.none("ORIGIN", 4, {3});
    section.none("CHANNEL", 2, {6});
    section.group("TRIAL", "");
    section.words("ACTUAL_START_FIELD", twoWordsOf(survey.first + 1));
    section.words("ACTUAL_END_FIELD", twoWordsOf(last));
    section.real("CAMERA_RATE", static_cast<float>(survey.rate));
    section.group("MANUFACTURER", "");
    section.text("COMPANY", "Glint");
    section.text("SOFTWARE", "Glint");
    section.text("VERSION_LABEL", base::kVersion);
    if (survey.contents.predicted) {
      section.group("GLINT", "");
      section.word("PREDICTED", 1);  // a residual of 0 is a point that was predicted
    }
    return section.finish("DATA_START");
  }

  void addPoint(const motion::SpaceRow* point) {
    if (!point) {
      for (int axis = 0; axis < 3; ++axis) addReal(0);
      return addReal(-1);
    }
    for (int axis = 0; axis < 3; ++axis) addReal(static_cast<float>(point->at[axis] / mmPerUnit_));
    addReal(static_cast<float>((point->cameras & 0x7f) << 8 | residualOf(*point)));
  }

  /// The standard deviation of the position along one axis, in steps. 0: predicted, or not known.
  uint64_t residualOf(const motion::SpaceRow& point) const {
    if (point.state != motion::TrackState::measured) return 0;
    const double sigma = std::sqrt(point.covariance.trace() / 3) / mmPerUnit_;
    if (!std::isfinite(sigma)) return 0;
    return static_cast<uint64_t>(
        std::clamp(std::round(sigma / step_), 1.0, double{kMostResidualSteps}));
  }

  void addReal(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8)
      bytes_.push_back(static_cast<std::byte>(bits >> shift & 0xff));
  }

  RowFile file_;
  WideRow row_;
  double mmPerUnit_;
  float step_ = 1;  ///< units: of residuals
  std::vector<std::byte> bytes_;
  uint64_t written_ = 0;  ///< bytes
};

}  // namespace

std::unique_ptr<TakeWriter> writeC3d(const std::string& path, const TakeSurvey& survey, UpAxis up,
                                     double mmPerUnit) {
  return std::make_unique<C3dWriter>(path, survey, up, mmPerUnit);
}

}  // namespace glint::output
