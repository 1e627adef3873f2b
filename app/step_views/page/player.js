// Plays what recording.js has read: shapes, their names and time. app/step_views defines what they
// mean.
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
  // Elements that stay at the beginning and the end are kept; others are reused.
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

  // The names that light up with a name: lanes with the words that they access in this step, and
  // lanes with their lines.
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
