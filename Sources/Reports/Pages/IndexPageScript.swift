/// What the index of trace pages does.
enum IndexPageScript {
  /// The program.
  static let text =
    TracePageElements.text + """
      const data = JSON.parse(document.getElementById('data').textContent);
      const page = document.getElementById('page');
      const main = make('main', {id: 'main'});
      page.append(make('header', {}, make('h1', {}, data.word), make('p', {}, data.counts)), main);
      const notes = make('section', {ariaLabel: 'The run'});
      for (const line of data.lines) notes.append(make('p', {className: 'soft'}, line));
      main.append(notes);

      function table(label, head, rows) {
        const body = make('tbody');
        for (const cells of rows) body.append(make('tr', {}, ...cells.map(cell => make('td', {}, cell))));
        main.append(make('section', {ariaLabel: label}, make('h2', {}, label), make('table', {},
          make('thead', {}, make('tr', {}, ...head.map(word => make('th', {scope: 'col'}, word)))), body)));
      }
      function link(row) {
        return row.page ? make('a', {href: encodeURIComponent(row.page)}, row.name) : row.name;
      }
      if (data.causes.length) {
        table('Causes', ['scenarios', 'first of them', 'reason'],
          data.causes.map(cause => [String(cause.count), link(cause), cause.reason]));
      }
      table('Scenarios', ['verdict', 'scenario', 'title', 'reason'], data.scenarios.map(scenario => [
        make('span', {className: scenario.verdict}, scenario.verdict), link(scenario), scenario.title,
        scenario.reason]));
      if (data.charts.length) {
        table('State charts', ['chart', 'machine', 'transitions taken', 'not taken'], data.charts.map(chart => [
          chart.name, chart.summary, chart.taken, chart.untaken.length ? make('details', {},
            make('summary', {}, String(chart.untaken.length)),
            make('ul', {}, ...chart.untaken.map(text => make('li', {}, text)))) : 'none']));
      }
      document.documentElement.dataset.ready = 'yes';
      """
}
