"""Recomputes the numbers in the pages' prose that name where they come from.

    0.0438<!-- ms lab-h200-2026-11-24-ahead scan exclusive 2^24 ahead -->

A mark is a comment right behind a number, or behind its `%` or `x`. It holds a kind and one or two terms, each
SERIES PRIMITIVE FORM SIZE VARIANT; a second term names only the last fields that differ from the first. SERIES is
a file of bench/results without `.json`, or a short name that the page declares:

    <!-- series ahead lab-h200-2026-11-24-ahead -->

| kind | value |
| --- | --- |
| ms A, us A, gitems A | the median; items per nanosecond |
| ms A + B, ms A - B | sum and difference of two medians |
| times A / B, more A / B, less A / B | how many times as long A takes as B; the same as a percentage more or less |
| copy A, own A | percentage of a copy's speed: of the bytes that the problem needs, of those that A moves |
| spread A | the farther quartile's distance from the median, in percent of it |
| fact A WHAT | a fact beside the times; of a benchmark: its field of that name |

FORM, SIZE and VARIANT may be lists with commas, SIZE also 2^10..2^20; `least` or `most` before the kind then says
which of the values stands there. A series of warpview_bench has benchmarks: SERIES "PART OF THE NAME".
"""

import functools
import json
import pathlib
import re
import shlex

RESULTS = pathlib.Path(__file__).resolve().parent.parent / "bench" / "results"
COMMENT = re.compile(r"<!-- (.*?) -->", re.DOTALL)
NUMBER = re.compile(r"(\d+(?:\.\d+)?)(?: ?%|x)?$")
BLOCKS = re.compile(r"/?(figures|facts|reports|table|series)\b")


class Wrong(Exception):
    pass


@functools.lru_cache(maxsize=None)
def series_named(name):
    path = RESULTS / f"{name}.json"
    if not path.exists():
        raise Wrong(f"there is no series {name} in bench/results")
    return json.loads(path.read_text())


def sizes_of(word):
    def size(text):
        return 1 << int(text[2:]) if text.startswith("2^") else int(text)

    if ".." in word:
        first, last = word.split("..")
        return [1 << k for k in range(int(first[2:]), int(last[2:]) + 1)]
    return [size(part) for part in word.split(",")]


def expanded(fields):
    """Each (series, primitive, form, size, variant) that five words stand for."""
    series, primitive, forms, sizes, variants = fields
    return [(series, primitive, form, size, variant) for form in forms.split(",") for size in sizes_of(sizes)
            for variant in variants.split(",")]


def answer(place):
    series, primitive, form, size, variant = place
    for a in series_named(series)["results"]:
        if (a["primitive"], a["form"], a["items"], a["variant"]) == (primitive, form, size, variant) and "ms" in a:
            return a
    raise Wrong(f"{series} has no {primitive} of form {form}, {size} items, variant {variant}")


def benchmarks(series, part):
    found = [{**b, "ms": b["median_ms"]} for b in series_named(series)["benchmarks"]
             if part in b["name"] and "median_ms" in b]
    if not found:
        raise Wrong(f"{series} has no benchmark with {part!r} in its name")
    return found


def spread(a):
    return 100 * max(a["quartile_3_ms"] - a["ms"], a["ms"] - a["quartile_1_ms"]) / a["ms"]


def moved(a):
    return 100 * a["copy_share"] * a["bytes_moved"] / a["bytes_needed"]


ONE = {"ms": lambda a: a["ms"], "us": lambda a: 1000 * a["ms"], "gitems": lambda a: a["items"] / a["ms"] * 1e-6,
       "copy": lambda a: 100 * a["copy_share"], "own": moved, "spread": spread}
TWO = {"times": lambda a, b: a / b, "more": lambda a, b: 100 * (a / b - 1), "less": lambda a, b: 100 * (1 - a / b)}
KINDS = {*ONE, *TWO, "fact"}


def terms(words, separator):
    if separator not in words:
        return [words]
    at = words.index(separator)
    return [words[:at], words[at + 1:]]


def pairs(words, separator, names):
    """The pairs of answers that two terms stand for; the second inherits what it leaves out."""
    first, second = terms(words, separator)
    if len(first) == 2:
        series, part = names.get(second[0], second[0]) if len(second) == 2 else first[0], second[-1]
        return [(a, b) for a in benchmarks(*first) for b in benchmarks(series, part)]
    if len(second) == 5:
        second = [names.get(second[0], second[0]), *second[1:]]
    places = []
    for place in expanded(first):
        other = list(place)
        for k, word in enumerate(reversed(second), 1):
            other[-k] = sizes_of(word)[0] if k == 2 else word
        places.append((answer(place), answer(tuple(other))))
    return places


def values(kind, words, names):
    words = [names.get(words[0], words[0]), *words[1:]]
    if kind == "fact":
        what = words.pop()
        if len(words) == 2:
            return [b[what] for b in benchmarks(*words)]
        return [fact["value"] for place in expanded(words) for fact in answer(place).get("facts", [])
                if fact["what"] == what]
    if kind in TWO:
        return [TWO[kind](a["ms"], b["ms"]) for a, b in pairs(words, "/", names)]
    for sign, factor in (("+", 1), ("-", -1)):
        if sign in words:
            return [a["ms"] + factor * b["ms"] for a, b in pairs(words, sign, names)]
    if len(words) == 2:
        return [ONE[kind](a) for a in benchmarks(*words)]
    return [ONE[kind](answer(place)) for place in expanded(words)]


def value(text, names):
    words = shlex.split(text)
    pick = {"least": min, "most": max}.get(words[0])
    if pick:
        words = words[1:]
    try:
        found = values(words[0], words[1:], names)
    except (ValueError, IndexError, KeyError) as error:
        raise Wrong(f"not a mark: {text}") from error
    if not found or (not pick and len(found) > 1):
        raise Wrong(f"{len(found)} values for one number: {text}")
    return pick(found) if pick else found[0]


def names_in(text):
    return dict(re.findall(r"<!-- series (\S+) (\S+) -->", text))


def marked(text):
    """Each comment that claims to be a mark, with the number before it, which may be missing."""
    for comment in COMMENT.finditer(text):
        if not BLOCKS.match(comment[1]):
            yield comment, NUMBER.search(text, max(0, comment.start() - 40), comment.start())


def expected(number, comment, names):
    """What should stand there, to as many digits as do."""
    if not KINDS & set(comment[1].split()[:2]):
        raise Wrong(f"a comment that is neither a mark nor a block: {comment[1]}")
    if not number:
        raise Wrong(f"a mark without a number before it: {comment[1]}")
    return f"{value(comment[1], names):.{len(number[1].partition('.')[2])}f}"


def wrong_marks(text):
    """(line, what is wrong) of each mark of a page that does not hold, and how many there are."""
    names, wrong, count = names_in(text), [], 0
    for count, (comment, number) in enumerate(marked(text), 1):
        line = text.count("\n", 0, comment.start()) + 1
        try:
            right = expected(number, comment, names)
            if right != number[1]:
                words = " ".join(comment[1].split())
                wrong.append((line, f"{number[1]} stands there, the series gives {right}: {words}"))
        except Wrong as error:
            wrong.append((line, str(error)))
    return wrong, count


def with_numbers(text):
    """The page, with the numbers that its series give."""
    names, parts, at = names_in(text), [], 0
    for comment, number in marked(text):
        right = expected(number, comment, names)
        parts += [text[at:number.start(1)], right]
        at = number.end(1)
    return "".join([*parts, text[at:]])
