// Prints, as Markdown tables, how well identities are kept in the cases of identity_cases.h, and
// those of a dancer who hides markers. The argument is the number of seeds, 6 if not given.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "tests/app/identity_cases.h"

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
  std::printf(
      "\n| dancer, seed | IDF1 | switches | false rows | missed |\n|---|---|---|---|---|\n");
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const Recording recording = recordDancer(seed, 900);
    const Outcome o = judge(follow(recording), recording);
    std::printf("| %u | %.4f | %llu | %llu | %llu |\n", seed, o.score.idf1,
                static_cast<unsigned long long>(o.score.switches),
                static_cast<unsigned long long>(o.score.spurious),
                static_cast<unsigned long long>(o.score.missed));
  }
}
