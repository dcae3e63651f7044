#include "app/motion/space/bodies_file.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "app/motion/rig/toml_file.h"
#include "config/error.h"
#include "config/printable.h"
#include "config/toml_value.h"

namespace glint::motion {
namespace {

// Maximum number of markers of a body, and of bodies in a file.
constexpr size_t kMostMarkers = 64, kMostBodies = 256;
// Maximum length of a name, bytes, so that a datagram of a stream can contain it.
constexpr size_t kLongest = 64;
// Minimum distance of two markers, and maximum coordinate, mm.
constexpr double kApart = 1, kFarthest = 1e5;

/// Reads one table [[body]].
class BodyTable {
 public:
  BodyTable(const toml::table& table, const std::string& file) : table_(table), file_(file) {}

  Body read() const {
    for (const auto& [key, node] : table_)
      if (key != "name" && key != "markers" && key != "labels" && key != "sigma")
        refuse(fmt::format("has the key \"{}\"; the keys are name, markers, labels and sigma",
                           std::string(key)));
    Body body{.name = text(table_.get("name"), "name"), .markers = markers()};
    if (const toml::node* sigma = table_.get("sigma")) body.sigma = number(*sigma, "sigma");
    if (body.sigma < 0) refuse("has a sigma below 0");
    labels(body);
    if (const std::string problem = problemOf(body); !problem.empty())
      throw Error(fmt::format("{}, line {}: {}", file_, table_.source().begin.line, problem));
    return body;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(fmt::format("{}, line {}: [[body]] {}", file_, table_.source().begin.line, what));
  }

  std::string text(const toml::node* node, const char* key) const {
    if (node == nullptr) refuse(fmt::format("has no {}", key));
    if (!node->is_string()) refuse(fmt::format("has a {} that is no text in quotes", key));
    return **node->as_string();
  }

  double number(const toml::node& node, const char* key) const {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !(std::abs(*value) <= kFarthest))
      refuse(fmt::format("has a {} that is no number of mm", key));
    return *value;
  }

  std::vector<Body::Marker> markers() const {
    const toml::array* list = table_["markers"].as_array();
    if (list == nullptr) refuse("has no list of markers: markers = [[X, Y, Z], ...]");
    std::vector<Body::Marker> all;
    for (const toml::node& node : *list) {
      const toml::array* three = node.as_array();
      if (three == nullptr || three->size() != 3)
        refuse(fmt::format("has a marker {} that is not [X, Y, Z]", all.size() + 1));
      Body::Marker& marker = all.emplace_back();
      marker.label = std::to_string(all.size());
      for (Eigen::Index k = 0; k < 3; ++k)
        marker.at[k] = number(*three->get(static_cast<size_t>(k)), "marker");
    }
    return all;
  }

  void labels(Body& body) const {
    const toml::node* node = table_.get("labels");
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr || list->size() != body.markers.size())
      refuse(fmt::format("has labels that are not {} texts, one for each marker",
                         body.markers.size()));
    for (size_t m = 0; m < list->size(); ++m) body.markers[m].label = text(list->get(m), "label");
  }

  const toml::table& table_;
  const std::string& file_;
};

}  // namespace

// A row of a table holds it, and a datagram.
bool isBodyName(const std::string& text) {
  return text.size() <= kLongest && std::none_of(text.begin(), text.end(), [](char c) {
           return static_cast<unsigned char>(c) < ' ';
         });
}

std::string problemOf(const Body& body) {
  const auto& markers = body.markers;
  const std::string name = fmt::format("the body '{}'", body.name);
  if (body.name.empty()) return "a body has an empty name";
  if (!isBodyName(body.name))
    return fmt::format("a body has a name of more than {} bytes or of several lines", kLongest);
  if (markers.size() < 3)
    return fmt::format("{} has {} markers; three or more are needed", name, markers.size());
  if (markers.size() > kMostMarkers)
    return fmt::format("{} has {} markers; at most {} are read", name, markers.size(),
                       kMostMarkers);
  std::vector<Eigen::Vector3d> places;
  for (size_t a = 0; a < markers.size(); ++a) {
    if (markers[a].label.empty() || !isBodyName(markers[a].label))
      return fmt::format("{} has a label that is empty or longer than {} bytes", name, kLongest);
    for (size_t b = a + 1; b < markers.size(); ++b) {
      const Eigen::Vector3d along = markers[b].at - markers[a].at;
      if (markers[a].label == markers[b].label)
        return fmt::format("{} has the label '{}' twice", name, markers[a].label);
      if (along.norm() < kApart)
        return fmt::format("{} has markers {} and {} that are {:.2f} mm apart", name,
                           markers[a].label, markers[b].label, along.norm());
    }
    places.push_back(markers[a].at);
  }
  if (onOneLine(places))
    return fmt::format("{} has all markers on one line or near it, so its attitude cannot be found",
                       name);
  return "";
}

std::vector<Body> readBodiesText(const std::string& text, const std::string& name) {
  const toml::table root = parseToml(text, name);
  for (const auto& [key, node] : root)
    if (key != "body")
      throw Error(fmt::format("{}, line {}: \"{}\" is unknown; bodies are tables [[body]]", name,
                              node.source().begin.line, std::string(key)));
  const toml::array* list = root["body"].as_array();
  if (list == nullptr || list->empty())
    throw Error(fmt::format("{} has no body: a table [[body]] is missing", name));
  if (list->size() > kMostBodies)
    throw Error(
        fmt::format("{} has {} bodies; at most {} are read", name, list->size(), kMostBodies));
  std::vector<Body> bodies;
  std::set<std::string> names;
  for (const toml::node& node : *list) {
    if (!node.is_table())
      throw Error(
          fmt::format("{}, line {}: a body is a table [[body]]", name, node.source().begin.line));
    bodies.push_back(BodyTable(*node.as_table(), name).read());
    if (!names.insert(bodies.back().name).second)
      throw Error(fmt::format("{}, line {}: there are two bodies '{}'", name,
                              node.source().begin.line, bodies.back().name));
  }
  return bodies;
}

std::vector<Body> readBodies(const std::string& path) {
  return readBodiesText(readTomlFile(path, "file of bodies"), path);
}

std::string bodiesText(const std::vector<Body>& bodies,
                       const std::vector<std::vector<std::string>>& comments) {
  std::string text;
  for (size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = bodies[b];
    if (b < comments.size())
      for (const std::string& line : comments[b]) text += fmt::format("# {}\n", printable(line));
    text += fmt::format("[[body]]\nname = {}\nsigma = {}\nlabels = [", tomlString(body.name),
                        tomlNumber(body.sigma));
    for (const Body::Marker& marker : body.markers)
      text += (&marker == &body.markers.front() ? "" : ", ") + tomlString(marker.label);
    text += "]\nmarkers = [\n";
    for (const Body::Marker& marker : body.markers)
      text += fmt::format("  [{}, {}, {}],\n", tomlNumber(marker.at.x()), tomlNumber(marker.at.y()),
                          tomlNumber(marker.at.z()));
    text += b + 1 < bodies.size() ? "]\n\n" : "]\n";
  }
  readBodiesText(text, "the file of bodies");
  return text;
}

}  // namespace glint::motion
