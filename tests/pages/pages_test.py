#!/usr/bin/env python3
"""Pages of recordings in a real browser: stepped to their end by clicks and by keys.

Usage: pages_test.py WARPVIEW [FOLDER]

Records each page with this program, and the same run as JSON, whose events give what memory holds at
the end. With FOLDER, pictures of the pages are left there. Exits with 77 where there is no Chromium
or Selenium, unless CI=true.
"""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    webdriver = None

# What is recorded, and the array whose words a page shows at its end.
PAGES = [
    ("block_scan kogge_stone", "64", "out"),
    ("block_scan blelloch", "64", "out"),
    ("scan lookback", "1200", "out"),
    ("sort onesweep", "16", None),
    ("build karras", "16", None),
    ("refit atomic", "16", None),
    ("lock exponential", "128", None),
    ("queue broker", "16", None),
]
MOST_CLICKS = 300
PHONE, DESKTOP = (360, 800), (1280, 800)
HOST_WRITES = ("fill", "copy", "upload", "host")
READS = ("read", "load_relaxed", "load_acquire")
ACCESSES = READS + ("write", "store_relaxed", "store_release", "add", "subtract", "bit_and", "bit_or",
                    "bit_xor", "exchange", "compare_exchange", "modify")


def end_of(recording):
    """The contents of each device array after the run."""
    arrays = [bytearray.fromhex(array["before"]) for array in recording["arrays"]]
    for kind, _, _, _, subject, offset, size, _, value, _ in recording["events"]:
        if kind in HOST_WRITES:
            patch = recording["patches"][subject]
            data = bytes.fromhex(patch["bytes"])
            arrays[patch["array"]][patch["offset"]:patch["offset"] + len(data)] = data
        elif kind in ACCESSES and kind not in READS:
            if recording["arrays"][subject]["kind"] == "device":
                data = int(value, 16).to_bytes(8, "little")[:size]
                arrays[subject][offset:offset + size] = data
    contents = {}
    for array, data in zip(recording["arrays"], arrays):
        if array["kind"] == "device":
            assert zlib.crc32(data) == array["crc32_after"], array["name"]
            contents[array["name"]] = (array, bytes(data))
    return contents


def value_of(array, data, index):
    """As a page writes it."""
    size = array["element_bytes"]
    element = data[index * size:(index + 1) * size]
    formats = {"u": "BHIQ", "i": "bhiq", "f": "  fd"}
    if kind := re.fullmatch(r"([uif])(8|16|32|64)", array["type"]):
        letter = formats[kind[1]][{"8": 0, "16": 1, "32": 2, "64": 3}[kind[2]]]
        value, = struct.unpack("<" + letter, element)
        digits = {"f32": "%.6g", "f64": "%.9g"}.get(array["type"], "%d")
        return digits % value
    words = [element[i:i + 4] for i in range(0, size, 4)]
    fields = {"Vec3": "fff", "Vec4": "ffff", "Aabb": "ffffff", "BvhNode": "fffufffu"}
    kinds = fields.get(array["type"], "x" * len(words))
    return " ".join(word_of(*pair) for pair in zip(kinds, words, strict=True))


def word_of(kind, word):
    """A word of a structure, as a page writes it; a dot was never written."""
    if set(word) == {0xcd}:
        return "."
    if kind == "f":
        return f"{struct.unpack('<f', word)[0]:.4g}"
    number = int.from_bytes(word, "little")
    return str(number) if kind == "u" else f"{number:#x}"


class Pages(unittest.TestCase):
    program = None
    pictures = None

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        options = Options()
        options.binary_location = shutil.which("chromium")
        for word in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage",
                     f"user-data-dir={cls.folder / 'profile'}"):
            options.add_argument("--" + word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(service=Service(shutil.which("chromedriver")),
                                       options=options)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.temporary.cleanup()

    # ---- What is done ----

    def record(self, what, items, end):
        primitive, variant = what.split()
        file = self.folder / f"{primitive}_{variant}.{end}"
        run = subprocess.run([self.program, "lab", primitive, "--variant", variant, "--sizes", items,
                              "--seed", "1", "--record", file], capture_output=True, text=True,
                             check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        return file

    def resize(self, size, theme="light"):
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})
        self.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": theme}]})

    def open(self, page):
        self.browser.get(page.as_uri())
        WebDriverWait(self.browser, 60, 0.02).until(
            lambda browser: browser.execute_script(
                "return 'ready' in document.body.dataset || document.querySelector('.trouble')"))
        self.check_console()

    def run_script(self, script, *words):
        return self.browser.execute_script(script, *words)

    def step(self):
        return int(self.run_script("return document.body.dataset.step"))

    def press(self, keys):
        self.browser.find_element(By.TAG_NAME, "body").send_keys(keys)

    def click(self, button, times=1):
        element = self.browser.find_element(By.CSS_SELECTOR, button)
        chain = ActionChains(self.browser, duration=0).move_to_element(element)
        for _ in range(times):
            chain.click()
        chain.perform()

    def picture(self, page, name):
        if not self.pictures:
            return
        for size in (PHONE, DESKTOP):
            for theme in ("light", "dark"):
                self.resize(size, theme)
                self.browser.save_screenshot(
                    str(self.pictures / f"{page.stem}-{name}-{size[0]}-{theme}.png"))

    # ---- What is checked ----

    def check_console(self):
        self.assertEqual([line for line in self.browser.get_log("browser")
                          if line["level"] != "INFO"], [])

    def check_end(self, steps, contents, array):
        """The page stands at its end, and says of each word it shows what the run left there."""
        self.assertEqual(self.step(), steps)
        words = self.run_script("return document.getElementById('words').textContent")
        self.assertTrue(words.startswith(f"Step {steps} of {steps}. "), words)
        shown = self.run_script(
            "return [...new Set(player.views.flatMap(view => view.nodes.map(node => node.dataset.n)))]"
            ".filter(name => name !== undefined && player.strings[name].startsWith('word/'))"
            # Of shared memory whose block has ended nothing is said.
            ".map(name => player.about(Number(name))[0]).filter(line => line !== undefined)")
        found = set()
        for line in shown:
            name, index, value = re.fullmatch(r"([^\[]+)\[(\d+)\] = (.*)", line).groups()
            self.assertEqual(value, value_of(*contents[name], int(index)), line)
            found.add(name)
        if array:
            self.assertIn(array, found)

    def check_layout(self, size):
        """Nothing is wider than the window, and all that can be used has a name."""
        self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), size[0])
        nameless = self.run_script(
            "return [...document.querySelectorAll('button, input, select')].filter(each =>"
            " !(each.ariaLabel || each.textContent.trim() || each.closest('label')))"
            ".map(each => each.outerHTML)")
        self.assertEqual(nameless, [])
        views = self.run_script(
            "return [...document.querySelectorAll('main svg')].map(svg => [svg.getAttribute('role'),"
            "...['labelledby', 'describedby'].map(key => svg.getAttribute('aria-' + key)"
            ".split(' ').map(id => document.getElementById(id).textContent).join(' '))])")
        self.assertTrue(views)
        for role, title, description in views:
            self.assertEqual(role, "img")
            self.assertTrue(title and description)

    def check_page(self, page, contents, array):
        self.resize(PHONE)
        self.open(page)
        steps = self.run_script("return player.steps")
        self.check_layout(PHONE)
        self.assertEqual(self.step(), 0)
        self.click("[data-do=forward]", 3)
        self.assertEqual(self.step(), 3)
        self.click("[data-do=back]")
        self.assertEqual(self.step(), 2)
        clicks = min(steps, MOST_CLICKS)
        self.click("[data-do=forward]", clicks - 2)
        self.assertEqual(self.step(), clicks)
        self.click("[data-do=end]")
        self.check_end(steps, contents, array)
        self.resize(DESKTOP)  # another layout, at the same step
        self.check_layout(DESKTOP)
        self.check_end(steps, contents, array)
        self.press(Keys.HOME)
        self.assertEqual(self.step(), 0)
        self.press(Keys.ARROW_RIGHT * 3)
        self.assertEqual(self.step(), 3)
        self.press(Keys.ARROW_RIGHT * (steps - 3))
        self.check_end(steps, contents, array)
        self.press(Keys.ARROW_LEFT * 30)
        self.assertEqual(self.step(), max(steps - 30, 0))
        self.run_script("player.go(player.steps >> 1)")
        self.picture(page, "middle")
        self.press(Keys.END)
        self.check_end(steps, contents, array)
        self.check_console()

    def test_pages_end_with_what_the_run_left(self):
        for what, items, array in PAGES:
            with self.subTest(what):
                page = self.record(what, items, "html")
                recording = json.loads(self.record(what, items, "json").read_text())
                self.check_page(page, end_of(recording), array)

    def test_shows_the_same_wherever_it_came_from(self):
        """Each step's elements, in their order, do not depend on the step before."""
        self.resize(DESKTOP)
        self.open(self.record("block_scan blelloch", "64", "html"))
        # What lights up stays out of it.
        differ = self.run_script("""
            const seen = step => {
              player.go(step);
              return document.getElementById('views').innerHTML;
            };
            const all = Array.from({length: player.steps + 1}, (_, step) => seen(step));
            const differ = [];
            for (let step = player.steps; step-- > 0;) if (seen(step) !== all[step]) differ.push(step);
            for (let step = 0; step <= player.steps; step += 37)
              for (const to of [step, player.steps - step, (step * 7) % player.steps])
                if (seen(to) !== all[to]) differ.push(to);
            return differ;""")
        self.assertEqual(differ, [])
        self.assertEqual(self.run_script("return document.getElementById('scrub').value"),
                         str(self.step()))

    def test_looks_as_its_styles_say(self):
        """Texts and lines have what the shapes of a page's data have."""
        self.resize(DESKTOP)
        self.open(self.record("block_scan blelloch", "64", "html"))
        wrong = self.run_script("""
            player.go(player.steps >> 1);
            const wrong = [];
            let bold = 0, middle = 0, faint = 0, dashes = 0;
            for (const view of player.views)
              view.shapes.forEach((shape, i) => {
                const style = player.styles[view.scene.style[shape]];
                const look = getComputedStyle(view.nodes[i]);
                const text = style.kind === 2, line = style.kind === 0;
                const anchor = text ? ['start', 'middle', 'end'][style.align] : 'start';
                const dash = line && style.dashes > 0;
                bold += text && style.bold;
                middle += anchor === 'middle';
                faint += style.opacity < 1;
                dashes += dash;
                if (look.fontWeight !== (text && style.bold ? '700' : '400') ||
                    look.textAnchor !== anchor || Number(look.opacity) !== style.opacity ||
                    (look.strokeDasharray !== 'none') !== dash)
                  wrong.push(view.nodes[i].outerHTML);
              });
            return [wrong, [bold, middle, faint].every(count => count > 0)];""")
        self.assertEqual(wrong, [[], True])

    def test_begins_at_the_step_that_was_named(self):
        self.resize(DESKTOP)
        page = self.folder / "at_step.html"
        run = subprocess.run([self.program, "lab", "block_scan", "--variant", "blelloch", "--sizes",
                              "16", "--step", "9", "--record", page], capture_output=True, text=True,
                             check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.open(page)
        self.assertEqual(self.step(), 9)
        self.resize(PHONE)  # another layout, at the same step
        self.assertEqual(self.step(), 9)
        WebDriverWait(self.browser, 60, 0.02).until(
            lambda browser: self.run_script(
                "return document.querySelector('main svg').viewBox.baseVal.width < 400"))
        self.assertEqual(self.step(), 9)

    def test_keys_and_the_scrubber_pause_and_buttons_keep_their_space(self):
        self.resize(DESKTOP)
        self.open(self.record("block_scan blelloch", "64", "html"))
        playing = "return player.timer !== 0"
        slow = "document.getElementById('speed').value = '1'"
        self.run_script("const speed = document.getElementById('speed');"
                        "speed.append(new Option('1', '1'));" + slow)
        self.press(Keys.SPACE)
        self.assertTrue(self.run_script(playing))
        self.press(Keys.ARROW_RIGHT)
        self.assertFalse(self.run_script(playing))
        self.press(Keys.SPACE)
        self.run_script("const scrub = document.getElementById('scrub'); scrub.value = 7;"
                        "scrub.dispatchEvent(new Event('input'))")
        self.assertFalse(self.run_script(playing))
        # A button takes the space itself, which is one click.
        self.run_script("document.querySelector('[data-do=forward]').focus()")
        here = self.step()
        self.browser.switch_to.active_element.send_keys(Keys.SPACE)
        self.assertEqual(self.step(), here + 1)
        self.assertFalse(self.run_script(playing))
        # Keys of the browser are not the page's; its own do nothing else.
        taken = self.run_script("""
            const press = (key, more) => {
              const event = new KeyboardEvent(
                  'keydown', {key, bubbles: true, cancelable: true, ...more});
              document.body.dispatchEvent(event);
              return event.defaultPrevented;
            };
            return [press('End', {ctrlKey: true}), press('b', {metaKey: true}), press('x'),
                    press('Home'), press('b')];""")
        self.assertEqual(taken, [False, False, False, True, True])
        # From the end it plays from the beginning.
        self.press(Keys.END)
        self.press(Keys.SPACE)
        self.assertLess(self.step(), self.run_script("return player.steps"))
        self.press(Keys.SPACE)
        self.assertFalse(self.run_script(playing))
        # Jumps by a click go back with Shift.
        self.press(Keys.END)
        last = self.run_script("return player.landmarks[0].filter(step => step < player.steps).pop()")
        button = self.browser.find_element(By.CSS_SELECTOR, '[data-jump="0"]')
        ActionChains(self.browser, duration=0).key_down(Keys.SHIFT).click(button).key_up(
            Keys.SHIFT).perform()
        self.assertEqual(self.step(), last)
        self.check_console()

    def test_jumps_play_and_scrubbing(self):
        self.resize(DESKTOP)
        self.open(self.record("block_scan blelloch", "64", "html"))
        for key, button in zip("bpcd", range(4)):
            landmarks = self.run_script("return player.landmarks[arguments[0]]", button)
            enabled = self.run_script(
                f"return !document.querySelector('[data-jump=\"{button}\"]').disabled")
            self.assertEqual(enabled, bool(landmarks))
            self.press(Keys.HOME)
            self.press(key * 2)
            self.assertEqual(self.step(), (landmarks + [0, 0])[min(len(landmarks), 2) - 1])
            if key == "b":
                self.assertIn("barrier", self.browser.find_element(By.ID, "words").text)
            if len(landmarks) > 2:
                self.click(f'[data-jump="{button}"]')
                self.assertEqual(self.step(), landmarks[2])
                self.press(key.upper())
                self.assertEqual(self.step(), landmarks[1])
        blocks = self.run_script("return [...player.texts.blocks]")
        self.press(Keys.HOME)
        self.press(Keys.SHIFT + Keys.ARROW_RIGHT * 6)
        here = self.step()
        self.press(Keys.SHIFT + Keys.ARROW_RIGHT)
        self.assertEqual(self.step(), blocks.index(blocks[here], here + 1))
        self.press(Keys.SHIFT + Keys.ARROW_LEFT)
        self.assertEqual(self.step(), here)
        self.press(Keys.HOME)
        self.run_script("document.getElementById('speed').value = '120'")
        self.press(Keys.SPACE)
        WebDriverWait(self.browser, 60, 0.02).until(
            lambda browser: self.step() == self.run_script("return player.steps"))
        self.assertEqual(self.run_script("return player.timer"), 0)  # stopped at the end
        self.run_script("const scrub = document.getElementById('scrub'); scrub.value = 7;"
                        "scrub.dispatchEvent(new Event('input'))")
        self.assertEqual(self.step(), 7)
        self.check_console()

    def test_what_is_pointed_at_lights_up_in_all_views(self):
        self.resize(DESKTOP)
        page = self.record("block_scan blelloch", "64", "html")
        self.open(page)
        self.run_script("player.go(player.steps >> 1)")
        lane = self.browser.find_element(By.CSS_SELECTOR, "svg path[data-n]")
        ActionChains(self.browser, duration=0).move_to_element(lane).perform()
        name = int(lane.get_attribute("data-n"))
        lit = self.run_script(
            "return [...new Set([...document.querySelectorAll('.lit')].map(e => +e.dataset.n))]")
        self.assertIn(name, lit)
        self.assertLessEqual(set(lit), set(self.run_script("return [...player.related(arguments[0])]",
                                                           name)))
        tip = self.browser.find_element(By.ID, "about")
        self.assertEqual(tip.text.split("\n"), self.run_script("return player.about(arguments[0])",
                                                               name))
        self.assertTrue(tip.text)
        self.picture(page, "pointed")
        self.check_console()

    def test_what_is_clicked_stays_lit_until_a_second_click(self):
        self.resize(DESKTOP)
        self.open(self.record("block_scan blelloch", "64", "html"))
        self.run_script("player.go(player.steps >> 1)")
        lane = self.browser.find_element(By.CSS_SELECTOR, "svg path[data-n]")
        away = self.browser.find_element(By.TAG_NAME, "h1")
        tip = self.browser.find_element(By.ID, "about")
        lit = "return document.querySelectorAll('.lit').length"

        def leave():
            ActionChains(self.browser, duration=0).move_to_element(away).perform()
        ActionChains(self.browser, duration=0).move_to_element(lane).perform()
        self.assertTrue(tip.is_displayed())
        leave()
        self.assertEqual(self.run_script(lit), 0)
        self.assertFalse(tip.is_displayed())
        ActionChains(self.browser, duration=0).click(lane).perform()
        leave()
        self.assertGreater(self.run_script(lit), 0)
        # At another step it is what belongs to it then.
        self.press(Keys.HOME)
        name = int(self.run_script("return player.pinned"))
        self.assertEqual(tip.text.split("\n") if tip.is_displayed() else [],
                         self.run_script("return player.about(player.pinned)"), name)
        self.run_script("player.go(player.steps >> 1)")
        self.assertGreater(self.run_script(lit), 0)
        lane = self.browser.find_element(By.CSS_SELECTOR, f"svg path[data-n='{name}']")
        ActionChains(self.browser, duration=0).click(lane).perform()
        leave()
        self.assertEqual(self.run_script(lit), 0)
        self.check_console()

    def test_lights_what_belongs_together_both_ways(self):
        self.resize(DESKTOP)
        self.open(self.record("block_scan blelloch", "64", "html"))
        # Of each pair of names that one lights the other: and the other the one.
        one_way, kinds = self.run_script("""
            const kind = name => player.strings[name].split('/')[0];
            const oneWay = [], kinds = new Set();
            for (let step = 0; step <= player.steps; step += 5) {
              player.go(step);
              const names = new Set(player.views.flatMap(
                  view => view.nodes.map(node => node.dataset.n)).filter(n => n).map(Number));
              for (const name of names)
                for (const other of player.related(name)) {
                  if (other === name) continue;
                  kinds.add(kind(name) + ' ' + kind(other));
                  if (!player.related(other).has(name)) oneWay.push([step, name, other]);
                }
            }
            return [oneWay, [...kinds].sort()];""")
        self.assertEqual(one_way, [])
        self.assertLessEqual({"lane word", "word lane"}, set(kinds))

    def test_says_what_a_browser_lacks(self):
        self.resize(DESKTOP)
        script = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument",
                                              {"source": "delete window.DecompressionStream"})
        self.open(self.record("block_scan kogge_stone", "64", "html"))
        self.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
        text = self.browser.find_element(By.CSS_SELECTOR, "[role=alert]").text
        self.assertIn("this browser cannot unpack it", text)
        self.assertTrue(self.browser.find_element(By.CSS_SELECTOR, ".wide svg").is_displayed())

    def test_is_there_without_javascript(self):
        self.resize(DESKTOP)
        self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setScriptExecutionDisabled",
                        {"value": False})
        self.browser.get(self.record("block_scan kogge_stone", "64", "html").as_uri())
        self.assertTrue(self.browser.find_element(By.CSS_SELECTOR, ".wide svg").is_displayed())
        self.assertFalse(self.browser.find_element(By.ID, "controls").is_displayed())


def main(words):
    lacking = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
    if webdriver is None:
        lacking.append("selenium")
    if lacking:
        print("Not here: " + ", ".join(lacking) +
              " (apt install chromium chromium-driver python3-selenium)")
        return 1 if os.environ.get("CI") == "true" else 77
    Pages.program = words[0]
    if len(words) > 1:
        Pages.pictures = pathlib.Path(words[1])
        Pages.pictures.mkdir(parents=True, exist_ok=True)
    return 0 if unittest.main(argv=["pages_test.py"], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
