/// How pages look, in light and in dark.
enum TracePageStyle {
  /// The style sheet. Every pair of colours has a contrast of at least 4.5 to 1.
  static let text = """
    :root { color-scheme: light dark; --paper: #ffffff; --ink: #1b1b1f; --soft: #54545c; --line: #c9c9d2;
      --raised: #f3f3f7; --good: #0b6b2e; --bad: #b3131b; --warn: #7a4b00; --mark: #0a4fa8; --marked: #dbe8fb;
      --wave: #0a4fa8; }
    @media (prefers-color-scheme: dark) { :root { --paper: #16161a; --ink: #e8e8ee; --soft: #b0b0bb; --line: #44444e;
      --raised: #212127; --good: #6fd08c; --bad: #ff8f8f; --warn: #f0bf6c; --mark: #8fbcff; --marked: #20324d;
      --wave: #8fbcff; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
    header, main, footer { padding: 0 1.2rem; max-width: 1500px; margin: 0 auto; }
    h1 { font-size: 1.35rem; margin: 1rem 0 0.2rem; }
    h2 { font-size: 1.05rem; margin: 1.2rem 0 0.4rem; }
    a { color: var(--mark); }
    :focus-visible { outline: 3px solid var(--mark); outline-offset: 1px; }
    .skip { position: absolute; left: -99rem; }
    .skip:focus { left: 1rem; top: 0.5rem; background: var(--paper); padding: 0.3rem; }
    .soft { color: var(--soft); }
    .passed { color: var(--good); } .failed, .harness-error, .mended { color: var(--bad); }
    .bench-error, .blocked, .flaky, .known, .skipped { color: var(--warn); }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1rem; margin: 0.6rem 0; }
    dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
    pre { background: var(--raised); border: 1px solid var(--line); padding: 0.5rem; overflow-x: auto; margin: 0.5rem 0; }
    .columns { display: grid; grid-template-columns: minmax(16rem, 22rem) 1fr; gap: 1.5rem; }
    @media (max-width: 60rem) { .columns { grid-template-columns: 1fr; } }
    .steps { list-style: none; margin: 0; padding: 0; max-height: 34rem; overflow-y: auto; }
    .steps li { border-bottom: 1px solid var(--line); padding: 0.2rem 0; }
    .steps button { all: unset; cursor: pointer; display: block; width: 100%; padding: 0.1rem 0.3rem;
      overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: 13px; }
    .steps button:focus-visible { outline: 3px solid var(--mark); }
    .steps .now { background: var(--marked); }
    .steps small { display: block; padding: 0 0.3rem; color: var(--soft); }
    .bar { display: flex; gap: 1rem; align-items: center; position: sticky; top: 0; background: var(--paper);
      padding: 0.4rem 0; z-index: 2; border-bottom: 1px solid var(--line); flex-wrap: wrap; }
    .bar input[type=range] { flex: 1; min-width: 12rem; accent-color: var(--mark); }
    .bar output { font-family: ui-monospace, monospace; min-width: 8rem; }
    .lanes { width: 100%; display: block; }
    .lane { display: grid; grid-template-columns: 13rem 1fr 11rem; gap: 0.6rem; align-items: center; }
    .lane svg { width: 100%; height: 30px; display: block; background: var(--raised); }
    .lane .name { text-align: right; color: var(--soft); overflow-wrap: anywhere; }
    .lane .value { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
    .lane path { fill: none; stroke: var(--wave); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
    .lane rect.state { fill: var(--marked); stroke: var(--line); vector-effect: non-scaling-stroke; }
    .lane line.cursor { stroke: var(--bad); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
    .wave svg { width: 100%; height: 64px; display: block; background: var(--raised); }
    .wave path { stroke: var(--wave); stroke-width: 1; fill: var(--wave); vector-effect: non-scaling-stroke; }
    audio { width: 100%; height: 32px; }
    .ladder { height: 34rem; overflow-y: auto; border: 1px solid var(--line); position: relative;
      font-family: ui-monospace, monospace; font-size: 13px; }
    .row { position: absolute; left: 0; right: 0; height: 22px; line-height: 22px; display: grid; white-space: nowrap;
      grid-template-columns: 7rem 4.5rem 1.5rem 5rem 1fr; gap: 0.5rem; padding: 0 0.5rem; overflow: hidden; }
    .row > span { overflow: hidden; text-overflow: ellipsis; }
    .row .arrow { color: var(--mark); text-align: center; }
    .row .time { color: var(--soft); text-align: right; }
    .row.now { background: var(--marked); }
    .row.second .words { color: var(--soft); }
    label { white-space: nowrap; }
    input[type=search] { background: var(--paper); color: var(--ink); border: 1px solid var(--soft); padding: 0.2rem 0.4rem; }
    table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: 0.2rem 0.6rem 0.2rem 0;
      border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
    """
}
