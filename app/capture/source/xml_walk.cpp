#include "app/capture/source/xml_walk.h"

#include <algorithm>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include <expat.h>

#include "config/printable.h"

namespace glint::capture {
namespace {

/// The state of a walk, which the parser's functions change.
struct XmlWalk {
  const XmlHandlers& handlers;
  std::vector<XmlElement> open = {};  ///< from the outermost on
};

std::string withoutPrefix(const std::string& name) {
  const size_t colon = name.find(':');
  return colon == std::string::npos ? name : name.substr(colon + 1);
}

void beginElement(void* walk, const XML_Char* name, const XML_Char** pairs) {
  auto& state = *static_cast<XmlWalk*>(walk);
  XmlElement element{.name = withoutPrefix(name)};
  for (; pairs[0] != nullptr; pairs += 2) element.attributes[pairs[0]] = pairs[1];
  state.open.push_back(std::move(element));
  if (state.handlers.begin) state.handlers.begin(state.open.back());
}

void endElement(void* walk, const XML_Char*) {
  auto& state = *static_cast<XmlWalk*>(walk);
  if (state.handlers.end) {
    std::string path;
    for (const XmlElement& element : state.open) path += (path.empty() ? "" : "/") + element.name;
    state.handlers.end(state.open.back(), path);
  }
  state.open.pop_back();
}

void addText(void* walk, const XML_Char* text, int length) {
  auto& state = *static_cast<XmlWalk*>(walk);
  if (!state.open.empty()) state.open.back().text.append(text, static_cast<size_t>(length));
}

}  // namespace

std::string XmlElement::attribute(std::string_view wanted) const {
  const auto found = attributes.find(wanted);
  return found == attributes.end() ? "" : found->second;
}

std::string walkXml(std::string_view text, const XmlHandlers& handlers) {
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, void (*)(XML_Parser)> parser(
      XML_ParserCreate(isUtf8(text) ? nullptr : "ISO-8859-1"), XML_ParserFree);
  if (!parser) throw std::bad_alloc();
  XmlWalk walk{.handlers = handlers};
  XML_SetUserData(parser.get(), &walk);
  XML_SetElementHandler(parser.get(), beginElement, endElement);
  XML_SetCharacterDataHandler(parser.get(), addText);
  // The parser takes lengths as int.
  constexpr size_t kPart = 1 << 20;
  for (size_t at = 0; at == 0 || at < text.size(); at += kPart) {
    const std::string_view part = text.substr(at, kPart);
    const bool last = at + part.size() == text.size();
    if (XML_Parse(parser.get(), part.data(), static_cast<int>(part.size()), last ? 1 : 0) !=
        XML_STATUS_OK)
      return XML_ErrorString(XML_GetErrorCode(parser.get()));
  }
  return "";
}

}  // namespace glint::capture
