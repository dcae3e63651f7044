#include "app/output/report/path_writer.h"

#include <cmath>
#include <utility>

namespace glint::output::report {
namespace {

int units(double px) {
  return static_cast<int>(std::lround(kPathUnits * px));
}

}  // namespace

void PathWriter::move(double x, double y) {
  flush();
  const int fromX = std::exchange(x_, units(x)), fromY = std::exchange(y_, units(y));
  emit(text_.empty() ? 'M' : 'm', x_ - fromX, y_ - fromY);
}

void PathWriter::line(double x, double y) {
  const int fromX = std::exchange(x_, units(x)), fromY = std::exchange(y_, units(y));
  levelOpen_ = levelOpen_ || y_ == fromY;
  if (y_ == fromY) {
    level_ += x_ - fromX;
  } else {
    flush();
    emit('l', x_ - fromX, y_ - fromY);
  }
}

void PathWriter::band(double x, double low, double high, bool joined) {
  double first = low, second = high;
  if (std::abs(high - low) < 1)
    first = second = (low + high) / 2;
  else if (joined && std::abs(units(high) - y_) < std::abs(units(low) - y_))
    std::swap(first, second);
  if (joined)
    line(x, first);
  else
    move(x, first);
  // A single point is a line without length, which is drawn as a dot.
  if (second != first || !joined) line(x, second);
}

std::string PathWriter::take() {
  flush();
  command_ = 0;
  x_ = y_ = 0;
  return std::exchange(text_, {});
}

void PathWriter::flush() {
  if (!levelOpen_) return;
  levelOpen_ = false;
  emit('l', std::exchange(level_, 0), 0);
}

void PathWriter::emit(char command, int dx, int dy) {
  // The letter of a repeated command may be left out.
  const bool repeated = command == 'l' && command_ == 'l';
  if (!repeated) text_ += command;
  if (repeated && dx >= 0) text_ += ' ';
  text_ += std::to_string(dx);
  if (dy >= 0) text_ += ' ';
  text_ += std::to_string(dy);
  command_ = command;
}

}  // namespace glint::output::report
