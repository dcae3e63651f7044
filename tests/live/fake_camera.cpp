#include "fake_camera.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fake {

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

long raw(long number, long a, long b, long c, long d, long e, long f) {
  return syscall(number, a, b, c, d, e, f);
}

int failWith(int reason) {
  errno = reason;
  return -1;
}

std::recursive_mutex& mutex() {
  static auto* all = new std::recursive_mutex;
  return *all;
}

bool isWide(uint32_t fourcc) {
  return fourcc == V4L2_PIX_FMT_Y10 || fourcc == V4L2_PIX_FMT_Y12 || fourcc == V4L2_PIX_FMT_Y16 ||
         fourcc == V4L2_PIX_FMT_SRGGB16 || fourcc == V4L2_PIX_FMT_SRGGB10;
}
bool isTwoBytes(uint32_t fourcc) {
  return isWide(fourcc) || fourcc == V4L2_PIX_FMT_YUYV || fourcc == V4L2_PIX_FMT_UYVY;
}
int bitsOf(uint32_t fourcc) {
  if (fourcc == V4L2_PIX_FMT_Y10 || fourcc == V4L2_PIX_FMT_SRGGB10) return 10;
  if (fourcc == V4L2_PIX_FMT_Y12) return 12;
  return isWide(fourcc) ? 16 : 8;
}

size_t Camera::imageBytes() const {
  const auto pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
  if (fourcc == V4L2_PIX_FMT_NV12) return pixels * 3 / 2;
  return isTwoBytes(fourcc) ? pixels * 2 : pixels;
}

namespace {

uint32_t fourccOf(const std::string& name) {
  uint32_t code = 0;
  for (size_t i = 0; i < 4; ++i)
    code |= static_cast<uint32_t>(i < name.size() ? name[i] : ' ') << (8 * i);
  return code;
}

std::vector<uint8_t> contentsOf(const std::string& path) {
  std::vector<uint8_t> bytes;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) std::abort();
  std::fseek(file, 0, SEEK_END);
  bytes.resize(static_cast<size_t>(std::ftell(file)));
  std::rewind(file);
  if (std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) std::abort();
  std::fclose(file);
  return bytes;
}

}  // namespace

std::vector<Camera*>& cameras() {
  static auto* all = [] {
    auto* made = new std::vector<Camera*>;
    const char* text = std::getenv("GLINT_FAKE_CAMERAS");
    std::string rest = text ? text : "";
    while (!rest.empty()) {
      const std::string one = rest.substr(0, rest.find(';'));
      rest.erase(0, one.size() + 1);
      auto* camera = new Camera;
      camera->path = one.substr(0, one.find('?'));
      std::string options =
          one.size() > camera->path.size() ? one.substr(camera->path.size() + 1) : "";
      while (!options.empty()) {
        const std::string option = options.substr(0, options.find('&'));
        options.erase(0, option.size() + 1);
        const std::string key = option.substr(0, option.find('=')),
                          value = option.substr(key.size() + 1);
        const char* v = value.c_str();
        if (key == "size")
          std::sscanf(v, "%dx%d", &camera->width, &camera->height);
        else if (key == "format")
          camera->fourcc = fourccOf(value);
        else if (key == "fps")
          camera->fps = std::atof(v);
        else if (key == "real")
          camera->real = std::atof(v);
        else if (key == "ambient")
          camera->ambient = std::atof(v);
        else if (key == "exposure")
          camera->exposure = std::atoi(v);
        else if (key == "skip")
          std::sscanf(v, "%ld-%ld", &camera->skip.first, &camera->skip.last);
        else if (key == "corrupt")
          std::sscanf(v, "%ld-%ld", &camera->corrupt.first, &camera->corrupt.last);
        else if (key == "unplug")
          std::sscanf(v, "%ld:%lf", &camera->unplug.after, &camera->unplug.seconds);
        else if (key == "stall")
          std::sscanf(v, "%ld:%lf", &camera->stall.after, &camera->stall.seconds);
        else if (key == "jump")
          std::sscanf(v, "%ld:%lf", &camera->jump.after, &camera->jump.seconds);
        else if (key == "level")
          camera->level = std::atoi(v);
        else if (key == "noise")
          camera->noise = value == "1";
        else if (key == "file")
          camera->file = value;
        else if (key == "held")
          camera->held = value;
        else if (key == "halved")
          camera->halved = value;
        else if (key == "opens")
          camera->opens = value;
        else if (key == "film")
          camera->film = contentsOf(value);
        else if (key == "trigger")
          camera->trigger = value == "1";
        else if (key == "phase")
          camera->phase = std::atof(v);
        else if (key == "busy")
          camera->busy = value == "1";
        else if (key == "denied")
          camera->denied = value == "1";
        else if (key == "formats")
          camera->formats = value != "0";
        else if (key == "sizes")
          camera->sizes = value != "0";
        else if (key == "times")
          camera->monotonic = value != "0";
        else if (key == "log")
          camera->log = value;
        else
          std::abort();
      }
      camera->fullWidth = camera->width;
      camera->fullHeight = camera->height;
      camera->fullFps = camera->fps;
      made->push_back(camera);
    }
    return made;
  }();
  return *all;
}

namespace {

bool exists(const std::string& path) {
  return !path.empty() &&
         raw(SYS_faccessat, AT_FDCWD, reinterpret_cast<long>(path.c_str()), F_OK) == 0;
}

}  // namespace

/// Performs everything that is due by now.
void Camera::advance() {
  const double time = now();
  if (gone && time >= back) gone = false;
  if (!file.empty()) gone = !exists(file);
  if (!streams || gone) return;
  if (exists(held)) {
    begin += std::max(0.0, time - dueAt(next));
    return;
  }
  const bool halves = exists(halved);
  while (dueAt(next) <= time) {
    const long frame = next++;
    const uint32_t number = sequence++;
    if (!skip.has(frame) && !(halves && frame % 2 != 0) && !queue.empty()) {
      const uint32_t index = queue.front();
      queue.pop_front();
      Buffer& buffer = buffers[index];
      buffer.frame = frame;
      buffer.sequence = number;
      buffer.time = dueAt(frame);
      fill(buffer);
      done.push_back(index);
    }
    if (frame == unplug.after) {
      unplugged();
      return;
    }
  }
}

void Camera::unplugged() {
  gone = true;
  back = dueAt(unplug.after) + unplug.seconds;
  streams = false;
  sequence = 0;
}

Camera* byFile(int file) {
  if (file < 0) return nullptr;
  const std::lock_guard lock(mutex());
  for (Camera* camera : cameras())
    if (camera->files.count(file) > 0) return camera;
  return nullptr;
}
Camera* byPath(const char* path) {
  for (Camera* camera : cameras())
    if (camera->path == path) return camera;
  return nullptr;
}

int openCamera(Camera& camera) {
  const std::lock_guard lock(mutex());
  camera.advance();
  if (camera.gone) return failWith(ENOENT);
  if (camera.denied) return failWith(EACCES);
  if (!camera.opens.empty()) {
    if (std::FILE* file = std::fopen(camera.opens.c_str(), "a")) {
      std::fputs("opened\n", file);
      std::fclose(file);
    }
  }
  const int file = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
  camera.files.insert(file);
  return file;
}

int pollCamera(Camera& camera, pollfd& waiting, int milliseconds) {
  const double deadline = now() + milliseconds / 1e3;
  for (;;) {
    {
      const std::lock_guard lock(mutex());
      camera.advance();
      waiting.revents = camera.gone ? POLLERR | POLLHUP : camera.done.empty() ? 0 : POLLIN;
    }
    if (waiting.revents != 0) return 1;
    const double left = deadline - now();
    if (left <= 0) return 0;
    usleep(static_cast<useconds_t>(1e6 * std::min(left, 0.001)));
  }
}

}  // namespace fake
