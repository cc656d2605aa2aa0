/// How the page of a qualification looks, besides what all pages share.
enum QualificationPageStyle {
  /// The style sheet.
  static let text = """
    .answer { font-size: 1.7rem; font-weight: 700; margin: 1rem 0 0.2rem; }
    .qualified { color: var(--good); } .notQualified { color: var(--bad); } .provisional { color: var(--warn); }
    .shown, .mended-change { color: var(--good); } .violated { color: var(--bad); }
    .partlyShown, .known, .waived, .notJudged, .isWaiting { color: var(--warn); }
    .notExercised, .notObservable { color: var(--soft); }
    .tiles { display: flex; flex-wrap: wrap; gap: 0.6rem; padding: 0; list-style: none; }
    .tiles li { background: var(--raised); border: 1px solid var(--line); padding: 0.3rem 0.8rem; }
    .tiles b { display: block; font-size: 1.3rem; }
    details { border-bottom: 1px solid var(--line); padding: 0.25rem 0; }
    summary { cursor: pointer; display: grid; gap: 0.2rem 0.8rem; align-items: baseline;
      grid-template-columns: 6.5rem minmax(0, 1fr) repeat(var(--targets), minmax(6.5rem, max-content)); }
    summary > * { overflow-wrap: anywhere; }
    .failure summary { grid-template-columns: 6.5rem minmax(0, 1fr); }
    details > div { padding: 0.2rem 0 0.6rem 1.2rem; overflow-wrap: anywhere; }
    details ul { margin: 0.2rem 0; padding-left: 1.2rem; }
    .head { font-weight: 600; padding: 0.25rem 0; border-bottom: 2px solid var(--line); }
    .bars svg { width: 100%; max-width: 46rem; height: auto; display: block; background: var(--raised); }
    .bars text { fill: var(--ink); font: 11px system-ui, sans-serif; }
    .bars .bar-shown { fill: #2e8b57; } .bars .bar-violated { fill: #c0392b; } .bars .bar-other { fill: #c58a1c; }
    .bars .bar-silent { fill: #8a8a94; }
    .plot { margin: 0.8rem 0; break-inside: avoid; } .plot figcaption { font-weight: 600; }
    .plot svg { width: 100%; max-width: 46rem; height: auto; display: block; background: var(--raised); }
    .plot text { fill: var(--ink); font: 11px system-ui, sans-serif; }
    .plot .range { stroke: var(--mark); stroke-width: 4; stroke-linecap: round; } .plot circle { fill: var(--ink); }
    .plot .bound { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 4 3; }
    .plot circle.bound { fill: var(--raised); stroke-dasharray: none; }
    .plot .whole { fill: var(--line); } .plot .noticed { fill: var(--good); }
    .tools { display: flex; gap: 1rem; flex-wrap: wrap; margin: 0.4rem 0; }
    @media (max-width: 40rem) { summary, .failure summary, .head { grid-template-columns: 1fr; } header, main { padding: 0 0.7rem; } }
    @page { size: A4; margin: 14mm; }
    @media print {
      :root { --paper: #ffffff; --ink: #000000; --soft: #444444; --line: #999999; --raised: #ffffff; --good: #0b6b2e;
        --bad: #b3131b; --warn: #7a4b00; --mark: #000000; }
      body { font-size: 10pt; } .tools { display: none; } details, tr { break-inside: avoid; }
      section { break-inside: auto; } h2 { break-after: avoid; }
    }
    """
}
