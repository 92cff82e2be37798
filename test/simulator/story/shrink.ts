import type { Crash, ListUse, Run, Step, Story } from "./story";

/** Whether a story still fails in the way that is looked for. */
export type Fails = (story: Story) => Promise<boolean>;

/** The smallest story found that still fails: fewer steps, fewer faults, simpler ones. */
export async function shrink(story: Story, fails: Fails): Promise<Story> {
  let best = story;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of simpler(best)) {
      if (!(await fails(candidate))) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

function* simpler(story: Story): Generator<Story> {
  const { steps } = story;
  for (let size = Math.floor(steps.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at + size <= steps.length; at += size)
      yield { ...story, steps: [...steps.slice(0, at), ...steps.slice(at + size)] };
  if (story.stacks.length > 1) {
    const stacks = story.stacks.slice(0, -1);
    yield { ...story, stacks, steps: steps.map((step) => onStack(step, stacks)) };
  }
  if (story.keeping === "service") yield { ...story, keeping: "file" };
  if (story.pageLimit !== undefined) {
    const { pageLimit: _, ...rest } = story;
    yield rest;
  }
  for (const [index, step] of steps.entries())
    for (const simple of simplerSteps(step)) yield { ...story, steps: steps.with(index, simple) };
}

/** A step whose stack is gone concerns the first one. */
function onStack(step: Step, stacks: readonly string[]): Step {
  const given = (step as { stack?: string }).stack;
  return given === undefined || stacks.includes(given) ? step : ({ ...step, stack: stacks[0]! } as Step);
}

function* simplerLists(list: ListUse): Generator<ListUse> {
  for (const name of ["there", "tasks", "hands", "faults"] as const)
    for (const [index] of (list[name] ?? []).entries())
      yield { ...list, [name]: (list[name] ?? []).filter((_, at: number) => at !== index) };
}

function* simplerSteps(step: Step): Generator<Step> {
  if ("list" in step) for (const list of simplerLists(step.list)) yield { list };
  if ("together" in step) {
    for (const run of step.together) yield { run };
    for (const index of [0, 1] as const)
      for (const run of simplerRuns(step.together[index]))
        yield { ...step, together: index === 0 ? [run, step.together[1]] : [step.together[0], run] };
  }
  if ("run" in step) for (const run of simplerRuns(step.run)) yield { run };
  if ("edit" in step && step.edit === "declare") {
    const { second, preventDestroy, ...plain } = step.declaration;
    if (second) yield { ...step, declaration: { ...plain, ...(preventDestroy && { preventDestroy }) } };
    if (preventDestroy) yield { ...step, declaration: { ...plain, ...(second && { second }) } };
    if (plain.spelling === "id") yield { ...step, declaration: { ...step.declaration, spelling: "path" } };
    if (plain.content !== 0) yield { ...step, declaration: { ...step.declaration, content: 0 } };
  }
}

function* simplerRuns(run: Run): Generator<Run> {
  for (const name of [
    "crash",
    "network",
    "disk",
    "meanwhile",
    "patience",
    "failFast",
    "parallelism",
    "isMaintainer",
    "importExisting",
    "replaces",
    "stacks",
  ] as const) {
    if (!(name in run)) continue;
    const { [name]: _, ...rest } = run as Record<string, unknown>;
    yield rest as unknown as Run;
  }
  for (const name of ["network", "disk", "meanwhile"] as const) {
    const list = run[name] ?? [];
    if (list.length < 2) continue;
    for (const [index] of list.entries())
      yield { ...run, [name]: list.filter((_, at) => at !== index) } as Run;
  }
  if (run.crash?.power) {
    const { power: _, ...crash } = run.crash;
    yield { ...run, crash: crash as Crash };
  }
  if (run.do === "repair" || run.do === "destroy" || run.do === "save") yield { ...run, do: "apply" };
}
