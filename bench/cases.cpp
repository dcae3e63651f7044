#include "bench/cases.h"

#include <algorithm>

namespace glint::bench {
namespace {

const Axes kEvery{.sizes = {{640, 480}, {1280, 720}, {1920, 1080}, {3840, 2160}, {7680, 4320}},
                  .layers = {1, 4, 16},
                  .markers = {1, 16, 50, 256, 1024},
                  .bits = {8, 16},
                  .channels = {1, 3}};

template <class T>
std::vector<T> orElse(const std::vector<T>& values, T fallback) {
  return values.empty() ? std::vector<T>{fallback} : values;
}

void append(std::vector<Case>& all, const Axes& axes) {
  for (const Case& one : combine(axes)) {
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  }
}

}  // namespace

std::vector<Case> combine(const Axes& axes) {
  std::vector<Case> all;
  for (const auto& [width, height] : orElse(axes.sizes, {1920, 1080})) {
    for (const uint32_t channels : orElse(axes.channels, 1U)) {
      for (const uint32_t bits : orElse(axes.bits, 8U)) {
        for (const uint32_t markers : orElse(axes.markers, 50U)) {
          for (const uint32_t layers : orElse(axes.layers, 1U)) {
            all.push_back({{{width, height, channels, bits}, layers}, markers});
          }
        }
      }
    }
  }
  return all;
}

std::vector<Case> everyCase() {
  return combine(kEvery);
}

std::vector<Case> usualCases() {
  std::vector<Case> all;
  append(all, {.sizes = kEvery.sizes, .layers = {}, .markers = {}, .bits = {}, .channels = {}});
  append(all, {.sizes = {}, .layers = {}, .markers = kEvery.markers, .bits = {}, .channels = {}});
  append(all, {.sizes = {}, .layers = kEvery.layers, .markers = {}, .bits = {}, .channels = {}});
  append(all, {.sizes = {}, .layers = {}, .markers = {}, .bits = {8, 16}, .channels = {1, 3}});
  return all;
}

std::vector<Case> quickCases() {
  return combine(
      {.sizes = {{640, 480}}, .layers = {1, 2}, .markers = {}, .bits = {8}, .channels = {1, 3}});
}

std::string describe(const Case& what) {
  const gpu::ImageFormat& image = what.format.image;
  std::string text = std::to_string(image.width) + "x" + std::to_string(image.height);
  if (what.format.layers != 1) text += " x" + std::to_string(what.format.layers);
  text += image.channels == 1 ? " grey " : " colour ";
  return text + std::to_string(image.bits) + " bit, " + std::to_string(what.markers) +
         (what.markers == 1 ? " marker" : " markers");
}

}  // namespace glint::bench
