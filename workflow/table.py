"""The table of recordings: a CSV file with the columns below, of which only `recording` must be there.

recording   what `glint track` takes; several cameras of one session stand between `|`
settings    a TOML file for --config
rig         a rig.toml for --rig
options     further words for `glint track`, quoted as in a shell: --dark --set "detect.mask=/data/a mask.png"
truth       a truth.csv to score the tracks against
probe       yes: `glint probe` looks for the settings first
name        the folder of the results; by default it is made of the recording's name

Relative files are searched beside the table, those among the options in the folder of the recording's results.
"""

import csv
import dataclasses
import itertools
import os
import pathlib
import re
import shlex

COLUMNS = ("recording", "settings", "rig", "options", "truth", "probe", "name")
OF_ALL = ("recordings.csv", "summary.csv", "summary.html")  # beside the folders of the results
YES, NO = ("yes", "1", "true"), ("", "no", "0", "false")


def report_of(name):
    return f"{name}/report.html"


def score_of(name):
    return f"{name}/score.json"


def that_exist(*files):
    """Returns those of the files for whose changes Snakemake is to look. A missing file is left out, because Glint reports it for one recording, while
    Snakemake would end everything. So it would for names with braces (its wildcards), line breaks, or bytes that are not UTF-8; if such a file
    changes, Snakemake does not notice."""
    return [file for file in files if file and not re.search("[{}\n\ud800-\udfff]", file) and os.path.exists(file)]


@dataclasses.dataclass(frozen=True)
class Recording:
    sources: tuple  # absolute paths, or sources that are not files, such as synth:dancer
    settings: str
    rig: str
    options: tuple
    truth: str
    probe: bool

    def files(self):
        """Returns the files that tracking reads, as far as they exist."""
        return that_exist(*self.sources, self.settings, self.rig)

    def probe_words(self):
        config = ["--config", self.settings] if self.settings else []
        return shlex.join(["probe", self.sources[0], "--json", *config])

    def track_words(self):
        config = ["--config", self.settings] if self.settings else []
        rig = ["--rig", self.rig] if self.rig else []
        return shlex.join(["track", *self.sources, *config, *rig, *self.options])


def read(path):
    """Returns the recordings by name, in the order of the table. Raises OSError, or ValueError with one sentence."""
    path = pathlib.Path(path).absolute()
    with open(path, newline="", encoding="utf-8-sig", errors="surrogateescape") as file:
        reader = csv.DictReader(file, strict=True)
        try:
            unknown = [column for column in reader.fieldnames or [] if column not in COLUMNS]
            if unknown or "recording" not in (reader.fieldnames or []):
                fault = f"has an unknown column {ascii(unknown[0][:40])}" if unknown else "has no column 'recording'"
                raise ValueError(f"'{path}' {fault}; its first line must hold some of {','.join(COLUMNS)}")
            rows = [(_cells(row, f"'{path}', line {reader.line_num}"), reader.line_num) for row in reader]
        except csv.Error as error:
            raise ValueError(f"'{path}', line {reader.line_num}: {error}") from None
    recordings = {}
    taken = {cells["name"] for cells, _ in rows} | set(OF_ALL)
    for cells, line in rows:
        where = f"'{path}', line {line}"
        name = cells["name"] or _new_name(cells["recording"], taken)
        if not re.fullmatch(r"[\w.,=+-]+", name, re.ASCII) or name.startswith((".", "-")):
            raise ValueError(f"{where}: the name '{name}' is no name of a folder; use letters, digits and . , = + - _")
        if name in OF_ALL:
            raise ValueError(f"{where}: the name '{name}' is that of a file of all recordings")
        if name in recordings:
            raise ValueError(f"{where}: the name '{name}' is there twice")
        taken.add(name)
        recordings[name] = _recording(cells, path.parent, where)
    return recordings


def _cells(row, where):
    """Returns the cells of a row by their columns. Raises ValueError for a row with too few or too many cells."""
    if None in row or None in row.values():
        raise ValueError(f"{where} has another number of cells than the first line")
    if not row["recording"]:
        raise ValueError(f"{where}: the recording is missing")
    return {column: row.get(column, "") for column in COLUMNS}


def _recording(cells, folder, where):
    if cells["probe"].lower() not in YES + NO:
        raise ValueError(f"{where}: probe is '{cells['probe']}'; say yes or no")
    try:
        options = tuple(shlex.split(cells["options"]))
    except ValueError as error:
        raise ValueError(f"{where}: the options are not quoted as in a shell: {error}") from None
    beside = {column: str(folder / cells[column]) if cells[column] else "" for column in ("settings", "rig", "truth")}
    sources = tuple(source if re.match(r"\w+:", source) else str(folder / source) for source in cells["recording"].split("|"))
    return Recording(sources, options=options, probe=cells["probe"].lower() in YES, **beside)


def _new_name(recording, taken):
    """Returns the shortest name that no earlier row has, so that rows added at the end of a table rename nothing."""
    path = pathlib.PurePath(recording.split("|")[0])
    for text in (path.stem, path.name, str(path)):
        name = re.sub(r"[^\w.,=+-]+", "_", text, flags=re.ASCII).strip("_.").lstrip("-_.") or "recording"
        if name not in taken:
            return name
    return next(f"{name}_{i}" for i in itertools.count(2) if f"{name}_{i}" not in taken)
