// The HTML report of a run: page, navigation and sections. `page.ts` contains the shared styles, and `markup.ts` escapes texts.

import { counted } from "../../../../text";
import { loosens } from "../../../document/access-entry";
import { isChangedOutside } from "../../../document/describe";
import type { Report, ReportObject, ReportStack } from "../../../document/model";
import { rightsLines, unchanged } from "../../../views/rights";
import { waiverLines } from "../../../views/waivers";
import { Causes, Entries, type Entry, nameOf } from "../entries";
import {
  allObjects,
  coverageSentence,
  directionOf,
  findingOf,
  hasOnlyPolicyViolations,
  headline,
  isClean,
  isListed,
  isStack,
  outsideOf,
  summaryOf,
  timeOf,
  totalsOf,
  whyFailed,
} from "../summary";
import { graphSection } from "./graph";
import { type Content, factList, html, joined, link, type Markup, searchable, tag } from "./markup";
import { page } from "./page";
import { problemsSection } from "./parts";
import { accessSection, entryRow, FACETS, graphObject, linesOf } from "./rows";

/** The styles of reports, in addition to the styles of every page. */
export const STYLE = `
.summary{font-size:1.05rem;margin:.4rem 0 0}
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
.name{font-weight:600;min-width:0}
.value{font-family:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;font-size:12.5px;min-width:0}
.address{margin-left:auto;color:var(--muted);font-size:12px;min-width:0;max-width:26rem;text-align:right}
h4{margin:1.25rem 0 .5rem;font-size:13px;color:var(--muted)}
.change>:not(summary){margin:0 1rem .7rem 2rem}
.change>.facts{margin-top:.1rem}
details.list{margin-top:.75rem}
.places,.objects,.list ul{margin:.4rem 0;padding-left:1.2rem}
.places{columns:auto 26rem;column-gap:2rem}
.places code{color:var(--muted)}
.card.problem{border-left:3px solid var(--amber)}
.card.error{border-left-color:var(--red)}
.graph{margin:.75rem 0;border:1px solid var(--line);border-radius:8px;padding:1rem}
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
.card.access{padding:0;overflow:clip}
.card.access h3{margin:0;padding:.6rem 1rem;font-size:14px;display:flex;flex-wrap:wrap;gap:.15rem .6rem;align-items:baseline}
.card.access>p,.card.access>details{margin:.5rem 1rem .6rem}
.card.access.loosens{border-left:3px solid var(--red)}
.access table{border-top:1px solid var(--line)}
.access td,.access th{padding:.3rem .5rem;font-size:13px;font-weight:400;white-space:normal}
.access td:first-child{width:7.5rem;padding-left:1rem}
.access th{width:38%}
.access td:last-child{padding-right:1rem;font-weight:600}
.access td .tag{min-width:5.8rem;text-align:center;white-space:nowrap;max-width:none}
.card.access h3 .muted{margin:0}
.access .gain{color:var(--green)}.access .loss{color:var(--red)}
@media(max-width:40rem){.access td:first-child{width:1%;padding-right:0}.access th{width:36%}.access td .tag{min-width:0}}
@media(max-width:40rem){
.change>summary .address{margin-left:0;flex-basis:100%;text-align:left;max-width:none}
.change>:not(summary){margin-left:1rem}
.diff{font-size:11.5px}
.graph{padding:.6rem}}
@media print{.diff .a,.diff .d,.diff .u{background:none}.change>summary::before{display:none}}
`;

/** The page shows all entries open if all entries together have at most this number of lines. */
const MAX_EXPANDED_LINES = 250;

/** Returns a report as one self-contained page, for people who approve a plan or investigate drift. */
export function htmlReport(report: Report): string {
  const causes = new Causes(report);
  const entries = new Entries(report, causes);
  const isOpen = entries.all.reduce((sum, entry) => sum + linesOf(entry), 0) <= MAX_EXPANDED_LINES;
  const sections: readonly (readonly [id: string, title: string, content: Content])[] = [
    [
      "problems",
      "Errors and warnings",
      causes.all.length > 0 ? problemsSection(causes, entries, report.stacks.length > 1) : undefined,
    ],
    ["access", "Access", accessSection(report, entries)],
    [
      "rights",
      "Rights",
      report.rights && list(rightsLines(report.rights, { name: unchanged, sentence: unchanged })),
    ],
    ["waivers", "Waivers", report.waivers?.length ? list(waiverLines(report.waivers)) : undefined],
    ["changes", report.command === "drift" ? "Drift" : "Changes", changes(report, entries, causes, isOpen)],
    [
      "dependencies",
      "Dependencies",
      graphSection(
        report.stacks.map(({ name, objects }) => ({
          name,
          objects: objects.map((object) => graphObject(object, entries)),
        })),
      ),
    ],
    ["notes", "Outputs and notes", notes(report)],
  ];
  const present = sections.filter(([, , content]) => content !== undefined);
  return page({
    title: headline(report),
    header: header(report),
    navigation: present.length > 1 ? present.map(([id, title]) => ({ id, title })) : [],
    skipTo: {
      id: "changes",
      label: report.command === "drift" ? "Skip to the drift" : "Skip to the changes",
    },
    content: present.map(
      ([id, title, content]) => html`<section id="${id}"><h2>${title}</h2>
${content}</section>
`,
    ),
    style: STYLE,
  });
}

const RESULTS: Readonly<Record<Report["result"], (report: Report) => Markup>> = {
  clean: ({ command }) => tag("ok", command === "drift" ? "✓ no drift" : "✓ no changes"),
  found: ({ command }) => tag("update", command === "drift" ? "! drift" : "~ changes"),
  failed: ({ stacks }) =>
    tag("error", hasOnlyPolicyViolations(stacks) ? "✕ violates a policy" : "✕ incomplete"),
};

function header(report: Report): Content {
  const {
    command,
    stacks,
    result,
    started_at: started,
    finished_at: finished,
    limited_to: limited,
    run,
  } = report;
  const seconds = (Date.parse(finished) - Date.parse(started)) / 1000;
  const names = stacks.filter(isStack).flatMap(({ name }) => name ?? []);
  const isDone = result === "found" && (command === "apply" || command === "destroy");
  const facts = {
    [names.length === 1 ? "stack" : "stacks"]:
      names.length === 1 ? names[0] : names.length > 1 && names.length,
    service: run?.services?.join(", "),
    commit: run?.commit !== undefined && html`<code>${run.commit}</code>`,
    pipeline: run?.pipeline !== undefined && link(run.pipeline, run.pipeline),
    job: run?.job !== undefined && link(run.job, run.job),
    at: html`<time datetime="${started}">${timeOf(report)}</time>`,
    took: Number.isFinite(seconds) && `${seconds.toFixed(1)} s`,
    "limited to stacks": limited?.stacks?.join(", "),
    shard: limited?.shard && `${limited.shard.number}/${limited.shard.of}`,
    "limited to": limited?.targets?.join(", "),
    by: `Steward ${report.steward_version}`,
  };
  const failed = result === "failed" ? whyFailed(stacks) : "";
  return html`<h1>${command[0]!.toUpperCase()}${command.slice(1)} ${isDone ? tag("ok", "✓ done") : RESULTS[result](report)}</h1>
<p class="summary">${summaryOf(command, allObjects(report), stacks)}${failed}</p>
${outsideOf(report).map((sentence) => html`<p>${tag("warning", "! outside")} ${sentence}</p>\n`)}${factList(facts)}${totals(report)}`;
}

/** The CSS classes for the colours of the totals. The keys are the names of the totals. */
const TOTAL_KINDS: Readonly<Record<string, string>> = {
  create: "create",
  update: "update",
  destroy: "delete",
  import: "create",
  changed: "update",
  vanished: "delete",
  unmanaged: "warning",
  failed: "error",
  unchecked: "error",
  not_started: "warning",
  loosens: "error",
  tightens: "create",
  changed_outside: "warning",
};

/** The names of totals for people, in Terraform's words, where they differ from the names in JSON. */
const TOTAL_NAMES: Readonly<Record<string, string>> = { create: "add", update: "change" };

/** Returns how many changes loosen and tighten access, and how many objects were changed manually. */
function accessTotalsOf(report: Report): Readonly<Record<string, number>> {
  const shown = allObjects(report).filter(isListed);
  const count = (is: (object: ReportObject) => boolean) => shown.filter(is).length;
  return {
    loosens: count(({ strictness }) => loosens(strictness)),
    tightens: count(({ strictness }) => strictness === "tighter"),
    changed_outside: count((object) => isChangedOutside(object) || object.deleted_outside === true),
  };
}

/** Renders the totals of the whole report as tiles. Leaves out totals of 0. */
function totals(report: Report): Content {
  const totals = { ...totalsOf(report), ...accessTotalsOf(report) };
  const shown = Object.entries(totals).filter(([, count]) => count > 0);
  if (shown.length === 0) return undefined;
  return html`<dl class="tiles">${shown.map(
    ([name, count]) => html`
<div><dt>${TOTAL_NAMES[name] ?? name.replaceAll("_", " ")}</dt><dd class="${TOTAL_KINDS[name]}">${count}</dd></div>`,
  )}
</dl>
`;
}

function changes(report: Report, entries: Entries, causes: Causes, isOpen: boolean): Content {
  const isDrift = report.command === "drift";
  const list = (of: readonly Entry[]) => rowList(of.map((entry) => entryRow(entry, causes, isOpen)));
  const rows = (of: readonly Entry[]): Markup => {
    const reverts = of.filter(isRevert);
    if (reverts.length === 0) return list(of);
    const own = of.filter((entry) => !isRevert(entry));
    return html`${own.length > 0 && list(own)}<section data-group><h4>Reverts of manual changes</h4>
${list(reverts)}</section>`;
  };
  const group = (title: Content, of: readonly Entry[]) =>
    of.length === 0
      ? undefined
      : html`<section data-group><h3>${title}</h3>
${rows(of)}</section>
`;
  const summary = (stack: ReportStack) =>
    html`<span class="muted">${summaryOf(report.command, stack.objects, [stack])}</span>`;
  const groups = [
    group("In several stacks", entries.several),
    ...entries.stacks.map(({ stack, entries: of }) =>
      group(html`${nameOf(stack.name)} ${summary(stack)}`, of),
    ),
  ].filter((one) => one !== undefined);
  const content =
    groups.length === 0
      ? html`<p>${nothing(report, isDrift)}</p>\n`
      : searchable({
          id: "list",
          noun: isDrift ? "objects" : "changes",
          facets: FACETS,
          rows: report.stacks.length > 1 ? groups : rows(entries.stacks.flatMap((one) => one.entries)),
        });
  const searched = coverageSentence(report);
  const clean = report.stacks.length > 1 ? report.stacks.filter((stack) => isClean(stack)) : [];
  return html`${directionOf(report).map((text) => html`<p class="muted">${text}</p>\n`)}${searched !== undefined && html`<p class="muted">${searched}</p>\n`}${content}${
    clean.length > 0 &&
    html`<p class="muted">No ${findingOf(report)} in ${counted(clean.length, "stack")}: ${joined(
      clean.map(({ name }) => html`<code>${nameOf(name)}</code>`),
      ", ",
    )}</p>\n`
  }`;
}

/** Returns true if an entry only reverts manual changes. */
const isRevert = ({ objects: [first] }: Entry): boolean => first.is_revert === true;

/** Returns the text that replaces an empty list of changes or drift. */
function nothing({ result }: Report, isDrift: boolean): string {
  if (result === "failed") return "Nothing except the errors above.";
  return isDrift ? "No drift." : "No object changes.";
}

/**
 * The maximum number of rows of a list that the browser lays out at once. In a longer list, the browser lays out a row when
 * the row comes into view.
 */
const MAX_LAID_OUT = 100;

const rowList = (
  rows: readonly Markup[],
): Markup => html`<div class="changes${rows.length > MAX_LAID_OUT && " many"}">
${rows}</div>`;

/** Renders the changes of outputs, and the findings that are ignored or known from an earlier run. */
function notes({ stacks }: Report): Content {
  const outputs = stacks.flatMap((stack) => stack.outputs.filter(({ action }) => action !== "no-op"));
  const ignored = stacks.flatMap((stack) => stack.ignored);
  const known = stacks.reduce((sum, stack) => sum + stack.known, 0);
  if (outputs.length + ignored.length + known === 0) return undefined;
  return list([
    ...outputs.map(({ name, action }) => html`output <code>${name}</code>: ${action}`),
    ...ignored.map(({ object, reason }) => html`ignored <code>${object}</code>: ${reason}`),
    ...(known > 0 ? [`${counted(known, "difference")} known from an earlier run`] : []),
  ]);
}

const list = (items: readonly Content[]): Markup => html`<ul>
${items.map((item) => html`<li>${item}</li>\n`)}</ul>`;
