#include "app/output/report/page_style.h"

#include <fmt/format.h>

#include "app/output/report/svg.h"

namespace glint::output::report {
namespace {

// The style sheet. Readers with colour blindness can tell blue from orange, and the eight colours
// of the lines apart (after Okabe and Ito 2008). Each colour scheme has its own lightness of them.
constexpr std::string_view kPageStyle = R"css(
:root { color-scheme: light dark;
  --page: #fbfbf9; --card: #ffffff; --ink: #1b1d21; --soft: #5a606b; --line: #e3e4e0; --base: #a9adb3;
  --blue: #1f6fc4; --orange: #d4600a; --fill: #1f6fc41c; --bad: #b3261e; --note: #fff3d6;
  --t0: #0f6cb6; --t1: #cf5a00; --t2: #00875f; --t3: #b0568a; --t4: #9a7400; --t5: #2c8fcb; --t6: #6a4fb3; --t7: #5d646e; }
@media screen and (prefers-color-scheme: dark) { :root {
  --page: #14161a; --card: #1c1f24; --ink: #eceef1; --soft: #a3abb7; --line: #2d3138; --base: #69707c;
  --blue: #5aa6f2; --orange: #f5924a; --fill: #5aa6f224; --bad: #ff8a80; --note: #3b3118;
  --t0: #4fa3ee; --t1: #f28a3c; --t2: #2fbf91; --t3: #e08cbb; --t4: #d9b233; --t5: #8fd0f7; --t6: #ab93ee; --t7: #a8b0bb; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
  font-variant-numeric: tabular-nums; }
main { max-width: 1154px; margin: 0 auto; padding: 28px 20px 48px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 19px; margin: 40px 0 12px; overflow-wrap: anywhere; }
h3 { font-size: 15px; margin: 0; }
p { margin: 0; }
code { font: 13px ui-monospace, "Liberation Mono", monospace; overflow-wrap: anywhere; }
.by { color: var(--soft); overflow-wrap: anywhere; }
.note { background: var(--note); border-left: 4px solid var(--orange); padding: 8px 12px; margin: 12px 0 0; overflow-wrap: anywhere; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(118px, 1fr)); gap: 1px; margin: 20px 0; background: var(--card);
  border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.figures div { box-shadow: 0 0 0 1px var(--line); padding: 12px 10px; }
.figures dt { color: var(--soft); font-size: 13px; }
.figures dd { margin: 0; font-size: 20px; font-weight: 600; line-height: 1.25; white-space: nowrap; }
.figures dd.detail { color: var(--soft); font-size: 12px; font-weight: 400; min-height: 15px; white-space: normal; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: right; padding: 5px 8px; border-bottom: 1px solid var(--line); font-weight: 400; white-space: nowrap; vertical-align: bottom; }
thead th { color: var(--soft); white-space: normal; max-width: 84px; }
th.source, td.source { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 170px; max-width: none; }
td.bar { width: 60%; } .bar i { display: block; height: 8px; margin-bottom: 5px; background: var(--blue); }
#space .scroll, #space figure { margin-top: 16px; } #space figure .scroll { margin-top: 0; }
#run { color: var(--soft); font-size: 13px; margin-top: 12px; overflow-wrap: anywhere; }
#run code { color: var(--ink); }
summary { cursor: pointer; margin-top: 4px; }
.settings { columns: 4 190px; list-style: none; margin: 6px 0 0; padding: 0; }
.settings .changed code { font-weight: 700; }
.camera { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 16px; }
.camera > h2, .camera > p, .wide { grid-column: 1 / -1; }
.camera > h2 { margin-bottom: 0; }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 14px 16px 10px; break-inside: avoid; min-width: 0; }
figcaption { margin-bottom: 10px; }
figcaption p { color: var(--soft); font-size: 13px; }
figure .none { padding: 24px 0; color: var(--soft); }
svg { display: block; width: 100%; height: auto; font-size: 12px; }
svg path { fill: none; }
text { fill: var(--ink); }
.axis text { fill: var(--soft); } .axis .title { fill: var(--ink); }
.end { text-anchor: end; } .mid { text-anchor: middle; }
.grid { stroke: var(--line); } .tick, .base { stroke: var(--base); }
.measured { stroke: var(--blue); } .predicted { stroke: var(--orange); } .absent { stroke: var(--base); }
.presence path { stroke-width: var(--row); }
.presence .absent { stroke-width: calc(var(--row) * .2); }
.key-line { stroke-width: 4; } .absent.key-line { stroke-width: 1.5; }
.lines path { stroke-width: 5.6; stroke-linejoin: round; stroke-linecap: round; }
.lines.dots path { stroke-width: 12; }
.lines.many path { stroke-width: 3.6; opacity: .7; }
svg .cell { fill: var(--orange); } svg .field { fill: var(--blue); fill-opacity: .55; } svg .frame { fill: none; stroke: var(--base); }
svg .bars { fill: var(--blue); }
svg .outline { stroke-width: 1.6; } svg .outline.in-x { fill: var(--fill); }
.in-x { stroke: var(--blue); } .in-y { stroke: var(--orange); stroke-dasharray: 5 2.5; }
.in-x.key-line, .in-y.key-line { stroke-width: 2; }
.mark { stroke: var(--soft); stroke-dasharray: 2 3; } .drop { stroke: var(--bad); stroke-width: 2; }
path.t0 { stroke: var(--t0); } path.t1 { stroke: var(--t1); } path.t2 { stroke: var(--t2); } path.t3 { stroke: var(--t3); }
path.t4 { stroke: var(--t4); } path.t5 { stroke: var(--t5); } path.t6 { stroke: var(--t6); } path.t7 { stroke: var(--t7); }
circle.t0 { fill: var(--t0); } circle.t1 { fill: var(--t1); } circle.t2 { fill: var(--t2); } circle.t3 { fill: var(--t3); }
circle.t4 { fill: var(--t4); } circle.t5 { fill: var(--t5); } circle.t6 { fill: var(--t6); } circle.t7 { fill: var(--t7); }
.picked [data-t]:not(.on) { opacity: .1; } .picked .on { opacity: 1; }
@media (max-width: 760px) {
  .camera { grid-template-columns: minmax(0, 1fr); }
  .wide svg { min-width: 720px; } }
@media print { body { background: #fff; font-size: 12px; } main { padding: 0; } figure { border: 0; padding: 8px 0; } details { display: none; } }
)css";

}  // namespace

std::string beginPage(const std::string& title, bool scripted) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'{0}\">"
      "<title>{1}</title><style>{2}</style></head>\n<body><main><header><h1>{1}</h1>",
      scripted ? "; script-src 'unsafe-inline'" : "", escaped(title), kPageStyle);
}

const std::string_view kPageScript = R"js(
for (const camera of document.querySelectorAll(".camera")) {
  let picked = null;
  camera.addEventListener("pointerover", event => {
    const track = event.target.closest("[data-t]")?.dataset.t ?? null;
    if (track === picked) return;
    picked = track;
    for (const mark of camera.querySelectorAll(".on")) mark.classList.remove("on");
    camera.classList.toggle("picked", track !== null);
    if (track === null) return;
    for (const mark of camera.querySelectorAll(`[data-t="${track}"]`)) mark.classList.add("on");
  });
}
)js";

}  // namespace glint::output::report
