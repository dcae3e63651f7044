#include "app/shell/desk/user_files.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <span>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include "app/base/whole_file.h"
#include "app/capture/source/source_kinds.h"
#include "config/error.h"

namespace glint::shell {
namespace {

using Json = nlohmann::ordered_json;
using SourceLists = std::vector<std::vector<Address>>;

constexpr const char* kWindow = "window.json";
constexpr const char* kRecent = "recent.json";
// The largest file that is accepted as one of Glint's.
constexpr std::streamsize kMostBytes = 1 << 20;

/// A lock on a folder for one process at a time, for as long as the object lives. If the lock
/// cannot be had, the object does nothing.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder)
      : file_(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (file_ >= 0) ::flock(file_, LOCK_EX);
  }
  ~FolderLock() {
    if (file_ >= 0) ::close(file_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

/// Returns the contents of a file; an empty object if it does not exist. Throws std::exception if
/// it is not one of Glint's.
Json parse(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return Json::object();
  if (!std::filesystem::is_regular_file(path, error)) throw Error("it is not a file");
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<size_t>(kMostBytes) + 1, '\0');
  file.read(text.data(), kMostBytes + 1);
  if (file.bad() || !file.is_open()) throw Error("it cannot be read");
  if (file.gcount() > kMostBytes) throw Error("it is too large");
  text.resize(static_cast<size_t>(file.gcount()));
  Json json = Json::parse(text);
  if (!json.is_object()) throw Error("it does not hold a JSON object");
  return json;
}

/// Returns JSON as text. Names with bytes that are not UTF-8 cannot be kept in JSON; these bytes
/// are replaced.
std::string printed(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

WindowPlace toPlace(const Json& json) {
  WindowPlace place{json.at("x").get<int>(),          json.at("y").get<int>(),
                    json.at("width").get<int>(),      json.at("height").get<int>(),
                    json.at("maximised").get<bool>(), json.value("scale", 1.0)};
  constexpr int kMost = 65535;
  if (place.width < 1 || place.height < 1 || place.width > kMost || place.height > kMost ||
      std::abs(place.x) > kMost || std::abs(place.y) > kMost || !(place.scale >= 0.1) ||
      !(place.scale <= 100)) {
    throw Error("the window's position is impossible");
  }
  return place;
}

Remembered toRemembered(const Json& json) {
  Remembered remembered;
  if (json.contains("window")) remembered.window = toPlace(json.at("window"));
  if (json.contains("numbers")) json.at("numbers").get_to(remembered.numbers);
  if (json.contains("switches")) json.at("switches").get_to(remembered.switches);
  if (json.contains("texts")) json.at("texts").get_to(remembered.texts);
  return remembered;
}

Json toJson(const Remembered& remembered) {
  Json json = Json::object();
  if (const auto& w = remembered.window) {
    json["window"] = {{"x", w->x},
                      {"y", w->y},
                      {"width", w->width},
                      {"height", w->height},
                      {"maximised", w->maximised},
                      {"scale", w->scale}};
  }
  json["numbers"] = Json::object();
  for (const auto& [name, value] : remembered.numbers)
    if (std::isfinite(value)) json["numbers"][name] = value;
  json["switches"] = remembered.switches;
  json["texts"] = remembered.texts;
  return json;
}

std::string withoutQuery(const std::string& source) {
  return source.substr(0, source.rfind("?fps="));
}

bool isMissing(const Address& address) {
  const std::string& source = address.shown();
  if (!capture::isPathSource(source)) return false;
  std::filesystem::path path = withoutQuery(source);
  if (path.filename().string().find('%') != std::string::npos) path = path.parent_path();
  std::error_code error;
  return !std::filesystem::exists(path, error);
}

/// Returns the folder `own` below the folder of `variable`, or else below `usual` in the home
/// folder.
std::filesystem::path userFolder(const std::function<const char*(const char*)>& environment,
                                 const char* variable, const char* usual, const char* own) {
  const auto absolute = [&](const char* name) -> std::filesystem::path {
    const char* const folder = environment(name);
    return folder != nullptr && *folder == '/' ? folder : "";
  };
  if (const auto folder = absolute(variable); !folder.empty()) return folder / own;
  const auto home = absolute("HOME");
  return home.empty() ? home : home / usual / own;
}

}  // namespace

std::filesystem::path stateFolder(const std::function<const char*(const char*)>& environment) {
  return userFolder(environment, "XDG_STATE_HOME", ".local/state", "glint");
}

std::filesystem::path presetFolder(const std::function<const char*(const char*)>& environment) {
  return userFolder(environment, "XDG_CONFIG_HOME", ".config", "glint/presets");
}

UserFiles::UserFiles(std::filesystem::path folder, std::function<void(const std::string&)> warn)
    : folder_(std::move(folder)), warn_(std::move(warn)) {}

void UserFiles::warnOnce(const char* name, const std::string& problem) {
  if (warned_.insert(name).second && warn_) warn_(problem);
}

void UserFiles::write(const char* name, const std::string& text) {
  try {
    std::filesystem::create_directories(folder_);
    base::writeWholeFile(file(name), text);
  } catch (const std::exception& error) {
    warnOnce(name, fmt::format("the window cannot remember this: {}", error.what()));
  }
}

Remembered UserFiles::load() {
  const std::lock_guard lock(mutex_);
  if (folder_.empty()) return {};
  try {
    return toRemembered(parse(file(kWindow)));
  } catch (const std::exception& error) {
    warnOnce(kWindow,
             fmt::format("the window starts with its defaults, because '{}' is damaged: {}",
                         file(kWindow), error.what()));
    return {};
  }
}

void UserFiles::save(const Remembered& remembered) {
  const std::lock_guard lock(mutex_);
  if (!folder_.empty()) write(kWindow, printed(toJson(remembered)));
}

SourceLists UserFiles::readRecent() {
  SourceLists recent;
  try {
    const Json json = parse(file(kRecent));
    if (json.contains("recent"))
      for (const auto& texts : json.at("recent").get<std::vector<std::vector<std::string>>>())
        recent.emplace_back(texts.begin(), texts.end());
  } catch (const std::exception& error) {
    recent.clear();
    warnOnce(kRecent,
             fmt::format("the list of recent files starts empty, because '{}' is damaged: {}",
                         file(kRecent), error.what()));
  }
  std::erase_if(recent, [](const auto& sources) {
    return sources.empty() || std::ranges::any_of(sources, [](const auto& s) { return s.empty(); });
  });
  if (recent.size() > kMostRecent) recent.resize(kMostRecent);
  return recent;
}

SourceLists UserFiles::recent() {
  const std::lock_guard lock(mutex_);
  if (folder_.empty()) return {};
  SourceLists recent = readRecent();
  std::erase_if(recent,
                [](const auto& sources) { return std::ranges::any_of(sources, isMissing); });
  for (auto& sources : recent)
    for (const auto& added : added_)
      if (shownOf(added) == shownOf(sources)) sources = added;
  return recent;
}

void UserFiles::addRecent(const std::vector<Address>& sources) {
  if (sources.empty()) return;
  std::vector<Address> names;
  for (const Address& source : sources) {
    std::error_code error;
    const auto whole = std::filesystem::absolute(source.shown(), error).lexically_normal().string();
    names.push_back(capture::isPathSource(source.shown()) && !error ? Address(whole) : source);
  }
  const std::lock_guard lock(mutex_);
  if (folder_.empty()) return;
  // Ignored here, because write() reports it.
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  const FolderLock folderLock(folder_);
  std::erase(added_, names);
  std::vector<Address> all;
  for (const auto& list : added_) all.insert(all.end(), list.begin(), list.end());
  all.insert(all.end(), names.begin(), names.end());
  all = tellApart(std::move(all));
  std::copy(all.end() - static_cast<ptrdiff_t>(names.size()), all.end(), names.begin());
  added_.push_back(names);
  if (added_.size() > kMostRecent) added_.erase(added_.begin());
  const auto isSame = [&](const auto& list) { return shownOf(list) == shownOf(names); };
  SourceLists recent = readRecent();
  std::erase_if(recent, isSame);
  recent.insert(recent.begin(), names);
  if (recent.size() > kMostRecent) recent.resize(kMostRecent);
  Json lists = Json::array();
  for (const auto& list : recent) lists.push_back(shownOf(list));
  write(kRecent, printed(Json{{"recent", lists}}));
}

}  // namespace glint::shell
