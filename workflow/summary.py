"""Writes the summary of all recordings, summary.html and summary.csv in the working folder: a row each, those that need a look first."""

import csv
import html
import json
import os
import pathlib
import re

import table

COLUMNS = ("name", "state", "frames", "markers_a_frame", "tracks", "tracks_a_marker", "partial_frames", "seconds", "recall", "idf1",
           "median_error_px", "says")
FAILED, DOUBTFUL, GOOD = "failed", "look", "good"
NOT_DONE = "not done yet"
FRAGMENTED = 3  # tracks per marker above which most tracks were lost and found again, or are false
POOR = 0.8  # IDF1 below which a recording needs a look
UNTRACKED = 0.05  # share of detections without a track above which a recording needs a look
# These are sentences that `glint track` prints beside the counts.
ADVICE = re.compile(r"^(?:hint|warning): .*", re.M)
LEFT = re.compile(r"^(\d+) of (\d+) detections belong to no track.*", re.M)
STYLE = """body { font: 14px/1.4 sans-serif; margin: 2em } table { border-collapse: collapse } th, td { padding: 3px 9px; text-align: right;
border-bottom: 1px solid #ddd; vertical-align: top } th:first-child, td:first-child, .says { text-align: left } .says { max-width: 60em }
.failed { background: #fbdcd8 } .look { background: #fdf1cf }"""


def write(recordings, folder="."):
    """Writes both files, and returns one sentence about the recordings. Raises OSError."""
    folder = pathlib.Path(folder)
    rows = sorted((_row(folder, name, recording) for name, recording in recordings.items()), key=_need)
    with _whole(folder / "summary.csv") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows({column: row.get(column, "") for column in COLUMNS} for row in rows)
    with _whole(folder / "summary.html") as file:
        file.write(_page(rows))
    counts = {state: sum(row["state"] == state for row in rows) for state in (FAILED, DOUBTFUL, NOT_DONE)}
    said = ", ".join(f"{count} {text}" for count, text in zip(counts.values(), (FAILED, "to look at", NOT_DONE)) if count)
    return f"{len(rows)} recordings{': ' + said if said else ', all good'} -> {folder / 'summary.html'}"


class _whole:
    """A file that replaces the one of its name once it is complete."""

    def __init__(self, path):
        self.path, self.new = path, path.with_name(path.name + ".new")

    def __enter__(self):
        self.file = open(self.new, "w", encoding="utf-8", errors="backslashreplace", newline="")
        return self.file

    def __exit__(self, fault, *_):
        self.file.close()
        os.replace(self.new, self.path) if fault is None else os.unlink(self.new)


def _row(folder, name, recording):
    """Returns the row of a recording: its state, its figures, and what a user should know about it."""
    at = folder / name
    row = {"name": name, "state": GOOD}
    for step, result, log in (("track", "tracks.json", "track.log"), ("probe", "probe.json", "probe.log")):
        if (step == "track" or recording.probe) and not (at / result).exists() and _text(at / log):
            return _figures(row | _failure(at / log), _json(at / "before_failure.json"))
    if not (at / "tracks.json").exists():
        return row | {"state": NOT_DONE, "says": ""}
    row = _figures(row, _json(at / "tracks.json"))
    says = [] if row.get("tracks") else ["no tracks"]
    log = _text(at / "track.log")
    says += ADVICE.findall(log) + [match[0] for match in LEFT.finditer(log) if int(match[1]) > UNTRACKED * int(match[2])]
    if row.get("tracks_a_marker", 0) > FRAGMENTED:
        says.append(f"{row['tracks_a_marker']:.1f} tracks a marker: ids do not last")
    for result, log in ((table.report_of(name), "report.log"), *[(table.score_of(name), "score.log")] * bool(recording.truth)):
        if _text(at / log) and not (folder / result).exists():
            return row | _failure(at / log)
    if recording.truth:
        row |= _score(at / "score.json")
        if row.get("idf1", 1) < POOR:
            says.insert(0, f"IDF1 {row['idf1']:.3f}")
    left_out = _json(at / "score.json").get("truth_left_out", 0) if recording.truth else 0
    if left_out and not says:
        row["says"] = f"{left_out} rows of the truth are of frames that were not tracked"
    if says:
        row |= {"state": DOUBTFUL, "says": "; ".join(says)}
    return row


def _failure(log):
    said = [line for line in _text(log).splitlines() if line.startswith("glint: ")]
    return {"state": FAILED, "says": said[-1] if said else "its job ended before it was done", "log": log.name}


def _figures(row, record):
    counts = record.get("counts", {})
    frames, markers, tracks = counts.get("frames", 0), counts.get("markers", 0), counts.get("tracks", 0)
    if not record:
        return row
    row |= {"frames": frames, "tracks": tracks, "partial_frames": counts.get("partial_frames", 0), "seconds": round(record.get("seconds", 0), 2)}
    if frames:
        row["markers_a_frame"] = round(markers / frames, 2)
    if frames and markers:
        row["tracks_a_marker"] = round(tracks * frames / markers, 2)
    return row


def _score(path):
    score = _json(path).get("all", {})
    return {column: round(score[key], 4) for column, key in (("recall", "recall"), ("idf1", "idf1"), ("median_error_px", "median_error"))
            if score.get(key) is not None}


def _need(row):
    """Returns the key by which rows are sorted: failures first, then unfinished, doubtful and good ones; in each group the worst first."""
    order = (FAILED, NOT_DONE, DOUBTFUL, GOOD).index(row["state"])
    return order, bool(row.get("tracks")), row.get("idf1", 1), -row.get("tracks_a_marker", 0), row["name"]


def _text(path):
    try:
        return path.read_text(encoding="utf-8", errors="backslashreplace")
    except FileNotFoundError:
        return ""


def _json(path):
    try:
        return json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return {}


def _page(rows):
    heads = "".join(f"<th{' class=says' if column == 'says' else ''}>{column.replace('_', ' ')}</th>" for column in COLUMNS)
    body = "\n".join(f"<tr class='{html.escape(row['state'])}'>" + "".join(map(lambda column: _cell(row, column), COLUMNS)) + "</tr>" for row in rows)
    return (f"<!DOCTYPE html>\n<html lang='en'><meta charset='utf-8'><title>Recordings</title><style>{STYLE}</style>\n"
            f"<h1>{len(rows)} recordings</h1>\n<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table></html>\n")


def _cell(row, column):
    text = html.escape(str(row.get(column, "")))
    if column == "name" and row["state"] in (GOOD, DOUBTFUL):
        text = f"<a href='{text}/report.html'>{text}</a>"
    if column == "state":
        text = f"<a href='{row['name']}/{row.get('log', 'track.log')}'>{text}</a>" if row["state"] != NOT_DONE else text
    return f"<td{' class=says' if column == 'says' else ''}>{text}</td>"
