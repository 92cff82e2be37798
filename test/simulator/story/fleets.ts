// Random stories about fleets, partial runs, waves and lists of several stacks. Each round is played as one run and as
// partial runs. Both ways must end with the same result.
import { Random } from "../time/random";
import {
  type DeclaredFleet,
  FLEET_PARTS,
  type FleetNeighbour,
  type FleetRound,
  type FleetStack,
  MEMBERS,
  type PartialRun,
  type Topic,
} from "./fleet-round";
import type { Story } from "./story";

const TOPICS: readonly Topic[] = ["service", "tool"];

/** The seeds after this one have stories about fleets. Smaller seeds have stories of other kinds. */
export const FLEETS_FROM = 10_000_000;

/** Returns the story about fleets that belongs to a seed. */
export function fleetStoryOf(seed: number): Story {
  const random = new Random(seed ^ 0xf1ee7);
  const stacks = random.chance(0.6) ? ["a"] : ["a", "b"];
  const rounds = 2 + random.below(2);
  let before: readonly FleetStack[] = stacks.map(() => ({ fleets: [], others: [] }));
  const steps = Array.from({ length: rounds }, (_, at) => {
    before = at === 0 ? stacks.map(() => newStack(random)) : changed(before, random);
    const topics = at === 0 ? firstTopics(random) : nextTopics(random);
    const round: FleetRound = { stacks: before, topics, runs: at === 0 ? [] : runsOf(random, stacks) };
    return { fleets: at > 0 && random.chance(0.1) ? { ...round, isOld: true } : round };
  });
  return { seed, keeping: "file", stacks, steps };
}

function newStack(random: Random): FleetStack {
  const fleets = random.chance(0.85) ? [newFleet(random, random.pick(["acme", "estate"]))] : [];
  return { fleets, others: newNeighbours(random, 0.4) };
}

const newFleet = (random: Random, id: string): DeclaredFleet => ({
  id,
  topic: random.chance(0.7) ? "service" : "tool",
  onLeave: random.chance(0.5) ? "keep" : "reset",
  parts: some(random, FLEET_PARTS, 0.5),
  ...(random.chance(0.2) && { paths: some(random, MEMBERS, 0.6) }),
});

/**
 * The names of resources outside of fleets. The second name looks like a name that the construct `ProjectSettings`
 * makes for its parts.
 */
const NAMES = ["one", "web_environments_0B1C2D3E"];

function newNeighbours(random: Random, chance: number): readonly FleetNeighbour[] {
  const names = NAMES.filter(() => random.chance(chance));
  return names.map((name, at) => newNeighbour(random, name, names[at - 1]));
}

const newNeighbour = (random: Random, name: string, before: string | undefined): FleetNeighbour => ({
  kind: random.weighted({ review: 3, entry: 2, list: 1, invitation: 1 }),
  name,
  at: random.chance(0.3) ? random.pick(TOPICS) : random.pick(MEMBERS),
  ...(before !== undefined && random.chance(0.4) && { after: before }),
  ...(before !== undefined && random.chance(0.3) && { refersTo: before }),
});

function some<T>(random: Random, all: readonly T[], chance: number): readonly T[] {
  const chosen = all.filter(() => random.chance(chance));
  return chosen.length > 0 ? chosen : [random.pick(all)];
}

const firstTopics = (random: Random): FleetRound["topics"] =>
  Object.fromEntries(MEMBERS.map((name) => [name, random.chance(0.8) ? ["service"] : ["tool"]]));

const nextTopics = (random: Random): FleetRound["topics"] =>
  Object.fromEntries(
    MEMBERS.filter(() => random.chance(0.25)).map((name) => [
      name,
      random.chance(0.5) ? [] : [random.pick(TOPICS)],
    ]),
  );

/** Returns the stacks after one or two edits: renames, moves to another stack, and dropped or new declarations. */
function changed(stacks: readonly FleetStack[], random: Random): readonly FleetStack[] {
  const edits = 1 + random.below(2);
  return Array.from({ length: edits }).reduce<readonly FleetStack[]>((now) => {
    const next = edit(now, random);
    // Ignores an edit that gives two constructs of a stack the same id.
    return next.every(hasDistinctFleets) ? next : now;
  }, stacks);
}

const hasDistinctFleets = ({ fleets }: FleetStack): boolean =>
  new Set(fleets.map(({ id }) => id)).size === fleets.length;

function edit(stacks: readonly FleetStack[], random: Random): readonly FleetStack[] {
  const at = random.below(stacks.length);
  const stack = stacks[at]!;
  const put = (one: FleetStack) => stacks.with(at, one);
  const eachFleet = (change: (fleet: DeclaredFleet) => DeclaredFleet) =>
    put({ ...stack, fleets: stack.fleets.map(change) });
  const what = random.weighted({
    ...{ rename: 4, parts: 3, paths: 1, leave: 1, restack: 3, remove: 1, other: 3, none: 2 },
  });
  switch (what) {
    case "rename":
      return eachFleet((fleet) => ({ ...fleet, id: fleet.id === "acme" ? "renamed" : "acme" }));
    case "parts":
      return eachFleet((fleet) => ({ ...fleet, parts: some(random, FLEET_PARTS, 0.5) }));
    case "paths":
      return eachFleet((fleet) =>
        fleet.paths === undefined ? fleet : { ...fleet, paths: some(random, MEMBERS, 0.6) },
      );
    case "leave":
      return eachFleet((fleet) => ({ ...fleet, onLeave: fleet.onLeave === "keep" ? "reset" : "keep" }));
    case "restack": {
      const [next, ...rest] = [...stacks.slice(at + 1), ...stacks.slice(0, at)];
      if (next === undefined || rest.length > 0) return stacks;
      const [moved, left] = [
        { ...next, fleets: [...next.fleets, ...stack.fleets] },
        { ...stack, fleets: [] },
      ];
      return at === 0 ? [left, moved] : [moved, left];
    }
    case "remove":
      return put({ ...stack, fleets: [] });
    case "other": {
      return put({ ...stack, others: newNeighbours(random, 0.5) });
    }
    case "none":
      return stacks;
  }
}

function runsOf(random: Random, stacks: readonly string[]): readonly PartialRun[] {
  return Array.from({ length: 1 + random.below(3) }, (): PartialRun => {
    const part = random.weighted<"projects" | "wave" | "shard" | "target" | "stack">({
      ...{
        projects: 5,
        wave: 3,
        shard: stacks.length > 1 ? 0 : 3,
        target: 2,
        stack: stacks.length > 1 ? 2 : 0,
      },
    });
    const crash = {
      ...(random.chance(0.08) && { crashAt: 20 + random.below(400) }),
      ...(random.chance(0.1) && { readAfter: random.below(800) }),
    };
    if (part === "projects") return { projects: some(random, MEMBERS, 0.4), ...crash };
    if (part === "wave") return { wave: 1 + random.below(3), ...crash };
    if (part === "shard") return { shard: [1 + random.below(2), 2], ...crash };
    if (part === "target") return { target: random.below(12), ...crash };
    return { stacks: [random.pick(stacks)], ...crash };
  });
}
