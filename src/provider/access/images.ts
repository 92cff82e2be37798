import type { ContainerProtectionRule } from "../../api";
import type { AccessAbility, AccessPlace, AccessRule, NotCounted } from "../../framework";
import { groupBy } from "../../schema";
import { rules as protectionRules } from "../resources/container-protection-rule";
import type { ProjectChanges } from "./invitees";
import { type Access, ability, notCountedIn, orNotCounted, type People, ruleChange } from "./people";

/** Whether some path matches both patterns, in which `*` matches any text. */
export function isOverlap(one: string, other: string): boolean {
  // Whether the rests match, for each rest of `other`, from the end of `one` to its start.
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

/** Patterns, to find those that may match the same as another one: their texts before the first `*` continue each other. */
export class Patterns {
  /** By the text before the first `*`. */
  readonly #byStart: ReadonlyMap<string, readonly string[]>;
  /** In order: those that continue a text are neighbours. */
  readonly #starts: readonly string[];

  constructor(patterns: Iterable<string>) {
    this.#byStart = groupBy(patterns, startOf);
    this.#starts = [...this.#byStart.keys()].sort();
  }

  /** The other patterns that match some path that this one matches. */
  overlapping(pattern: string): string[] {
    const start = startOf(pattern);
    const found: string[] = [];
    const add = (other: string): void => {
      for (const one of this.#byStart.get(other) ?? [])
        if (one !== pattern && isOverlap(one, pattern)) found.push(one);
    };
    for (let length = 0; length < start.length; length++) add(start.slice(0, length));
    // A pattern without `*` matches nothing that continues it.
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

/** The levels of container protection rules (specification, "Container repository protection rule"). */
const LEVELS: Readonly<Record<string, number>> = {
  maintainer: 40,
  owner: 50,
  admin: Number.POSITIVE_INFINITY,
};

const ABILITIES = [
  { name: "push_images", level: "push", attribute: "minimum_access_level_for_push" },
  { name: "delete_images", level: "delete", attribute: "minimum_access_level_for_delete" },
] as const;

/** A rule under the names of the schema. */
type Rule = Pick<
  ContainerProtectionRule,
  "repository_path_pattern" | (typeof ABILITIES)[number]["attribute"]
>;

/** Who gains and who loses pushes and deletions of protected images in a project. */
export async function imagePlaces(access: Access, project: ProjectChanges): Promise<AccessPlace[]> {
  const own = project.changes.filter(({ type }) => type === "container_protection_rule");
  if (own.length === 0) return [];
  const places: Promise<AccessPlace>[] = [];
  const unknown: NotCounted[] = [];
  const live = await access
    .collection(project.id, protectionRules)
    .all()
    .catch((problem): NotCounted => ({ what: "the project's other rules", why: access.reasonOf(problem) }));
  const changed = own.flatMap(({ address, before, after, unknown: names, isUnchanged }) => {
    for (const name of names) unknown.push({ what: address, why: `${name} is known only after apply` });
    const [prior, planned] = [before, after].map((side) =>
      side?.container === project.id ? (side.attributes as unknown as Rule & { rule_id: number }) : undefined,
    );
    // The state may be older than what is live.
    const found = "why" in live || prior === undefined ? prior : live.get(prior.rule_id);
    return names.length > 0 ? [] : [{ address, before: found, after: isUnchanged ? found : planned }];
  });
  const rules = [
    ...("why" in live ? [] : live.values()),
    ...changed.flatMap((one) => [one.before, one.after]),
  ];
  const patternsOf = (some: readonly (Rule | undefined)[]) =>
    new Set(some.flatMap((rule) => rule?.repository_path_pattern ?? []));
  const others = "why" in live ? live : new Patterns(patternsOf(rules));
  for (const { address, before, after } of changed) {
    for (const pattern of patternsOf([before, after])) {
      const at = (rule: Rule | undefined) => (rule?.repository_path_pattern === pattern ? rule : undefined);
      const change = { address, pattern, before: at(before), after: at(after) };
      places.push(imagePlace(access, project, change, others));
    }
  }
  const found = (await Promise.all(places)).filter(({ rules }) => rules.length > 0 || access.isWhole);
  if (unknown.length === 0) return found;
  const addresses = unknown.map(({ what }) => what);
  return [...found, { ...notCountedIn(project.name, unknown, addresses), target: IMAGES }];
}

const IMAGES = { kind: "images", name: "of unknown rules" };

interface Changed {
  readonly address: string;
  readonly pattern: string;
  readonly before: Rule | undefined;
  readonly after: Rule | undefined;
}

async function imagePlace(
  access: Access,
  { id, name }: ProjectChanges,
  { address, pattern, before, after }: Changed,
  others: Patterns | NotCounted,
): Promise<AccessPlace> {
  const notCounted: NotCounted[] = [];
  if ("why" in others) notCounted.push(others);
  else
    for (const other of others.overlapping(pattern))
      notCounted.push({ what: `the rule ${other}`, why: "it may match the same images" });
  const rules: AccessRule[] = [];
  const abilities: AccessAbility[] = [];
  for (const { name: key, level, attribute } of ABILITIES) {
    const [from, to] = [before?.[attribute] ?? null, after?.[attribute] ?? null];
    if (from === to && !access.isWhole) continue;
    rules.push(...ruleChange(`minimum level for ${level}`, from ?? "none", to ?? "none"));
    if (from === null || to === null) {
      notCounted.push({
        what: `who can ${level} without a minimum level`,
        why: "the API does not define it",
      });
      continue;
    }
    const counted = imageAbility(access.people, id, key, from, to, notCounted);
    const found = await orNotCounted(access, notCounted, "the project's members", counted);
    if (found !== undefined) abilities.push(found);
  }
  const target = { kind: "images", name: pattern };
  return { ...notCountedIn(name, notCounted, [address]), target, abilities, rules };
}

async function imageAbility(
  people: People,
  project: number,
  name: string,
  from: string,
  to: string,
  notCounted: NotCounted[],
): Promise<AccessAbility> {
  const members = await people.ofProject(project);
  if (members === undefined)
    notCounted.push({ what: "members by level", why: "the project has more than 2,000 members" });
  const [levelBefore, levelAfter] = [LEVELS[from], LEVELS[to]];
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
