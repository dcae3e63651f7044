#include "app/capture/images/image_list.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/base/text.h"
#include "app/capture/images/image_suffixes.h"
#include "app/capture/source/pipe_input.h"
#include "config/error.h"
#include "config/lower_case.h"
#include "config/printable.h"

namespace glint::capture {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostRecordings = 64;  // in one folder
constexpr size_t kLongestNumber = 18;   // digits, below 2^64

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool isThereAt(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool isFolderAt(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// A printf number in one part of a path.
struct Pattern {
  std::string folder;         ///< with its slash, or empty
  std::string before, after;  ///< around the number, in that part
  std::string rest;           ///< behind that part: "/frame.png"
  size_t digits = 0;          ///< least number of digits, padded with zeros

  /// The number of a name that the pattern writes like this.
  std::optional<uint64_t> numberOf(std::string_view name) const {
    if (name.size() <= before.size() + after.size() || !name.starts_with(before) ||
        !name.ends_with(after))
      return std::nullopt;
    const std::string_view number =
        name.substr(before.size(), name.size() - before.size() - after.size());
    if (number.size() > kLongestNumber || !std::ranges::all_of(number, isDigit))
      return std::nullopt;
    const bool padded = number.size() > 1 && number.front() == '0';
    if (number.size() < digits || (padded && number.size() != digits)) return std::nullopt;
    return base::parseNumber<uint64_t>(number);
  }
};

/// %d, %Nd or %0Nd, the first of them in the path.
std::optional<Pattern> parsePattern(const std::string& path) {
  if (isThereAt(path)) return std::nullopt;
  for (size_t at = path.find('%'); at != std::string::npos; at = path.find('%', at + 1)) {
    size_t stop = at + 1;
    while (stop < path.size() && stop - at < 4 && isDigit(path[stop])) ++stop;
    if (stop == path.size() || path[stop] != 'd') continue;
    const size_t slash = path.rfind('/', at);
    const size_t begin = slash == std::string::npos ? 0 : slash + 1;
    const size_t end = std::min(path.find('/', stop), path.size());
    return Pattern{
        .folder = path.substr(0, begin),
        .before = path.substr(begin, at - begin),
        .after = path.substr(stop + 1, end - stop - 1),
        .rest = path.substr(end),
        .digits =
            stop > at + 1 ? static_cast<size_t>(std::stoi(path.substr(at + 1, stop - at - 1))) : 0};
  }
  return std::nullopt;
}

/// Drops the numbers if they are no numbers of frames: time stamps, say.
void judgeNumbers(ImageList& list) {
  std::vector<uint64_t>& numbers = list.numbers;
  if (numbers.size() < 2) return;
  const bool rising = std::ranges::adjacent_find(numbers, std::greater_equal<>()) == numbers.end();
  const uint64_t span = numbers.back() - numbers.front() + 1;
  if (rising && span <= 2 * numbers.size()) return;
  if (rising)
    list.remarks.push_back(fmt::format(
        "the numbers {} to {} of its {} files are not taken for those of frames, since more than "
        "half of them are missing: the files follow each other without gaps",
        numbers.front(), numbers.back(), numbers.size()));
  numbers.clear();
}

ImageList listPattern(const Pattern& pattern) {
  std::vector<std::pair<uint64_t, std::string>> found;
  std::error_code error;
  const fs::path folder = pattern.folder.empty() ? fs::path(".") : fs::path(pattern.folder);
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const auto number = pattern.numberOf(name);
    std::string path = pattern.folder + name + pattern.rest;
    if (number && (pattern.rest.empty() || isThereAt(path)))
      found.emplace_back(*number, std::move(path));
  }
  std::ranges::sort(found);
  ImageList list;
  for (auto& [number, path] : found) {
    list.numbers.push_back(number);
    list.paths.push_back(std::move(path));
  }
  judgeNumbers(list);
  return list;
}

/// The parts of a file name: the recording that it belongs to, and its number there.
struct Name {
  std::string recording;  ///< the name with "#" for its numbers
  std::string number;     ///< the last run of digits
  std::string before;     ///< in front of it, exactly
};

/// Numbers in front of the last one tell recordings apart only if they follow a letter, as in cam0
/// or view_b2: those of dates and times follow other characters.
Name readName(const std::string& path) {
  const std::string stem = fs::path(path).stem().string();
  size_t end = stem.size();
  while (end > 0 && !isDigit(stem[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && isDigit(stem[begin - 1])) --begin;
  Name name{
      .recording = "", .number = stem.substr(begin, end - begin), .before = stem.substr(0, begin)};
  for (size_t at = 0; at < begin;) {
    if (!isDigit(stem[at])) {
      name.recording += stem[at++];
      continue;
    }
    const bool kept = at > 0 && std::isalpha(static_cast<unsigned char>(stem[at - 1])) != 0;
    const size_t from = at;
    while (at < begin && isDigit(stem[at])) ++at;
    name.recording += kept ? stem.substr(from, at - from) : "#";
  }
  if (!name.number.empty()) name.recording += '#';
  name.recording += stem.substr(end);
  return name;
}

using Group = std::vector<std::string>;  // paths, in natural order

/// "cam0_%02d.png", or the only file's own name.
std::string patternOf(const Group& group) {
  const fs::path first(group.front());
  if (group.size() == 1) return first.filename().string();
  const Name name = readName(group.front());
  const bool alike = std::ranges::all_of(group, [&](const std::string& path) {
    const Name other = readName(path);
    return other.number.size() == name.number.size() && other.before == name.before;
  });
  const std::string stem = first.stem().string();
  return fmt::format("{}%{}d{}{}", name.before, alike ? fmt::format("0{}", name.number.size()) : "",
                     stem.substr(name.before.size() + name.number.size()),
                     first.extension().string());
}

std::string suffixOf(const std::string& path) {
  return lowerCase(fs::path(path).extension().string());
}

/// Removes files from `list` if pictures are there in several formats, such as 1.png and 1.jpg, so
/// that one file of each picture is left. It keeps the format that most files have. If two formats
/// have equally many files, it prefers the one that is not JPEG.
void chooseFormats(ImageList& list) {
  std::map<std::string, size_t> files;                        // by their suffix
  std::map<std::string, std::vector<std::string>> byPicture;  // paths by their path without suffix
  for (const std::string& path : list.paths) {
    ++files[suffixOf(path)];
    byPicture[fs::path(path).replace_extension().string()].push_back(path);
  }
  if (byPicture.size() == list.paths.size()) return;
  const auto isWorse = [&](const std::string& a, const std::string& b) {
    const std::string suffixA = suffixOf(a), suffixB = suffixOf(b);
    if (files[suffixA] != files[suffixB]) return files[suffixA] < files[suffixB];
    return suffixA.starts_with(".jp") && !suffixB.starts_with(".jp");
  };
  const size_t before = list.paths.size();
  list.paths.clear();
  std::string example;
  for (const auto& [picture, paths] : byPicture) {
    list.paths.push_back(*std::ranges::max_element(paths, isWorse));
    if (paths.size() > 1 && example.empty()) example = list.paths.back();
  }
  std::ranges::sort(list.paths, naturalLess);
  const size_t lost = before - list.paths.size();
  list.remarks.push_back(fmt::format(
      "{} {} left out, since the same names are there with another suffix, such as '{}'",
      counted(lost, "image"), lost == 1 ? "is" : "are", fs::path(example).filename().string()));
}

/// Leaves in `list` the images of one recording, if the folder's names tell recordings apart.
void chooseRecording(const std::string& folder, ImageList& list) {
  std::map<std::string, Group> byName;
  for (const std::string& path : list.paths) byName[readName(path).recording].push_back(path);
  if (byName.size() < 2) return;
  std::vector<Group> recordings, strays;
  size_t ofRecordings = 0;
  for (auto& [name, group] : byName) {
    ofRecordings += group.size() > 1 ? group.size() : 0;
    (group.size() > 1 ? recordings : strays).push_back(std::move(group));
  }
  // Photographs of any names are no recordings: they stay together.
  if (recordings.empty() || recordings.size() > kMostRecordings ||
      2 * ofRecordings <= list.paths.size())
    return;
  std::ranges::stable_sort(recordings, [](const Group& a, const Group& b) {
    return a.size() != b.size() ? a.size() > b.size() : naturalLess(a.front(), b.front());
  });
  list.paths = recordings.front();
  if (recordings.size() > 1) {
    std::string others, sources;
    for (size_t i = 0; i < recordings.size(); ++i) {
      const std::string pattern = patternOf(recordings[i]);
      if (i > 0)
        others +=
            fmt::format("{}'{}' ({} images)", i > 1 ? ", " : "", pattern, recordings[i].size());
      sources += fmt::format(" '{}'", (fs::path(folder) / pattern).string());
    }
    list.remarks.push_back(fmt::format(
        "of several recordings in this folder, '{}' is read, and not {}; give each as a "
        "camera of its own:{}",
        patternOf(recordings.front()), others, sources));
  }
  if (strays.empty()) return;
  constexpr size_t kMostNamed = 4;
  std::string names;
  for (size_t i = 0; i < std::min(strays.size(), kMostNamed); ++i)
    names +=
        fmt::format("{}'{}'", i > 0 ? ", " : "", fs::path(strays[i].front()).filename().string());
  if (strays.size() > kMostNamed) names += fmt::format(" and {} more", strays.size() - kMostNamed);
  list.remarks.push_back(fmt::format("{} {} left out, since {} unlike the others", names,
                                     strays.size() == 1 ? "is" : "are",
                                     strays.size() == 1 ? "its name is" : "their names are"));
}

/// The numbers of a recording's files, where only one number in their names differs.
void readNumbers(ImageList& list) {
  if (list.paths.empty()) return;
  const std::string before = readName(list.paths.front()).before;
  for (const std::string& path : list.paths) {
    const Name name = readName(path);
    const auto number = name.number.size() <= kLongestNumber
                            ? base::parseNumber<uint64_t>(name.number)
                            : std::nullopt;
    if (!number || name.before != before) return list.numbers.clear();
    list.numbers.push_back(*number);
  }
  judgeNumbers(list);
}

ImageList listFolder(const std::string& folder) {
  std::error_code error;
  ImageList list;
  Group folders;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.filename().native().front() == '.') continue;
    std::error_code ignored;
    if (entry->is_directory(ignored)) {
      folders.push_back(path.string());
      continue;
    }
    if (!hasImageSuffix(path.string())) continue;
    if (isPipe(path.string()))
      throw Error("'{}' is a pipe among images; copy it into a file", path.string());
    list.paths.push_back(path.string());
  }
  if (error) throw Error("cannot read the folder '{}': {}", folder, error.message());
  if (list.paths.empty() && !folders.empty())
    throw Error("no images in '{}', but it holds {}; name one, such as '{}'", folder,
                counted(folders.size(), "folder"), *std::ranges::min_element(folders, naturalLess));
  std::ranges::sort(list.paths, naturalLess);
  chooseFormats(list);
  chooseRecording(folder, list);
  readNumbers(list);
  return list;
}

// The run of digits at the front of `text`, taken away from it, without leading zeros.
std::string_view takeDigits(std::string_view& text) {
  const auto stop = std::ranges::find_if_not(text, isDigit);
  std::string_view number = text.substr(0, static_cast<size_t>(stop - text.begin()));
  text.remove_prefix(number.size());
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

bool hasImageSuffix(const std::string& path) {
  const std::string suffix = lowerCase(fs::path(path).extension().string());
  return std::ranges::find(kImageSuffixes, suffix) != kImageSuffixes.end();
}

bool isFolderOrPattern(const std::string& path) {
  return isFolderAt(path) || parsePattern(path);
}

ImageList listImages(const std::string& path) {
  if (isFolderAt(path)) return listFolder(path);
  if (const auto pattern = parsePattern(path)) return listPattern(*pattern);
  if (!isThereAt(path)) throw Error("cannot open '{}': no such file or directory", path);
  return {.paths = {path}, .numbers = {}, .remarks = {}};
}

std::string missingNumbers(const std::vector<uint64_t>& numbers, size_t most) {
  std::vector<std::string> items;
  for (size_t i = 1; i < numbers.size(); ++i) {
    const uint64_t first = numbers[i - 1] + 1, last = numbers[i] - 1;
    if (first > last) continue;
    if (last - first > 1) {
      items.push_back(fmt::format("{} to {}", first, last));
    } else {
      for (uint64_t n = first; n <= last; ++n) items.push_back(fmt::format("{}", n));
    }
  }
  if (items.empty()) return "";
  const size_t named = std::min(items.size(), most);
  const bool all = named == items.size();
  std::string text;
  for (size_t i = 0; i < named; ++i)
    text += (i == 0 ? "" : all && i + 1 == named ? " and " : ", ") + items[i];
  return all ? text : text + " and others";
}

bool naturalLess(std::string_view a, std::string_view b) {
  std::string_view restA = a, restB = b;
  while (!restA.empty() && !restB.empty()) {
    if (isDigit(restA.front()) && isDigit(restB.front())) {
      const std::string_view numberA = takeDigits(restA), numberB = takeDigits(restB);
      if (numberA.size() != numberB.size()) return numberA.size() < numberB.size();
      if (numberA != numberB) return numberA < numberB;
    } else {
      if (restA.front() != restB.front()) return restA.front() < restB.front();
      restA.remove_prefix(1);
      restB.remove_prefix(1);
    }
  }
  // Names that differ only in leading zeros (1.png, 01.png) still need one order.
  return restA.empty() && restB.empty() ? a < b : restA.size() < restB.size();
}

}  // namespace glint::capture
