// A preload library that makes cameras of Video4Linux2 out of nothing, so that the real program can
// be tried on them: it answers open, ioctl, mmap, poll and close for their paths, as the kernel
// does.
//
// GLINT_FAKE_CAMERAS: "PATH?key=value&...", several with ";" between them.
//   size=320x240  format=GREY|Y10|Y16|YUYV|MJPG|BA81|...(all that GLINT reads of raw ones)  fps=50
//   real=25          frames a second that it really gives
//   exposure=200     the control's value at first, in 0.1 ms; markers are as bright as it is long
//   ambient=0.1      of full scale, what the exposure 400 adds to all pixels
//   skip=A-B         these frames are never delivered
//   corrupt=A-B      these come damaged: cut short
//   unplug=A:S       after frame A the device is gone for S seconds, and counts from 0 then
//   stall=A:S        after frame A no frame for S seconds
//   jump=A:S         after frame A the driver's times are S seconds ahead
//   level=N          all pixels have this stored value, and there are no markers
//   film=FILE        what it shows instead: images of grey bytes, each for half a second of the
//   host's
//                    clock, so that several cameras show the same moment of a scene
//   trigger=1        frames are due at whole multiples of 1/fps of the host's clock, as of cameras
//                    that one trigger fires; each shows an image of its film
//   phase=S          with trigger: frames are due S seconds after those times
//   noise=1          every pixel differs by up to 1/16 of full scale, so that little can be packed
//   file=PATH        it is plugged in while this file exists
//   held=PATH        no frame comes while this file exists; what is due meanwhile comes later
//   halved=PATH      every other frame is left out while this file exists
//   opens=FILE       a line each time that it is opened
//   formats=0        it offers no format
//   sizes=0          its driver does not list the sizes of a format
//   busy=1  denied=1 times=0 (no monotonic clock)  log=FILE (a line a frame handed out)
// Frame k holds three markers (Gaussian, sigma 2 px) on circles: see centreOf(). The files belong
// to the group of who asks.
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

/// s, the host's clock.
double now();
/// The kernel itself.
long raw(long number, long a, long b, long c = 0, long d = 0, long e = 0, long f = 0);
/// -1, and errno.
int failWith(int reason);

struct Span {
  long first = -1, last = -1;
  bool has(long frame) const { return frame >= first && frame <= last; }
};
struct Pause {
  long after = -1;
  double seconds = 0;
};

/// A camera, whether it is plugged in or not. Its frames come at their times, whether anybody takes
/// them or not: what is due is worked out whenever it is asked for anything.
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

  std::set<int> files;  ///< of those who have it open
  int owner = -1;       ///< the one of them that has its buffers
  bool streams = false, gone = false;
  double back = 0;        ///< when it is plugged in again
  double begin = 0;       ///< when frame `first` was due
  long first = 0;         ///< since begin
  long next = 0;          ///< the frame that is due next, of all
  uint32_t sequence = 0;  ///< its number
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

/// Of all cameras.
std::recursive_mutex& mutex();
std::vector<Camera*>& cameras();
Camera* byFile(int file);
Camera* byPath(const char* path);

bool isWide(uint32_t fourcc);
bool isTwoBytes(uint32_t fourcc);
int bitsOf(uint32_t fourcc);

int openCamera(Camera& camera);
int pollCamera(Camera& camera, pollfd& waiting, int milliseconds);
/// To an ioctl.
int answer(Camera& camera, int file, unsigned long request, void* with);

}  // namespace fake
