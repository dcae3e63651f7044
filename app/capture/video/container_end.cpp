#include "app/capture/video/container_end.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace glint::capture {
namespace {

constexpr std::array<std::pair<std::string_view, FileEnd (*)(FileBytes&)>, 25> kContainers{
    {{"mov", mp4End},
     {"matroska", matroskaEnd},
     {"avi", aviEnd},
     {"asf", asfEnd},
     {"asf_o", asfEnd},
     {"mxf", mxfEnd},
     {"gxf", gxfEnd},
     {"apng", pngEnd},
     {"gif", gifEnd},
     {"mpegts", transportEnd},
     {"mpeg", programEnd},
     {"ogg", oggEnd},
     {"flv", flvEnd},
     {"nut", nutEnd},
     {"yuv4mpegpipe", y4mEnd},
     {"ivf", ivfEnd},
     {"dv", dvEnd},
     {"mjpeg", jpegsEnd},
     {"jpeg_pipe", jpegsEnd},
     {"smjpeg", smjpegEnd},
     {"obu", obuEnd},
     {"roq", roqEnd},
     {"filmstrip", filmstripEnd},
     {"mpjpeg", mpjpegEnd},
     {"hls", playlistEnd}}};

}  // namespace

FileEnd containerEnd(const std::string& path, std::string_view kind) {
  std::error_code error;
  const std::string_view first = kind.substr(0, kind.find(','));
  const auto* const found =
      std::ranges::find_if(kContainers, [&](const auto& one) { return one.first == first; });
  if (found == kContainers.end() || !std::filesystem::is_regular_file(path, error)) return {};
  FileBytes file(path);
  return file.isOpen() ? found->second(file) : FileEnd{};
}

}  // namespace glint::capture
