import type { ContainerProtectionRule } from "../../api";
import type { AccessAbility, AccessPlace, AccessRule, NotCounted } from "../../framework";
import { groupBy, type ValueObject } from "../../schema";
import type { Granting } from "../access-declaration";
import { rules as protectionRules } from "../resources/container-protection-rule";
import type { ProjectChanges } from "./invitees";
import {
  type Access,
  ability,
  MANY_MEMBERS,
  notCountedIn,
  orNotCounted,
  type People,
  ruleChange,
} from "./people";

/** Returns whether some path matches both patterns. `*` matches any text. */
export function isOverlap(one: string, other: string): boolean {
  // `row[j]` says whether `one.slice(i)` overlaps `other.slice(j)`. Each round of the outer loop calculates the
  // row for one character more of `one`, from its end to its start.
  let row = Array.from({ length: other.length + 1 }, (_, at) => isStars(other.slice(at)));
  for (let i = one.length - 1; i >= 0; i--) {
    const next = new Array<boolean>(other.length + 1).fill(false);
    next[other.length] = isStars(one.slice(i));
    for (let j = other.length - 1; j >= 0; j--) {
      if (one[i] === "*") next[j] = row[j]! || next[j + 1]!;
      else if (other[j] === "*") next[j] = next[j + 1]! || row[j]!;
      else next[j] = one[i] === other[j] && row[j + 1]!;
    }
    row = next;
  }
  return row[0]!;
}

const isStars = (text: string): boolean => /^\**$/.test(text);

/**
 * Finds patterns that can match the same path. The index contains the text before the first `*` of each pattern. For
 * two patterns that match the same path, one text is a prefix of the other text.
 */
export class Patterns {
  /** The patterns, by the text before the first `*`. */
  readonly #byStart: ReadonlyMap<string, readonly string[]>;
  /** The texts before the first `*`, sorted, so that texts with a common prefix are neighbours. */
  readonly #starts: readonly string[];

  constructor(patterns: Iterable<string>) {
    this.#byStart = groupBy(patterns, startOf);
    this.#starts = [...this.#byStart.keys()].sort();
  }

  /** Returns the other patterns that have at least one path in common with this pattern. */
  overlapping(pattern: string): string[] {
    const start = startOf(pattern);
    const found: string[] = [];
    const add = (other: string): void => {
      for (const one of this.#byStart.get(other) ?? [])
        if (one !== pattern && isOverlap(one, pattern)) found.push(one);
    };
    for (let length = 0; length < start.length; length++) add(start.slice(0, length));
    // A pattern without `*` matches only this path itself, so it does not overlap patterns with a longer start.
    if (!pattern.includes("*")) add(start);
    else
      for (let at = this.#firstFrom(start); this.#starts[at]?.startsWith(start); at++) add(this.#starts[at]!);
    return found.sort();
  }

  #firstFrom(text: string): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const startOf = (pattern: string): string => pattern.split("*", 1)[0]!;

const ABILITIES = ["push", "delete"] as const;

/**
 * A protection rule: its pattern, and the name of the lowest level for each ability. The level is null if the rule sets
 * no level for the ability.
 */
interface Rule extends Readonly<Record<(typeof ABILITIES)[number], string | null>> {
  readonly pattern: string;
}

/** Converts a live rule to the form of this report. */
const liveRule = (rule: ContainerProtectionRule): Rule => ({
  pattern: rule.repository_path_pattern,
  push: rule.minimum_access_level_for_push,
  delete: rule.minimum_access_level_for_delete,
});

const declaredRule = (values: ValueObject, grant: Granting<"images">["grant"]): Rule => ({
  pattern: String(values[grant.pattern]),
  push: (values[grant.push] ?? null) as string | null,
  delete: (values[grant.delete] ?? null) as string | null,
});

/** Returns the people who gain or lose the right to push or delete protected images in a project. */
export async function imagePlaces(
  access: Access,
  project: ProjectChanges,
  own: readonly Granting<"images">[],
): Promise<AccessPlace[]> {
  if (own.length === 0) return [];
  const places: Promise<AccessPlace>[] = [];
  const unknown: NotCounted[] = [];
  const live = await access
    .collection(project.id, protectionRules)
    .all()
    .catch((problem): NotCounted => ({ what: "the project's other rules", why: access.reasonOf(problem) }));
  const changed = own.flatMap(({ change, grant }) => {
    const { address, before, after, unknown: names, isUnchanged } = change;
    for (const name of names) unknown.push({ what: address, why: `${name} is known only after apply` });
    const [prior, planned] = [before, after].map((side) =>
      side?.container === project.id ? side.attributes : undefined,
    );
    const found = prior && ruleBefore(prior, grant, live);
    const next = planned && declaredRule(planned, grant);
    const { levels } = grant;
    return names.length > 0 ? [] : [{ address, levels, before: found, after: isUnchanged ? found : next }];
  });
  const rules = [
    ...("why" in live ? [] : [...live.values()].map(liveRule)),
    ...changed.flatMap((one) => [one.before, one.after]),
  ];
  const patternsOf = (some: readonly (Rule | undefined)[]) =>
    new Set(some.flatMap((rule) => rule?.pattern ?? []));
  const others = "why" in live ? live : new Patterns(patternsOf(rules));
  for (const { address, levels, before, after } of changed) {
    for (const pattern of patternsOf([before, after])) {
      const at = (rule: Rule | undefined) => (rule?.pattern === pattern ? rule : undefined);
      const change = { address, levels, pattern, before: at(before), after: at(after) };
      places.push(imagePlace(access, project, change, others));
    }
  }
  const found = (await Promise.all(places)).filter(({ rules }) => rules.length > 0 || access.isWhole);
  if (unknown.length === 0) return found;
  const addresses = unknown.map(({ what }) => what);
  return [...found, { ...notCountedIn(project.name, unknown, addresses), target: IMAGES }];
}

/**
 * Returns the rule before the change; undefined if the live rule does not exist. The function uses the live rule if the
 * report could read the rules, because the state may be older.
 */
function ruleBefore(
  prior: ValueObject,
  grant: Granting<"images">["grant"],
  live: ReadonlyMap<number, ContainerProtectionRule> | NotCounted,
): Rule | undefined {
  if ("why" in live) return declaredRule(prior, grant);
  const found = live.get(Number(prior[grant.rule]));
  return found && liveRule(found);
}

const IMAGES = { kind: "images", name: "of unknown rules" };

type Levels = Readonly<Record<string, number>>;

interface Changed {
  readonly address: string;
  readonly pattern: string;
  /** The number of each level, by the name of the level. */
  readonly levels: Levels;
  readonly before: Rule | undefined;
  readonly after: Rule | undefined;
}

async function imagePlace(
  access: Access,
  { id, name }: ProjectChanges,
  { address, levels, pattern, before, after }: Changed,
  others: Patterns | NotCounted,
): Promise<AccessPlace> {
  const notCounted: NotCounted[] = [];
  if ("why" in others) notCounted.push(others);
  else
    for (const other of others.overlapping(pattern))
      notCounted.push({ what: `the rule ${other}`, why: "it may match the same images" });
  const rules: AccessRule[] = [];
  const abilities: AccessAbility[] = [];
  for (const level of ABILITIES) {
    const [from, to] = [before?.[level] ?? null, after?.[level] ?? null];
    if (from === to && !access.isWhole) continue;
    rules.push(...ruleChange(`minimum level for ${level}`, from ?? "none", to ?? "none"));
    if (from === null || to === null) {
      notCounted.push({
        what: `who can ${level} without a minimum level`,
        why: "the API does not define it",
      });
      continue;
    }
    const change = { name: `${level}_images`, levels, from, to };
    const counted = imageAbility(access.people, id, change, notCounted);
    const found = await orNotCounted(access, notCounted, "the project's members", counted);
    if (found !== undefined) abilities.push(found);
  }
  const target = { kind: "images", name: pattern };
  return { ...notCountedIn(name, notCounted, [address]), target, abilities, rules };
}

interface LevelChange {
  /** The name of the ability. */
  readonly name: string;
  readonly levels: Levels;
  readonly from: string;
  readonly to: string;
}

async function imageAbility(
  people: People,
  project: number,
  { name, levels, from, to }: LevelChange,
  notCounted: NotCounted[],
): Promise<AccessAbility> {
  const members = await people.ofProject(project);
  if (members === undefined) notCounted.push(MANY_MEMBERS);
  const [levelBefore, levelAfter] = [levels[from], levels[to]];
  if (levelBefore === undefined || levelAfter === undefined)
    notCounted.push({
      what: `the level ${levelBefore === undefined ? from : to}`,
      why: "it is unknown to this release",
    });
  const active = [...(members?.values() ?? [])].filter(({ isActive }) => isActive);
  for (const { username, customRole } of active)
    if (customRole !== undefined)
      notCounted.push({ what: username, why: `has the custom role ${customRole}` });
  const counted = active.filter(({ customRole }) => customRole === undefined);
  const atLeast = (lowest = Number.POSITIVE_INFINITY) =>
    counted.filter(({ level }) => level >= lowest).map(({ username }) => ({ kind: "user", name: username }));
  return ability(name, atLeast(levelBefore), atLeast(levelAfter));
}
