#include "ui/panels/report_maker.h"

#include <cerrno>
#include <exception>
#include <filesystem>
#include <span>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/base/whole_file.h"
#include "app/output/report/page.h"
#include "app/output/report/run.h"
#include "app/output/tables/track_formats.h"
#include "app/shell/desk/folder_list.h"
#include "config/printable.h"

namespace glint::ui {
namespace {

/// Opens a page with the desktop's program. Does not wait, as the program may run for as long as
/// the browser does. Returns false if there is no such program.
bool openPage(const std::string& file) {
  const char* script =
      "command -v xdg-open > /dev/null || exit 1; xdg-open \"$0\" > /dev/null 2>&1 &";
  std::string shell = "sh", option = "-c", text = script, name = file;
  char* arguments[] = {shell.data(), option.data(), text.data(), name.data(), nullptr};
  pid_t child = 0;
  if (posix_spawn(&child, "/bin/sh", nullptr, nullptr, arguments, environ) != 0) return false;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Makes the page of a file of tracks. Returns its name: "take.html" for "take.csv", or "take
/// 2.html" if that exists.
std::string makePageOf(const std::string& tracks) {
  const std::string page = output::report::makePage(output::report::readRun(tracks, ""));
  std::filesystem::path stem(std::filesystem::absolute(tracks));
  stem.replace_extension(".html");
  const std::string file = shell::newFileName(stem.string(), ".html");
  base::writeWholeFile(file, std::as_bytes(std::span(page)));
  return file;
}

}  // namespace

ReportMaker::~ReportMaker() {
  if (thread_.joinable()) thread_.join();
}

void ReportMaker::remember(const std::string& tracks) {
  if (tracks.ends_with(".csv") && output::chooseTrackFormat(tracks, "").name == "csv")
    tracks_ = tracks;
}

void ReportMaker::show() {
  if (tracks_.empty())
    return messages_.say("record or export tracks as CSV first; the report shows those");
  if (thread_.joinable()) thread_.join();
  thread_ = std::thread([this, tracks = tracks_] {
    try {
      const std::string file = makePageOf(tracks);
      messages_.note("the report was written to " + printable(file) +
                     (openPage(file) ? "" : "; open it in a browser: xdg-open is missing here"));
    } catch (const std::exception& error) {
      messages_.fail(error.what());
    }
    wake_();
  });
}

}  // namespace glint::ui
