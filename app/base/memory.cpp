#include "app/base/memory.h"

#include <fstream>
#include <string>

namespace glint::base {

std::optional<double> memoryLeft() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  double kilobytes = 0;
  while (file >> name >> kilobytes) {
    if (name == "MemAvailable:") return kilobytes * 1024;
    std::getline(file, unit);
  }
  return std::nullopt;
}

}  // namespace glint::base
