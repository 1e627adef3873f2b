// Reads the data of a page. app/step_views/page/page.h has their order.
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
