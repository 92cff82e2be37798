/** The styles of reports, beside those of every page. */
export const STYLE = `
.summary{font-size:1.05rem;margin:.4rem 0 0}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:1rem 0 0;font-size:13px}
h1 .tag{vertical-align:.3em;font-size:13px;letter-spacing:0}
h3 .muted{font-weight:400;margin-left:.4rem}
.changes{border:1px solid var(--line);border-radius:8px;overflow:clip}
.many .change{content-visibility:auto;contain-intrinsic-size:auto 40px}
.many .change[open]{contain-intrinsic-size:auto 150px}
.change{box-shadow:0 -1px 0 var(--line)}
.change:target{background:var(--mark)}
.change>summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.15rem .6rem;padding:.5rem 1rem .5rem 2rem;position:relative;list-style:none}
.change>summary::-webkit-details-marker{display:none}
.change>summary::before{content:"";position:absolute;left:.9rem;top:1rem;width:.4rem;height:.4rem;border:solid var(--muted);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg)}
.change[open]>summary::before{transform:rotate(45deg);top:.9rem}
.change>summary:hover{background:var(--soft)}
.change>summary:focus-visible{outline-offset:-2px}
.change>summary .tag{min-width:5.4rem;text-align:center}
.change>summary .tag~.tag{min-width:0}
.name{font-family:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;font-size:12.5px;font-weight:600;min-width:0}
.where{margin-left:auto;color:var(--muted);font-size:13px}
.change>:not(summary){margin:0 1rem .7rem 2rem}
.change>.facts{margin-top:.1rem}
details.list{margin-top:.75rem}
.places,.objects,.list ul{margin:.4rem 0;padding-left:1.2rem}
.places{columns:auto 26rem;column-gap:2rem}
.places code{color:var(--muted)}
details.places{columns:auto}
.card.problem{border-left:3px solid var(--amber)}
.card.error{border-left-color:var(--red)}
.places-grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(26rem,100%),1fr));gap:.75rem}
.places-grid .card{margin:0}
.card.access h3{margin:0 0 .4rem}
.target{margin:.5rem 0 .2rem}
.gains{list-style:none;margin:0;padding:0}
.gains li{padding:.15rem 0}
.gains .tag{margin-right:.4rem}
.graph{margin:.75rem 0;border:1px solid var(--line);border-radius:8px;padding:1rem}
.graph figcaption{color:var(--muted);font-size:13px;margin-bottom:.6rem}
svg{display:block;font-family:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace}
svg text{font-size:11.5px;fill:var(--text)}
svg .type{font-size:10.5px;fill:var(--muted)}
svg .sign{font-size:14px;font-weight:700;text-anchor:middle}
svg rect{fill:var(--bg);stroke:var(--line)}
svg .edge{fill:none;stroke:var(--muted);stroke-width:1.25;opacity:.7}
svg .create rect{stroke:var(--green);fill:var(--green-bg)}svg .create .sign{fill:var(--green)}
svg .update rect{stroke:var(--amber);fill:var(--amber-bg)}svg .update .sign{fill:var(--amber)}
svg .delete rect{stroke:var(--red);fill:var(--red-bg)}svg .delete .sign{fill:var(--red)}
svg .replace rect{stroke:var(--violet);fill:var(--violet-bg)}svg .replace .sign{fill:var(--violet)}
svg .still rect{stroke-dasharray:4 3}
svg a:hover rect{stroke-width:2}
@media(max-width:40rem){
.change>summary .where{margin-left:0;flex-basis:100%}
.change>:not(summary){margin-left:1rem}
.diff{font-size:11.5px}
.graph{padding:.6rem}}
@media print{.diff .a,.diff .d,.diff .u{background:none}.change>summary::before{display:none}}
`;
