import { missed, rounded } from "../figures";
import { aimsOf } from "./aims";
import type { Case, Figures, Measurements } from "./model";
import { measuredOf, type RecordedCase } from "./record";
import { STEPS, type Step } from "./steps";

interface Row {
  readonly case: Case;
  readonly measurements: Measurements;
}

const FIGURES = [
  "N",
  "",
  "apply, from nothing",
  "plan, no change",
  "plan, one change",
  "destroy",
  "processor",
  "memory",
];
const SPLIT = ["N", "", "", "synth", "start-up", "load", "refresh", "diff", "write"];
/** The steps whose time is shown by phase. In the other steps, the phases take as long as in these steps. */
const SPLIT_STEPS: readonly Step[] = ["apply", "plan"];

/**
 * Returns the records of these cases as tables in Markdown. Each collection and latency has a table of figures, and a
 * table of the time by phase.
 */
export function tablesOf(cases: readonly Case[], records: readonly RecordedCase[]): string {
  const groups = new Map<string, Row[]>();
  for (const one of cases) {
    const measurements = measuredOf(records, { ...one, steps: [] }) ?? {};
    if (Object.keys(measurements).length === 0) continue;
    const title = `${one.collection.title}, at ${one.latency} ms`;
    groups.set(title, [...(groups.get(title) ?? []), { case: one, measurements }]);
  }
  const tables = [...groups].map(([title, rows]) =>
    [
      `## ${title}`,
      table(FIGURES, rows.map(figuresOf)),
      "Where the time goes, in seconds:",
      table(SPLIT, rows.flatMap(splitsOf)),
    ].join("\n\n"),
  );
  return [originOf(records), ...tables].join("\n\n");
}

function originOf(records: readonly RecordedCase[]): string {
  const different = (values: readonly string[]): string => [...new Set(values)].join(", ");
  const loads = records.map(({ load }) => load);
  const range = [Math.min(...loads), Math.max(...loads)].map((load) => load.toFixed(1)).join(" to ");
  const programs = different(records.map(({ program }) => program));
  return `${programs}. ${different(records.map(({ machine }) => machine))}, at a load of ${range}.`;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const count = (value: number): string => value.toLocaleString("en-US");

function figuresOf({ case: one, measurements }: Row): string[] {
  const { plan } = measurements;
  return [
    count(one.count),
    one.engine,
    ...STEPS.map((step) => cellOf(one, step, measurements[step])),
    plan?.cpu === undefined ? "" : `${rounded(plan.cpu)} s`,
    mostMemory(measurements),
  ];
}

function cellOf(one: Case, step: Step, figures: Figures | undefined): string {
  if (figures === undefined) return "";
  const aims = aimsOf(one, step);
  const told = (name: "requests" | "seconds", text: string): string => {
    const atMost = aims[name];
    const figure = { name, value: figures[name], unit: "", ...(atMost !== undefined && { atMost }) };
    return missed(figure) ? `**${text} (≤ ${atMost}, missed)**` : text;
  };
  return `${told("requests", count(figures.requests))}, ${told("seconds", `${rounded(figures.seconds)} s`)}`;
}

function mostMemory(measurements: Measurements): string {
  const all = Object.values(measurements).flatMap(({ megabytes }) => megabytes ?? []);
  return all.length === 0 ? "" : `${Math.max(...all).toFixed(0)} MB`;
}

function splitsOf({ case: one, measurements }: Row): string[][] {
  return SPLIT_STEPS.flatMap((step) => {
    const split = measurements[step]?.split;
    if (split === undefined) return [];
    const { synth, startUp, load, refresh, diff, write } = split;
    const parts = [synth, startUp, load, refresh, diff, write].map((seconds) => seconds.toFixed(2));
    return [[count(one.count), one.engine, step, ...parts]];
  });
}
