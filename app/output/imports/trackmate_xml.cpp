// TrackMate's own file (imagej.net/plugins/trackmate): spots by frame, and tracks as edges between
// them.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <expat.h>
#include <fmt/format.h>

#include "app/base/text.h"
#include "app/output/imports/track_import.h"
#include "app/output/sinks/row_file.h"
#include "config/error.h"
#include "config/lower_case.h"
#include "config/printable.h"

namespace glint::output {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The contents of a file before its edges have become tracks.
struct SpotGraph {
  struct Spot {
    motion::TrackRow row;
    std::string name;
  };
  std::map<uint64_t, Spot> spots;  ///< by ID
  struct Edge {
    uint64_t from = 0, to = 0, track = 0;
  };
  std::vector<Edge> edges;
  std::map<uint64_t, std::string> trackNames;
  /// Tracks that TrackMate's filters keep; empty if the file has no list of them.
  std::optional<std::set<uint64_t>> kept;
  std::string spaceUnit, timeUnit;
  double pixelWidth = 0, pixelHeight = 0;  ///< in spaceUnit; 0: not known
  double interval = 0;                     ///< in timeUnit; 0: not known
};

/// Reads the elements of the file one after another.
class SpotParser {
 public:
  explicit SpotParser(const std::string& path) : path_(path), parser_(XML_ParserCreate(nullptr)) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetStartElementHandler(parser_.get(),
                               [](void* self, const XML_Char* name, const XML_Char** attributes) {
                                 static_cast<SpotParser*>(self)->tryBegin(name, attributes);
                               });
  }

  SpotGraph read() {
    std::ifstream file(path_, std::ios::binary);
    if (!file) throw Error("{} cannot be opened for reading", path_);
    std::vector<char> block(1 << 16);
    bool ended = false;
    while (!ended) {
      file.read(block.data(), static_cast<std::streamsize>(block.size()));
      ended = file.gcount() < static_cast<std::streamsize>(block.size());
      const auto status =
          XML_Parse(parser_.get(), block.data(), static_cast<int>(file.gcount()), ended);
      if (!problem_.empty()) throw Error("{}, line {}: {}", path_, problemLine_, problem_);
      if (status != XML_STATUS_OK)
        throw Error("{}, line {}: {}", path_, line(),
                    XML_ErrorString(XML_GetErrorCode(parser_.get())));
    }
    if (!isTrackMate_) throw Error("{} is no file of TrackMate's", path_);
    return std::move(graph_);
  }

 private:
  using Attributes = std::map<std::string, std::string>;

  size_t line() const { return XML_GetCurrentLineNumber(parser_.get()); }

  /// An exception must not pass through the parser, which is written in C.
  void tryBegin(const XML_Char* name, const XML_Char** pairs) {
    if (!problem_.empty()) return;
    Attributes attributes;
    for (; pairs[0] != nullptr; pairs += 2) attributes[pairs[0]] = pairs[1];
    try {
      begin(name, attributes);
    } catch (const Error& error) {
      problem_ = error.what();
      problemLine_ = line();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }

  static double number(const Attributes& attributes, const char* name) {
    const auto found = attributes.find(name);
    if (found == attributes.end()) return kNone;
    if (found->second == "NaN") return kNone;
    const auto value = base::parseNumber<double>(found->second);
    if (!value) throw Error("{} is \"{}\", which is no number", name, found->second);
    return *value;
  }

  static uint64_t count(const Attributes& attributes, const char* name) {
    const double value = number(attributes, name);
    constexpr double kMost = 4294967295;
    if (!(value >= 0 && value <= kMost) || value != std::floor(value))
      throw Error("there is no valid {}", name);
    return static_cast<uint64_t>(value);
  }

  static std::string text(const Attributes& attributes, const char* name) {
    const auto found = attributes.find(name);
    return found == attributes.end() ? std::string() : found->second;
  }

  void begin(const std::string& name, const Attributes& attributes) {
    if (name == "TrackMate") isTrackMate_ = true;
    if (name == "Model") {
      graph_.spaceUnit = text(attributes, "spatialunits");
      graph_.timeUnit = text(attributes, "timeunits");
    } else if (name == "ImageData") {
      if (const double w = number(attributes, "pixelwidth"); w > 0) graph_.pixelWidth = w;
      if (const double h = number(attributes, "pixelheight"); h > 0) graph_.pixelHeight = h;
      if (const double t = number(attributes, "timeinterval"); t > 0) graph_.interval = t;
    } else if (name == "Spot") {
      addSpot(attributes);
    } else if (name == "Track") {
      track_ = count(attributes, "TRACK_ID");
      graph_.trackNames[track_] = text(attributes, "name");
    } else if (name == "FilteredTracks") {
      graph_.kept.emplace();
    } else if (name == "TrackID") {
      if (graph_.kept) graph_.kept->insert(count(attributes, "TRACK_ID"));
    } else if (name == "Edge") {
      graph_.edges.push_back(
          {count(attributes, "SPOT_SOURCE_ID"), count(attributes, "SPOT_TARGET_ID"), track_});
    }
  }

  void addSpot(const Attributes& attributes) {
    SpotGraph::Spot spot;
    motion::TrackRow& row = spot.row;
    row.frame = FrameNumber(count(attributes, "FRAME"));
    row.time = number(attributes, "POSITION_T");
    row.x = number(attributes, "POSITION_X");
    row.y = number(attributes, "POSITION_Y");
    if (!std::isfinite(row.x) || !std::isfinite(row.y)) throw Error("a spot has no position");
    row.vx = row.vy = kNone;
    row.seen.mass = row.seen.eccentricity = row.seen.sigmaX = row.seen.sigmaY = kNone;
    row.seen.radius = number(attributes, "RADIUS");
    if (const double quality = number(attributes, "QUALITY"); quality > 0) row.seen.peak = quality;
    const uint64_t id = count(attributes, "ID");
    if (!graph_.spots.try_emplace(id, std::move(spot)).second)
      throw Error("the spot {} is there twice", id);
  }

  struct Free {
    void operator()(XML_ParserStruct* parser) const { XML_ParserFree(parser); }
  };
  std::string path_;
  std::unique_ptr<XML_ParserStruct, Free> parser_;
  SpotGraph graph_;
  bool isTrackMate_ = false;
  uint64_t track_ = 0;
  std::string problem_;
  size_t problemLine_ = 0;
};

/// Removes the tracks that TrackMate's filters hide, with their spots; returns how many they are.
size_t removeHidden(SpotGraph& graph) {
  if (!graph.kept) return 0;
  std::set<uint64_t> hidden;
  for (const SpotGraph::Edge& edge : graph.edges) {
    if (graph.kept->contains(edge.track)) continue;
    hidden.insert(edge.track);
    graph.spots.erase(edge.from);
    graph.spots.erase(edge.to);
  }
  std::erase_if(graph.edges,
                [&](const SpotGraph::Edge& edge) { return hidden.contains(edge.track); });
  for (const uint64_t track : hidden) graph.trackNames.erase(track);
  return hidden.size();
}

/// Returns the length of TrackMate's unit of time, s; nothing if it is none, such as "frame".
std::optional<double> secondsPerUnit(const std::string& unit) {
  static const std::map<std::string, double> kUnits{
      {"s", 1},     {"sec", 1},        {"second", 1},         {"seconds", 1},
      {"ms", 1e-3}, {"msec", 1e-3},    {"millisecond", 1e-3}, {"milliseconds", 1e-3},
      {"us", 1e-6}, {"\u00b5s", 1e-6}, {"\u03bcs", 1e-6},     {"microseconds", 1e-6},
      {"min", 60},  {"minute", 60},    {"minutes", 60},       {"h", 3600},
      {"hr", 3600}, {"hour", 3600},    {"hours", 3600}};
  const auto found = kUnits.find(lowerCase(unit));
  return found == kUnits.end() ? std::nullopt : std::optional(found->second);
}

/// Turns positions into pixels. Throws Error if the file does not say how large a pixel is.
void convertToPixels(SpotGraph& graph, const std::string& path) {
  const bool pixels = graph.spaceUnit.starts_with("pixel") || graph.spaceUnit.empty();
  if (!pixels && !(graph.pixelWidth > 0 && graph.pixelHeight > 0))
    throw Error(
        "{}: its positions are in {}, and it does not say how large a pixel is "
        "(pixelwidth, pixelheight)",
        path, graph.spaceUnit);
  if (graph.pixelWidth <= 0) graph.pixelWidth = 1;
  if (graph.pixelHeight <= 0) graph.pixelHeight = 1;
  for (auto& [id, spot] : graph.spots) {
    spot.row.x /= graph.pixelWidth;
    spot.row.y /= graph.pixelHeight;
    spot.row.seen.radius /= graph.pixelWidth;
  }
}

/// Gives every spot of an edge its track. Where a track of TrackMate splits or merges, one branch
/// goes on and the others become tracks of their own; returns how many.
size_t assignTracks(SpotGraph& graph, std::map<uint64_t, uint64_t>& trackOf,
                    const std::string& path) {
  std::set<uint64_t> continued;
  uint64_t next = 0;
  for (const SpotGraph::Edge& edge : graph.edges) next = std::max(next, edge.track + 1);
  for (SpotGraph::Edge& edge : graph.edges) {
    const auto from = graph.spots.find(edge.from), to = graph.spots.find(edge.to);
    if (from == graph.spots.end() || to == graph.spots.end())
      throw Error("{}: an edge leads from spot {} to {}, and one of them is not there", path,
                  edge.from, edge.to);
    // Edges of older versions may point back in time.
    if (to->second.row.frame < from->second.row.frame) std::swap(edge.from, edge.to);
  }
  std::ranges::stable_sort(graph.edges, {}, [&](const SpotGraph::Edge& edge) {
    return graph.spots.at(edge.from).row.frame;
  });
  size_t branches = 0;
  std::set<uint64_t> used;  // tracks that a branch has
  for (const SpotGraph::Edge& edge : graph.edges) {
    if (!trackOf.contains(edge.from)) {
      const bool isFirst = used.insert(edge.track).second;
      trackOf[edge.from] = isFirst ? edge.track : next++;
      branches += isFirst ? 0 : 1;
    }
    if (trackOf.contains(edge.to)) continue;  // a merger: the other branch ends here
    const bool goesOn = continued.insert(edge.from).second;
    trackOf[edge.to] = goesOn ? trackOf[edge.from] : next++;
    branches += goesOn ? 0 : 1;
  }
  return branches;
}

std::string escaped(const std::string& text) {
  std::string all;
  for (const char c : text) {
    switch (c) {
      case '&':
        all += "&amp;";
        break;
      case '<':
        all += "&lt;";
        break;
      case '>':
        all += "&gt;";
        break;
      case '"':
        all += "&quot;";
        break;
      default:
        all += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return all;
}

/// A number as TrackMate writes it; NaN where it is not known.
std::string known(double value, int decimals) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals) : "NaN";
}

}  // namespace

ImportedTracks importTrackMateXml(const std::string& path) {
  SpotGraph graph = SpotParser(path).read();
  ImportedTracks tracks;
  tracks.cameras.resize(1);
  const size_t hidden = removeHidden(graph);
  convertToPixels(graph, path);
  std::map<uint64_t, uint64_t> trackOf;
  const size_t branches = assignTracks(graph, trackOf, path);
  const std::optional<double> unit = secondsPerUnit(graph.timeUnit);
  size_t alone = 0;
  for (auto& [id, spot] : graph.spots) {
    const auto track = trackOf.find(id);
    if (track == trackOf.end()) {
      ++alone;
      continue;
    }
    motion::TrackRow& row = spot.row;
    row.track = TrackId(track->second);
    row.time *= unit.value_or(kNone);
    row.seen.x = row.x;
    row.seen.y = row.y;
    tracks.cameras[0].push_back(row);
  }
  if (unit && graph.interval > 0) tracks.rate = 1 / (graph.interval * *unit);
  for (const auto& [id, name] : graph.trackNames)
    if (!name.empty() && name != fmt::format("Track_{}", id)) tracks.names[TrackId(id)] = name;
  const auto say = [&](std::string what) {
    tracks.remarks.push_back(path + ": " + std::move(what));
  };
  if (alone > 0)
    say(counted(alone, "spot") + " without a track " + (alone == 1 ? "is" : "are") + " left out");
  if (hidden > 0)
    say(fmt::format("{} that TrackMate's filters hide {} left out", counted(hidden, "track"),
                    hidden == 1 ? "is" : "are"));
  if (branches > 0)
    say(branches == 1
            ? "where tracks split or merge, 1 branch becomes a track of its own"
            : fmt::format("where tracks split or merge, {} branches become tracks of their own",
                          branches));
  if (graph.pixelWidth != 1 || graph.pixelHeight != 1)
    say(fmt::format("positions in {} are divided by the size of a pixel, {:g}",
                    graph.spaceUnit.empty() ? "its unit" : graph.spaceUnit, graph.pixelWidth));
  if (!unit && !tracks.cameras[0].empty())
    say(fmt::format("its times are in \"{}\", which is no unit of time: frames are counted instead",
                    graph.timeUnit));
  return tracks;
}

size_t writeTrackMateXml(const std::string& path, const std::vector<motion::TrackRow>& rows,
                         const std::map<TrackId, std::string>& names, double rate) {
  std::vector<size_t> measured;
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i].state == motion::TrackState::measured) measured.push_back(i);
  RowFile file(path);
  file.add(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TrackMate version=\"7.11.1\">\n"
      "  <Model spatialunits=\"pixel\" timeunits=\"sec\">\n");
  file.add(fmt::format("    <AllSpots nspots=\"{}\">\n", measured.size()));
  std::map<TrackId, std::vector<size_t>> tracks;
  for (size_t k = 0; k < measured.size(); ++k) {
    const motion::TrackRow& row = rows[measured[k]];
    const bool begins = k == 0 || rows[measured[k - 1]].frame != row.frame;
    if (begins && k > 0) file.add("      </SpotsInFrame>\n");
    if (begins) file.add(fmt::format("      <SpotsInFrame frame=\"{}\">\n", row.frame));
    file.add(fmt::format(
        "        <Spot ID=\"{0}\" name=\"ID{0}\" QUALITY=\"{1}\" POSITION_X=\"{2:.4f}\" "
        "POSITION_Y=\"{3:.4f}\" POSITION_Z=\"0.0\" POSITION_T=\"{4:.6f}\" FRAME=\"{5}\" "
        "RADIUS=\"{6}\" VISIBILITY=\"1\" />\n",
        k, known(row.seen.peak, 1), row.x, row.y, row.time, row.frame, known(row.seen.radius, 3)));
    tracks[row.track].push_back(k);
  }
  if (!measured.empty()) file.add("      </SpotsInFrame>\n");
  file.add("    </AllSpots>\n    <AllTracks>\n");
  for (const auto& [id, spots] : tracks) {
    const auto name = names.find(id);
    file.add(fmt::format("      <Track name=\"{}\" TRACK_ID=\"{}\" NUMBER_SPOTS=\"{}\">\n",
                         name == names.end() ? fmt::format("Track_{}", id) : escaped(name->second),
                         id, spots.size()));
    for (size_t i = 1; i < spots.size(); ++i)
      file.add(fmt::format("        <Edge SPOT_SOURCE_ID=\"{}\" SPOT_TARGET_ID=\"{}\" />\n",
                           spots[i - 1], spots[i]));
    file.add("      </Track>\n");
  }
  file.add("    </AllTracks>\n    <FilteredTracks>\n");
  for (const auto& [id, spots] : tracks)
    file.add(fmt::format("      <TrackID TRACK_ID=\"{}\" />\n", id));
  file.add(
      fmt::format("    </FilteredTracks>\n  </Model>\n  <Settings>\n    <ImageData filename=\"\" "
                  "folder=\"\" nslices=\"1\" nframes=\"{}\" pixelwidth=\"1.0\" pixelheight=\"1.0\" "
                  "voxeldepth=\"1.0\" timeinterval=\"{:.9g}\" />\n  </Settings>\n</TrackMate>\n",
                  measured.empty() ? 0 : rows[measured.back()].frame.value() + 1, 1 / rate));
  file.finish();
  return static_cast<size_t>(
      std::ranges::count_if(tracks, [](const auto& track) { return track.second.size() == 1; }));
}

}  // namespace glint::output
