#!/usr/bin/env python3
"""Which tests a run of ctest skipped, and whether each may be.

Usage: check_skipped.py LOG...

A LOG is what ctest printed. Says how many tests were skipped, and fails where one was that is not
below: on the machine that .ci/run prepares, a tool or a font that is missing is a mistake.
"""
import re
import sys

# Names of tests, as a whole, and why they may be skipped.
MAY_BE_SKIPPED = [
    # What a row of the catalogue, or a schedule of the CPU device, is not about.
    (r"catalogue\..*EveryVariant\.(RunsInLockstep|GivesTheSameBitsWhereTheCatalogueSaysSo)/.*",
     "the catalogue says that the row need not"),
    (r"primitives\..*Reduce\.(CoversBoxesAndCentres|CoversZerosByAPositiveZero|"
     r"AddsWholeFloatsExactly|TakesTheMaximumOfFloatsThatAreNoNaN)/.*", "integers alone"),
    (r"primitives\..*Reduce\.InTwoPassesGivesTheSameBitsOnEveryDevice/.*", "promised by one row"),
    (r"primitives\..*Queue\.LosesNothingAndMakesNothingUpUnderStress/.*", "the row is no queue"),
    (r"primitives\..*SpatialHash\.IsNotCrowdedByPositionsThatAreNone/.*", "a row with one cell"),
    (r"panels\..*Launches\.AreOfAKernelInTheVariantsOwnFile/.*", "another thing is compared"),
    (r"simt\..*Executor\.FillsSharedMemoryBeforeEachBlockOfAShuffledLaunch/.*", "runs in order"),
    (r"simt\..*LookBack\.MeetsTensOfAggregatesWherePublicationsAreLate/.*",
     "the machine starts fewer than 60 threads"),
    # What needs a GPU, nvcc or cuobjdump, and what they hide.
    (r"picture\.Picture\.OfEveryGpuIsLikeThatOfTheCpu", "no GPU"),
    (r"app\.SessionTest\.DirectFramesReadBackOnlyResults", "the context is not shared"),
    (r"panels\..*Launches\.AreOfKernelsWhosePtxIsShown/.*", "built without CUDA"),
    (r"panels\.Programs\.TheRealDisassemblerReadsACubin", "no CUDA toolkit"),
    (r"panels\.(Programs\.WithoutADisassemblerItIsSaidHowToGetOne|"
     r"LabPanel\.SaysWhyThereIsNoMachineCode)", "the CUDA toolkit is there"),
    # What the user or the container that runs the tests has no leave to do, or too much.
    (r"runtime\.WholeFile\.OfAWriterThatIsKilledItIsTheOldOneOrTheNewOne", "needs ptrace"),
    (r"scenes\.ObjLoader\.UnreadableFileIsAnError", "root may read everything"),
    (r"app\.Faults\.AFullDisk", "needs a namespace of its own for a mount"),
    # What a sanitizer does not leave.
    (r"scenes\.ObjLoaderDeathTest\.OutOfMemoryIsAnError", "address space is reserved"),
    (r"simt\.(ThreadsDeathTest|Threads)\..*", "lanes and stacks are others"),
    # What a font of the machine hides.
    (r"panels\.LettersOnScreen\.ThatNoFontHasAreReplacedAndAskedForOnce",
     "a font has what Unicode has not"),
]


def main(logs):
    skipped = []
    for log in logs:
        with open(log, encoding="utf-8", errors="replace") as lines:
            skipped += re.findall(r"^\s*\d+ - (.*) \(Skipped\)$", lines.read(), re.MULTILINE)
    wrong = [name for name in skipped
             if not any(re.fullmatch(may, name) for may, _ in MAY_BE_SKIPPED)]
    print(f"{len(skipped)} tests skipped, {len(wrong)} of them must not be")
    for name in wrong:
        print(f"  {name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
