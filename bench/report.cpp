#include "bench/report.h"

namespace glint::bench {

std::string median(const Duration& duration, const Unit& unit) {
  if (duration.count == 0) return "-";
  return formatted("%.*f", unit.decimals, duration.median / unit.microseconds);
}

std::string spread(const Duration& duration, const Unit& unit) {
  if (duration.count == 0) return "-";
  const auto number = [&](double time) {
    return formatted("%.*f", unit.decimals, time / unit.microseconds);
  };
  return number(duration.median) + " (" + number(duration.p10) + '-' + number(duration.p90) + ')';
}

std::string describe(const gpu::DeviceInfo& device) {
  return device.name + " (" + device.type + ", " + device.driver + ')';
}

void Table::add(const std::vector<std::string>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    const bool padsEnd = widths_[i] < 0 && i + 1 == cells.size();
    text_ += formatted(i == 0 ? "%*s" : " %*s", padsEnd ? 0 : widths_[i], cells[i].c_str());
  }
  text_ += '\n';
}

void Table::addSkipped(const std::string& name, const std::string& why) {
  text_ += formatted("%*s skipped: %s\n", widths_[0], name.c_str(), why.c_str());
}

void Table::addPasses(const std::string& name, const std::vector<Pass>& passes, const Unit& unit) {
  text_ += formatted("%*s", widths_[0], name.c_str());
  for (const Pass& pass : passes)
    text_ += formatted("  %s %.*f", pass.name.c_str(), unit.decimals,
                       pass.device.median / unit.microseconds);
  text_ += '\n';
}

std::string titled(std::string_view title, const Table& table) {
  return table.text().empty() ? "" : '\n' + std::string(title) + '\n' + table.text();
}

Json toJson(const Duration& d) {
  if (d.count == 0) return nullptr;
  return {{"median", d.median}, {"p10", d.p10}, {"p90", d.p90}, {"count", d.count}};
}

Json toJson(const std::vector<Pass>& passes) {
  Json json = Json::array();
  for (const Pass& pass : passes)
    json.push_back({{"name", pass.name}, {"device_us", toJson(pass.device)}});
  return json;
}

Json toJson(const gpu::DeviceInfo& device) {
  return {{"name", device.name}, {"type", device.type}, {"driver", device.driver}};
}

std::string toText(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace glint::bench
