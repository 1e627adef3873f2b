#!/usr/bin/env python3
"""Looks through the host code of app, examples, gpu and scenes with clang-tidy: tidy.py BUILD_FOLDER

The folder must have been built, for its generated headers. Kernel files (.cu) are left out: three
compilers read them in their own ways.

Most of clang-tidy's time goes into headers of the system. So it reads several files at a time, as
one source that includes them: files of which no two give a name to things of their own. Where they
do not go together all the same, it reads them in two halves.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

AT_A_TIME = 48
# clang does not know these options of GCC.
UNKNOWN = {"-fpch-preprocess", "-Wno-restrict", "-fno-gnu-unique"}

root = pathlib.Path(__file__).resolve().parent.parent
build = pathlib.Path(sys.argv[1]).resolve()
folder = build / "tidy"
folder.mkdir(exist_ok=True)


def options_of(command):
    """Those that say how to read the source: -I, -isystem, -D, -std, -W, -f."""
    words = iter(shlex.split(command)[1:])
    result = []
    for word in words:
        if word == "-isystem":
            result.append(f"-isystem{next(words)}")
        elif re.match(r"-(I|D|std|W|f)", word) and word not in UNKNOWN:
            result.append(word)
    return result


def own_names(file):
    """What the file declares at the left margin, roughly: more than what is in unnamed namespaces."""
    declaration = r"^(?!namespace|using|#|/|\}| |static_assert|class|struct)" \
                  r"[^\n(={\[;]*?(?<!::)\b(\w+)\s*[({=\[;]"
    text = file.read_text()
    enumerators = " ".join(re.findall(r"^enum (?!class)[^{;]*\{([^}]*)\}", text, re.MULTILINE))
    return set(re.findall(declaration, text, re.MULTILINE) +
               re.findall(r"^(?:class |struct |using (?=\w+ =))(\w+)", text, re.MULTILINE) +
               re.findall(r"\w+", re.sub(r"//.*", "", enumerators)))


def compiled():
    """Each source and its command; those that the compiler reads together (WARPVIEW_BATCH_SIZE), too."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"]).resolve()
        if file.parent.name == "Unity":
            for included in re.findall(r'^#include "(.*)"$', file.read_text(), re.MULTILINE):
                yield pathlib.Path(included).resolve(), entry["command"]
        else:
            yield file, entry["command"]


def sources():
    """Lists of (files that are read together, options)."""
    together = []
    for file, command in compiled():
        if not file.is_relative_to(root) or file.suffix != ".cpp":
            continue
        if file.relative_to(root).parts[0] not in ("app", "examples", "gpu", "scenes"):
            continue
        options = options_of(command)
        # A backend's own, and those of the counted and of the recorded build, go with each other alone.
        kind = {option for option in options
                if re.match("-DWARPVIEW_(BACKEND|COUNTED$|RECORDED$)", option)}
        names = own_names(file)
        for group in together:
            if group["kind"] == kind and len(group["files"]) < AT_A_TIME and \
               not names & group["names"]:
                break
        else:
            group = {"kind": kind, "files": [], "names": set(), "options": []}
            together.append(group)
        group["files"].append(file)
        group["names"] |= names
        group["options"] += [option for option in options if option not in group["options"]]
    return [(group["files"], group["options"]) for group in together]


def look(files, options, name):
    """What clang-tidy says of the files."""
    command = ["clang-tidy", "-quiet", f"--config-file={root}/.clang-tidy"]
    source = files[0]
    if len(files) > 1:
        source = folder / f"{name}.cpp"
        source.write_text("".join(f'#include "{file}"\n' for file in files))
        command += [r"--header-filter=/(app|examples|gpu|scenes)/[^.]*\.(h|cpp)$",
                    "--checks=-bugprone-suspicious-include"]  # of our .cpp files
    done = subprocess.run([*command, str(source), "--", *options], text=True, capture_output=True,
                          check=False)
    said = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
    if len(files) > 1 and "[clang-diagnostic-error]" in said:
        print(f"Read apart, as they do not go together ({source}):", *files, sep="\n  ")
        half = len(files) // 2
        return (look(files[:half], options, f"{name}a") + look(files[half:], options, f"{name}b"))
    if done.returncode and not re.search(r": (error|warning): ", said):
        said += f"{source}: error: clang-tidy ended with {done.returncode}\n{done.stderr}"
    return said


to_read = sources()
if not to_read:
    sys.exit(f"{build}/compile_commands.json names no file of {root}")
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    tasks = [pool.submit(look, files, options, number)
             for number, (files, options) in enumerate(to_read)]
said = "".join(task.result() for task in tasks)
(folder / "log").write_text(said)
# A header's finding comes once for each source that includes it.
findings = sorted({line for line in said.splitlines() if re.search(r": (error|warning): ", line)})
print(*findings, sep="\n")
if findings:
    sys.exit(f"Everything that clang-tidy said is in {folder}/log")
