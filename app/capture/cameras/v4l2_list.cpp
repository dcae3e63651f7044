#include "app/capture/cameras/v4l2_list.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include "app/capture/cameras/file_holders.h"
#include "app/capture/cameras/v4l2_device.h"

namespace glint::capture {
namespace {

constexpr int kMostDevices = 64;

CameraInfo infoOf(int number) {
  CameraInfo info;
  info.source = fmt::format("camera:{}", number);
  info.path = fmt::format("/dev/video{}", number);
  return info;
}

void identify(CameraInfo& info, const V4l2Device& device) {
  info.name = device.card();
  info.driver = device.driver();
  info.bus = device.bus();
  info.id = v4l2Id(info.name, info.bus);
}

/// Opens a camera, and adds its name, modes and controls to `info`. Throws NoCamera, CameraGone or
/// Error.
void openAndAsk(CameraInfo& info) {
  const V4l2Device device(info.path, info.source);
  identify(info, device);
  info.modes = device.modes();
  info.controls = device.controls();
  info.problem.clear();
}

/// Returns the name that the kernel has for a device that is not open; empty if it has none.
std::string nameInSystem(int number) {
  std::ifstream file(fmt::format("/sys/class/video4linux/video{}/name", number));
  std::string name;
  std::getline(file, name);
  return name;
}

/// Returns a text that differs each time the device is plugged in; empty if it is not there.
std::string plugging(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return "";
  return fmt::format("{} {} {}.{}", status.st_rdev, status.st_ino, status.st_ctim.tv_sec,
                     status.st_ctim.tv_nsec);
}

bool isPartOf(const std::string& part, const std::string& text) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

/// The devices that were there at the last update, by number.
class Listing {
 public:
  std::vector<CameraInfo> update() {
    std::map<int, std::string> there;
    std::set<std::string> paths;
    for (int number = 0; number < kMostDevices; ++number) {
      std::string path = infoOf(number).path, mark = plugging(path);
      if (mark.empty()) continue;
      there[number] = std::move(mark);
      paths.insert(std::move(path));
    }
    std::erase_if(seen_, [&](const auto& entry) {
      const auto it = there.find(entry.first);
      return it == there.end() || it->second != entry.second.mark;
    });
    const auto holders = paths.empty() ? std::map<std::string, std::string>() : holdersOf(paths);
    std::vector<CameraInfo> all;
    for (const auto& [number, mark] : there) {
      CameraInfo info = infoOf(number);
      const auto holder = holders.find(info.path);
      const bool held = holder != holders.end();
      Seen& seen = seen_[number];
      seen.mark = mark;
      if (!held && !seen.opened) open(seen, info);
      if (!seen.sends) continue;
      if (!seen.info.source.empty()) info = seen.info;
      if (held) {
        if (info.name.empty()) info.name = nameInSystem(number);
        info.holder = holder->second;
      }
      all.push_back(std::move(info));
    }
    return all;
  }

 private:
  struct Seen {
    std::string mark;
    bool opened = false;  ///< true if `info` is complete
    bool sends = true;    ///< true if it sends pictures; cameras have other devices, too
    CameraInfo info;
  };

  /// Opens a device and completes what is known of it. A device that cannot be opened is tried
  /// again at each update, because it may be allowed or ready later.
  static void open(Seen& seen, CameraInfo info) {
    seen.sends = false;
    try {
      openAndAsk(info);
      seen.sends = seen.opened = true;
    } catch (const CameraGone&) {
      return;
    } catch (const NoCamera&) {
      seen.opened = true;
    } catch (const Error& error) {
      seen.sends = true;
      info.problem = error.what();
    }
    seen.info = std::move(info);
  }

  std::map<int, Seen> seen_;
};

/// Returns all cameras that can be opened, with their names only.
std::vector<CameraInfo> findAll() {
  std::vector<CameraInfo> all;
  for (int number = 0; number < kMostDevices; ++number) {
    CameraInfo info = infoOf(number);
    try {
      identify(info, V4l2Device(info.path, info.source));
    } catch (const CameraGone&) {
      continue;
    } catch (const NoCamera&) {
      continue;
    } catch (const Error& error) {
      info.problem = error.what();
    }
    all.push_back(std::move(info));
  }
  return all;
}

}  // namespace

std::string v4l2Id(const std::string& card, const std::string& bus) {
  return fmt::format("{}, {}", card, bus);
}

void inspectV4l2(CameraInfo& camera) {
  try {
    openAndAsk(camera);
  } catch (const Error& error) {
    camera.problem = error.what();
  }
}

CameraLister v4l2Lister() {
  return [listing = Listing()]() mutable { return listing.update(); };
}

std::optional<std::string> findV4l2(const std::string& card, const std::string& bus) {
  for (const CameraInfo& info : findAll())
    if (info.name == card && info.bus == bus) return info.path;
  return std::nullopt;
}

std::string findV4l2(const std::string& spec) {
  constexpr std::string_view kCamera = "camera:";
  if (!spec.starts_with(kCamera)) return spec;
  const std::string wanted = spec.substr(kCamera.size());
  const bool isNumber =
      !wanted.empty() && wanted.find_first_not_of("0123456789") == std::string::npos;
  if (isNumber) return "/dev/video" + wanted;
  std::vector<std::string> names;
  for (const CameraInfo& info : findAll()) {
    const bool named = isPartOf(wanted, info.name) || isPartOf(wanted, info.bus);
    if (named && !wanted.empty() && info.problem.empty()) return info.path;
    names.push_back(fmt::format("{} ({})", info.source, info.name));
  }
  throw CameraGone(
      "there is no camera '{}'; there {}", wanted,
      names.empty() ? std::string("is none") : fmt::format("are {}", fmt::join(names, ", ")));
}

}  // namespace glint::capture
