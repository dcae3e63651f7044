#include "app/shell/control/control.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/motion/space/space_row.h"
#include "config/error.h"
#include "config/printable.h"
#include "config/secrets.h"
#include "config/setting_key.h"

namespace glint::shell {
namespace {

using Json = nlohmann::ordered_json;

std::string lineOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const char* nameOf(capture::Feeds::CameraStatus::State state) {
  constexpr std::array kNames{"opening", "live", "lost", "ended"};
  return kNames[static_cast<size_t>(state)];
}

Json textOrNull(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json camerasJson(const session::SessionState& state) {
  Json all = Json::array();
  for (size_t i = 0; i < state.cameras.size(); ++i) {
    const capture::Feeds::CameraStatus& camera = state.cameras[i];
    all.push_back({{"camera", i},
                   {"state", nameOf(camera.state)},
                   {"frames", camera.delivered},
                   {"dropped", camera.dropped},
                   {"skipped", camera.skipped},
                   {"rate", camera.rate},
                   {"jitter_ms", 1e3 * camera.jitter},
                   {"damaged", camera.damaged},
                   {"times_lost", camera.losses},
                   {"problem", textOrNull(camera.problem)}});
  }
  return all;
}

Json recordingsJson(const session::SessionState& state) {
  Json all = Json::array();
  for (const output::SinkStatus& recording : state.sinks) {
    if (recording.handover != output::Handover::waits) continue;
    all.push_back({{"name", recording.name},
                   {"frames", recording.frames},
                   {"left_out", recording.dropped},
                   {"finished", recording.finished},
                   {"problem", textOrNull(recording.problem)}});
  }
  return all;
}

/// Adds the points and bodies of the newest frame.
void addSpace(Json& json, const session::SessionState& state) {
  const auto* space = state.frame ? state.frame->results.get<motion::SpaceFrame>() : nullptr;
  if (space == nullptr) return;
  json["points"] = space->now.size();
  Json& poses = json["poses"] = Json::array();
  for (const motion::PoseRow& row : space->poses)
    poses.push_back({{"body", row.body},
                     {"x_mm", row.at.x()},
                     {"y_mm", row.at.y()},
                     {"z_mm", row.at.z()},
                     {"qx", row.attitude.x()},
                     {"qy", row.attitude.y()},
                     {"qz", row.attitude.z()},
                     {"qw", row.attitude.w()},
                     {"markers", row.markers},
                     {"state", motion::nameOf(row.state)},
                     {"flags", row.flags}});
}

Json statusJson(const session::SessionState& state) {
  Json json{{"mode", session::nameOf(state.mode)},
            {"epoch", state.epoch.value()},
            {"pass", state.pass.value()}};
  json["pending"] = state.owes;
  json["frame"] = state.frame ? Json(state.frame->set.value()) : Json();
  json["length"] = state.length ? Json(*state.length) : Json();
  json["in"] = state.in.value();
  json["out"] = state.out ? Json(state.out->value()) : Json();
  json["speed"] = state.speed;
  json["loop"] = state.loops;
  json["live"] = state.live;
  json["frames"] = state.counts.frames;
  size_t markers = 0, tracks = 0;
  for (size_t i = 0; state.frame && i < state.frame->cameras.size(); ++i) {
    markers += state.frame->cameras[i].measured.markers.size();
    tracks += state.frame->cameras[i].tracks.size();
  }
  json["markers"] = markers;
  json["tracks"] = tracks;
  addSpace(json, state);
  if (state.frame && state.frame->provisional()) json["provisional"] = true;
  json["cameras"] = camerasJson(state);
  json["recordings"] = recordingsJson(state);
  json["failure"] = textOrNull(state.failure);
  return json;
}

/// Returns a request in which all texts lack the secrets of addresses.
Json hidden(const Json& value) {
  if (value.is_string()) return hideSecrets(value.get_ref<const std::string&>());
  if (!value.is_structured()) return value;
  Json all = value.is_array() ? Json::array() : Json::object();
  for (const auto& [key, part] : value.items()) {
    if (value.is_array())
      all.push_back(hidden(part));
    else
      all[hideSecrets(key)] = hidden(part);
  }
  return all;
}

/// Returns the value of a setting as --set takes it.
std::string settingText(const Json& value) {
  return value.is_string() ? value.get<std::string>() : lineOf(value);
}

}  // namespace

/// One JSON request, and the answer to it.
class Request {
 public:
  /// Throws WrongToken. Other errors in the request are reported by carryOut().
  Request(Control& control, std::string_view line, const ControlAccess& access,
          Control::Reply reply)
      : control_(control), access_(access), reply_(std::move(reply)) {
    parse(line);
    checkToken();
    given_ = json_.contains("settings") ? json_["settings"] : Json();
    json_ = hidden(json_);
    if (json_.contains("tag")) tag_ = json_["tag"];
  }

  /// Carries the request out. Throws UsageError if the request is wrong; then nothing has been
  /// done.
  void carryOut() {
    const std::string what = text("do");
    const auto found = kActions.find(what);
    if (found == kActions.end()) {
      std::string names;
      for (const auto& [name, action] : kActions) names += (names.empty() ? "" : ", ") + name;
      throw UsageError("there is no \"do\":\"{}\"; there are {}", what, names);
    }
    known_.emplace_back("do");
    known_.emplace_back("tag");
    (this->*found->second)();
  }

  /// Answers with the problem, or with `more` if there is none.
  static void say(const Control::Reply& reply, const Json& tag, const std::string& problem,
                  const Json& more = Json::object()) {
    Json answer{{"ok", problem.empty()}};
    if (!tag.is_null()) answer["tag"] = tag;
    if (problem.empty())
      answer.update(more);
    else
      answer["error"] = problem;
    reply(lineOf(answer));
  }
  void refuse(const std::string& problem) const { say(reply_, tag_, problem); }

 private:
  static constexpr int kDeepest = 8;
  static constexpr size_t kShown = 200;  // bytes of a name
  static constexpr uint64_t kMostSteps = 1'000'000'000'000;

  void parse(std::string_view line) {
    bool deep = false;
    std::string twice;
    std::vector<std::set<std::string>> keys;  // the keys of the objects that are open
    const auto look = [&](int depth, Json::parse_event_t event, Json& value) {
      deep |= depth > kDeepest;
      if (event == Json::parse_event_t::object_start) keys.emplace_back();
      if (event == Json::parse_event_t::object_end) keys.pop_back();
      if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
        twice = value.get<std::string>();
      return !deep;
    };
    json_ = Json::parse(line.begin(), line.end(), look, false);
    if (deep || json_.is_discarded() || !json_.is_object()) {
      json_ = Json::object();
      problem_ = "a request is one JSON object on one line, such as {\"do\":\"status\"}";
    } else if (!twice.empty()) {
      problem_ =
          fmt::format("\"{}\" appears twice in the request", shortened(hideSecrets(twice), kShown));
    }
  }

  /// Throws WrongToken.
  void checkToken() {
    if (!access_.token) return;
    const auto token = json_.find("token");
    const bool given = token != json_.end() && token->is_string();
    access_.token->check(given ? token->get_ref<const std::string&>() : "");
    if (given) json_.erase(token);
  }

  const Json& at(const char* key) {
    if (!problem_.empty()) throw UsageError(problem_);
    known_.emplace_back(key);
    if (!json_.contains(key)) throw UsageError("\"{}\" is missing", key);
    return json_[key];
  }
  bool has(const char* key) {
    known_.emplace_back(key);
    return json_.contains(key) && !json_[key].is_null();
  }
  std::string text(const char* key) {
    const Json& value = at(key);
    if (!value.is_string()) throw UsageError("\"{}\" must be a string", key);
    return withoutZero(key, value.get<std::string>());
  }
  /// Throws UsageError if a text contains a zero byte, because for the system a name would end
  /// there, and be another name.
  static std::string withoutZero(std::string_view key, std::string text) {
    if (text.find('\0') == std::string::npos) return text;
    throw UsageError("\"{}\" holds a zero byte", key);
  }
  SetIndex frame(const char* key) {
    const Json& value = at(key);
    if (!value.is_number_unsigned())
      throw UsageError("\"{}\" must be a frame's number, from 0", key);
    return SetIndex(value.get<uint64_t>());
  }
  /// Throws UsageError for a key that no request has, so that a mistake is seen.
  void checkKeys() const {
    for (const auto& [key, value] : json_.items()) {
      if (std::ranges::find(known_, key) == known_.end())
        throw UsageError("\"{}\" is not known here", key);
    }
  }

  session::Answer answer() const {
    return [reply = reply_, tag = tag_](const std::string& problem) { say(reply, tag, problem); };
  }
  void post(session::Command command) {
    checkKeys();
    control_.post(std::move(command), answer());
  }

  void play() { post(session::command::Play{}); }
  void pause() { post(session::command::Pause{}); }
  void quit() { post(session::command::Stop{}); }
  void step() {
    int64_t frames = 1;
    if (has("frames")) {
      const Json& value = json_["frames"];
      if (!value.is_number_integer() || value == 0)
        throw UsageError("\"frames\" must be a whole number other than 0");
      const bool tooMany = value.is_number_unsigned()
                               ? value.get<uint64_t>() > kMostSteps
                               : value.get<int64_t>() < -static_cast<int64_t>(kMostSteps);
      if (tooMany) throw UsageError("\"frames\" must be at most {}", kMostSteps);
      frames = value.get<int64_t>();
    }
    post(session::command::Step{frames});
  }
  void seek() { post(session::command::Seek{frame("frame")}); }
  void speed() {
    const Json& factor = at("factor");
    if (!factor.is_number()) throw UsageError("\"factor\" must be a number");
    post(session::command::Speed{factor.get<double>()});
  }
  void loop() {
    const Json& on = at("on");
    if (!on.is_boolean()) throw UsageError("\"on\" must be true or false");
    post(session::command::Loop{on.get<bool>()});
  }
  void explain() {
    const Json& on = at("on");
    if (!on.is_boolean()) throw UsageError("\"on\" must be true or false");
    post(session::command::Explain{on.get<bool>()});
  }
  void range() {
    session::command::Range range;
    if (has("in")) range.in = frame("in");
    if (has("out")) range.out = frame("out");
    post(range);
  }
  void set() {
    at("settings");
    const Json& values = given_;  // an address among them is opened, so it keeps its secrets
    if (!values.is_object() || values.empty())
      throw UsageError(fmt::format("\"settings\" must be an object such as {{\"{}\":8}}",
                                   "detect.separation"_key));
    std::vector<std::pair<std::string, std::string>> sets;
    for (const auto& [given, value] : values.items()) {
      const std::string key = hideSecrets(given);
      if (value.is_structured())
        throw UsageError("the value of \"{}\" must be a number, a string, true or false", key);
      sets.emplace_back(key, withoutZero(key, settingText(value)));
    }
    post(session::command::Change{[sets](Settings& settings) {
      for (const auto& [key, value] : sets) setFromText(settings, key, value, "set");
    }});
  }
  void record() {
    const std::string file = text("file");
    checkKeys();
    control_.startRecording(file, access_, answer());
  }
  void stopRecord() {
    const std::string file = has("file") ? text("file") : "";
    checkKeys();
    control_.stopRecording(file, answer());
  }
  void stream() {
    const std::string target = text("target");
    checkKeys();
    control_.start(control_.streams_, control_.makeStream_(target), answer());
  }
  void stopStream() {
    const std::string target = has("target") ? text("target") : "";
    checkKeys();
    control_.stop(control_.streams_, target, "stream", answer());
  }
  void status() {
    checkKeys();
    say(reply_, tag_, "", statusJson(*control_.session_.state()));
  }
  void settings() {
    checkKeys();
    Json all = Json::object();
    for (const SettingInfo& setting : listSettings(*control_.session_.state()->settings))
      all[setting.key] = Json::parse(setting.value);  // a TOML value is a JSON value, too
    say(reply_, tag_, "", {{"settings", all}});
  }

  using Action = void (Request::*)();
  static const std::map<std::string, Action> kActions;

  Control& control_;
  const ControlAccess& access_;
  Control::Reply reply_;
  Json json_, tag_;
  Json given_;           // the settings with their secrets
  std::string problem_;  // why the line is not a request
  std::vector<std::string> known_;
};

const std::map<std::string, Request::Action> Request::kActions{
    {"play", &Request::play},         {"pause", &Request::pause},
    {"step", &Request::step},         {"seek", &Request::seek},
    {"speed", &Request::speed},       {"loop", &Request::loop},
    {"range", &Request::range},       {"set", &Request::set},
    {"settings", &Request::settings}, {"explain", &Request::explain},
    {"record", &Request::record},     {"record_stop", &Request::stopRecord},
    {"stream", &Request::stream},     {"stream_stop", &Request::stopStream},
    {"status", &Request::status},     {"quit", &Request::quit},
};

Control::Control(session::Session& session, MakeSink makeStream)
    : session_(session), makeStream_(std::move(makeStream)) {}

void Control::json(std::string_view line, const ControlAccess& access, Reply reply) {
  Request request(*this, line, access, std::move(reply));
  try {
    request.carryOut();
  } catch (const std::exception& error) {
    request.refuse(error.what());
  }
}

void Control::post(session::Command command, session::Answer answer) {
  {
    const std::lock_guard lock(owed_->mutex);
    ++owed_->count;
  }
  session_.post(std::move(command),
                [owed = owed_, answer = std::move(answer)](const std::string& problem) {
                  if (answer) answer(problem);
                  {
                    const std::lock_guard lock(owed->mutex);
                    --owed->count;
                  }
                  owed->less.notify_all();
                });
}

void Control::settle() {
  std::unique_lock lock(owed_->mutex);
  owed_->less.wait(lock, [&] { return owed_->count == 0; });
}

/// Starts a recording or stream, and remembers its name, so that it can be stopped.
void Control::start(std::vector<Started>& all, session::command::AddSink added,
                    session::Answer answer) {
  added.id = session_.newId();
  {
    const std::lock_guard lock(mutex_);
    all.push_back({added.id, added.name});
  }
  post(std::move(added), std::move(answer));
}

void Control::stop(std::vector<Started>& all, const std::string& name, const char* what,
                   session::Answer answer) {
  post(session::command::RemoveSink{take(all, name, what).id}, std::move(answer));
}

Control::Started Control::take(std::vector<Started>& all, const std::string& name,
                               const char* what) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const Started& started) {
    return name.empty() || started.name == name;
  });
  if (found == all.rend()) {
    throw UsageError(name.empty() ? fmt::format("there is no {} to stop", what)
                                  : fmt::format("there is no {} '{}'", what, name));
  }
  const Started started = *found;
  all.erase(std::next(found).base());
  return started;
}

/// Waits for the earlier commands first, because they may close the file that is opened here.
void Control::startRecording(const std::string& file, const ControlAccess& access,
                             session::Answer answer) {
  settle();
  start(recordings_, access.makeRecording(file), std::move(answer));
}

void Control::stopRecording(const std::string& file, session::Answer answer) {
  stop(recordings_, file, "recording", std::move(answer));
}

}  // namespace glint::shell
