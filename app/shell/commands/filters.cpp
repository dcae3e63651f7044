// `glint filters`: lists the filters, with their parameters.
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/shell/commands/commands.h"
#include "app/shell/commands/options.h"
#include "app/shell/commands/print_text.h"
#include "config/filter_catalog.h"

namespace glint::shell {
namespace {

using filters::Filter;
using filters::Head;
using filters::Parameter;

struct FiltersCommand {
  std::string name;
  bool markdown = false;
  SettingOptions settings;
};

std::string planesOf(const Head& head) {
  std::string planes = head.grey ? head.colour ? "grey or colour" : "grey" : "colour";
  if (head.gives != 0) planes += head.gives == 1 ? " to grey" : " to colour";
  return planes;
}

std::string unitOf(const Parameter& p) {
  std::string text = p.allowed();
  if (p.neutral)
    text += fmt::format("; {} changes nothing",
                        p.print(std::vector<double>(p.initial.size(), *p.neutral)));
  return text;
}

std::string sourcesOf(const filters::Input& input) {
  const bool plane = input.form == filters::Input::Form::plane;
  return plane ? "source, frame:-1, an earlier id or file:NAME" : "file:NAME";
}

/// Returns the first sentence of a help text.
std::string shortHelp(const Head& head) {
  return head.help.substr(0, head.help.find_first_of(".:"));
}

void listAll() {
  size_t width = 0;
  for (const Filter* f : filters::catalog().all()) width = std::max(width, f->head.name.size());
  for (const Filter* f : filters::catalog().all())
    printText("{:{}}  {}\n", f->head.name, width, shortHelp(f->head));
  printText("\n`glint filters NAME` describes one filter.\n");
}

void describe(const Head& head) {
  printText("{}: {}\n", head.name, head.help);
  printText("  takes {}; {}; feeds {}\n", planesOf(head),
            head.exact ? "exact" : "within one count on any device", nameOf(head.feeds));
  for (const auto& input : head.inputs)
    printText("  {} = {}\n      {}\n", input.name, sourcesOf(input), input.help);
  for (const Parameter& p : head.parameters)
    printText("  {} = {}  ({})\n      {}\n", p.name, p.print(p.initial), unitOf(p), p.help);
}

/// Breaks a text between words into lines of a limited length.
std::string wrapped(const std::string& text) {
  constexpr size_t kLine = 140;
  std::istringstream stream(text);
  std::string all;
  size_t length = 0;
  for (std::string word; stream >> word; length += word.size() + 1) {
    const bool breaks = length > 0 && length + word.size() > kLine;
    if (breaks) length = 0;
    all += (all.empty() ? "" : breaks ? "\n" : " ") + word;
  }
  return all;
}

std::string markdownOf(const Head& head) {
  const std::string checked =
      head.check.empty() ? "" : fmt::format(" Compared with {}.", head.check);
  const std::string facts =
      fmt::format("Takes {}; {}; feeds `{}`.{}", planesOf(head),
                  head.exact ? "exact" : "within one count", nameOf(head.feeds), checked);
  std::string text =
      fmt::format("\n## {}\n\n{}\n\n{}\n", head.name, wrapped(head.help), wrapped(facts));
  if (head.inputs.empty() && head.parameters.empty()) return text;
  text += "\n| key | default | allowed | |\n|---|---|---|---|\n";
  for (const auto& input : head.inputs)
    text += fmt::format("| `{}` | | {} | {} |\n", input.name, sourcesOf(input), input.help);
  for (const Parameter& p : head.parameters)
    text += fmt::format("| `{}` | {} | {} | {} |\n", p.name, p.print(p.initial), unitOf(p), p.help);
  return text;
}

void show(const FiltersCommand& command) {
  if (command.markdown) {
    std::string text =
        "# All filters\n\nPrinted by `glint filters --markdown` from the heads of "
        "shaders/filters/*.comp; "
        "[filters.md](filters.md) tells how to use them.\n";
    for (const Filter* f : filters::catalog().all()) text += markdownOf(f->head);
    std::fputs(text.c_str(), stdout);
  } else if (command.name.empty()) {
    listAll();
  } else {
    describe(filters::catalog().get(command.name, "glint filters").head);
  }
}

}  // namespace

void addFiltersCommand(CLI::App& app) {
  const auto options = std::make_shared<FiltersCommand>();
  CLI::App* command = app.add_subcommand("filters", "List all filters, or describe one");
  addValue(*command, "name", options->name, "Name of a filter", "NAME");
  command->add_flag("--markdown", options->markdown, "Print docs/filters-reference.md");
  options->settings.addFilterFolders(*command);
  command->callback([options] { show(*options); });
}

}  // namespace glint::shell
