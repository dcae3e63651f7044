// Prints, as Markdown tables, how well identities are kept in the cases of identity_cases.h, what
// stitching gains if markers are hidden for long, and how far tracks of markers at rest wander. The
// argument is the number of seeds (default 6).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "tests/app/identity_cases.h"
#include "tests/app/rest_scenes.h"

namespace {

using namespace glint;
using namespace glint::test;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double percentile(std::vector<double> values, double share) {
  const double last = static_cast<double>(values.size() - 1);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * last);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

struct Summary {
  std::vector<double> idf1, switches, milliseconds;
  uint64_t longestFalse = 0;

  void add(const Followed& followed, const Outcome& outcome) {
    idf1.push_back(outcome.score.idf1);
    switches.push_back(outcome.switchesPerThousand);
    milliseconds.insert(milliseconds.end(), followed.milliseconds.begin(),
                        followed.milliseconds.end());
    longestFalse = std::max(longestFalse, outcome.longestFalse);
  }

  void print(const char* name) const {
    std::printf("| %s | %.4f | %.4f | %.2f | %.2f | %llu | %.3f | %.3f |\n", name, mean(idf1),
                percentile(idf1, 0), mean(switches), percentile(switches, 1),
                static_cast<unsigned long long>(longestFalse), percentile(milliseconds, 0.5),
                percentile(milliseconds, 0.99));
  }
};

// The sums over seeds of one scene, with track.stitch_gap = 0 and with its default.
struct Stitching {
  double before = 0, after = 0;  // The IDF1 without and with stitching.
  uint64_t switchesBefore = 0, switchesAfter = 0, stitches = 0, falseRows = 0;

  void add(const Recording& recording, unsigned seeds) {
    Settings off;
    off.track.stitchGap = 0;
    const Outcome apart = judge(follow(recording, off), recording);
    const Followed followed = follow(recording);
    const Outcome joined = judge(followed, recording);
    before += apart.score.idf1 / seeds;
    after += joined.score.idf1 / seeds;
    switchesBefore += apart.score.switches;
    switchesAfter += joined.score.switches;
    stitches += followed.stitches;
    falseRows += joined.score.spurious;
  }

  void print(const std::string& name) const {
    std::printf("| %s | %.4f | %.4f | %llu | %llu | %llu | %llu |\n", name.c_str(), before, after,
                static_cast<unsigned long long>(switchesBefore),
                static_cast<unsigned long long>(switchesAfter),
                static_cast<unsigned long long>(stitches),
                static_cast<unsigned long long>(falseRows));
  }
};

void printStitching(unsigned seeds) {
  std::printf(
      "\n| scene | IDF1 apart | IDF1 stitched | switches apart | switches stitched | stitches | "
      "false rows |\n|---|---|---|---|---|---|---|\n");
  for (const int markers : {10, 30})
    for (const double step : {1.0, 2.0, 6.0}) {
      Stitching sum;
      for (unsigned seed = 1; seed <= seeds; ++seed) {
        Scene scene = longOcclusions(markers, step);
        scene.seed = seed;
        sum.add(simulate(scene), seeds);
      }
      sum.print(std::to_string(markers) + " markers, " + std::to_string(static_cast<int>(step)) +
                " px/frame, hidden for 16 to 60 frames");
    }
  Stitching dancers;
  for (unsigned seed = 1; seed <= seeds; ++seed) dancers.add(recordDancer(seed, 900), seeds);
  dancers.print("dancer, 41 markers");
}

struct Rest {
  Wander sum;
  double idf1 = 0;
  uint64_t switches = 0;

  void add(const Followed& followed, const Recording& recording, unsigned seeds) {
    const Wander wander = wanderOf(followed, recording);
    sum.tracks += wander.tracks;
    sum.left += wander.left;
    sum.rows += wander.rows;
    sum.farthest = std::max(sum.farthest, wander.farthest);
    const Outcome outcome = judge(followed, recording);
    idf1 += outcome.score.idf1 / seeds;
    switches += outcome.score.switches;
  }

  void print(const std::string& scene, const std::string& by) const {
    std::printf("| %s | %s | %zu | %zu | %zu | %.1f | %.4f | %llu |\n", scene.c_str(), by.c_str(),
                sum.rows, sum.tracks, sum.left, sum.farthest, idf1,
                static_cast<unsigned long long>(switches));
  }
};

// Prints how markers at rest are tracked, beside a linker of nearest neighbours with the gate and
// the memory that give it the best IDF1.
void printRest(unsigned seeds) {
  std::printf(
      "\n| stars | by | rows | tracks | that leave their star | farthest, px | IDF1 | switches "
      "|\n|---|---|---|---|---|---|---|---|\n");
  const std::vector<std::pair<std::string, StarField>> scenes{
      {"330 at rest", {}},
      {"330 that turn, 0.5 px a frame", {.drift = 0.5}},
      {"330, of which 60 move 2 px a frame for a while", {.starts = 60}},
      {"330, of which 60 move 5 px a frame for a while", {.starts = 60, .startsStep = 5}},
      {"30 at rest", {.stars = 30}},
      {"1000 at rest", {.stars = 1000, .frames = 150}}};
  for (const auto& [name, scene] : scenes) {
    Rest own, peer;
    std::string best;
    std::vector<Recording> recordings;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      StarField field = scene;
      field.seed = seed;
      recordings.push_back(starField(field));
      own.add(follow(recordings.back()), recordings.back(), seeds);
    }
    for (const double gate : {1.0, 2.0, 3.0, 6.0, 12.0})
      for (const size_t memory : {15, 60, 300}) {
        Rest tried;
        for (const Recording& recording : recordings)
          tried.add(followHungarian(recording, gate, memory), recording, seeds);
        if (tried.idf1 <= peer.idf1) continue;
        peer = tried;
        best = "nearest neighbours, " + std::to_string(static_cast<int>(gate)) + " px, " +
               std::to_string(memory) + " frames";
      }
    own.print(name, "glint");
    peer.print(name, best);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const unsigned seeds = count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 6;
  std::printf(
      "| scene | IDF1 | worst | switches / 1000 | worst | longest false track | ms a frame | 99 %% "
      "|\n|---|---|---|---|---|---|---|---|\n");
  for (const IdentityCase& c : identityCases()) {
    Summary summary;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      Scene scene = c.scene;
      scene.seed = seed;
      const Recording recording = simulate(scene);
      const Followed followed = follow(recording);
      summary.add(followed, judge(followed, recording));
    }
    summary.print(c.name.c_str());
  }
  printStitching(seeds);
  printRest(std::min(seeds, 2U));
}
