/// What a trace page does.
///
/// Texts come from devices and files: they reach the page only as text (`textContent`), never as markup. The ladder keeps
/// only the rows that are seen, so that its length does not matter.
enum TracePageScript {
  /// The program.
  static let text =
    TracePageElements.text + """
      const data = JSON.parse(document.getElementById('data').textContent);
      const width = 4, rowHeight = 22, total = data.events.length / width;
      const page = document.getElementById('page');
      const seconds = us => (us / 1e6).toFixed(6) + ' s';
      let now = 0, rows = [], selected = -1;

      function timeOf(event) { return data.events[event * width]; }
      function whoOf(event) { return data.whos[data.events[event * width + 1]]; }
      function textOf(event) { return data.texts[data.events[event * width + 2]]; }
      function isSecond(event) { return data.events[event * width + 3] === 1; }

      // The head: what happened, and why.
      const main = make('main', {id: 'main', tabIndex: -1});
      page.append(make('a', {className: 'skip', href: '#ladder'}, 'Skip to the conversation'),
        make('header', {}, make('h1', {}, make('span', {className: data.verdict}, data.verdict), ' ' + data.name),
          make('p', {className: 'soft'}, data.title)), main);
      const facts = make('dl');
      for (const [label, text] of data.facts) facts.append(make('dt', {}, label), make('dd', {}, text));
      const why = make('section', {ariaLabel: 'What happened'});
      if (data.excerpt.length) why.append(make('pre', {tabIndex: 0, ariaLabel: 'Line of the scenario'},
        data.excerpt.join('\\n')));
      why.append(facts);
      main.append(why);

      // The time slider, which leads everything else.
      const slider = make('input', {type: 'range', min: 0, max: Math.max(data.end, 1), step: 'any', value: 0, id: 'time'});
      const shown = make('output', {htmlFor: 'time'}, seconds(0));
      const filter = make('input', {type: 'search', id: 'filter', placeholder: 'words of the conversation'});
      const both = make('input', {type: 'checkbox', id: 'both'});
      main.append(make('section', {className: 'bar', ariaLabel: 'Time and filter'},
        make('label', {htmlFor: 'time'}, 'Time'), slider, shown, make('label', {htmlFor: 'filter'}, 'Filter'), filter,
        make('label', {}, both, ' both ends of the link')));

      // Lanes: states and values over the time.
      const lanes = make('section', {className: 'lanes', ariaLabel: 'States over the time'},
        make('h2', {}, 'States'));
      const cursors = [];
      for (const lane of data.lanes) {
        const svg = draw('svg', {viewBox: '0 0 1000 30', preserveAspectRatio: 'none', role: 'img'});
        svg.append(Object.assign(draw('title', {}), {textContent: lane.name}));
        const x = us => 1000 * us / Math.max(data.end, 1);
        if (lane.unit === null) {
          lane.points.forEach(([from, value], index) => {
            const to = index + 1 < lane.points.length ? lane.points[index + 1][0] : data.end;
            if (value === '') return;
            const box = draw('rect', {class: 'state', x: x(from), y: 3, width: Math.max(0.5, x(to) - x(from)), height: 24});
            box.append(Object.assign(draw('title', {}), {textContent: value + ', ' + seconds(from)}));
            svg.append(box);
          });
        } else {
          const top = Math.max(1, ...lane.points.map(point => Math.abs(point[1])));
          const least = Math.min(0, ...lane.points.map(point => point[1]));
          const y = value => 27 - 24 * (value - least) / (top - least);
          // After a point without a value the line has a gap.
          let path = '', isKnown = false;
          lane.points.forEach(([at, value]) => {
            if (isKnown) path += 'H' + x(at).toFixed(2);
            if (value !== null) path += (isKnown ? 'V' : 'M' + x(at).toFixed(2) + ' ') + y(value).toFixed(2);
            isKnown = value !== null;
          });
          svg.append(draw('path', {d: path + (isKnown ? 'H1000' : '')}));
        }
        const cursor = draw('line', {class: 'cursor', x1: 0, x2: 0, y1: 0, y2: 30});
        svg.append(cursor);
        svg.addEventListener('click', event => {
          const box = svg.getBoundingClientRect();
          go(data.end * (event.clientX - box.left) / box.width);
        });
        const value = make('span', {className: 'value'});
        cursors.push({cursor, value, lane, x});
        lanes.append(make('div', {className: 'lane'}, make('span', {className: 'name'}, lane.name), svg, value));
      }
      if (data.lanes.length) main.append(lanes);

      // Sounds.
      if (data.sounds.length) {
        const sounds = make('section', {ariaLabel: 'Sounds'}, make('h2', {}, 'Sounds'));
        for (const sound of data.sounds) {
          const svg = draw('svg', {viewBox: '0 0 ' + Math.max(1, sound.outline.length) + ' 200', preserveAspectRatio: 'none',
            role: 'img'});
          svg.append(Object.assign(draw('title', {}), {textContent: 'wave of ' + sound.name}));
          let path = 'M0 100';
          sound.outline.forEach((peak, index) => { path += 'L' + index + ' ' + (100 - peak); });
          for (let index = sound.outline.length - 1; index >= 0; index--) path += 'L' + index + ' ' + (100 + sound.outline[index]);
          svg.append(draw('path', {d: path + 'Z'}));
          const words = (sound.spoken ? 'spoken: ' : 'received: ') + sound.name + ', '
            + (sound.milliseconds / 1000).toFixed(1) + ' s' + (sound.cut ? ', of which a minute can be played' : '');
          sounds.append(make('figure', {className: 'wave'}, make('figcaption', {}, words), svg,
            make('audio', {controls: true, preload: 'none', src: 'data:audio/wav;base64,' + sound.wav, ariaLabel: words})));
        }
        main.append(sounds);
      }

      // Steps, and the conversation beside them.
      const list = make('ol', {className: 'steps'});
      const items = data.steps.map(step => {
        const button = make('button', {type: 'button'}, step.text);
        button.addEventListener('click', () => go(step.from));
        const place = step.file + ':' + step.line;
        const link = step.link === null ? place
          : make('a', {href: encodeURI(step.link).replace(/[#?]/g, encodeURIComponent) + '#L' + step.line}, place);
        const item = make('li', {}, button, make('small', {}, make('span', {className: step.outcome}, step.outcome),
          ' ' + seconds(step.from) + ' to ' + seconds(step.to) + '  ', link));
        if (step.observed !== null) item.append(make('small', {}, step.observed));
        if (step.reason !== null) item.append(make('small', {className: step.outcome}, step.reason));
        list.append(item);
        return item;
      });
      const ladder = make('div', {className: 'ladder', id: 'ladder', tabIndex: 0, role: 'listbox',
        ariaLabel: 'Conversation; arrow keys move, Home and End jump'});
      const space = make('div');
      ladder.append(space);
      const count = make('p', {className: 'soft', role: 'status'});
      main.append(make('div', {className: 'columns'},
        make('nav', {ariaLabel: 'Steps'}, make('h2', {}, 'Steps'), list),
        make('section', {ariaLabel: 'Conversation'}, make('h2', {}, 'Conversation'), count, ladder)));
      page.append(make('footer', {}, make('p', {className: 'soft'},
        'Made by dictobench. Everything on this page stands in this file.')));

      const arrows = [['→', / → /], ['–', / – /]];
      function parts(who) {
        for (const [arrow, pattern] of arrows) {
          const split = who.split(pattern);
          if (split.length === 2) {
            return split[0].startsWith('recorder') ? [split[1], '←', split[0]] : [split[0], arrow, split[1]];
          }
        }
        return who.startsWith('recorder') ? ['', '', who] : [who, '', ''];
      }

      // Only the rows that are seen are on the page.
      function render() {
        const first = Math.max(0, Math.floor(ladder.scrollTop / rowHeight) - 5);
        const last = Math.min(rows.length, first + Math.ceil(ladder.clientHeight / rowHeight) + 10);
        const shown = [];
        for (let index = first; index < last; index++) {
          const event = rows[index], [phone, arrow, recorder] = parts(whoOf(event));
          const row = make('div', {className: 'row' + (index === selected ? ' now' : '') + (isSecond(event) ? ' second' : ''),
            id: 'row' + index, role: 'option', ariaSelected: index === selected ? 'true' : 'false'},
            make('span', {className: 'time'}, seconds(timeOf(event))), make('span', {}, phone),
            make('span', {className: 'arrow'}, arrow), make('span', {}, recorder),
            make('span', {className: 'words', title: textOf(event)}, textOf(event)));
          row.style.top = index * rowHeight + 'px';
          row.addEventListener('click', () => go(timeOf(event), index));
          shown.push(row);
        }
        space.replaceChildren(...shown);
        ladder.setAttribute('aria-activedescendant', selected >= 0 ? 'row' + selected : '');
      }

      function choose() {
        const words = filter.value.toLowerCase();
        const matching = words === '' ? null : data.texts.map(text => text.toLowerCase().includes(words));
        rows = [];
        for (let event = 0; event < total; event++) {
          if (!both.checked && isSecond(event)) continue;
          if (matching !== null && !matching[data.events[event * width + 2]]) continue;
          rows.push(event);
        }
        space.style.height = rows.length * rowHeight + 'px';
        count.textContent = rows.length + ' of ' + total + ' events'
          + (data.dropped > 0 ? '; ' + data.dropped + ' more were not kept' : '');
        go(now);
      }

      function lastBefore(us) {
        let low = 0, high = rows.length;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (timeOf(rows[middle]) <= us) low = middle + 1; else high = middle;
        }
        return low - 1;
      }

      function go(us, row) {
        now = Math.min(Math.max(us, 0), data.end);
        slider.value = now;
        shown.textContent = seconds(now);
        selected = row === undefined ? lastBefore(now) : row;
        for (const {cursor, value, lane, x} of cursors) {
          cursor.setAttribute('x1', x(now));
          cursor.setAttribute('x2', x(now));
          let found = null;
          for (const point of lane.points) { if (point[0] <= now) found = point[1]; else break; }
          value.textContent = found === null || found === '' ? '' : lane.unit === null ? found
            : found.toLocaleString('en') + ' ' + lane.unit;
        }
        items.forEach((item, index) => {
          const step = data.steps[index];
          item.classList.toggle('now', step.from <= now && (now < step.to || index + 1 === items.length && now <= step.to));
        });
        const top = selected * rowHeight;
        if (selected >= 0 && (top < ladder.scrollTop || top + rowHeight > ladder.scrollTop + ladder.clientHeight)) {
          ladder.scrollTop = Math.max(0, top - ladder.clientHeight / 2);
        }
        render();
      }

      slider.addEventListener('input', () => go(Number(slider.value)));
      filter.addEventListener('input', choose);
      both.addEventListener('change', choose);
      ladder.addEventListener('scroll', render);
      ladder.addEventListener('keydown', event => {
        const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -rows.length, End: rows.length}[event.key];
        if (step === undefined || rows.length === 0) return;
        event.preventDefault();
        const row = Math.min(Math.max(selected + step, 0), rows.length - 1);
        go(timeOf(rows[row]), row);
      });
      choose();
      const failed = data.steps.find(step => step.reason !== null);
      go(failed === undefined ? 0 : failed.to);
      document.documentElement.dataset.ready = 'yes';
      """
}

/// What both pages build their elements with.
enum TracePageElements {
  /// The functions `make` for HTML and `draw` for SVG. A string among the children becomes text.
  static let text = """
    'use strict';
    function make(name, attributes, ...children) {
      const element = Object.assign(document.createElement(name), attributes);
      element.append(...children);
      return element;
    }
    function draw(name, attributes) {
      const element = document.createElementNS('http://www.w3.org/2000/svg', name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      return element;
    }

    """
}
