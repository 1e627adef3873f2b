// Plays a recording: shapes, their names and time. What they mean is known where they were made
// (app/step_views); app/step_views/page/page.h has the order of the data.
'use strict';

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  // 7 bits a byte, the lowest first.
  number() {
    let value = 0;
    for (let factor = 1;; factor *= 128) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new Error('the recording ends too early');
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
  signed() {
    return unzigzag(this.number());
  }
  data() {
    const size = this.number();
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }
  text() {
    return new TextDecoder().decode(this.data());
  }
  numbers(count) {
    return Int32Array.from({length: count}, () => this.number());
  }
  // Each as its difference from the one before.
  column(count) {
    let last = 0;
    return Int32Array.from({length: count}, () => last += this.signed());
  }
  // The same with 0 where there is none, which is none of these.
  gaps(count) {
    let last = 0;
    return Int32Array.from({length: count}, () => {
      const number = this.number();
      return number ? last += unzigzag(number - 1) : 0;
    });
  }
}

// A difference of either sign.
function unzigzag(number) {
  return number % 2 ? -(number + 1) / 2 : number / 2;
}

function sum(numbers) {
  return numbers.reduce((a, b) => a + b, 0);
}

// Where the things of each step begin, and where they end.
function begins(counts) {
  const at = new Int32Array(counts.length + 1);
  counts.forEach((count, i) => at[i + 1] = at[i] + count);
  return at;
}

function readStrings(reader) {
  const texts = Array.from({length: reader.number()}, () => reader.text().split('\u0001'));
  const textOf = reader.numbers(reader.number());
  const counts = new Int32Array(texts.length);
  for (const text of textOf) ++counts[text];
  const holes = texts.map((parts, text) => parts.slice(1).map(() => reader.column(counts[text])));
  const taken = new Int32Array(texts.length);
  return Array.from(textOf, text => {
    const i = taken[text]++;
    return texts[text].reduce((words, part, k) => words + holes[text][k - 1][i] + part);
  });
}

function readTables(reader) {
  const styles = Array.from({length: reader.number()}, () => {
    const [kind, ink, opacity, width, dashes, align, bold] = reader.numbers(7);
    return {kind, ink, opacity: opacity / 100, width: width / 100, dashes, align, bold};
  });
  const outlines =
      Array.from({length: reader.number()},
                 () => Array.from({length: reader.number() * 2}, () => reader.signed()));
  return {styles, outlines};
}

// Values that change now and then: of each name its steps and what it has from there on.
class Changes {
  constructor() {
    this.of = new Map();
  }
  add(name, step, value) {
    if (!this.of.has(name)) this.of.set(name, {steps: [], values: []});
    const one = this.of.get(name);
    one.steps.push(step);
    one.values.push(value);
  }
  at(name, step) {
    const one = this.of.get(name);
    if (!one) return undefined;
    let low = 0;
    for (let high = one.steps.length; low < high;) {
      const middle = (low + high) >> 1;
      if (one.steps[middle] <= step)
        low = middle + 1;
      else
        high = middle;
    }
    return low ? one.values[low - 1] : undefined;
  }
}

function readSteps(reader, steps) {
  const count = steps + 1;
  const words = reader.column(count);
  const blocks = reader.column(count);
  const marks = reader.column(count);
  const abouts = new Changes();
  const aboutCounts = reader.column(count);
  const names = reader.column(sum(aboutCounts));
  const sizes = reader.numbers(names.length);
  const columns = Array.from(
      {length: reader.number()}, (_, k) => reader.column(sizes.filter(size => size > k).length));
  const taken = columns.map(() => 0);
  for (let step = 0, i = 0; step < count; ++step)
    for (let k = 0; k < aboutCounts[step]; ++k, ++i)
      abouts.add(names[i], step,
                 Array.from({length: sizes[i]}, (_, line) => columns[line][taken[line]++]));
  const linkBegins = begins(reader.column(count));
  const links = reader.column(2 * linkBegins[count]);
  const moves = new Changes();
  const moveCounts = reader.column(count);
  const moved = reader.column(2 * sum(moveCounts));
  for (let step = 0, i = 0; step < count; ++step)
    for (let k = 0; k < moveCounts[step]; ++k, i += 2)
      moves.add(moved[i], step, moved[i + 1] - 1);
  return {words, blocks, marks, abouts, linkBegins, links, moves};
}

// The shapes of one view at each step.
class Scene {
  constructor(bytes, steps) {
    const reader = new Reader(bytes);
    this.height = reader.number();
    const count = reader.number();
    [this.style, this.outline, this.x, this.y] =
        Array.from({length: 4}, () => reader.column(count));
    // Numbers of strings + 1; 0: none.
    [this.words, this.name] = Array.from({length: 2}, () => reader.gaps(count));
    const counts = reader.numbers(steps + 1);
    this.begins = begins(counts);
    this.edits = reader.numbers(3 * sum(counts));
    this.addedBegins = new Int32Array(this.edits.length / 3 + 1);
    for (let i = 0; i < this.edits.length / 3; ++i)
      this.addedBegins[i + 1] = this.addedBegins[i] + this.edits[3 * i + 2];
    let last = 0;
    this.added = Int32Array.from({length: this.addedBegins[this.edits.length / 3]}, () => {
      const shape = last + reader.signed();
      last = shape + 1;
      return shape;
    });
    this.kept = [];  // lists of shapes at multiples of Scene.stride
    this.list = this.next([], 0);
    this.step = 0;
    this.kept[0] = this.list;
  }
  // The list of a step from that of the step before.
  next(list, step) {
    const next = [];
    let from = 0;
    for (let i = this.begins[step]; i < this.begins[step + 1]; ++i) {
      for (const end = from + this.edits[3 * i]; from < end; ++from) next.push(list[from]);
      from += this.edits[3 * i + 1];
      for (let k = this.addedBegins[i]; k < this.addedBegins[i + 1]; ++k) next.push(this.added[k]);
    }
    for (; from < list.length; ++from) next.push(list[from]);
    return next;
  }
  at(step) {
    let kept = Math.floor(step / Scene.stride);
    while (!this.kept[kept]) --kept;
    if (step < this.step || kept * Scene.stride > this.step) {
      this.list = this.kept[kept];
      this.step = kept * Scene.stride;
    }
    while (this.step < step) {
      this.list = this.next(this.list, ++this.step);
      if (this.step % Scene.stride === 0) this.kept[this.step / Scene.stride] = this.list;
    }
    return this.list;
  }
}
Scene.stride = 64;

const svgElement = tag => document.createElementNS('http://www.w3.org/2000/svg', tag);

// A view as elements of the page, which follow its scene.
class View {
  constructor(page, index, title, legend, scene, width) {
    this.page = page;
    this.scene = scene;
    this.section = document.createElement('section');
    const heading = document.createElement('h2');
    heading.id = 'view' + index;
    heading.textContent = title;
    const words = document.createElement('p');
    words.id = 'legend' + index;
    words.textContent = legend;
    this.svg = svgElement('svg');
    this.svg.setAttribute('viewBox', `0 0 ${width} ${scene.height}`);
    this.svg.setAttribute('role', 'img');
    this.svg.setAttribute('aria-labelledby', heading.id);
    this.svg.setAttribute('aria-describedby', words.id + ' words');
    this.section.append(heading, this.svg, words);
    this.shapes = [];
    this.nodes = [];
  }
  element(shape) {
    const {scene, page} = this;
    const style = page.styles[scene.style[shape]];
    const x = scene.x[shape] / 10;
    const y = scene.y[shape] / 10;
    const node = svgElement(style.kind === View.text ? 'text' : 'path');
    if (style.kind === View.text) {
      node.setAttribute('x', x);
      node.setAttribute('y', y + View.ascent);
      if (style.align) node.setAttribute('text-anchor', style.align === 1 ? 'middle' : 'end');
      if (style.bold) node.setAttribute('font-weight', 'bold');
      node.textContent = scene.words[shape] ? page.strings[scene.words[shape] - 1] : '';
    } else {
      const d = page.outlines[scene.outline[shape]].map(part => part / 10).join(' ');
      const closed = style.kind === View.polygon;
      node.setAttribute('d', `M${x} ${y}${d ? 'l' + d : ''}${closed ? 'Z' : ''}`);
      if (!closed) {
        node.setAttribute('fill', 'none');
        node.setAttribute('stroke-width', style.width);
        if (style.dashes) node.setAttribute('stroke-dasharray', ['', '10 6', '3 4'][style.dashes]);
      }
    }
    node.setAttribute('class', (style.kind === View.line ? 's' : 'f') + style.ink);
    if (style.opacity < 1) node.setAttribute('opacity', style.opacity);
    if (scene.name[shape]) node.dataset.n = scene.name[shape] - 1;
    return node;
  }
  // What stays in front and at the end is not looked at; other elements are used again.
  show(step) {
    const shapes = this.scene.at(step);
    const before = this.shapes;
    let head = 0;
    while (head < before.length && head < shapes.length && before[head] === shapes[head]) ++head;
    let tail = 0;
    while (tail < before.length - head && tail < shapes.length - head &&
           before[before.length - 1 - tail] === shapes[shapes.length - 1 - tail])
      ++tail;
    const old = new Map();
    for (let i = head; i < before.length - tail; ++i) old.set(before[i], this.nodes[i]);
    const nodes = shapes.slice(head, shapes.length - tail).map(shape => {
      const node = old.get(shape);
      old.delete(shape);
      return node || this.element(shape);
    });
    const used = new Set(nodes);
    const end = this.nodes[before.length - tail] || null;
    for (let i = head; i < before.length - tail; ++i)
      if (!used.has(this.nodes[i])) this.nodes[i].remove();
    let place = head > 0 ? this.nodes[head - 1].nextSibling : this.svg.firstChild;
    for (const node of nodes) {
      if (node === place)
        place = place.nextSibling;
      else
        this.svg.insertBefore(node, place);
    }
    console.assert(place === end, 'the elements are those of the step');
    this.nodes = [...this.nodes.slice(0, head), ...nodes,
                  ...this.nodes.slice(before.length - tail)];
    this.shapes = shapes;
  }
  light(names) {
    for (const node of this.nodes)
      if (node.dataset.n !== undefined)
        node.classList.toggle('lit', names.has(Number(node.dataset.n)));
  }
}
View.line = 0;
View.polygon = 1;
View.text = 2;
View.ascent = 0.93 * 14;

class Player {
  constructor(bytes) {
    const reader = new Reader(bytes);
    if (reader.number() !== 1) throw new Error('the recording is of another version');
    this.strings = readStrings(reader);
    Object.assign(this, readTables(reader));
    this.steps = reader.number();
    this.texts = readSteps(reader, this.steps);
    this.layouts = Array.from({length: reader.number()}, () => {
      const width = reader.number();
      const views = Array.from({length: reader.number()}, () => ({
        title: this.strings[reader.number()],
        legend: this.strings[reader.number()],
        bytes: reader.data(),
      }));
      return {width, views};
    });
    this.landmarks = [0, 1, 2, 3].map(bit => {
      const steps = [];
      this.texts.marks.forEach((mark, step) => mark >> bit & 1 && steps.push(step));
      return steps;
    });
    this.timer = 0;
    this.pointed = -1;  // the name under the pointer; -1: none
    this.pinned = -1;   // the name that was chosen
  }

  // ---- Views ----

  lay(wide) {
    const layout = this.layouts[wide ? this.layouts.length - 1 : 0];
    this.views = layout.views.map(
        ({title, legend, bytes}, i) =>
            new View(this, i, title, legend, new Scene(bytes, this.steps), layout.width));
    this.main.replaceChildren(...this.views.map(view => view.section));
    this.go(this.at);
  }
  go(step) {
    this.at = Math.max(0, Math.min(step, this.steps));
    for (const view of this.views) view.show(this.at);
    this.light();
    this.words.textContent =
        `Step ${this.at} of ${this.steps}. ${this.strings[this.texts.words[this.at]]}`;
    this.scrub.value = this.at;
    this.scrub.setAttribute('aria-valuetext', this.words.textContent);
    document.body.dataset.step = this.at;
  }

  // ---- Pointing ----

  // What lights up with a name: lanes and the words that they access in this step, lanes and their
  // lines.
  related(name) {
    const names = new Set([name]);
    const {linkBegins, links, moves} = this.texts;
    for (let i = 2 * linkBegins[this.at]; i < 2 * linkBegins[this.at + 1]; i += 2) {
      if (links[i] === name) names.add(links[i + 1]);
      if (links[i + 1] === name) names.add(links[i]);
    }
    for (const lane of moves.of.keys()) {
      const line = moves.at(lane, this.at);
      if (line < 0 || line === undefined) continue;
      if (lane === name) names.add(line);
      if (line === name) names.add(lane);
    }
    return names;
  }
  // Lines of text on a name at this step.
  about(name) {
    return Array.from(this.texts.abouts.at(name, this.at) || [], line => this.strings[line]);
  }
  light() {
    const name = this.pointed >= 0 ? this.pointed : this.pinned;
    if (name < 0 && !this.isLit) return;
    const names = name >= 0 ? this.related(name) : new Set();
    for (const view of this.views) view.light(names);
    this.isLit = name >= 0;
    const lines = name >= 0 ? this.about(name) : [];
    this.tip.replaceChildren(...lines.map(line => {
      const div = document.createElement('div');
      div.textContent = line;
      return div;
    }));
    this.tip.hidden = lines.length === 0;
  }
  point(event) {
    const named = event.target.closest && event.target.closest('svg [data-n]');
    const name = named ? Number(named.dataset.n) : -1;
    if (event.type === 'click') {
      this.pinned = name === this.pinned ? -1 : name;
      this.pointed = -1;
    } else {
      if (event.pointerType !== 'mouse') return;
      this.pointed = name;
    }
    this.light();
    if (name >= 0) this.placeTip(event);
  }
  placeTip({clientX, clientY}) {
    const {offsetWidth, offsetHeight} = this.tip;
    const x = Math.min(clientX + 14, innerWidth - offsetWidth - 4);
    const below = clientY + 18;
    const y = below + offsetHeight < innerHeight ? below : clientY - offsetHeight - 12;
    this.tip.style.left = Math.max(4, x) + 'px';
    this.tip.style.top = Math.max(4, y) + 'px';
  }

  // ---- Time ----

  jump(steps, back) {
    const to = back ? steps.filter(step => step < this.at).pop()
                    : steps.find(step => step > this.at);
    if (to !== undefined) this.go(to);
  }
  // To another step of the block that made this one.
  jumpInBlock(back) {
    const {blocks} = this.texts;
    const block = Math.max(1, blocks[this.at]);
    const way = back ? -1 : 1;
    for (let step = this.at + way; step > 0 && step <= this.steps; step += way)
      if (blocks[step] === block || this.at === 0) return this.go(step);
  }
  play() {
    if (this.timer) return this.pause();
    if (this.at === this.steps) this.go(0);
    this.words.setAttribute('aria-live', 'off');
    this.playButton('Pause', '\u275A\u275A');
    let last = performance.now();
    const frame = now => {
      const count = Math.floor((now - last) * Number(this.speed.value) / 1000);
      if (count > 0) {
        last = now;
        this.go(this.at + count);
      }
      if (this.at === this.steps)
        this.pause();
      else
        this.timer = requestAnimationFrame(frame);
    };
    this.timer = requestAnimationFrame(frame);
  }
  pause() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.words.setAttribute('aria-live', 'polite');
    this.playButton('Play', '\u25B6');
  }
  playButton(label, sign) {
    const button = document.querySelector('[data-do=play]');
    button.setAttribute('aria-label', label);
    button.textContent = sign;
  }
  act(what) {
    if (what === 'play') return this.play();
    this.pause();
    if (what === 'start') this.go(0);
    if (what === 'end') this.go(this.steps);
    if (what === 'back') this.go(this.at - 1);
    if (what === 'forward') this.go(this.at + 1);
    if (what === 'block-back') this.jumpInBlock(true);
    if (what === 'block-forward') this.jumpInBlock(false);
  }
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === 'SELECT') return;
    const shift = event.shiftKey;
    const acts = {
      ArrowLeft: shift ? 'block-back' : 'back',
      ArrowRight: shift ? 'block-forward' : 'forward',
      Home: 'start',
      End: 'end',
      ' ': 'play',
    };
    const landmark = 'bpcd'.indexOf(event.key.toLowerCase());
    if (acts[event.key]) {
      // A button takes the space itself.
      if (event.key === ' ' && event.target.tagName === 'BUTTON') return;
      this.act(acts[event.key]);
    } else if (landmark >= 0 && event.key.length === 1) {
      this.pause();
      this.jump(this.landmarks[landmark], shift);
    } else {
      return;
    }
    event.preventDefault();
  }

  // ---- The page ----

  start() {
    const find = id => document.getElementById(id);
    this.main = find('views');
    this.words = find('words');
    this.scrub = find('scrub');
    this.speed = find('speed');
    this.tip = find('about');
    this.at = Number(this.scrub.value);
    for (const button of document.querySelectorAll('[data-do]'))
      button.addEventListener('click', () => this.act(button.dataset.do));
    for (const button of document.querySelectorAll('[data-jump]')) {
      const steps = this.landmarks[button.dataset.jump];
      button.disabled = steps.length === 0;
      button.addEventListener('click', event => {
        this.pause();
        this.jump(steps, event.shiftKey);
      });
    }
    this.scrub.addEventListener('input', () => {
      this.pause();
      this.go(Number(this.scrub.value));
    });
    document.addEventListener('keydown', event => this.key(event));
    this.main.addEventListener('pointerover', event => this.point(event));
    this.main.addEventListener('pointerleave', event => this.point(event));
    this.main.addEventListener('pointermove',
                               event => this.pointed >= 0 && this.placeTip(event));
    this.main.addEventListener('click', event => this.point(event));
    find('controls').hidden = false;
    const wide = matchMedia('(min-width: 720px)');
    wide.addEventListener('change', () => this.lay(wide.matches));
    this.lay(wide.matches);
    document.body.dataset.ready = '';
  }
}

// The bytes of the recording, unpacked.
async function recordedBytes() {
  if (!window.DecompressionStream)
    throw new Error('this browser cannot unpack it. Chrome 80, Firefox 113, Safari 16.4 and later ' +
                    'can');
  const text = atob(document.getElementById('recording').textContent);
  const packed = Uint8Array.from(text, letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

let player;
recordedBytes()
    .then(bytes => {
      player = new Player(bytes);
      player.start();
    })
    .catch(error => {
      const note = document.createElement('p');
      note.className = 'trouble';
      note.setAttribute('role', 'alert');
      note.textContent = `The recording cannot be played: ${error.message}.`;
      document.getElementById('words').before(note);
    });
