// Prints the precision of refined positions compared with the Cramer-Rao bound, as a Markdown
// table. With a file name, also writes the error of every marker, with its place within the pixel,
// into that file as CSV.
#include <cmath>
#include <cstdio>
#include <fstream>

#include "tests/gpu/refine_cases.h"
#include "tests/gpu/rig.h"

int main(int count, char** arguments) {
  using namespace glint::test;
  std::ofstream csv;
  if (count > 1) csv.open(arguments[1]);
  csv << "case,phase_x,phase_y,error_x,error_y,sigma_x,sigma_y\n";
  std::printf("| markers | error, px | bound, px | error / bound | rms of error / sigma |\n");
  std::printf("|---|---|---|---|---|\n");
  for (const Case& c : cases()) {
    const auto samples = measure(c.marker, c.sensor, 2000);
    const Summary s = summarise(samples);
    const double limit = bound(c.marker, c.sensor);
    std::printf("| %s | %.4f | %.4f | %.3f | %.3f |\n", c.name.c_str(), s.rmse, limit,
                s.rmse / limit, s.relative);
    for (const Sample& sample : samples) {
      csv << '"' << c.name << "\"," << sample.truth.x - std::round(sample.truth.x) << ','
          << sample.truth.y - std::round(sample.truth.y) << ',' << sample.errorX() << ','
          << sample.errorY() << ',' << sample.found.sigmaX << ',' << sample.found.sigmaY << '\n';
    }
  }
  return csv ? 0 : 1;
}
