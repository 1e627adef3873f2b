#!/usr/bin/env python3
"""Which tests a run of ctest skipped, and whether each may be.

Usage: check_skipped.py LOG

LOG is ctest's Testing/Temporary/LastTest.log, with what each program printed. Says how many tests
were skipped, and fails where one was that is not below, or where no test ran at all.
"""
import re
import sys

# Names of tests, as a whole, and why they may be skipped.
MAY_BE_SKIPPED = [
    # What a row of the catalogue, or a schedule of the CPU device, is not about.
    (r"catalogue\..*EveryVariant\.(RunsInLockstep|GivesTheSameBitsIfTheCatalogueSaysSo)/.*",
     "the catalogue says that the row need not"),
    (r"primitives\..*Reduce\.(CoversBoxesAndCentres|CoversZerosByAPositiveZero|"
     r"AddsWholeFloatsExactly|TakesTheMaximumOfFloatsExceptNaN)/.*", "integers or sums alone"),
    (r"primitives\..*Reduce\.InTwoPassesGivesTheSameBitsOnEveryDevice/.*", "promised by one row"),
    (r"primitives\..*Queue\.NeitherLosesNorInventsItemsUnderStress/.*", "the row is no queue"),
    (r"primitives\..*SpatialHash\.PositionsThatAreNotFiniteFillNoCell/.*", "a row with one cell"),
    (r"panels\..*Launches\.AreOfAKernelInTheVariantsOwnFile/.*", "another thing is compared"),
    (r"simt\..*Executor\.FillsSharedMemoryBeforeEachBlockOfAShuffledLaunch/.*", "runs in order"),
    (r"simt\..*LookBack\.FindsTensOfAggregatesIfPublicationsAreLate/.*",
     "the machine starts fewer than 60 threads"),
    # What needs a GPU, nvcc or cuobjdump, and what they hide.
    (r"picture\.Picture\.OfEveryGpuIsLikeThatOfTheCpu", "no GPU"),
    (r"app\.SessionTest\.DirectFramesReadBackOnlyResults", "the context is not shared"),
    (r"panels\..*Launches\.AreOfKernelsWhosePtxIsShown/.*", "built without CUDA"),
    (r"panels\.Programs\.TheRealDisassemblerReadsACubin", "no CUDA toolkit"),
    (r"panels\.(Programs\.WithoutADisassemblerItIsSaidHowToGetOne|"
     r"LabPanel\.SaysWhyThereIsNoMachineCode)", "the CUDA toolkit is there"),
    # What the user or the container that runs the tests has no leave to do, or too much.
    (r"runtime\.WholeFile\.AKilledWriterLeavesTheOldOrTheNewFile", "needs ptrace"),
    (r"scenes\.ObjLoader\.UnreadableFileIsAnError", "root may read everything"),
    (r"app\.Faults\.AFullDisk", "needs a namespace of its own for a mount"),
    # What a font of the machine hides.
    (r"panels\.LettersOnScreen\.ThatNoFontHasAreReplacedAndAskedForOnce",
     "a font has what Unicode has not"),
]


def main(log):
    room = ""
    run, skipped = 0, []
    with open(log, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if begin := re.match(r"\d+/\d+ Testing: (\w+)\.", line):
                room = begin[1]
            elif re.match(r"\[       OK \] ", line):
                run += 1
            elif one := re.match(r"\[  SKIPPED \] (\S+?),? .*\(\d+ ms\)$", line):
                skipped.append(f"{room}.{one[1]}")
    wrong = [name for name in skipped
             if not any(re.fullmatch(may, name) for may, _ in MAY_BE_SKIPPED)]
    print(f"{run} tests passed, {len(skipped)} skipped, {len(wrong)} of them must not be")
    for name in wrong:
        print(f"  {name}")
    return 1 if wrong or run == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
