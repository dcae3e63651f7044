#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/waiting.h"
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
};

study::SourceReport reportOn(const Address& address) {
  const base::Waiting waiting("the source", address.shown());
  const auto source = capture::openSource(address, &interruptOnSignal());
  return study::reportOf(*source);
}

/// Prints what is known of each source. One that cannot be opened has the reason instead, if there
/// are others. Throws Error at the end if there was such a one.
void printInfo(const InfoOptions& options) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  uint64_t failed = 0;
  for (const Address& address : options.sources) {
    try {
      const study::SourceReport report = reportOn(address);
      if (options.json)
        all.push_back(toJson(report));
      else
        printSource(stdout, report);
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
  if (failed > 0)
    throw Error("{} of {} could not be opened", failed, counted(options.sources.size(), "source"));
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
  command->add_flag("--json", options->json, "Print JSON instead of text");
  command->callback([options] { printInfo(*options); });
}

}  // namespace glint::shell
