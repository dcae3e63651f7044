#include "app/output/takes/take_names.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "config/printable.h"

namespace glint::output {
namespace {

constexpr size_t kShownName = 40;  // bytes of a name in a message

/// Returns the longest beginning of `text` that has at most `most` bytes and whole characters.
std::string beginningOf(const std::string& text, size_t most) {
  size_t length = 0;
  while (length < text.size()) {
    const size_t next = std::max<size_t>(characterLength(std::string_view(text).substr(length)), 1);
    if (length + next > most) break;
    length += next;
  }
  return text.substr(0, length);
}

std::string fromLatin1(std::string_view text) {
  std::string made;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      made += c;
    } else {
      made += static_cast<char>(0xC0 | byte >> 6);
      made += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return made;
}

bool isControlCharacter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

/// The names of one kind, and what became of them.
class PlainNames {
 public:
  const std::string& of(const std::string& name) {
    const auto found = plain_.find(name);
    if (found != plain_.end()) return found->second;
    const std::string wanted = plainName(name);
    if (!isUtf8(name)) latin1_.insert(wanted);
    if (std::ranges::any_of(name, isControlCharacter)) broken_.insert(wanted);
    std::string made = wanted;
    for (int n = 2; !taken_.insert(made).second; ++n) made = fmt::format("{}_{}", wanted, n);
    if (made != wanted) numbered_.insert(made);
    return plain_.emplace(name, made).first->second;
  }

  void addDoubts(const std::string& path, std::vector<std::string>& doubts) const {
    const auto say = [&](const std::set<std::string>& names, std::string_view what) {
      if (names.empty()) return;
      doubts.push_back(fmt::format("{}: {}{}, such as \"{}\"", path, counted(names.size(), "name"),
                                   what, shortened(*names.begin(), kShownName)));
    };
    const auto verb = [](const std::set<std::string>& names, const char* one, const char* many) {
      return names.size() == 1 ? one : many;
    };
    say(latin1_, fmt::format(" {} not UTF-8 and {} read as Latin-1", verb(latin1_, "is", "are"),
                             verb(latin1_, "is", "are")));
    say(broken_, fmt::format(" {} line breaks or other control characters, which become blanks",
                             verb(broken_, "has", "have")));
    say(numbered_, fmt::format(" {} numbered to stay different from another one",
                               verb(numbered_, "is", "are")));
  }

 private:
  std::map<std::string, std::string> plain_;  ///< by the name in the file
  std::set<std::string> taken_, latin1_, broken_, numbered_;
};

class PlainTake final : public TakeReader {
 public:
  PlainTake(std::unique_ptr<TakeReader> reader, std::string path)
      : reader_(std::move(reader)), path_(std::move(path)), info_(reader_->info()) {
    for (TakeMarker& marker : info_.markers) {
      if (marker.label.empty()) continue;
      makePlain(marker.body, marker.label);
      marker.name = marker.body.empty() ? marker.label : marker.body + ':' + marker.label;
    }
    for (std::string& body : info_.bodies) body = bodies_.of(body);
  }

  const TakeInfo& info() const override { return info_; }

  bool next(TakeFrame& frame) override {
    if (!reader_->next(frame)) return false;
    for (motion::SpaceRow& row : frame.points) makePlain(row.body, row.label);
    for (motion::PoseRow& row : frame.poses) row.body = bodies_.of(row.body);
    return true;
  }

  std::vector<std::string> remarks() const override { return reader_->remarks(); }

  std::vector<std::string> doubts() const override {
    std::vector<std::string> all = reader_->doubts();
    bodies_.addDoubts(path_, all);
    labels_.addDoubts(path_, all);
    return all;
  }

 private:
  void makePlain(std::string& body, std::string& label) {
    if (!body.empty()) body = bodies_.of(body);
    if (!label.empty()) label = labels_.of(label);
  }

  std::unique_ptr<TakeReader> reader_;
  std::string path_;
  TakeInfo info_;
  PlainNames bodies_, labels_;
};

}  // namespace

std::string plainName(const std::string& name) {
  std::string made = isUtf8(name) ? name : fromLatin1(name);
  std::ranges::replace_if(made, isControlCharacter, ' ');
  return made;
}

std::string fitName(std::string name, const NameRules& rules, const std::string& suffix) {
  if (rules.trims) {
    std::ranges::replace(name, '\t', ' ');
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
  }
  if (name.empty()) name = "unnamed";
  if (rules.most > 0 && name.size() + suffix.size() > rules.most)
    name = beginningOf(name, rules.most - suffix.size());
  return name + suffix;
}

std::vector<std::string> fitNames(const std::vector<TakeMarker>& markers, const NameRules& rules) {
  std::vector<std::string> names(markers.size());
  std::set<std::string> taken;
  // Names that need no change keep it, also where another one becomes equal to it.
  for (size_t i = 0; i < markers.size(); ++i)
    if (fitName(markers[i].name, rules) == markers[i].name && taken.insert(markers[i].name).second)
      names[i] = markers[i].name;
  for (size_t i = 0; i < markers.size(); ++i) {
    if (!names[i].empty()) continue;
    names[i] = fitName(markers[i].name, rules);
    for (int n = 2; !taken.insert(names[i]).second; ++n)
      names[i] = fitName(markers[i].name, rules, fmt::format("_{}", n));
  }
  return names;
}

std::unique_ptr<TakeReader> withPlainNames(std::unique_ptr<TakeReader> reader,
                                           const std::string& path) {
  return std::make_unique<PlainTake>(std::move(reader), path);
}

}  // namespace glint::output
