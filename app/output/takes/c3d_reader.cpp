// C3D, as c3d.org's user guide describes it: six kinds, of three processors with whole or real
// numbers. The word with the residual and the cameras is read as BTK reads it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "app/output/takes/c3d_parameters.h"
#include "app/output/takes/take_formats.h"
#include "app/output/takes/text_lines.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::output {
namespace {

constexpr size_t kReadBlock = 512;  // bytes
constexpr uint16_t kSaturated = 0xffff;
constexpr double kCortexHidden = 9999999;  // a coordinate that Cortex writes for a hidden marker

/// The contents of the header.
struct C3dHeader {
  uint16_t points = 0, analogPerFrame = 0, first = 0, last = 0, dataStart = 0;
  float scale = 0, rate = 0;
};

class C3dReader final : public TakeReader {
 public:
  explicit C3dReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) throw Error("{} is a folder, not a file", path);
    size_ = std::filesystem::file_size(path, error);
    if (!file_ || error) throw Error("{} cannot be opened for reading", path);
    std::vector<std::byte> header = read(0, kReadBlock);
    if (header[1] != std::byte{0x50})
      throw Error("{} is no C3D file: its second byte is not 0x50", path);
    const std::vector<std::byte> section = readSection(static_cast<uint8_t>(header[0]));
    const auto at = [&](size_t word) { return header.data() + 2 * (word - 1); };
    header_ = {.points = c3dWord(at(2), processor_),
               .analogPerFrame = c3dWord(at(3), processor_),
               .first = c3dWord(at(4), processor_),
               .last = c3dWord(at(5), processor_),
               .dataStart = c3dWord(at(9), processor_),
               .scale = c3dReal(at(7), processor_),
               .rate = c3dReal(at(11), processor_)};
    readInfo(C3dParameters(section, processor_));
    buffer_.resize(frameBytes());
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(dataAt_));
  }

  const TakeInfo& info() const override { return info_; }
  std::vector<std::string> remarks() const override { return remarks_; }

  bool next(TakeFrame& frame) override {
    frame.points.clear();
    frame.poses.clear();
    if (read_ == info_.frames) return false;
    file_.read(reinterpret_cast<char*>(buffer_.data()),
               static_cast<std::streamsize>(buffer_.size()));
    if (!file_) throw Error("{} cannot be read beyond frame {}", path_, read_);
    frame.frame = *info_.first + read_++;
    frame.time = static_cast<double>(frame.frame) / *info_.rate;
    for (size_t i = 0; i < info_.markers.size(); ++i) {
      motion::SpaceRow row = rowOf(info_.markers[i], frame);
      if (readPoint(buffer_.data() + i * pointBytes(), row)) frame.points.push_back(std::move(row));
    }
    return true;
  }

 private:
  bool isReal() const { return header_.scale < 0; }
  size_t wordBytes() const { return isReal() ? 4 : 2; }
  size_t pointBytes() const { return 4 * wordBytes(); }
  size_t frameBytes() const {
    return header_.points * pointBytes() + header_.analogPerFrame * wordBytes();
  }

  std::vector<std::byte> read(size_t at, size_t count) {
    if (at > size_ || count > size_ - at)
      throw Error("{} ends after {} bytes, within its header or parameters", path_, size_);
    std::vector<std::byte> bytes(count);
    file_.seekg(static_cast<std::streamoff>(at));
    file_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
    if (!file_) throw Error("{} cannot be read", path_);
    return bytes;
  }

  /// Reads the parameter section, and which processor wrote the file.
  std::vector<std::byte> readSection(size_t block) {
    if (block < 2) throw Error("{}: block {} cannot hold its parameters", path_, block);
    const size_t at = (block - 1) * kReadBlock;
    const std::vector<std::byte> begin = read(at, 4);
    const auto kind = static_cast<uint8_t>(begin[3]);
    if (kind < static_cast<uint8_t>(C3dProcessor::intel) ||
        kind > static_cast<uint8_t>(C3dProcessor::mips))
      throw Error("{}: the number of its processor is {}, not 84, 85 or 86", path_, kind);
    processor_ = static_cast<C3dProcessor>(kind);
    size_t blocks = static_cast<uint8_t>(begin[2]);
    if (blocks == 0) blocks = 255;  // some writers leave it out; the parameters themselves end
    return read(at, std::min(blocks * kReadBlock, size_ - at));
  }

  void readInfo(const C3dParameters& parameters) {
    if (!parameters.complete())
      remarks_.push_back(
          fmt::format("{}: its parameters are damaged; those before the damage are "
                      "used",
                      path_));
    if (!std::isfinite(header_.scale) || header_.scale == 0)
      throw Error("{}: its scale is {}", path_, header_.scale);
    if (header_.points == 0) throw Error("{} holds no points", path_);
    compare(parameters.word("POINT:USED"), header_.points, "points");
    if (const auto scale = parameters.number("POINT:SCALE"))
      if (!(std::abs(*scale - header_.scale) <= 1e-5 * std::abs(header_.scale)))
        remarks_.push_back(
            fmt::format("{}: its header says a scale of {}, which is used, and its "
                        "parameters {}",
                        path_, header_.scale, *scale));
    readRate(parameters);
    readUnit(parameters);
    readLabels(parameters);
    size_t start = header_.dataStart;
    if (start < 2) start = parameters.word("POINT:DATA_START").value_or(0);
    if (start < 2) throw Error("{} does not say where its data begin", path_);
    dataAt_ = (start - 1) * kReadBlock;
    readFrames(parameters);
    readOthers(parameters);
    sayPredicted_ = parameters.word("GLINT:PREDICTED").value_or(0) == 1;
    const auto company = parameters.texts("MANUFACTURER:COMPANY");
    isCortex_ = !company.empty() && company[0].starts_with("Motion Analysis");
  }

  void compare(std::optional<uint16_t> stated, uint16_t used, const char* what) {
    if (stated && *stated != used)
      remarks_.push_back(
          fmt::format("{}: its header says {} {}, which is used, and its parameters {}", path_,
                      used, what, *stated));
  }

  void readRate(const C3dParameters& parameters) {
    const auto stated = parameters.number("POINT:RATE");
    double rate = header_.rate;
    if (!(rate > 0) || !std::isfinite(rate)) rate = stated.value_or(0);
    if (!(rate > 0) || !std::isfinite(rate)) throw Error("{} does not say its frame rate", path_);
    if (stated && !(std::abs(*stated - rate) <= 1e-5 * rate))
      remarks_.push_back(
          fmt::format("{}: its header says {} frames a second, which is used, and its "
                      "parameters {}",
                      path_, rate, *stated));
    info_.rate = rate;
  }

  void readUnit(const C3dParameters& parameters) {
    const auto units = parameters.texts("POINT:UNITS");
    const std::string unit = units.empty() ? "" : units[0];
    const auto known = unit.empty() ? std::optional(1.0) : output::mmPerUnit(unit);
    if (!known) throw Error("{}: \"{}\" is no unit of length", path_, unit);
    if (unit.empty())
      remarks_.push_back(fmt::format("{} does not say its unit of length: mm are assumed", path_));
    mmPerUnit_ = *known;
    const auto up = parameters.texts("POINT:Y_SCREEN");
    if (!up.empty() && up[0] == "+Y") info_.up = UpAxis::y;
  }

  void readLabels(const C3dParameters& parameters) {
    std::vector<std::string> names = parameters.allTexts("POINT:LABELS");
    if (names.size() < header_.points)
      remarks_.push_back(fmt::format("{}: only {} of its {} points have a name", path_,
                                     names.size(), header_.points));
    if (names.size() > header_.points)
      remarks_.push_back(
          fmt::format("{}: its parameters name {}, and its header has {}: the last names are left "
                      "out",
                      path_, counted(names.size(), "point"), counted(header_.points, "point")));
    names.resize(header_.points);
    info_.markers = markersOf(names);
  }

  /// Finds out how many frames there are: above 65,535, the words of the header do not say it.
  void readFrames(const C3dParameters& parameters) {
    uint64_t first = header_.first, last = header_.last;
    const auto field = [&](const char* name) -> std::optional<uint64_t> {
      const auto low = parameters.word(name, 0), high = parameters.word(name, 1);
      if (!low || !high) return std::nullopt;
      return uint64_t{*high} << 16 | *low;
    };
    const auto start = field("TRIAL:ACTUAL_START_FIELD"), end = field("TRIAL:ACTUAL_END_FIELD");
    const uint64_t there = (size_ - std::min(size_, dataAt_)) / frameBytes();
    bool known = header_.last != kSaturated;
    if (start && end && *end >= *start) {
      if (header_.first != kSaturated && header_.last != kSaturated &&
          (*start != first || *end != last))
        remarks_.push_back(
            fmt::format("{}: its header says frames {} to {}, and TRIAL {} to {}, which "
                        "is used",
                        path_, first, last, *start, *end));
      first = *start, last = *end;
      known = true;
    }
    if (last < first)
      throw Error("{} says that frame {} is its first and {} its last", path_, first, last);
    uint64_t frames = last - first + 1;
    const double stated = parameters.number("POINT:FRAMES").value_or(0);
    const bool trial = start && end && *end >= *start;
    if (known && !trial && stated >= 1 && stated < kSaturated &&
        static_cast<uint64_t>(stated) != frames) {
      remarks_.push_back(fmt::format("{}: its header says {}, and POINT:FRAMES {}, which is used",
                                     path_, counted(frames, "frame"), stated));
      frames = static_cast<uint64_t>(stated);
    }
    if (!known) {
      const double more = parameters.number("POINT:LONG_FRAMES").value_or(0);
      const double most = std::max(stated, more);
      frames = most > kSaturated && most < 1e15 ? static_cast<uint64_t>(most) : there;
    }
    if (frames > there)
      throw Error("{} ends after {} of {}", path_, there, counted(frames, "frame"));
    // The last block is filled up, which may look like frames.
    const uint64_t padding = (kReadBlock + frameBytes() - 1) / frameBytes();
    if (there - frames > padding)
      remarks_.push_back(
          fmt::format("{}: {} frames are read, and there is room for {} more behind "
                      "them",
                      path_, frames, there - frames));
    info_.first = first == 0 ? 0 : first - 1;  // Glint's frames count from 0
    info_.frames = frames;
    info_.timed = true;
  }

  void readOthers(const C3dParameters& parameters) {
    const auto leave = [&](std::optional<uint16_t> count, const char* what) {
      if (count.value_or(0) > 0)
        remarks_.push_back(fmt::format("{}: its {}", path_, leftOut(*count, what)));
    };
    if (header_.analogPerFrame > 0) {
      const auto used = parameters.word("ANALOG:USED");
      leave(used.value_or(header_.analogPerFrame), "analog channel");
    }
    leave(parameters.word("EVENT:USED"), "event");
    leave(parameters.word("FORCE_PLATFORM:USED"), "force platform");
  }

  /// Reads a point; returns false if it is not valid.
  bool readPoint(const std::byte* bytes, motion::SpaceRow& row) const {
    int last = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const std::byte* at = bytes + static_cast<size_t>(axis) * wordBytes();
      row.at[axis] = mmPerUnit_ * (isReal() ? double{c3dReal(at, processor_)}
                                            : static_cast<int16_t>(c3dWord(at, processor_)) *
                                                  double{header_.scale});
    }
    const std::byte* at = bytes + 3 * wordBytes();
    if (isReal()) {
      const float word = c3dReal(at, processor_);
      if (!(std::abs(word) < 65536)) return false;
      last = static_cast<int16_t>(static_cast<int>(word));
    } else {
      last = static_cast<int16_t>(c3dWord(at, processor_));
    }
    if (last < 0 || !row.at.allFinite()) return false;
    if (isCortex_ && std::abs(row.at.mean() / mmPerUnit_ - kCortexHidden) < 1) return false;
    row.cameras = static_cast<uint64_t>(last >> 8 & 0x7f);
    const int residual = std::abs(static_cast<int>(static_cast<int8_t>(last & 0xff)));
    if (residual > 0) {
      const double sigma = residual * std::abs(double{header_.scale}) * mmPerUnit_;
      row.covariance = Eigen::Vector3d::Constant(sigma * sigma).asDiagonal();
    } else if (sayPredicted_) {
      row.state = motion::TrackState::predicted;
    }
    return true;
  }

  std::string path_;
  std::ifstream file_;
  uint64_t size_ = 0, dataAt_ = 0;  ///< bytes
  C3dProcessor processor_ = C3dProcessor::intel;
  C3dHeader header_;
  TakeInfo info_;
  double mmPerUnit_ = 1;
  bool sayPredicted_ = false, isCortex_ = false;
  uint64_t read_ = 0;  ///< frames
  std::vector<std::byte> buffer_;
  std::vector<std::string> remarks_;
};

}  // namespace

std::unique_ptr<TakeReader> readC3d(const std::string& path) {
  return std::make_unique<C3dReader>(path);
}

}  // namespace glint::output
