// A preload library that simulates cameras of Video4Linux2, so that the real program can be tried
// with them. It answers open, ioctl, mmap, poll and close for their paths, as the kernel does.
//
// GLINT_FAKE_CAMERAS holds "PATH?key=value&..." for each camera, with ";" between cameras. The
// keys:
//   size=320x240  format=GREY|Y10|Y16|YUYV|MJPG|BA81|... (all raw formats that Glint reads)  fps=50
//   real=25          frames a second that the camera really delivers
//   exposure=200     first value of the control, in 0.1 ms; markers are as bright as it is long
//   ambient=0.1      share of full scale that an exposure of 400 adds to all pixels
//   skip=A-B         frames that are never delivered
//   corrupt=A-B      frames that are damaged: they are cut short
//   unplug=A:S       after frame A, the device is gone for S seconds, and then counts from 0
//   stall=A:S        after frame A, no frame comes for S seconds
//   jump=A:S         after frame A, the driver's times are S seconds ahead
//   level=N          all pixels have this stored value, and there are no markers
//   film=FILE        pictures to show instead: images of grey bytes, each for half a second of the
//                    host's clock, so that several cameras show the same moment of a scene
//   trigger=1        frames are due at whole multiples of 1/fps of the host's clock, as of cameras
//                    with a common trigger; each frame shows one image of the film
//   phase=S          with trigger, frames are due S seconds after those times
//   noise=1          every pixel differs by up to 1/16 of full scale, so that packing saves little
//   file=PATH        the camera is plugged in while this file exists
//   held=PATH        no frame comes while this file exists; frames that are due then come later
//   halved=PATH      every other frame is left out while this file exists
//   opens=FILE       a file that gets a line each time the camera is opened
//   formats=0        the camera offers no format
//   sizes=0          the driver does not list the sizes of a format
//   busy=1  denied=1  times=0 (no monotonic clock)  log=FILE (gets a line for each delivered frame)
// Frame k holds three markers (Gaussian, sigma 2 px) on circles: see centreOf(). The device files
// belong to the caller's group.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <linux/videodev2.h>
#include <poll.h>

namespace fake {

constexpr size_t kPage = 4096;

/// Returns the time by the host's clock, s.
double now();
/// Calls the kernel itself.
long raw(long number, long a, long b, long c = 0, long d = 0, long e = 0, long f = 0);
/// Sets errno and returns -1.
int failWith(int reason);

struct Span {
  long first = -1, last = -1;
  bool has(long frame) const { return frame >= first && frame <= last; }
};
struct Pause {
  long after = -1;
  double seconds = 0;
};

/// A camera, whether it is plugged in or not. Its frames are due at their times, whether anybody
/// takes them or not. The frames that are due are determined whenever the camera is asked for
/// anything.
struct Camera {
  std::string path;
  int width = 320, height = 240, fullWidth = 0, fullHeight = 0;
  uint32_t fourcc = V4L2_PIX_FMT_GREY;
  double fps = 50, real = 0, ambient = 0, fullFps = 0, phase = 0;
  int exposure = 200, gain = 0, automatic = V4L2_EXPOSURE_APERTURE_PRIORITY, power = 1;
  Span skip, corrupt;
  Pause unplug, stall, jump;
  int level = -1;
  bool noise = false, busy = false, denied = false, monotonic = true, trigger = false,
       formats = true, sizes = true;
  std::string log, file, held, halved, opens;
  std::vector<uint8_t> film;

  std::set<int> files;  ///< descriptors of all who have the camera open
  /// The descriptor among these that has the camera's buffers; -1: none.
  int owner = -1;
  bool streams = false, gone = false;
  /// The time, s, at which the camera is plugged in again.
  double back = 0;
  /// The time, s, at which frame `first` was due.
  double begin = 0;
  /// The frame that was due first since `begin`.
  long first = 0;
  /// The frame that is due next, counted over all times.
  long next = 0;
  /// The sequence number of that frame.
  uint32_t sequence = 0;
  struct Buffer {
    uint8_t* data = nullptr;
    size_t bytes = 0, used = 0;
    bool queued = false, bad = false;
    long frame = 0;
    uint32_t sequence = 0;
    double time = 0;
  };
  std::vector<Buffer> buffers;
  std::deque<uint32_t> queue, done;

  double dueAt(long frame) const {
    const double rate = real > 0 ? real : fps;
    double at = begin + static_cast<double>(frame - first) / rate;
    if (stall.after >= first && frame > stall.after) at += stall.seconds;
    return at;
  }
  size_t imageBytes() const;
  void advance();
  void fill(Buffer& buffer);
  void unplugged();
};

/// Returns the mutex of all cameras.
std::recursive_mutex& mutex();
std::vector<Camera*>& cameras();
Camera* byFile(int file);
Camera* byPath(const char* path);

bool isWide(uint32_t fourcc);
bool isTwoBytes(uint32_t fourcc);
int bitsOf(uint32_t fourcc);

int openCamera(Camera& camera);
int pollCamera(Camera& camera, pollfd& waiting, int milliseconds);
/// Answers an ioctl.
int answer(Camera& camera, int file, unsigned long request, void* with);

}  // namespace fake
