#include "app/capture/cameras/gige_camera.h"

#include <array>

#include <linux/videodev2.h>

#include "config/lower_case.h"

namespace glint::capture::gige {
namespace {

using Layout = CameraPixels::Layout;

constexpr NamedPixels bayer(std::string_view name, uint32_t fourcc, uint32_t bits) {
  return {name,
          {.fourcc = fourcc, .layout = bits == 8 ? Layout::bayer8 : Layout::bayer16, .bits = bits}};
}

constexpr std::array kPixels{
    NamedPixels{"Mono8", {}},
    NamedPixels{"Mono16", {.layout = Layout::grey16, .bits = 16}},
    NamedPixels{"Mono14", {.layout = Layout::grey16, .bits = 14}},
    NamedPixels{"Mono12", {.layout = Layout::grey16, .bits = 12}},
    NamedPixels{"Mono10", {.layout = Layout::grey16, .bits = 10}},
    NamedPixels{"Mono12Packed", {.layout = Layout::greyPacked, .bits = 12}},
    NamedPixels{"Mono10Packed", {.layout = Layout::greyPacked, .bits = 10}},
    NamedPixels{"Mono12p", {.layout = Layout::greyBits, .bits = 12}},
    NamedPixels{"Mono10p", {.layout = Layout::greyBits, .bits = 10}},
    bayer("BayerGR8", V4L2_PIX_FMT_SGRBG8, 8),
    bayer("BayerRG8", V4L2_PIX_FMT_SRGGB8, 8),
    bayer("BayerGB8", V4L2_PIX_FMT_SGBRG8, 8),
    bayer("BayerBG8", V4L2_PIX_FMT_SBGGR8, 8),
    bayer("BayerGR12", V4L2_PIX_FMT_SGRBG12, 12),
    bayer("BayerRG12", V4L2_PIX_FMT_SRGGB12, 12),
    bayer("BayerGB12", V4L2_PIX_FMT_SGBRG12, 12),
    bayer("BayerBG12", V4L2_PIX_FMT_SBGGR12, 12),
    bayer("BayerGR10", V4L2_PIX_FMT_SGRBG10, 10),
    bayer("BayerRG10", V4L2_PIX_FMT_SRGGB10, 10),
    bayer("BayerGB10", V4L2_PIX_FMT_SGBRG10, 10),
    bayer("BayerBG10", V4L2_PIX_FMT_SBGGR10, 10),
    bayer("BayerGR16", V4L2_PIX_FMT_SGRBG16, 16),
    bayer("BayerRG16", V4L2_PIX_FMT_SRGGB16, 16),
    bayer("BayerGB16", V4L2_PIX_FMT_SGBRG16, 16),
    bayer("BayerBG16", V4L2_PIX_FMT_SBGGR16, 16),
};

/// Returns the name or address by which Aravis opens the camera of a source.
std::string find(const std::string& spec) {
  const std::string wanted = spec.substr(spec.find(':') + 1);
  const bool isAddress =
      !wanted.empty() && wanted.find_first_not_of("0123456789.") == std::string::npos;
  if (isAddress) return wanted;  // without the list of all cameras, which takes a second
  arv_update_device_list();
  for (unsigned i = 0; i < arv_get_n_devices(); ++i) {
    const std::string all =
        fmt::format("{} {} {} {} {}", text(arv_get_device_id(i)), text(arv_get_device_vendor(i)),
                    text(arv_get_device_model(i)), text(arv_get_device_serial_nbr(i)),
                    text(arv_get_device_address(i)));
    if (lowerCase(all).find(lowerCase(wanted)) != std::string::npos)
      return text(arv_get_device_id(i));
  }
  return wanted;
}

}  // namespace

std::span<const NamedPixels> knownPixels() {
  return kPixels;
}

const CameraPixels* findPixels(std::string_view name) {
  for (const NamedPixels& named : kPixels)
    if (named.name == name) return &named.pixels;
  return nullptr;
}

std::string text(const char* words) {
  return words ? words : "";
}

Camera openCamera(const std::string& spec) {
  const std::string id = find(spec);
  GError* problem = nullptr;
  Camera camera(arv_camera_new(id.empty() ? nullptr : id.c_str(), &problem));
  const std::string why = problem ? problem->message : "nothing answers";
  g_clear_error(&problem);
  if (!camera) throw Error("there is no camera '{}': {}", spec, why);
  return camera;
}

std::string idOf(ArvCamera* camera) {
  GError* ignored = nullptr;
  std::string id = text(arv_camera_get_device_id(camera, &ignored));
  g_clear_error(&ignored);
  return id;
}

}  // namespace glint::capture::gige
