#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <exception>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>

#include "app/capture/cameras/v4l2_device.h"
#include "app/capture/source/control_requests.h"
#include "config/error.h"

namespace glint::capture {
namespace {

/// A control that has a setting "camera.NAME".
struct Common {
  std::string_view name;
  uint32_t id;
  uint32_t automatic;  ///< id of the control that makes it automatic; 0: there is none
  std::string_view unit;
};

/// The common controls. Of several with one name, the first that a camera has is used.
constexpr std::array kCommon{
    Common{"exposure", V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CID_EXPOSURE_AUTO, "0.1 ms"},
    Common{"exposure", V4L2_CID_EXPOSURE, V4L2_CID_EXPOSURE_AUTO, ""},
    Common{"gain", V4L2_CID_GAIN, V4L2_CID_AUTOGAIN, ""},
    Common{"gain", V4L2_CID_ANALOGUE_GAIN, V4L2_CID_AUTOGAIN, ""},
    Common{"white_balance", V4L2_CID_WHITE_BALANCE_TEMPERATURE, V4L2_CID_AUTO_WHITE_BALANCE, "K"},
    Common{"focus", V4L2_CID_FOCUS_ABSOLUTE, V4L2_CID_FOCUS_AUTO, ""},
    Common{"power_line", V4L2_CID_POWER_LINE_FREQUENCY, 0, ""},
    Common{"black_level", V4L2_CID_BLACK_LEVEL, 0, ""},
};

struct Offered {
  CameraControl control;
  uint32_t id = 0, automatic = 0;
};

/// Turns a label such as "White Balance, Automatic" into a name such as "white_balance_automatic".
std::string nameOf(std::string_view label) {
  std::string name;
  for (const char c : label) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  if (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

std::vector<std::pair<int64_t, std::string>> menuOf(int file, const v4l2_queryctrl& query) {
  std::vector<std::pair<int64_t, std::string>> menu;
  constexpr int kMost = 256;
  for (int i = query.minimum; i <= std::min(query.maximum, query.minimum + kMost); ++i) {
    v4l2_querymenu item{};
    item.id = query.id;
    item.index = static_cast<uint32_t>(i);
    if (v4l2Call(file, VIDIOC_QUERYMENU, &item) != 0) continue;
    const auto* text = reinterpret_cast<const char*>(item.name);
    menu.emplace_back(i, query.type == V4L2_CTRL_TYPE_INTEGER_MENU
                             ? std::to_string(item.value)
                             : std::string(text, strnlen(text, sizeof item.name)));
  }
  return menu;
}

std::optional<int64_t> valueOf(int file, uint32_t id) {
  v4l2_control control{.id = id, .value = 0};
  if (v4l2Call(file, VIDIOC_G_CTRL, &control) != 0) return std::nullopt;
  return control.value;
}

std::optional<CameraControl> controlOf(int file, const v4l2_queryctrl& query) {
  using Kind = CameraControl::Kind;
  CameraControl control;
  switch (query.type) {
    case V4L2_CTRL_TYPE_INTEGER:
      control.kind = Kind::number;
      break;
    case V4L2_CTRL_TYPE_BOOLEAN:
      control.kind = Kind::onOff;
      break;
    case V4L2_CTRL_TYPE_MENU:
    case V4L2_CTRL_TYPE_INTEGER_MENU:
      control.kind = Kind::menu;
      control.menu = menuOf(file, query);
      break;
    default:
      return std::nullopt;  // for headings, buttons and texts
  }
  const auto* label = reinterpret_cast<const char*>(query.name);
  control.label.assign(label, strnlen(label, sizeof query.name));
  control.name = nameOf(control.label);
  control.least = query.minimum;
  control.most = query.maximum;
  control.step = std::max(query.step, 1);
  control.initial = query.default_value;
  control.automatic = (query.flags & (V4L2_CTRL_FLAG_INACTIVE | V4L2_CTRL_FLAG_GRABBED)) != 0;
  control.readOnly = (query.flags & V4L2_CTRL_FLAG_READ_ONLY) != 0;
  control.value = valueOf(file, query.id).value_or(query.default_value);
  return control;
}

std::vector<Offered> offeredBy(int file) {
  std::vector<Offered> all;
  v4l2_queryctrl query{};
  query.id = V4L2_CTRL_FLAG_NEXT_CTRL;
  while (v4l2Call(file, VIDIOC_QUERYCTRL, &query) == 0) {
    if ((query.flags & V4L2_CTRL_FLAG_DISABLED) == 0) {
      if (auto control = controlOf(file, query))
        all.push_back({.control = std::move(*control), .id = query.id});
    }
    query.id |= V4L2_CTRL_FLAG_NEXT_CTRL;
  }
  const auto has = [&](uint32_t id) {
    return std::ranges::any_of(all, [&](const Offered& o) { return o.id == id; });
  };
  std::map<std::string_view, bool> named;
  for (const Common& common : kCommon) {
    if (named[common.name]) continue;
    for (Offered& offered : all) {
      if (offered.id != common.id) continue;
      named[common.name] = true;
      offered.control.name = common.name;
      offered.control.unit = common.unit;
      if (!has(common.automatic)) continue;
      offered.automatic = common.automatic;
      offered.control.canBeAutomatic = true;
      for (Offered& other : all)
        if (other.id == common.automatic) other.control.automates = common.name;
    }
  }
  return all;
}

class Setter {
 public:
  Setter(int file, const std::string& name) : file_(file), name_(name), all_(offeredBy(file)) {}

  void set(const std::string& key, const std::string& text) {
    const Offered& offered = find(key);
    if (text == "auto" && offered.automatic != 0) {
      write(offered.automatic, key, automaticOf(offered.automatic, true));
      return;
    }
    const int64_t value = parse(offered.control, key, text);
    if (offered.control.readOnly)
      throw UsageError("camera.{}: '{}' does not let Glint set it", key, name_);
    if (offered.automatic != 0)
      write(offered.automatic, key, automaticOf(offered.automatic, false));
    // A fixed exposure would be useless if the camera lowered its rate in poor light.
    if (offered.automatic == V4L2_CID_EXPOSURE_AUTO && has(V4L2_CID_EXPOSURE_AUTO_PRIORITY))
      write(V4L2_CID_EXPOSURE_AUTO_PRIORITY, key, 0);
    write(offered.id, key, value);
  }

 private:
  bool has(uint32_t id) const {
    return std::ranges::any_of(all_, [&](const Offered& o) { return o.id == id; });
  }

  const Offered& find(const std::string& key) const {
    for (const Offered& offered : all_)
      if (offered.control.name == key) return offered;
    for (const Offered& offered : all_)
      if (key == "trigger" && offered.control.name.starts_with(key)) return offered;
    std::vector<std::string> names;
    for (const Offered& offered : all_) names.push_back(offered.control.name);
    throw UsageError(
        "camera.{}: '{}' has no such control; it has {}", key, name_,
        names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", ")));
  }

  int64_t parse(const CameraControl& control, const std::string& key,
                const std::string& text) const {
    for (const auto& [value, item] : control.menu)
      if (text == item || nameOf(item) == nameOf(text)) return value;
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    bool allowed = error == std::errc() && rest == end &&
                   number >= static_cast<double>(control.least) &&
                   number <= static_cast<double>(control.most);
    const auto value = allowed ? static_cast<int64_t>(number) : 0;
    if (allowed && static_cast<double>(value) != number) allowed = false;
    if (allowed && control.kind == CameraControl::Kind::menu) {
      allowed =
          std::ranges::any_of(control.menu, [&](const auto& item) { return item.first == value; });
    }
    if (allowed) return value;
    throw UsageError("camera.{}: '{}' cannot be set to {}; it allows {}", key, name_, text,
                     allowedText(control));
  }

  static std::string allowedText(const CameraControl& control) {
    if (control.kind == CameraControl::Kind::menu) {
      std::vector<std::string> items;
      for (const auto& [value, item] : control.menu)
        items.push_back(fmt::format("{} ({})", value, item));
      return fmt::format("{}", fmt::join(items, ", "));
    }
    return rangeInWords(control.least, control.most, control.unit);
  }

  /// Returns the value of the control `id` that turns automatic setting on or off. The menu of
  /// exposure has several automatic modes, of which it is the first that the camera has.
  int64_t automaticOf(uint32_t id, bool on) const {
    if (id != V4L2_CID_EXPOSURE_AUTO) return on ? 1 : 0;
    if (!on) return V4L2_EXPOSURE_MANUAL;
    for (const Offered& offered : all_) {
      if (offered.id != id) continue;
      for (const int64_t way :
           {V4L2_EXPOSURE_APERTURE_PRIORITY, V4L2_EXPOSURE_AUTO, V4L2_EXPOSURE_SHUTTER_PRIORITY}) {
        for (const auto& item : offered.control.menu)
          if (item.first == way) return way;
      }
    }
    return V4L2_EXPOSURE_AUTO;
  }

  void write(uint32_t id, const std::string& key, int64_t value) const {
    v4l2_control control{.id = id, .value = static_cast<int32_t>(value)};
    if (v4l2Call(file_, VIDIOC_S_CTRL, &control) == 0) return;
    throw Error("camera.{}: '{}' refuses {}: {}", key, name_, value, std::strerror(errno));
  }

  int file_;
  const std::string& name_;
  std::vector<Offered> all_;
};

}  // namespace

int v4l2Call(int file, unsigned long request, void* argument) {
  int result = 0;
  do {
    result = ::ioctl(file, request, argument);
  } while (result == -1 && errno == EINTR);
  return result;
}

std::vector<CameraControl> listV4l2Controls(int file) {
  std::vector<CameraControl> controls;
  for (Offered& offered : offeredBy(file)) controls.push_back(std::move(offered.control));
  return controls;
}

void setV4l2Controls(int file, const std::string& name, const Settings::Camera& request,
                     const Settings::Camera& before) {
  const ControlRequests old = controlRequests(before);
  std::optional<Setter> setter;
  std::exception_ptr refusal;
  for (const auto& [key, text] : controlRequests(request)) {
    const bool same = std::ranges::find(old, std::pair(key, text)) != old.end();
    if (text.empty() || same) continue;
    if (!setter) setter.emplace(file, name);
    try {
      setter->set(key, text);
    } catch (const Error&) {
      if (!refusal) refusal = std::current_exception();
    }
  }
  if (refusal) std::rethrow_exception(refusal);
}

}  // namespace glint::capture
