/// What the page of a qualification does.
enum QualificationPageScript {
  /// The program.
  static let text =
    TracePageElements.text + """
      const data = JSON.parse(document.getElementById('data').textContent);
      const page = document.getElementById('page');
      const main = make('main', {id: 'main', tabIndex: -1});
      page.append(make('a', {className: 'skip', href: '#main'}, 'Skip to the requirements'),
        make('header', {}, make('h1', {className: 'answer ' + data.answer}, data.words),
          make('p', {}, data.firmware), make('p', {className: 'soft'}, data.meaning)), main);
      document.body.style.setProperty('--targets', String(data.targets.length));

      function section(title, ...children) {
        const place = make('section', {ariaLabel: title}, make('h2', {}, title), ...children);
        main.append(place);
        return place;
      }
      function list(entries) { return make('ul', {}, ...entries.map(entry => make('li', {}, ...[entry].flat()))); }
      function word(finding, words) { return make('span', {className: finding}, words); }

      section('Summary',
        make('ul', {className: 'tiles'}, ...data.counts.map(count =>
          make('li', {className: count.finding}, make('b', {}, String(count.count)), count.words))),
        list(data.targets.flatMap(target => [[target.name + ': ',
          make('span', {className: target.isWaiting ? 'isWaiting' : ''}, target.state)], ...target.blocked])));

      // What changed since the last release comes before everything that did not.
      function changed(entry, isBroken) {
        return [make('b', {}, entry.requirement), ' on ' + entry.target + ': ', word(entry.before, entry.beforeWords), ' → ',
          word(entry.now, entry.nowWords),
          entry.reason ? (isBroken ? ' — ' : ' — before: ') + entry.reason : ''];
      }
      if (data.changes) {
        const parts = [['Newly broken', data.changes.newlyBroken, true],
          ['Newly mended', data.changes.newlyMended, false], ['Still broken', data.changes.unchanged, true],
          ['Evidence lost', data.changes.evidenceLost, false]];
        const place = section('Against ' + data.changes.against);
        for (const [title, entries, isBroken] of parts) {
          if (entries.length) place.append(make('h3', {}, title + ' (' + entries.length + ')'), list(entries.map(entry => changed(entry, isBroken))));
        }
        for (const [title, names] of [['Scenarios that fail now', data.changes.newlyFailing],
          ['Scenarios that fail no longer', data.changes.noLongerFailing]]) {
          if (names.length) place.append(make('h3', {}, title + ' (' + names.length + ')'), list(names));
        }
        if (data.changes.incomparable) place.append(make('p', {}, data.changes.incomparable + '.'));
        if (place.childNodes.length === 1) place.append(make('p', {}, 'Nothing changed.'));
      }

      // The matrix: a line for each requirement, which opens to clauses and evidence.
      const table = section('Requirements');
      const filter = make('select', {id: 'filter'}, make('option', {value: ''}, 'all'),
        ...data.counts.map(count => make('option', {value: count.finding}, count.words)));
      const openAll = make('button', {type: 'button'}, 'Open all');
      table.append(make('div', {className: 'tools'}, make('label', {htmlFor: 'filter'}, 'Show ', filter), openAll));
      const head = make('div', {className: 'head'});
      head.append(make('span', {}, 'Requirement (' + data.targets.map(target => target.name).join(', ') + ')'));
      table.append(head);
      const lines = data.rows.map(row => {
        const inner = make('div');
        for (const cell of row.cells) {
          const title = row.cells.length > 1 ? cell.target + ': ' : '';
          inner.append(make('p', {}, title, word(cell.finding, cell.words), cell.reason ? ' — ' + cell.reason : '',
            cell.waiver ? ' — ' + cell.waiver : ''));
          const shown = new Map(cell.shownBy.map(shown => [shown.clause, shown.evidence]));
          const clauses = row.clauses.map(clause => {
            const evidence = shown.get(clause.reference) || [];
            return [make('b', {}, clause.reference), ' ' + clause.sentence + ': ',
              evidence.length ? evidence.join(', ') : make('span', {className: 'soft'}, 'nothing shows it')];
          });
          if (cell.shownBy.length) inner.append(list(clauses));
          else if (cell.evidence.length) inner.append(list(cell.evidence));
        }
        const line = make('details', {className: 'requirement'}, make('summary', {}, make('b', {}, row.id), make('span', {}, row.sentence),
          ...row.cells.map(cell => word(cell.finding, cell.words))), inner);
        table.append(line);
        return [line, row];
      });
      filter.addEventListener('input', () => {
        for (const [line, row] of lines) {
          line.hidden = filter.value !== '' && !row.cells.some(cell => cell.finding === filter.value);
        }
      });
      openAll.addEventListener('click', () => {
        const open = openAll.textContent === 'Open all';
        for (const [line] of lines) line.open = open;
        openAll.textContent = open ? 'Close all' : 'Open all';
      });
      addEventListener('beforeprint', () => { for (const [line] of lines) line.open = true; });

      function rows(title, heads, entries) {
        if (!entries.length) return;
        section(title, make('table', {}, make('thead', {}, make('tr', {}, ...heads.map(name => make('th', {scope: 'col'}, name)))),
          make('tbody', {}, ...entries.map(cells => make('tr', {}, ...cells.map(cell => make('td', {}, cell)))))));
      }
      // Each failure opens to its story, and leads to its trace page and its capture.
      const stories = data.failures.map(failure => {
        const inner = make('div'), story = make('dl');
        const links = [['trace page', failure.page], ['capture', failure.capture]].filter(([, file]) => file);
        links.forEach(([name, file], index) => inner.append(index ? ' · ' : '', make('a', {href: file}, name)));
        for (const [label, text] of failure.story) story.append(make('dt', {}, label), make('dd', {}, text));
        if (failure.story.length) inner.append(story);
        if (failure.missing) inner.append(make('p', {className: 'soft'}, 'No story: ' + failure.missing + '.'));
        return make('details', {className: 'failure'}, make('summary', {}, word(failure.verdict, failure.verdict),
          make('span', {}, make('b', {}, failure.scenario), ' on ' + failure.target + ': ' + failure.reason)), inner);
      });
      if (stories.length) section('Scenarios that did not pass', ...stories);
      addEventListener('beforeprint', () => { for (const story of stories) story.open = true; });
      rows('Repeated scenarios', ['scenario', 'target', 'result'], data.repeats.map(result =>
        [result.scenario, result.target, word(result.isBad ? 'violated' : result.ending, result.sentence)]));

      // Bars over the releases that the ledger knows: what held, what was broken, what was open, what cannot be seen.
      if (data.trend.length > 1) {
        const groups = [['bar-shown', [0, 4]], ['bar-violated', [2]], ['bar-other', [1, 3, 5, 8]], ['bar-silent', [6, 7]]];
        const height = 22, svg = draw('svg', {viewBox: '0 0 720 ' + height * data.trend.length, role: 'img'});
        svg.append(Object.assign(draw('title', {}), {textContent: 'Requirements of each release by finding'}));
        data.trend.forEach((release, index) => {
          const total = release.counts.reduce((sum, count) => sum + count, 0) || 1;
          const label = draw('text', {x: 4, y: index * height + 15});
          label.textContent = (release.firmware + ' · ' + release.words).slice(0, 48);
          svg.append(label);
          let from = 300;
          for (const [name, places] of groups) {
            const count = places.reduce((sum, place) => sum + release.counts[place], 0), wide = count / total * 410;
            if (!count) continue;
            const bar = draw('rect', {x: from, y: index * height + 4, width: wide, height: height - 7, class: name});
            bar.append(Object.assign(draw('title', {}), {textContent: String(count)}));
            svg.append(bar);
            from += wide;
          }
        });
        section('Releases', make('div', {className: 'bars'}, svg),
          make('p', {className: 'soft'}, 'Green: shown. Red: violated. Ochre: partly shown, known, waived or not judged. '
            + 'Grey: not exercised or not observable.'));
      }

      // The plots are drawn without a script; here they only find their place.
      main.append(...document.getElementById('drawn').childNodes);

      const facts = make('dl');
      for (const [label, text] of data.facts) facts.append(make('dt', {}, label), make('dd', {}, text));
      section('How it was found', facts);
      if (data.caveats.length) section('Not modelled', list(data.caveats));
      document.documentElement.dataset.ready = 'yes';
      """
}
