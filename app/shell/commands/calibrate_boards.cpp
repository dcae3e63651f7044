#include "app/shell/commands/calibrate_boards.h"

#include <bit>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/shell/commands/calibrate_sources.h"
#include "app/shell/commands/stop_signal.h"
#include "app/study/boards/board_reader.h"
#include "app/study/boards/board_recorder.h"
#include "app/study/opening/opening.h"
#include "config/error.h"

namespace glint::shell {
namespace {

motion::BoardRecording liveBoards(std::vector<std::unique_ptr<capture::Source>> sources,
                                  Settings settings, const motion::Board& board,
                                  const std::map<size_t, double>& offsets) {
  const auto recorder = std::make_shared<study::BoardRecorder>();
  recorder->begin(board, offsets);
  runToEnd(std::move(sources), std::move(settings), recorder, [&] {
    const motion::TargetSeen seen = recorder->seen();
    std::string text =
        fmt::format("{} moments, the board in two cameras in {}:", seen.frames, seen.shared);
    for (const motion::TargetSeen::Camera& camera : seen.cameras)
      text += fmt::format(" {} ({:.0f} %)", camera.seen, 100.0 * std::popcount(camera.fields) / 64);
    return text;
  });
  const auto views = recorder->views();
  if (!views) throw Error("no frame came; nothing is calibrated");
  return views->recording();
}

}  // namespace

motion::BoardRecording boardsOfSources(const std::vector<std::string>& sources, Settings settings,
                                       const motion::Board& board,
                                       const std::map<size_t, double>& offsets) {
  auto opened = study::openSources(sources, settings, interruptOnSignal());
  if (study::anyLive(opened))
    return liveBoards(std::move(opened), std::move(settings), board, offsets);
  motion::BoardViews views(board, study::extentsOf(opened), offsets);
  for (size_t c = 0; c < opened.size(); ++c)
    study::readBoard(*opened[c], c, views, interruptOnSignal());
  return views.recording();
}

}  // namespace glint::shell
