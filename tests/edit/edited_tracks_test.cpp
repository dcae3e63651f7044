// Compares edited tracks with a plain table of rows that is edited row by row.
#include "app/output/edit/edited_tracks.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace glint {
namespace {

struct PlainRow {
  uint64_t frame, found, owner;  // The owner 0 marks a deleted row.
  double x, y;
};

/// A table of tracks of camera 0. The rows of a track are at x = 100 * its id and y = its frame.
class PlainTable {
 public:
  void add(uint64_t track, uint64_t first, uint64_t last) {
    for (uint64_t f = first; f <= last; ++f)
      rows.push_back({f, track, track, 100.0 * static_cast<double>(track), double(f)});
  }

  std::vector<motion::TrackRow> ordered() const {
    std::vector<motion::TrackRow> all;
    for (const PlainRow& row : rows) {
      motion::TrackRow one;
      one.frame = FrameNumber(row.frame);
      one.track = TrackId(row.found);
      one.x = row.x;
      one.y = row.y;
      all.push_back(one);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.frame < b.frame; });
    return all;
  }

  output::EditedTracks edited(const output::TrackEdits& edits) const {
    output::EditCollector collector(edits);
    for (const motion::TrackRow& row : ordered()) collector.add(CameraIndex(), row);
    return output::apply(edits, collector.tracks());
  }

  /// Applies an edit by its definition. Returns false if the edit changes nothing because it makes
  /// no sense here.
  bool perform(const output::TrackEdit& edit) {
    const uint64_t one = ownerAt(edit.at), two = edit.with ? ownerAt(*edit.with) : 0;
    if (one == 0 || (edit.with && (two == 0 || two == one))) return false;
    const uint64_t since = edit.at.frame.value();
    if (edit.kind == output::EditKind::remove) {
      each(one, [](PlainRow& row) { row.owner = 0; });
    } else if (edit.kind == output::EditKind::split) {
      if (!hasRowBefore(one, since)) return false;
      each(one, [&](PlainRow& row) { row.owner = row.frame >= since ? made : row.owner; });
      ++made;
    } else if (edit.kind == output::EditKind::join) {
      std::set<uint64_t> taken;
      each(one, [&](PlainRow& row) { taken.insert(row.frame); });
      each(two, [&](PlainRow& row) { row.owner = taken.contains(row.frame) ? two : one; });
    } else if (edit.kind == output::EditKind::swap) {
      if (edit.with->frame != edit.at.frame) return false;
      for (PlainRow& row : rows) {
        if (row.frame < since) continue;
        row.owner = row.owner == one ? two : row.owner == two ? one : row.owner;
      }
    }
    return true;
  }

  std::vector<PlainRow> rows;
  uint64_t made = 1000;

 private:
  uint64_t ownerAt(const output::TrackAnchor& at) const {
    for (const PlainRow& row : rows)
      if (row.frame == at.frame.value() && std::hypot(row.x - at.x, row.y - at.y) <= 4)
        return row.owner;
    return 0;
  }
  void each(uint64_t owner, const auto& change) {
    for (PlainRow& row : rows)
      if (row.owner == owner) change(row);
  }
  bool hasRowBefore(uint64_t owner, uint64_t frame) const {
    return std::any_of(rows.begin(), rows.end(), [&](const PlainRow& row) {
      return row.owner == owner && row.frame < frame;
    });
  }
};

output::TrackAnchor on(uint64_t track, uint64_t frame) {
  return {CameraIndex(), FrameNumber(frame), 100.0 * static_cast<double>(track) + 1,
          static_cast<double>(frame) - 2};
}

output::TrackEdit make(output::EditKind kind, output::TrackAnchor at,
                       std::optional<output::TrackAnchor> with = {}, std::string name = {}) {
  return {.kind = kind, .at = at, .with = with, .name = std::move(name)};
}

output::TrackEdits listOf(std::vector<output::TrackEdit> edits) {
  output::TrackEdits all;
  all.edits = std::move(edits);
  return all;
}

uint64_t owner(const output::EditedTracks& edited, uint64_t track, uint64_t frame) {
  return edited.of(TrackId(track), FrameNumber(frame)).value();
}

TEST(EditedTracks, WithoutEditsTracksAreThemselves) {
  PlainTable table;
  table.add(1, 0, 9);
  const output::EditedTracks edited = table.edited({});
  EXPECT_EQ(owner(edited, 1, 5), 1);
  EXPECT_EQ(owner(edited, 77, 5), 77);
  EXPECT_EQ(edited.name(TrackId(1)), "");
  EXPECT_TRUE(edited.unmatched().empty());
}

TEST(EditedTracks, ASplitBeginsAtItsFrame) {
  PlainTable table;
  table.add(1, 0, 9);
  const output::EditedTracks edited =
      table.edited(listOf({make(output::EditKind::split, on(1, 4))}));
  EXPECT_EQ(owner(edited, 1, 3), 1);
  EXPECT_EQ(owner(edited, 1, 4), 1000);
  EXPECT_EQ(owner(edited, 1, 9), 1000);
}

TEST(EditedTracks, ASplitAtTheLastFrameMakesATrackOfOneRowAndAtTheFirstNone) {
  PlainTable table;
  table.add(1, 3, 9);
  const output::EditedTracks edited = table.edited(
      listOf({make(output::EditKind::split, on(1, 9)), make(output::EditKind::split, on(1, 3))}));
  EXPECT_EQ(owner(edited, 1, 8), 1);
  EXPECT_EQ(owner(edited, 1, 9), 1000);
  ASSERT_EQ(edited.unmatched().size(), 1);
  EXPECT_EQ(edited.unmatched()[0].edit, 1);
  EXPECT_EQ(edited.unmatched()[0].why, "the track begins there");
}

TEST(EditedTracks, NewIdsAreAboveAllOthers) {
  PlainTable table;
  table.add(1000, 0, 9);
  EXPECT_EQ(owner(table.edited(listOf({make(output::EditKind::split, on(1000, 4))})), 1000, 9),
            10000);
}

TEST(EditedTracks, WhereJoinedTracksOverlapTheSecondStaysWhatItIs) {
  PlainTable table;
  table.add(1, 0, 9);
  table.add(1, 20, 29);
  table.add(2, 5, 24);
  const output::EditedTracks edited =
      table.edited(listOf({make(output::EditKind::rename, on(2, 6), {}, "knee"),
                           make(output::EditKind::join, on(1, 0), on(2, 5))}));
  EXPECT_EQ(owner(edited, 2, 9), 2);
  EXPECT_EQ(owner(edited, 2, 10), 1);
  EXPECT_EQ(owner(edited, 2, 19), 1);
  EXPECT_EQ(owner(edited, 2, 20), 2);
  EXPECT_EQ(edited.name(TrackId(1)), "knee");
  EXPECT_EQ(edited.name(TrackId(2)), "knee");
}

TEST(EditedTracks, AJoinedTrackHasOneName) {
  PlainTable table;
  table.add(1, 0, 4);
  table.add(2, 5, 9);
  const output::EditedTracks edited =
      table.edited(listOf({make(output::EditKind::rename, on(1, 1), {}, "hip"),
                           make(output::EditKind::rename, on(2, 6), {}, "knee"),
                           make(output::EditKind::join, on(1, 0), on(2, 5)),
                           make(output::EditKind::rename, on(2, 9), {}, "toe")}));
  EXPECT_EQ(edited.names(), (std::map<TrackId, std::string>{{TrackId(1), "toe"}}));
}

TEST(EditedTracks, AnEditOfADeletedTrackDoesNotMatch) {
  PlainTable table;
  table.add(1, 0, 9);
  table.add(2, 0, 9);
  const output::EditedTracks edited =
      table.edited(listOf({make(output::EditKind::remove, on(1, 4)),
                           make(output::EditKind::rename, on(1, 5), {}, "hip"),
                           make(output::EditKind::swap, on(2, 5), on(1, 5))}));
  EXPECT_EQ(owner(edited, 1, 0), 0);
  EXPECT_EQ(owner(edited, 2, 9), 2);
  ASSERT_EQ(edited.unmatched().size(), 2);
  EXPECT_EQ(edited.unmatched()[0].why, "its track is deleted");
  EXPECT_EQ(edited.unmatched()[1].edit, 2);
}

TEST(EditedTracks, WhatNoLongerMatchesIsSaid) {
  PlainTable table;
  table.add(1, 0, 9);
  table.add(2, 0, 9);
  output::TrackAnchor elsewhere = on(1, 4), beyond = on(1, 4), camera = on(1, 4);
  elsewhere.x += 4;
  beyond.frame = FrameNumber(10);
  camera.camera = CameraIndex(1);
  const output::EditedTracks edited = table.edited(listOf(
      {make(output::EditKind::hide, elsewhere), make(output::EditKind::hide, beyond),
       make(output::EditKind::hide, camera), make(output::EditKind::join, on(1, 1), on(1, 8)),
       make(output::EditKind::join, on(1, 1), camera),
       make(output::EditKind::swap, on(1, 1), on(2, 2))}));
  std::vector<std::string> why;
  for (const output::Unmatched& one : edited.unmatched()) why.push_back(one.why);
  EXPECT_EQ(why,
            (std::vector<std::string>{"no track is there", "no track is there", "no track is there",
                                      "both are one track", "the tracks are of two cameras",
                                      "its anchors are of two frames"}));
}

TEST(EditedTracks, TheNearestTrackIsMeant) {
  PlainTable table;
  table.rows = {{0, 1, 1, 10, 10}, {0, 2, 2, 13, 10}};
  output::TrackEdits edits =
      listOf({make(output::EditKind::hide, {CameraIndex(), FrameNumber(0), 12, 10})});
  EXPECT_TRUE(table.edited(edits).hidden(TrackId(2)));
  EXPECT_FALSE(table.edited(edits).hidden(TrackId(1)));
  edits.edits.push_back(make(output::EditKind::show, {CameraIndex(), FrameNumber(0), 13, 10}));
  EXPECT_FALSE(table.edited(edits).hidden(TrackId(2)));
}

TEST(EditedTracks, RowsAreThoseOfThePlainDefinitions) {
  std::mt19937 random(26);
  const auto below = [&](uint64_t n) { return random() % n; };
  for (int round = 0; round < 300; ++round) {
    PlainTable table;
    for (uint64_t track = 1; track <= 5; ++track)
      for (uint64_t frame = below(15); frame < 40; frame += 2 + below(12)) {
        const uint64_t last = frame + below(10);
        table.add(track, frame, last);
        frame = last;
      }
    output::TrackEdits edits;
    const auto anchor = [&] {
      const PlainRow& row = table.rows[below(table.rows.size())];
      return on(row.found, row.frame);
    };
    for (uint64_t i = 0; i < 12; ++i) {
      constexpr output::EditKind kKinds[] = {output::EditKind::split, output::EditKind::join,
                                             output::EditKind::swap,  output::EditKind::split,
                                             output::EditKind::join,  output::EditKind::remove};
      output::TrackEdit edit = make(kKinds[below(i % 4 == 3 ? 6 : 5)], anchor());
      if (output::hasTwo(edit.kind)) edit.with = anchor();
      for (int tries = 0; tries < 9 && edit.kind == output::EditKind::swap; ++tries)
        if (edit.with->frame != edit.at.frame) edit.with = anchor();
      edits.edits.push_back(edit);
    }
    const output::EditedTracks edited = table.edited(edits);
    std::set<size_t> expected, unmatched;
    for (size_t i = 0; i < edits.edits.size(); ++i)
      if (!table.perform(edits.edits[i])) expected.insert(i);
    for (const output::Unmatched& one : edited.unmatched()) unmatched.insert(one.edit);
    EXPECT_EQ(unmatched, expected) << round;
    std::set<std::pair<uint64_t, uint64_t>> seen;
    for (const PlainRow& row : table.rows) {
      ASSERT_EQ(owner(edited, row.found, row.frame), row.owner) << round << " " << row.frame;
      const bool only = row.owner == 0 || seen.emplace(row.owner, row.frame).second;
      EXPECT_TRUE(only) << "two in frame " << row.frame;
    }
  }
}

}  // namespace
}  // namespace glint
