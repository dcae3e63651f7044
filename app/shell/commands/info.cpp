#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/waiting.h"
#include "app/capture/source/interrupt.h"
#include "app/capture/source/source.h"
#include "app/capture/source/source_kinds.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "app/shell/commands/process.h"
#include "app/study/opening/source_words.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::shell {
namespace {

struct InfoOptions {
  std::vector<Address> sources;
  bool json = false;
  bool check = false;  ///< read every frame
};

/// The number of frames that could be read, and the reason why no more could be read. The reason is
/// empty if the recording was read to its end.
struct Check {
  uint64_t frames = 0;
  std::string problem;
};

/// Reads all frames of a recording, as a run does.
Check checkFrames(capture::Source& source) {
  Check check;
  capture::FrameBuffer buffer(source.format());
  try {
    for (auto state = gpu::CameraState::none; state != gpu::CameraState::ended;) {
      state = source.read(buffer.view()).state;
      check.frames += state == gpu::CameraState::frame ? 1 : 0;
      if (interruptOnSignal().isSet())
        throw capture::Interrupted("interrupted while reading '{}'", source.name());
    }
  } catch (const capture::Interrupted&) {
    throw;
  } catch (const Error& error) {
    check.problem = error.what();
  }
  return check;
}

std::string wordsOf(const Check& check, const capture::SourceSummary& known) {
  std::string text = counted(check.frames, "frame");
  if (known.frames && *known.frames != check.frames)
    text = fmt::format("{} of {}{}", check.frames, known.framesAreEstimated ? "about " : "",
                       counted(*known.frames, "frame"));
  text += check.frames == 1 ? " was read" : " were read";
  return check.problem.empty() ? text + " without an error" : text + ": " + check.problem;
}

/// The answer about one source.
struct Answer {
  study::SourceReport report;
  std::optional<Check> check;
};

Answer answerOn(const Address& address, bool isChecked) {
  const base::Waiting waiting("the source", address.shown());
  const auto source = capture::openSource(address, &interruptOnSignal());
  Answer answer{.report = study::reportOf(*source), .check = {}};
  if (isChecked && source->isLive())
    throw UsageError("--check is for recordings, and '{}' is live", source->name());
  if (isChecked) answer.check = checkFrames(*source);
  return answer;
}

nlohmann::ordered_json toJson(const Answer& answer) {
  nlohmann::ordered_json json = study::toJson(answer.report);
  if (!answer.check) return json;
  json["frames_read"] = answer.check->frames;
  json["problem"] = answer.check->problem.empty() ? nlohmann::ordered_json()
                                                  : nlohmann::ordered_json(answer.check->problem);
  return json;
}

void printAnswer(const Answer& answer) {
  printSource(stdout, answer.report);
  if (answer.check) printText(stdout, "  {}\n", wordsOf(*answer.check, answer.report.summary));
}

/// Prints what is known of each source. One that cannot be opened has the reason instead, if there
/// are others. Throws Error at the end if there was such a one, or one that breaks off.
void printInfo(const InfoOptions& options) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  uint64_t failed = 0, broken = 0;
  for (const Address& address : options.sources) {
    try {
      const Answer answer = answerOn(address, options.check);
      broken += answer.check && !answer.check->problem.empty() ? 1 : 0;
      if (options.json)
        all.push_back(toJson(answer));
      else
        printAnswer(answer);
    } catch (const capture::Interrupted&) {
      throw;
    } catch (const Error& error) {
      if (options.sources.size() == 1) throw;
      ++failed;
      if (options.json)
        all.push_back({{"source", address.shown()}, {"problem", error.what()}});
      else
        printText(stdout, "{}\n", error.what());
    }
  }
  if (options.json) {
    const nlohmann::ordered_json json{{"sources", all}};
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }
  const std::string count = counted(options.sources.size(), "source");
  if (failed > 0) throw Error("{} of {} could not be opened", failed, count);
  if (broken > 0) throw Error("{} of {} could not be read to the end", broken, count);
}

}  // namespace

void printSource(std::FILE* out, const study::SourceReport& report) {
  printText(out, "{}\n", study::lineOf(report));
  for (const std::string& warning : study::warningsOf(report)) printText(out, "  {}\n", warning);
}

void addInfoCommand(CLI::App& app) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand(
      "info",
      "Say what is known of a source, and what is assumed\nThe same lines come before the first "
      "frame of a run. Lines that are indented are likely to be wrong, and name the option that "
      "changes it.");
  addSources(*command, options->sources, "Sources, as for `glint track`")->required();
  command->add_flag("--check", options->check, "Read every frame, and say how many could be read");
  command->add_flag("--json", options->json, "Print JSON instead of text");
  command->callback([options] { printInfo(*options); });
}

}  // namespace glint::shell
