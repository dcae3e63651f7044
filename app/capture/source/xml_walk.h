// Walks over the elements of an XML text that describes a recording. Internal to capture/.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace glint::capture {

/// An element of an XML text, without the elements in it.
struct XmlElement {
  std::string name;  ///< without the prefix of its namespace
  std::map<std::string, std::string, std::less<>> attributes = {};
  std::string text = {};  ///< its own characters; complete once the element ends

  /// Returns the attribute's value; empty if there is no such attribute.
  std::string attribute(std::string_view wanted) const;
};

/// The functions that a walk calls. Either may be empty.
struct XmlHandlers {
  std::function<void(const XmlElement&)> begin = {};
  /// Gets the element and the names of those around it: "cih/imageDataInfo/resolution/width".
  std::function<void(const XmlElement&, const std::string& path)> end = {};
};

/// Calls the handlers for each element in its order. Bytes that are not UTF-8 are taken for
/// ISO 8859-1. Returns the reason if the text is not well-formed, for example because it breaks
/// off ("unclosed token"), after the elements before that place; empty if it is well-formed.
std::string walkXml(std::string_view text, const XmlHandlers& handlers);

}  // namespace glint::capture
