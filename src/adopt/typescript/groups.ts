import { type Code, type Entry, keyOf, type ObjectCode, object } from "./code";
import type { ContainerDeclarations, PartDeclaration } from "./declarations";
import { constantCase, Names } from "./names";

/** A project with the id of its construct. */
export interface ProjectDeclarations {
  readonly path: string;
  readonly id: string;
  /** Whether the id follows from the path in the way that loops compute it. */
  readonly hasPlainId: boolean;
  readonly declarations: ContainerDeclarations;
}

/** Projects with equal settings. */
export interface ProjectGroup {
  /** A part of its constants' names. */
  readonly name: string;
  readonly projects: readonly ProjectDeclarations[];
  readonly settings: ObjectCode;
  /** The options that the settings cover; other parts are declared one by one. */
  readonly covers: (part: PartDeclaration) => boolean;
}

/** Finds projects with equal settings: with their invitations, or else without them. */
export function groupEqual(projects: readonly ProjectDeclarations[]): ProjectGroup[] {
  const everything = equalBy(projects, () => true);
  const grouped = new Set(everything.flatMap((group) => group.projects));
  const rest = projects.filter((project) => !grouped.has(project));
  const found = [...everything, ...equalBy(rest, ({ option }) => option !== "invitations")];
  return named(found, projects);
}

type Unnamed = Omit<ProjectGroup, "name">;

function equalBy(
  projects: readonly ProjectDeclarations[],
  covers: (part: PartDeclaration) => boolean,
): Unnamed[] {
  const groups = new Map<string, { settings: ObjectCode; projects: ProjectDeclarations[] }>();
  for (const project of projects) {
    const settings = settingsOf(project.declarations.parts.filter(covers));
    if (!project.hasPlainId || settings.entries.length === 0) continue;
    const key = keyOf(settings);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { settings, projects: [project] });
    else known.projects.push(project);
  }
  return [...groups.values()]
    .filter((group) => group.projects.length > 1)
    .map((group) => ({ ...group, covers }));
}

/** The options of a `ProjectSettings`, without its project. */
export function settingsOf(parts: readonly PartDeclaration[]): ObjectCode {
  const options = new Map<string, Code>();
  for (const { option, key, value } of parts) {
    if (key === undefined) {
      options.set(option, value);
      continue;
    }
    const known = options.get(option);
    const entries: readonly Entry[] = known?.kind === "object" ? known.entries : [];
    options.set(option, object([...entries, [key, value]]));
  }
  return object([...options]);
}

/** Names each group after the namespace that it has alone, or after what it declares, or after its first project. */
function named(groups: readonly Unnamed[], projects: readonly ProjectDeclarations[]): ProjectGroup[] {
  const candidates = groups.map((group) => [
    namespaceName(group, projects),
    environmentNames(group),
    constantCase(`LIKE_${lastStep(group.projects[0]!.path)}`),
  ]);
  const times = new Map<string, number>();
  for (const name of candidates.flatMap((each) => [...new Set(each)]))
    times.set(name, (times.get(name) ?? 0) + 1);
  const names = new Names();
  return groups.map((group, at) => ({
    ...group,
    name: names.take(candidates[at]!.filter((name) => name !== "" && times.get(name) === 1).concat("SHARED")),
  }));
}

function namespaceName({ projects }: Unnamed, all: readonly ProjectDeclarations[]): string {
  const namespace = namespaceOf(projects[0]!.path);
  const members = new Set(projects);
  const isItsOwn = all.every((project) => members.has(project) === (namespaceOf(project.path) === namespace));
  return isItsOwn ? constantCase(lastStep(namespace)) : "";
}

function environmentNames({ settings }: Unnamed): string {
  const environments = settings.entries.find(([option]) => option === "protectedEnvironments")?.[1];
  if (environments?.kind !== "object" || environments.entries.length > 2) return "";
  return environments.entries
    .map(([key]) => (typeof key !== "string" && key.kind === "text" ? constantCase(key.text) : ""))
    .filter((name) => name !== "")
    .join("_AND_");
}

export const namespaceOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const lastStep = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
