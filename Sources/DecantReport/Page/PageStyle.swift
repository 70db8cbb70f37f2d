/// The style sheet of a page; the page contains it, so nothing is loaded.
enum PageStyle {
  /// The colours follow the reader's setting, light or dark; the pictures use the same class names.
  static let sheet = """
    :root {
      color-scheme: light dark;
      --back: #ffffff; --fore: #1c2126; --quiet: #57606a; --line: #d5dae0; --panel: #f5f7f9;
      --good: #17693a; --warn: #8a5300; --bad: #b3261e;
      --open: #8c959f; --create: #1f6feb; --relate: #8250df; --validate: #bf5b00; --finish: #2da44e;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --back: #14181d; --fore: #e4e8ec; --quiet: #9aa5b1; --line: #363e47; --panel: #1d232a;
        --good: #5fd08a; --warn: #f0b357; --bad: #ff8a80;
        --open: #717b86; --create: #5b9dff; --relate: #b18aff; --validate: #f09a4a; --finish: #4fc774;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--back); color: var(--fore);
      font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
    }
    h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
    h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
    h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
    p, ul, dl { margin: .5rem 0; }
    ul { padding-left: 1.25rem; }
    .quiet { color: var(--quiet); }
    .good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
    .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .5rem; margin: 1rem 0; }
    .tiles div { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .75rem; }
    .tiles b { display: block; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
    .tiles div > span { color: var(--quiet); font-size: .875rem; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
    th, td { text-align: left; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    table { overflow-wrap: normal; }
    th { font-weight: 600; color: var(--quiet); }
    td:first-child { min-width: 8rem; overflow-wrap: break-word; }
    .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
    td:last-child, th:last-child { padding-right: 0; }
    dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: .15rem 1rem; }
    dt { color: var(--quiet); } dd { margin: 0; min-width: 0; }
    code { font-family: ui-monospace, monospace; font-size: .875em; }
    svg { display: block; width: 100%; height: auto; margin: .5rem 0; }
    svg text { fill: var(--quiet); font: 12px system-ui, sans-serif; }
    .key { display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .875rem; color: var(--quiet); }
    .key i { display: inline-block; width: .75rem; height: .75rem; border-radius: .15rem; margin-right: .35rem; }
    .open { fill: var(--open); background: var(--open); } .create { fill: var(--create); background: var(--create); }
    .relate { fill: var(--relate); background: var(--relate); }
    .validate { fill: var(--validate); background: var(--validate); }
    .finish { fill: var(--finish); background: var(--finish); }
    .rate { fill: none; stroke: var(--create); stroke-width: 2; stroke-linejoin: round; }
    .axis { stroke: var(--line); stroke-width: 1; }
    @media (max-width: 30rem) { svg text { font-size: 22px; } }
    @media print { body { max-width: none; } }
    """
}
