// Reads and writes stories as text. So people can read the story of a failure and add it to the stories that explain a
// rule.
import { KEYS, type Kind, PLACES, type Thing } from "../world/objects";
import type { FleetRound } from "./fleet-round";
import { FAULT, range, readFault, readList, tellFault, tellList, timesOf, unreadable } from "./list-notation";
import type { Edit, Run, Step, Story } from "./story";

/** Makes an object. The default is the first object of its kind. */
const thing = (kind: Kind, more: Partial<Thing> = {}): Thing => ({
  kind,
  at: PLACES[kind][0]!,
  key: KEYS[kind][0]!,
  content: 1,
  ...more,
});

/** Reads an object, such as `environment staging in api with 2`. Omitted parts have the defaults of `thing`. */
function readThing(text: string): Thing {
  const [, kind, key, at, content] =
    /^(\w+)(?: (?!in |with )(\S+))?(?: in (\w+))?(?: with (\d+))?$/.exec(text) ?? unreadable(text);
  return thing(kind as Kind, {
    ...(key !== undefined && { key }),
    ...(at !== undefined && { at: at as Thing["at"] }),
    ...(content !== undefined && { content: Number(content) }),
  });
}

function tellThing({ kind, at, key, content }: Thing): string {
  const first = thing(kind);
  const [named, there] = [key === first.key ? "" : ` ${key}`, at === first.at ? "" : ` in ${at}`];
  return `${kind}${named}${there}${content === 1 ? "" : ` with ${content}`}`;
}

/** The fields of an edit, in the order of the words after its name. */
const EDITS: Readonly<Partial<Record<Edit["edit"], readonly string[]>>> = {
  drop: ["name"],
  release: ["name"],
  content: ["name", "content"],
  empty: ["name"],
  retarget: ["name", "key"],
  rename: ["name", "to"],
  restack: ["name", "stack"],
  respell: ["name", "spelling"],
  reconfigure: ["name"],
  protect: ["name"],
  import: ["name", "id"],
  whole: ["at", "stack"],
  single: ["at", "stack"],
};

/** The notes that an edit can have after a comma, each with the fields that it sets. */
const NOTES = {
  "by a block": { hasBlock: true },
  "by number": { spelling: "id" },
  "through another configuration": { second: true },
  "with prevent_destroy": { preventDestroy: true },
  "by an import block": { isImported: true },
} as const;

const notesOf = (given: object): string =>
  Object.entries(NOTES)
    .filter(([, note]) => Object.entries(note).every(([name, value]) => value === Reflect.get(given, name)))
    .map(([words]) => `, ${words}`)
    .join("");

const readNotes = (notes: readonly string[]): object =>
  Object.assign({}, ...notes.map((note) => NOTES[note as keyof typeof NOTES] ?? unreadable(note)));

function readEdit(text: string): Step | undefined {
  const [words, ...notes] = text.split(", ") as [string, ...string[]];
  const [, name, what, stack = "a"] = /^declare (\S+) (.+?)(?: in stack (\w+))?$/.exec(words) ?? [];
  if (what !== undefined) {
    const declaration = { ...readThing(what), name: name!, spelling: "path" as const, ...readNotes(notes) };
    return { edit: "declare", stack, declaration };
  }
  const [edit, ...given] = words.split(" ") as [Edit["edit"], ...string[]];
  const fields = EDITS[edit];
  if (fields === undefined || given.length > fields.length) return undefined;
  const entries = given.map((word, at) => [fields[at]!, /^\d+$/.test(word) ? Number(word) : word]);
  const hasBlock = edit === "rename" && { hasBlock: false };
  return { edit, ...hasBlock, ...Object.fromEntries(entries), ...readNotes(notes) } as Step;
}

function tellEdit(step: Edit): string {
  if (step.edit !== "declare") {
    const words = EDITS[step.edit]!.flatMap((field) => Reflect.get(step, field) ?? []);
    const isSpelled = step.edit === "respell";
    return `${[step.edit, ...words].join(" ")}${isSpelled ? "" : notesOf(step)}`;
  }
  const { stack, declaration } = step;
  const where = stack === "a" ? "" : ` in stack ${stack}`;
  return `declare ${declaration.name} ${tellThing(declaration)}${where}${notesOf(declaration)}`;
}

const FLAGS = {
  described: "describes",
  "as maintainer": "isMaintainer",
  "--fail-fast": "failFast",
  "--import-existing": "importExisting",
} as const;

/**
 * The parts of a run's text after the colon: how to write and read each. A run may have several faults and manual
 * changes.
 */
const EVENTS: readonly {
  readonly tells: (run: Run) => readonly string[];
  readonly words: RegExp;
  readonly read: (match: readonly string[]) => Partial<Run>;
}[] = [
  {
    tells: (run) => ("stacks" in run && run.stacks !== undefined ? [`--stack ${run.stacks.join(" ")}`] : []),
    words: /^--stack (.+)$/,
    read: ([, stacks]) => ({ stacks: stacks!.split(" ") }) as Partial<Run>,
  },
  {
    tells: ({ network = [] }) => network.map(tellFault),
    words: FAULT,
    read: (match) => ({ network: [readFault(match)] }),
  },
  {
    tells: ({ disk = [] }) => disk.map(({ write, times, fault }) => `disk ${range(write, times)}: ${fault}`),
    words: /^disk (\d+)(?:-(\d+))?: (full|io)$/,
    read: ([, write, last, fault]) => ({
      disk: [{ write: Number(write), ...timesOf(write!, last), fault: fault as "full" }],
    }),
  },
  {
    tells: ({ meanwhile = [] }) =>
      meanwhile.map(({ hand, thing: what, after }) => `after ${after} ${hand} ${tellThing(what)}`),
    words: /^after (\d+) (add|change|delete) (.+)$/,
    read: ([, after, hand, what]) => ({
      meanwhile: [{ hand: hand as "add", thing: readThing(what!), after: Number(after) }],
    }),
  },
  {
    tells: ({ crash }) => {
      if (crash === undefined) return [];
      const when = crash.at === undefined ? `after write ${crash.afterWrite}` : `at ${crash.at}`;
      return [`${crash.power ? "the power fails" : "dies"} ${when}`];
    },
    words: /^(dies|the power fails) (?:at (\d+)|after write (\d+))$/,
    read: ([, how, at, afterWrite]) => {
      const power = how !== "dies" && { power: true };
      const when = at === undefined ? { afterWrite: Number(afterWrite) } : { at: Number(at) };
      return { crash: { ...power, ...when } };
    },
  },
  {
    tells: ({ patience }) => (patience === undefined ? [] : [`--lock-timeout ${patience}ms`]),
    words: /^--lock-timeout (\d+)ms$/,
    read: ([, patience]) => ({ patience: Number(patience) }),
  },
  {
    tells: ({ parallelism }) => (parallelism === undefined ? [] : [`--parallelism ${parallelism}`]),
    words: /^--parallelism (\d+)$/,
    read: ([, parallelism]) => ({ parallelism: Number(parallelism) }),
  },
  {
    tells: ({ replaces }) => (replaces === undefined ? [] : [`--replace ${replaces.join(" ")}`]),
    words: /^--replace (.+)$/,
    read: ([, names]) => ({ replaces: names!.split(" ") }),
  },
  {
    tells: (run) => Object.entries(FLAGS).flatMap(([words, name]) => (run[name] === true ? words : [])),
    words: new RegExp(`^(${Object.keys(FLAGS).join("|")})$`),
    read: ([flag]) => ({ [FLAGS[flag as keyof typeof FLAGS]]: true }),
  },
];

const OPERATIONS: readonly (readonly [words: RegExp, fields: readonly string[]])[] = [
  [/^(plan|apply saved|apply|drift|repair|save|destroy|unlock)$/, ["do"]],
  [/^(import) (\S+)(?: (\S+))?$/, ["do", "name", "id"]],
  [/^(move declared) from (\w+) to (\w+)$/, ["do", "from", "to"]],
  [/^(move) (\S+) from (\w+) to (\w+)(?: as (\S+))?$/, ["do", "name", "from", "to", "as"]],
  [/^(forget) (\S+) of (\w+)$/, ["do", "address", "stack"]],
];

function readRun(text: string): Run | undefined {
  const [, operation = "", events] = /^([^:]*)(?:: (.*))?$/.exec(text) ?? [];
  const found = OPERATIONS.flatMap(([words, fields]) => {
    const [, ...given] = words.exec(operation) ?? [];
    return given.length === 0 ? [] : [fields.flatMap((name, at) => (given[at] ? [[name, given[at]]] : []))];
  })[0];
  if (found === undefined) return undefined;
  const run = Object.fromEntries(found) as Record<string, unknown>;
  for (const event of events?.split(", ") ?? []) {
    const { words, read } = EVENTS.find((one) => one.words.test(event)) ?? unreadable(event);
    for (const [name, value] of Object.entries(read(words.exec(event)!)))
      run[name] = name in run ? [...(run[name] as unknown[]), ...(value as unknown[])] : value;
  }
  return run as unknown as Run;
}

function tellRun(run: Run): string {
  const between = "from" in run ? ` from ${run.from} to ${run.to}` : "";
  const named = "name" in run ? ` ${run.name}` : "";
  const forgotten = run.do === "forget" ? ` ${run.address} of ${run.stack}` : "";
  const id = run.do === "import" && run.id ? ` ${run.id}` : "";
  const as = run.do === "move" && run.as ? ` as ${run.as}` : "";
  const events = EVENTS.flatMap(({ tells }) => tells(run));
  return `${run.do}${named}${forgotten}${between}${id}${as}${events.length === 0 ? "" : `: ${events.join(", ")}`}`;
}

/** Writes the turns of two runners: which one continues, and how many times in a row, such as `first:12 second:3`. */
const tellChoices = (choices: readonly number[]): string =>
  (choices.join("").match(/0+|1+/g) ?? [])
    .map((same) => `${same.startsWith("0") ? "first" : "second"}:${same.length}`)
    .join(" ");
const readChoices = (text: string): number[] =>
  text.split(" ").flatMap((turn) => {
    const [who, times] = turn.split(":");
    return Array<number>(Number(times)).fill(who === "first" ? 0 : 1);
  });

function readStep(text: string): Step {
  const [, first, after, second, turns] =
    /^both (.+) and (\d+) ms later (.+?)(?:, in turns (.+))?$/.exec(text) ?? [];
  if (second !== undefined) {
    const together = [readRun(first!)!, readRun(second)!] as const;
    return { together, after: Number(after), ...(turns !== undefined && { choices: readChoices(turns) }) };
  }
  const [, hand, what] = /^hand (add|change|delete) (.+)$/.exec(text) ?? [];
  if (what !== undefined) return { hand: hand as "add", thing: readThing(what) };
  const [, clock] = /^the clock jumps (\S+) ms$/.exec(text) ?? [];
  if (clock !== undefined) return { clock: Number(clock) };
  const [, there, uses] = /^a run uses a list(?: of ([\w ]+))?: (.*)$/.exec(text) ?? [];
  if (uses !== undefined) return { list: readList(there?.split(" ") ?? [], uses.split(", ")) };
  const [, fleets] = /^the fleets are (.*)$/.exec(text) ?? [];
  if (fleets !== undefined) return { fleets: JSON.parse(fleets) as FleetRound };
  const run = readRun(text);
  return run === undefined ? (readEdit(text) ?? unreadable(text)) : { run };
}

function tellStep(step: Step): string {
  if ("edit" in step) return tellEdit(step);
  if ("hand" in step) return `hand ${step.hand} ${tellThing(step.thing)}`;
  if ("clock" in step) return `the clock jumps ${step.clock} ms`;
  if ("list" in step) return tellList(step.list);
  if ("fleets" in step) return `the fleets are ${JSON.stringify(step.fleets)}`;
  if ("run" in step) return tellRun(step.run);
  const [first, second] = step.together.map(tellRun);
  const turns = step.choices === undefined ? "" : `, in turns ${tellChoices(step.choices)}`;
  return `both ${first} and ${step.after} ms later ${second}${turns}`;
}

/**
 * The settings at the start of a story. By default, a story has the seed 1 and one stack, `a`, with its state in a
 * file.
 */
const HEADS: readonly (readonly [words: RegExp, read: (given: string) => Partial<Story>])[] = [
  [/^seed (\d+)$/, (seed) => ({ seed: Number(seed) })],
  [/^stacks (.+)$/, (stacks) => ({ stacks: stacks.split(" ") })],
  [/^states in (file|service)$/, (keeping) => ({ keeping: keeping as "file" })],
  [/^pages of (\d+)$/, (pageLimit) => ({ pageLimit: Number(pageLimit) })],
  [/^habits (.+)$/, (habits) => ({ habits: habits.split(" ") })],
  [/^replicas lag (\d+) ms$/, (lag) => ({ lag: Number(lag) })],
  [/^access of (\w+) is not declared$/, (kind) => ({ uncounted: kind as Kind })],
  [/^under (Terraform)$/, () => ({ host: "terraform" })],
];

/** Reads a story from its text. Semicolons or line breaks separate the steps. */
export function readStory(text: string): Story {
  const story = { seed: 1, keeping: "file" as const, stacks: ["a"] };
  const steps: Step[] = [];
  for (const part of text.split(/;\s+|\n/)) {
    const head = HEADS.find(([words]) => words.test(part));
    if (head === undefined) steps.push(readStep(part));
    else Object.assign(story, head[1](head[0].exec(part)![1]!));
  }
  return { ...story, steps };
}

/** Writes a story as text, with one step in each line. */
export const tell = ({
  seed,
  stacks,
  keeping,
  pageLimit,
  habits,
  lag,
  uncounted,
  host,
  steps,
}: Story): string =>
  [
    ...(seed === 1 ? [] : [`seed ${seed}`]),
    ...(stacks.join() === "a" ? [] : [`stacks ${stacks.join(" ")}`]),
    ...(keeping === "file" ? [] : ["states in service"]),
    ...(pageLimit === undefined ? [] : [`pages of ${pageLimit}`]),
    ...(habits === undefined ? [] : [`habits ${habits.join(" ")}`]),
    ...(lag === undefined ? [] : [`replicas lag ${lag} ms`]),
    ...(uncounted === undefined ? [] : [`access of ${uncounted} is not declared`]),
    ...(host === undefined ? [] : ["under Terraform"]),
    ...steps.map(tellStep),
  ].join("\n");
