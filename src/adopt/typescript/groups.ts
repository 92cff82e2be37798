import { groupBy } from "../../schema";
import { type Code, keyOf, type ObjectCode, object, propertyOf } from "./code";
import { occurOnce } from "./constant-names";
import { type ContainerDeclarations, OPTIONS, type PartDeclaration } from "./declarations";
import { exceptionsOf, keyText, OWN_PATH, settingsOf } from "./layers";
import { byText, constantCase } from "./names";

/** A project, its declarations, and the id of its construct. */
export interface ProjectDeclarations {
  readonly path: string;
  readonly id: string;
  /** Whether the id follows from the path by the rule that loops use. */
  readonly hasPlainId: boolean;
  readonly declarations: ContainerDeclarations;
}

/** A project in a `ProjectGroup`. */
export interface Member {
  readonly project: ProjectDeclarations;
  /**
   * The settings that the loop declares for the project, also defaults that replace a value of the baseline. All other
   * settings of the project are declared outside the loop.
   */
  readonly parts: readonly PartDeclaration[];
}

/** Projects that share most of their settings. */
export interface ProjectGroup {
  /** The text in the names of the group's constants; empty if the group needs no name. */
  readonly name: string;
  readonly members: readonly Member[];
  /** The settings that most of the members have. */
  readonly baseline: ObjectCode;
}

/**
 * The maximum number of groups with which a project is compared. This maximum limits the work if the projects have no pattern.
 */
const MOST_GROUPS = 50;

/** A project that can belong to a group. */
interface Candidate {
  readonly project: ProjectDeclarations;
  readonly parts: readonly PartDeclaration[];
  /** The values of the project's settings, by a name such as `protectedEnvironments production`. */
  readonly values: ReadonlyMap<string, string>;
}

/** Returns groups of projects that share most of their settings, with these shared settings. */
export function groupAlike(projects: readonly ProjectDeclarations[]): ProjectGroup[] {
  const candidates = projects
    .filter(
      ({ hasPlainId, declarations: { parts } }) => hasPlainId && parts.length > 0 && parts.every(isPlain),
    )
    .map(candidateOf);
  // The first pass forms groups around the settings of single projects. Each later pass forms groups around the settings of most
  // members.
  let baselines = leaders(candidates);
  let groups: Candidate[][] = [];
  for (let pass = 0; pass < 2; pass++) {
    groups = assign(candidates, baselines);
    baselines = groups.map((group) => majority(group.map(({ values }) => [...values])));
  }
  groups = assign(candidates, baselines);
  const found = groups.filter((group) => group.length > 1).map(groupOf);
  return named(
    found.filter((group) => group !== undefined),
    projects,
  );
}

/** Returns whether the key of a part lacks `{project}`, which a fleet would replace by a path. */
const isPlain = ({ key }: PartDeclaration): boolean => key === undefined || !keyOf(key).includes(OWN_PATH);

/**
 * Returns whether a part can belong to a baseline. An invitation can't belong to a baseline, because the invitation is for one
 * project.
 */
const isShared = ({ option }: PartDeclaration): boolean => option !== "invitations";

function candidateOf(project: ProjectDeclarations): Candidate {
  const parts = project.declarations.parts.filter(isShared);
  return { project, parts, values: new Map(parts.flatMap(valuesOf)) };
}

/**
 * Returns the attributes of a part with their values. Each attribute has a separate value, so that two environments can be
 * equal in some of their attributes.
 */
function valuesOf(part: PartDeclaration): [string, string][] {
  const { value } = part;
  const name = nameOf(part);
  if (value.kind !== "object") return [[name, keyOf(value)]];
  return value.entries.map(([attribute, code]) => [`${name} ${JSON.stringify(attribute)}`, keyOf(code)]);
}

type Values = Candidate["values"];

/** Returns the settings that start a group: the most frequent settings that differ enough from each other. */
function leaders(candidates: readonly Candidate[]): Values[] {
  const distinct = groupBy(candidates, ({ values }) => JSON.stringify([...values]));
  const found: Values[] = [];
  for (const [{ values }] of [...distinct.values()].sort((one, other) => other.length - one.length) as [
    Candidate,
  ][])
    if (found.length < MOST_GROUPS && !found.some((leader) => agreement(leader, values) > 1 / 3))
      found.push(values);
  return found;
}

/**
 * Returns the groups. Each project joins the baseline with the highest share of equal values, if this share is more than half.
 */
function assign(candidates: readonly Candidate[], baselines: readonly Values[]): Candidate[][] {
  const groups = baselines.map((): Candidate[] => []);
  for (const candidate of candidates) {
    let best: { readonly at: number; readonly share: number } | undefined;
    for (const [at, baseline] of baselines.entries()) {
      const share = agreement(baseline, candidate.values);
      if (share > (best?.share ?? 1 / 2)) best = { at, share };
    }
    if (best !== undefined) groups[best.at]!.push(candidate);
  }
  return groups.filter((group) => group.length > 0);
}

/** Returns the share of equal values: their number, divided by the number of values in the larger map. */
function agreement(one: Values, other: Values): number {
  let equal = 0;
  for (const [name, value] of one) if (other.get(name) === value) equal++;
  return equal / Math.max(one.size, other.size);
}

/**
 * Returns the values that more than half of the members of a group have, by name. Each ballot contains the values of one
 * member.
 */
function majority(ballots: readonly (readonly (readonly [name: string, value: string])[])[]): Values {
  const found = new Map<string, string>();
  for (const votes of groupBy(ballots.flat(), (one) => JSON.stringify(one)).values())
    if (votes.length * 2 > ballots.length) found.set(...votes[0]);
  return found;
}

type Unnamed = Omit<ProjectGroup, "name">;

/** Forms a group with a baseline. A part belongs to the baseline if more than half of the members have it. */
function groupOf(group: readonly Candidate[]): Unnamed | undefined {
  const most = majority(group.map(({ parts }) => parts.map((part) => [nameOf(part), keyOf(part.value)])));
  const isCommon = (part: PartDeclaration): boolean => most.get(nameOf(part)) === keyOf(part.value);
  const common = new Map(
    group.flatMap(({ parts }) => parts.filter(isCommon).map((part) => [nameOf(part), part])),
  );
  const shared = [...common.values()].sort(
    (one, other) => byOption(one) - byOption(other) || byText(textOf(one), textOf(other)),
  );
  const invitations = equalInvitations(group);
  const baseline = settingsOf([...shared, ...invitations]);
  const members = group.map(({ project, parts }): Member => {
    const covered = [...parts, ...(invitations.length > 0 ? invitationsOf(project) : [])];
    const own = new Set(covered.map(({ option }) => option));
    const isMissing = ({ option }: PartDeclaration) =>
      !own.has(option) && propertyOf(baseline, option) !== undefined;
    const defaults = project.declarations.defaults
      .filter(isMissing)
      .map((part) => likeBaseline(part, baseline));
    return {
      project,
      parts: [...covered, ...defaults].sort((one, other) => byOption(one) - byOption(other)),
    };
  });
  return members.length > 1 && isWorthwhile(baseline, members) ? { baseline, members } : undefined;
}

/** Returns the declaration of a part that has the service's defaults, with only the attributes that the baseline also sets. */
function likeBaseline(part: PartDeclaration, baseline: ObjectCode): PartDeclaration {
  const common = propertyOf(baseline, part.option);
  if (common?.kind !== "object" || part.value.kind !== "object" || part.key !== undefined) return part;
  const names = new Set(common.entries.map(([name]) => keyText(name)));
  return { ...part, value: object(part.value.entries.filter(([name]) => names.has(keyText(name)))) };
}

const nameOf = ({ option, key }: PartDeclaration): string =>
  `${option} ${key === undefined ? "" : keyOf(key)}`;
const byOption = ({ option }: PartDeclaration): number => OPTIONS.indexOf(option);
const textOf = ({ key }: PartDeclaration): string => (key?.kind === "text" ? key.text : "");

const invitationsOf = ({ declarations }: ProjectDeclarations): PartDeclaration[] =>
  declarations.parts.filter((part) => !isShared(part));

/** Returns the invitations of a group's projects if these invitations are equal in all projects; otherwise an empty list. */
function equalInvitations(group: readonly Candidate[]): PartDeclaration[] {
  const all = group.map(({ project }) => invitationsOf(project));
  const [first = []] = all;
  return all.every((each) => keyOf(settingsOf(each)) === keyOf(settingsOf(first))) ? first : [];
}

/** The minimum number of projects in a table of differences. Fewer projects are easier to read one by one. */
const FEWEST = 4;

/** Returns whether a baseline and its differences are much shorter than separate settings of the projects. */
function isWorthwhile(baseline: ObjectCode, members: readonly Member[]): boolean {
  const length = (code: Code): number => keyOf(code).length;
  const exceptions = members.flatMap((member) => exceptionsOf(member, baseline));
  const whole = members.reduce((sum, { parts }) => sum + length(settingsOf(parts)), 0);
  const apart = exceptions.reduce((sum, each) => sum + length(each), length(baseline));
  return apart < whole * 0.8 && (exceptions.length === 0 || members.length >= FEWEST);
}

/** The maximum length of a group's name. With a longer name, the head of the group's table would need two lines. */
const LONGEST = 30;

/**
 * Names each group: after a namespace that only this group has, after its declarations, or after the common namespace of its
 * projects. A group gets no name if it is the only group or if it has no unique name.
 */
function named(groups: readonly Unnamed[], projects: readonly ProjectDeclarations[]): ProjectGroup[] {
  const everywhere = commonNamespace(projects);
  const placeName = ({ members }: Unnamed): string => {
    const namespace = commonNamespace(members.map(({ project }) => project));
    return namespace === everywhere ? "OTHER" : constantCase(lastStep(namespace));
  };
  const candidates = groups.map((group) =>
    groups.length === 1
      ? []
      : [
          namespaceName(group, projects),
          ...(group.members.length * 2 > projects.length ? [] : [environmentNames(group), placeName(group)]),
        ],
  );
  const isDistinct = occurOnce(candidates);
  const all = groups.map((group, at) => ({
    ...group,
    name: candidates[at]!.find((name) => name !== "" && name.length <= LONGEST && isDistinct(name)) ?? "",
  }));
  const unnamed = all.filter(({ name }) => name === "");
  const largest = Math.max(...unnamed.map(({ members }) => members.length));
  const first = unnamed.find(({ members }) => members.length === largest);
  // A second table of differences without a name would not help readers, so such a group is dropped.
  return all.filter((group) => group.name !== "" || group === first || !hasDifferences(group));
}

const hasDifferences = ({ members, baseline }: Unnamed): boolean =>
  members.some((member) => exceptionsOf(member, baseline).length > 0);

function namespaceName({ members }: Unnamed, all: readonly ProjectDeclarations[]): string {
  const namespace = namespaceOf(members[0]!.project.path);
  const own = new Set(members.map(({ project }) => project));
  const isItsOwn = all.every((project) => own.has(project) === (namespaceOf(project.path) === namespace));
  return isItsOwn ? constantCase(lastStep(namespace)) : "";
}

/** Returns the path of the deepest group that contains all given projects. */
function commonNamespace(projects: readonly ProjectDeclarations[]): string {
  const [first = [], ...others] = projects.map(({ path }) => namespaceOf(path).split("/"));
  const depth = first.findIndex((step, at) => others.some((steps) => steps[at] !== step));
  return (depth < 0 ? first : first.slice(0, depth)).join("/");
}

function environmentNames({ baseline }: Unnamed): string {
  const environments = propertyOf(baseline, "protectedEnvironments");
  if (environments?.kind !== "object" || environments.entries.length > 2) return "";
  return environments.entries
    .map(([key]) => (typeof key !== "string" && key.kind === "text" ? constantCase(key.text) : ""))
    .filter((name) => name !== "")
    .join("_AND_");
}

export const namespaceOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const lastStep = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
