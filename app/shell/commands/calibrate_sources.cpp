#include "app/shell/commands/calibrate_sources.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/capture/filter/host_filters.h"
#include "app/capture/filter/images.h"
#include "app/motion/rig/rig_file.h"
#include "app/session/session.h"
#include "app/shell/commands/print_text.h"
#include "app/shell/commands/process.h"
#include "app/shell/commands/track_summary.h"
#include "app/study/boards/board_reader.h"
#include "app/study/boards/board_recorder.h"
#include "app/study/opening/opening.h"
#include "config/error.h"

namespace glint::shell {
namespace {

/// A sink that keeps the detections of all frames.
class PointSink : public output::Sink {
 public:
  explicit PointSink(motion::PointTable& table) : table_(table) {}

  void accept(const motion::FramePtr& frame) override {
    for (size_t c = 0; c < frame->cameras.size(); ++c) {
      const gpu::LayerMeasurement& measured = frame->cameras[c].measured;
      if (!measured.stamp) continue;
      for (const shared::Detection& marker : measured.markers)
        table_.rows.push_back(
            {c,
             static_cast<long>(measured.stamp->sequence.value()),
             measured.stamp->time,
             {{marker.x, marker.y},
              Eigen::Vector2d(marker.sigmaX, marker.sigmaY).cwiseMax(motion::kLeastSigma)}});
    }
  }

 private:
  motion::PointTable& table_;
};

/// Returns true if a source is live or a pipe, so that it does not show its frames again.
bool showsOnce(const std::vector<Address>& sources, const capture::SourceList& opened) {
  return study::anyLive(opened) || std::ranges::any_of(sources, [](const Address& source) {
           return source.real() == "-" || base::isDevice(source.real());
         });
}

/// Runs `record`. If it throws Error and something was `seen` by then that will not be shown again,
/// returns the error, so that what was seen can be kept.
std::exception_ptr failureOf(const std::function<void()>& record,
                             const std::function<bool()>& seen) {
  try {
    record();
  } catch (const Error&) {
    if (!seen()) throw;
    return std::current_exception();
  }
  return nullptr;
}

/// Returns true if a camera has seen the board.
bool anySeen(const study::BoardRecorder& recorder) {
  const motion::TargetSeen seen = recorder.seen();
  return std::ranges::any_of(seen.cameras, [](const auto& camera) { return camera.seen > 0; });
}

SeenBoards liveBoards(capture::SourceList sources, Settings settings, const motion::Board& board,
                      const std::map<size_t, double>& offsets, std::FILE* words) {
  const auto recorder = std::make_shared<study::BoardRecorder>();
  recorder->begin(board, offsets);
  const auto progressLine = [&] {
    const motion::TargetSeen seen = recorder->seen();
    std::string text =
        fmt::format("{} moments, the board in two cameras in {}:", seen.frames, seen.shared);
    for (const motion::TargetSeen::Camera& camera : seen.cameras)
      text += fmt::format(" {} ({:.0f} %)", camera.seen, 100.0 * std::popcount(camera.fields) / 64);
    return text;
  };
  const std::exception_ptr failure = failureOf(
      [&] { runToEnd(std::move(sources), std::move(settings), recorder, words, progressLine); },
      [&] { return anySeen(*recorder); });
  auto views = recorder->views();
  if (!views) throw Error("no frame came; nothing is calibrated");
  return {.views = *std::move(views), .orientations = {}, .once = true, .failure = failure};
}

}  // namespace

void runToEnd(capture::SourceList sources, Settings settings,
              std::shared_ptr<output::Sink> listener, std::FILE* words,
              const std::function<std::string()>& progressLine) {
  const bool live = study::anyLive(sources);
  if (live) printText(words, "move it through the whole volume; Ctrl-C ends the recording\n");
  const auto device = std::make_shared<const gpu::Device>(capture::deviceOptions(settings.device));
  session::SessionOptions options;
  options.settings = std::move(settings);
  options.images = capture::fileImages();
  options.interrupt = &interruptOnSignal();
  options.listeners = {std::move(listener)};
  session::Session session(device, std::move(sources), options);
  ProgressLine progress(false);
  while (!session.wait(ProgressLine::kInterval))
    progressLine ? progress.show(progressLine()) : progress.update(session.state()->counts);
  const session::SessionResult& result = session.finish();
  progress.clear();
  if (!result.failure.empty()) throw Error(result.failure);
  if (result.interrupted && !live)
    throw Error("interrupted before the recordings ended; nothing is calibrated");
  endOnSignal();
}

std::optional<std::vector<double>> numbersOf(const std::string& text, char between, size_t wanted) {
  std::vector<double> values;
  const char *at = text.data(), *const end = text.data() + text.size();
  while (true) {
    double value = 0;
    const auto [next, status] = std::from_chars(at, end, value);
    if (status != std::errc{} || !std::isfinite(value)) return std::nullopt;
    values.push_back(value);
    if (next == end) break;
    if (*next != between) return std::nullopt;
    at = next + 1;
  }
  if (values.size() != wanted) return std::nullopt;
  return values;
}

std::vector<motion::FrameExtent> parseSizes(const std::vector<std::string>& texts) {
  constexpr double kMostSide = 65536;
  std::vector<motion::FrameExtent> sizes;
  for (const std::string& text : texts) {
    const auto sides = numbersOf(text, 'x', 2);
    const auto isSide = [](double side) {
      return side >= 16 && side <= kMostSide && side == std::floor(side);
    };
    if (!sides || !std::ranges::all_of(*sides, isSide))
      throw UsageError("--size {}: write WIDTHxHEIGHT, such as 1280x1024", text);
    sizes.push_back({static_cast<int>((*sides)[0]), static_cast<int>((*sides)[1])});
  }
  return sizes;
}

std::string pointsText(const motion::PointTable& table) {
  std::string text = "camera,frame,time_s,x,y,sigma_x,sigma_y\n";
  for (const motion::PointRow& row : table.rows)
    text += fmt::format("{},{},{},{},{},{},{}\n", row.camera, row.frame, row.time, row.dot.at.x(),
                        row.dot.at.y(), row.dot.sigma.x(), row.dot.sigma.y());
  return text;
}

namespace {

/// Opens the sources. Throws UsageError for one whose pixels are not square, because lenses are
/// found for square ones.
capture::SourceList openSquare(const std::vector<Address>& sources, Settings& settings) {
  auto opened = study::openSources(sources, settings, interruptOnSignal());
  for (const auto& source : opened) {
    const double aspect = source->summary().pixelAspect;
    if (aspect != 1)
      throw UsageError(
          "'{}' has pixels {:.4g} times as wide as high, and lenses are found for square ones: "
          "scale it first (ffmpeg -i IN -vf scale=iw*sar:ih,setsar=1 OUT)",
          source->name(), aspect);
  }
  return opened;
}

/// Returns nothing if any source is live.
std::vector<std::string> orientationsOf(const capture::SourceList& sources) {
  if (study::anyLive(sources)) return {};
  std::vector<std::string> orientations;
  for (const auto& source : sources) {
    const std::string words = source->summary().orientation;
    orientations.push_back(words.empty() ? motion::kAsStored : words);
  }
  return orientations;
}

}  // namespace

SeenPoints pointsOfSources(const std::vector<Address>& sources, Settings settings,
                           std::FILE* words) {
  auto opened = openSquare(sources, settings);
  SeenPoints seen{.table = {},
                  .sizes = study::extentsOf(opened),
                  .orientations = orientationsOf(opened),
                  .once = showsOnce(sources, opened)};
  seen.table.timed = seen.table.sigmasKnown = true;
  const auto record = [&] {
    runToEnd(std::move(opened), std::move(settings), std::make_shared<PointSink>(seen.table),
             words);
  };
  seen.failure = failureOf(record, [&] { return seen.once && !seen.table.rows.empty(); });
  return seen;
}

SeenBoards boardsOfSources(const std::vector<Address>& sources, Settings settings,
                           const motion::Board& board, const std::map<size_t, double>& offsets,
                           std::FILE* words) {
  auto opened = openSquare(sources, settings);
  if (study::anyLive(opened))
    return liveBoards(std::move(opened), std::move(settings), board, offsets, words);
  SeenBoards seen{.views = {board, study::extentsOf(opened), offsets},
                  .orientations = orientationsOf(opened),
                  .once = showsOnce(sources, opened)};
  const auto read = [&] {
    for (size_t c = 0; c < opened.size(); ++c)
      study::readBoard(*opened[c], c, seen.views, interruptOnSignal());
    endOnSignal();
  };
  seen.failure = failureOf(read, [&] {
    const auto cameras = seen.views.seen();
    return seen.once &&
           std::ranges::any_of(cameras, [](const auto& camera) { return !camera.views.empty(); });
  });
  return seen;
}

}  // namespace glint::shell
