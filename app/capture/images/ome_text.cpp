#include "app/capture/images/ome_text.h"

#include "app/base/text.h"
#include "app/capture/source/xml_walk.h"

namespace glint::capture {
namespace {

std::optional<uint64_t> countIn(const XmlElement& element, const char* name) {
  return base::parseNumber<uint64_t>(element.attribute(name));
}

/// Returns the attribute `name`, s, whose unit is the attribute `name`Unit.
std::optional<double> secondsIn(const XmlElement& element, const std::string& name) {
  const auto number = base::parseNumber<double>(element.attribute(name));
  const double unit = secondsOf(element.attribute(name + "Unit"));
  return number && unit > 0 ? std::optional(*number * unit) : std::nullopt;
}

/// Collects the first image.
class OmeCollector {
 public:
  explicit OmeCollector(OmeText& ome) : ome_(ome) {}

  void begin(const XmlElement& element) {
    if (element.name == "OME") ome_.uuid = element.attribute("UUID");
    if (element.name == "BinaryOnly") ome_.metadataFile = element.attribute("MetadataFile");
    if (element.name == "Pixels") beginPixels(element);
    if (images_ != 1) return;
    if (element.name == "TiffData") {
      ome_.data.push_back({.channel = countIn(element, "FirstC").value_or(0),
                           .slice = countIn(element, "FirstZ").value_or(0),
                           .moment = countIn(element, "FirstT").value_or(0),
                           .page = countIn(element, "IFD"),
                           .count = countIn(element, "PlaneCount"),
                           .file = "",
                           .uuid = ""});
    } else if (element.name == "UUID" && !ome_.data.empty()) {
      ome_.data.back().file = element.attribute("FileName");
    } else if (element.name == "Plane") {
      if (const auto seconds = secondsIn(element, "DeltaT"))
        ome_.times.push_back({.channel = countIn(element, "TheC").value_or(0),
                              .slice = countIn(element, "TheZ").value_or(0),
                              .moment = countIn(element, "TheT").value_or(0),
                              .seconds = *seconds});
    }
  }

  void end(const XmlElement& element) {
    if (images_ == 1 && element.name == "UUID" && !ome_.data.empty())
      ome_.data.back().uuid = element.text;
  }

 private:
  void beginPixels(const XmlElement& element) {
    if (++images_ > 1) {
      ++ome_.otherImages;
      return;
    }
    ome_.hasPixels = true;
    // A size that is stated, but is no number, is as wrong as 0.
    const auto size = [&](const char* name) -> uint64_t {
      return element.attribute(name).empty() ? 1 : countIn(element, name).value_or(0);
    };
    ome_.channels = size("SizeC");
    ome_.slices = size("SizeZ");
    ome_.moments = size("SizeT");
    if (const std::string order = element.attribute("DimensionOrder"); !order.empty())
      ome_.order = order;
    ome_.interval = secondsIn(element, "TimeIncrement");
  }

  OmeText& ome_;
  uint64_t images_ = 0;  ///< begun so far
};

}  // namespace

double secondsOf(const std::string& unit) {
  if (unit.empty() || unit == "s" || unit == "sec" || unit == "second" || unit == "seconds")
    return 1;
  if (unit == "ms" || unit == "msec" || unit == "milliseconds") return 1e-3;
  // The micro sign and the Greek letter mu look the same.
  if (unit == "us" || unit == "usec" || unit == "\u00B5s" || unit == "\u03BCs" ||
      unit == "microseconds")
    return 1e-6;
  if (unit == "ns") return 1e-9;
  if (unit == "min" || unit == "minutes") return 60;
  if (unit == "h" || unit == "hours") return 3600;
  return 0;
}

bool isOme(const std::string& description) {
  return description.find("<OME") != std::string::npos ||
         description.find(":OME") != std::string::npos;
}

OmeText readOme(const std::string& description) {
  OmeText ome;
  OmeCollector collector(ome);
  ome.problem = walkXml(
      description,
      {.begin = [&](const XmlElement& element) { collector.begin(element); },
       .end = [&](const XmlElement& element, const std::string&) { collector.end(element); }});
  return ome;
}

}  // namespace glint::capture
