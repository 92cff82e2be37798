/** Styles of the history beside those of every page. The colours of areas have a contrast of at least 3 to 1. */
export const HISTORY_STYLE = `
:root{--c-changed:#bf8700;--c-vanished:#cf222e;--c-undeclared:#8250df;--c-undescribed:#6e7781;--c-done:#2da44e}
@media(prefers-color-scheme:dark){:root{--c-changed:#d29922;--c-vanished:#f85149;--c-undeclared:#a371f7;--c-undescribed:#8b949e;--c-done:#3fb950}}
.changed{fill:var(--c-changed)}.vanished{fill:var(--c-vanished)}.undeclared{fill:var(--c-undeclared)}.undescribed{fill:var(--c-undescribed)}
.done{fill:var(--c-done)}.open{fill:var(--c-changed)}
.chart{display:block;overflow:visible}.chart path{fill-opacity:.85}
.chart text{fill:var(--muted);paint-order:stroke;stroke:var(--bg);stroke-width:3px;stroke-linejoin:round;font-size:12px;font-variant-numeric:tabular-nums}
.chart .grid{stroke:var(--line)}
.chart .total{fill:none;stroke:var(--text);stroke-width:1.5;vector-effect:non-scaling-stroke}
.chart .hover{fill:transparent}.chart .hover:hover{fill:var(--text);fill-opacity:.12}
.failed path{fill:var(--red)}
.chart .narrow{display:none}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;font-size:13px;color:var(--muted)}
.legend svg{vertical-align:-1px}
.bars th,.bars td{border:0;padding:.2rem 0}
.bars th{font-weight:400;width:1%;white-space:nowrap;padding-right:1rem}
.bars .bar{width:auto}.bars .bar svg{display:block;margin-top:.2rem;border-radius:3px}
.bars .number{width:1%;padding-left:1rem;color:var(--muted);font-size:13px}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 3rem}
.values{white-space:pre-wrap}
.drift td,.drift th{font-size:13px}
.drift .what{font-weight:400;white-space:normal}.drift .what code{display:block}
.drift .nowrap{white-space:nowrap}.drift .what{min-width:12rem}.drift .label{display:none}
@media(max-width:40rem){
.pair{display:block}
.chart .wide{display:none}.chart .narrow{display:inline}
.bars.long th{white-space:normal;width:45%}
.drift thead{display:block;position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.drift,.drift tbody,.drift tr,.drift td,.drift th{display:block;width:auto}
.drift tr{border-bottom:1px solid var(--line);padding:.6rem 0}
.drift td,.drift th{border:0;padding:.1rem 0}.drift td.number{text-align:left}.drift .label{display:inline;color:var(--muted)}}
@media print{.chart .hover{display:none}}
`;
