#include "app/output/edit/edited_tracks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "config/error.h"

namespace glint::output {

/// The work of apply(): it applies the edits of a list, one after another.
class EditApplier {
 public:
  EditApplier(EditedTracks& to, const TracksToEdit& tracks) : to_(to), tracks_(tracks) {
    uint64_t most = 0;
    for (const FrameStretch& stretch : tracks.stretches)
      most = std::max(most, stretch.track.value());
    uint64_t made = 1000;
    while (made <= most) made *= 10;
    made_ = TrackId(made);
  }

  void apply(const TrackEdit& edit) {
    std::vector<TrackId>& found = to_.found_.emplace_back();
    const TrackId one = found.emplace_back(find(edit.at));
    switch (edit.kind) {
      case EditKind::rename:
        return rename(one, edit.name);
      case EditKind::hide:
        to_.hidden_.insert(one);
        return;
      case EditKind::show:
        to_.hidden_.erase(one);
        return;
      case EditKind::remove:
        return replace(one, TrackId(), FrameNumber());
      case EditKind::split:
        return split(one, edit.at.frame);
      case EditKind::join:
        return join(one, other(edit, one));
      case EditKind::swap:
        return swap(one, other(edit, one), edit);
    }
  }

 private:
  using Piece = EditedTracks::Piece;
  using Pieces = std::vector<Piece>;

  /// Returns the track at an anchor. Throws Error saying why there is none, as the other functions
  /// do when an edit is not possible.
  TrackId find(const TrackAnchor& at) const {
    const TrackSpot* nearest = nullptr;
    double least = EditedTracks::kReach;
    const auto spots = tracks_.at(at.camera, at.frame);
    for (const TrackSpot& spot : spots) {
      const double distance = std::hypot(spot.x - at.x, spot.y - at.y);
      if (distance > least || (nearest && distance == least)) continue;
      nearest = &spot;
      least = distance;
    }
    if (!nearest) throw Error("no track is there");
    const TrackId track = to_.of(nearest->track, at.frame);
    if (track == TrackId()) throw Error("its track is deleted");
    return track;
  }

  TrackId other(const TrackEdit& edit, TrackId one) const {
    if (edit.with->camera != edit.at.camera) throw Error("the tracks are of two cameras");
    const TrackId two = find(*edit.with);
    if (one == two) throw Error("both are one track");
    return to_.found_.back().emplace_back(two);
  }

  void rename(TrackId track, const std::string& name) {
    if (name.empty())
      to_.names_.erase(track);
    else
      to_.names_[track] = name;
  }

  /// Returns the original tracks of which `track` now has rows.
  std::vector<TrackId> membersOf(TrackId track) const {
    std::vector<TrackId> members;
    for (const auto& [member, pieces] : to_.pieces_)
      if (std::ranges::any_of(pieces, [&](const Piece& p) { return p.to == track; }))
        members.push_back(member);
    if (!to_.pieces_.contains(track)) members.push_back(track);
    return members;
  }

  Pieces& piecesOf(TrackId member) {
    Pieces& pieces = to_.pieces_[member];
    if (pieces.empty()) pieces.push_back({FrameNumber(), member});
    return pieces;
  }

  /// Makes a piece begin at `frame`, so that it can be given to another track.
  static void cut(Pieces& pieces, FrameNumber frame) {
    const auto after = std::upper_bound(pieces.begin(), pieces.end(), frame,
                                        [](FrameNumber f, const Piece& p) { return f < p.from; });
    if (std::prev(after)->from != frame) pieces.insert(after, {frame, std::prev(after)->to});
  }

  void replace(TrackId from, TrackId to, FrameNumber since) {
    for (const TrackId member : membersOf(from)) {
      Pieces& pieces = piecesOf(member);
      cut(pieces, since);
      for (Piece& piece : pieces)
        if (piece.from >= since && piece.to == from) piece.to = to;
    }
  }

  /// Returns the frames in which `track` has rows, as first and last of each stretch, by first.
  std::vector<std::pair<FrameNumber, FrameNumber>> framesOf(TrackId track) const {
    std::vector<std::pair<FrameNumber, FrameNumber>> frames;  // first and last
    for (const FrameStretch& stretch : tracks_.stretches) {
      const auto known = to_.pieces_.find(stretch.track);
      if (known == to_.pieces_.end()) {
        if (stretch.track == track) frames.emplace_back(stretch.first, stretch.last);
        continue;
      }
      const Pieces& pieces = known->second;
      for (size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i].to != track) continue;
        const FrameNumber first = std::max(stretch.first, pieces[i].from);
        const FrameNumber last =
            i + 1 < pieces.size() ? std::min(stretch.last, pieces[i + 1].from - 1) : stretch.last;
        if (first <= last) frames.emplace_back(first, last);
      }
    }
    std::ranges::sort(frames);
    return frames;
  }

  void split(TrackId track, FrameNumber frame) {
    const auto frames = framesOf(track);
    if (frames.empty() || frames.front().first >= frame) throw Error("the track begins there");
    replace(track, made_, frame);
    if (to_.hidden(track)) to_.hidden_.insert(made_);
    ++made_;
  }

  void join(TrackId one, TrackId two) {
    const auto taken = framesOf(one);
    for (const TrackId member : membersOf(two)) {
      Pieces& pieces = piecesOf(member);
      for (const auto& [first, last] : taken) {
        cut(pieces, first);
        cut(pieces, last + 1);
      }
      for (Piece& piece : pieces) {
        if (piece.to != two) continue;
        const bool free = std::ranges::none_of(taken, [&](const auto& frames) {
          return frames.first <= piece.from && piece.from <= frames.second;
        });
        if (free) piece.to = one;
      }
    }
    const auto name = to_.names_.find(two);
    if (name != to_.names_.end() && !to_.names_.contains(one)) to_.names_[one] = name->second;
    if (framesOf(two).empty()) to_.names_.erase(two);
  }

  void swap(TrackId one, TrackId two, const TrackEdit& edit) {
    if (edit.with->frame != edit.at.frame) throw Error("its anchors are of two frames");
    const TrackId between = made_ + 1;  // an id that no track has yet
    replace(one, between, edit.at.frame);
    replace(two, one, edit.at.frame);
    replace(between, two, edit.at.frame);
  }

  EditedTracks& to_;
  const TracksToEdit& tracks_;
  TrackId made_;  // id of the track that the next split makes
};

TrackId EditedTracks::of(TrackId track, FrameNumber frame) const {
  const auto known = pieces_.find(track);
  if (known == pieces_.end()) return track;
  const auto after =
      std::upper_bound(known->second.begin(), known->second.end(), frame,
                       [](FrameNumber f, const Piece& piece) { return f < piece.from; });
  return std::prev(after)->to;
}

const std::string& EditedTracks::name(TrackId track) const {
  static const std::string none;
  const auto found = names_.find(track);
  return found == names_.end() ? none : found->second;
}

EditedTracks apply(const TrackEdits& edits, const TracksToEdit& tracks) {
  EditedTracks edited;
  edited.edits_ = edits;
  EditApplier applier(edited, tracks);
  for (size_t i = 0; i < edits.edits.size(); ++i) {
    try {
      applier.apply(edits.edits[i]);
    } catch (const Error& why) {
      edited.unmatched_.push_back({i, why.what()});
    }
  }
  return edited;
}

EditCollector::EditCollector(const TrackEdits& edits) {
  for (const TrackEdit& edit : edits.edits) {
    places_[{edit.at.camera, edit.at.frame}];
    if (edit.with) places_[{edit.with->camera, edit.with->frame}];
  }
}

void EditCollector::add(CameraIndex camera, const motion::TrackRow& row) {
  const auto place = places_.find({camera, row.frame});
  if (place != places_.end()) place->second.push_back({row.track, row.x, row.y});
  const auto [latest, isNew] = latest_.try_emplace(row.track, stretches_.size());
  if (!isNew && stretches_[latest->second].last + 1 == row.frame) {
    stretches_[latest->second].last = row.frame;
    return;
  }
  latest->second = stretches_.size();
  stretches_.push_back({row.track, row.frame, row.frame});
}

TracksToEdit EditCollector::tracks() const {
  return {stretches_, [this](CameraIndex camera, FrameNumber frame) {
            const auto found = places_.find({camera, frame});
            return found == places_.end() ? std::vector<TrackSpot>() : found->second;
          }};
}

}  // namespace glint::output
