import { type TerraformProvider, Token } from "cdktf";
import type { Construct } from "constructs";
import { DataStewardProjects } from "../generated";
import { refuseUnknownKeys } from "../keys";

/**
 * A selection of a group's projects. Steward lists these projects for each plan, so a new project joins the fleet. Archived
 * projects do not belong to the fleet, because they are read-only.
 */
export interface FleetSelection {
  /**
   * The group, by its numeric ID or its full path. The value must be a literal, because the plan needs the value to read the list
   * of projects.
   */
  readonly group: string;
  /**
   * Whether the fleet also contains the projects of all subgroups.
   *
   * @default false
   */
  readonly includeSubgroups?: boolean | undefined;
  /** Topics, such as `["service"]`. The fleet contains only projects with at least one of these topics. */
  readonly topics?: readonly string[] | undefined;
  /**
   * Patterns of full paths, such as `acme/sandbox-*`, in which `*` matches any text. The fleet does not contain matching
   * projects.
   */
  readonly except?: readonly string[] | undefined;
  /**
   * Whether Steward accepts topics and entries of `except` that match no project. If false, the plan reports each such topic
   * and entry.
   *
   * @default false
   */
  readonly allowEmpty?: boolean | undefined;
}

/**
 * A fixed list of projects: an array of full paths, or an object with keys and full paths. The key of a project becomes part of
 * addresses in the state.
 */
export type FleetList = Readonly<Record<string, string>> | readonly string[];

export const isSelection = (projects: FleetSelection | FleetList): projects is FleetSelection =>
  !isArray(projects) && Object.hasOwn(projects, "group");

const isArray = (projects: FleetSelection | FleetList): projects is readonly string[] =>
  Array.isArray(projects);

/** Returns the full paths of projects by their keys. For an array, the key of a project is its path. */
const pathsByKey = (projects: FleetList): Readonly<Record<string, string>> =>
  isArray(projects)
    ? Object.fromEntries(projects.map((path) => [path, path]))
    : (projects as Record<string, string>);

/** Checks the `projects` of a fleet. @throws Error for an invalid selection or list */
export function checkProjects(place: string, projects: FleetSelection | FleetList): void {
  if (isSelection(projects)) {
    const keys = {
      group: true,
      includeSubgroups: true,
      topics: true,
      except: true,
      allowEmpty: true,
    } as const;
    refuseUnknownKeys(`${place}: projects`, projects, keys);
    const texts = [projects.group, ...(projects.topics ?? []), ...(projects.except ?? [])];
    if (texts.every((text) => isText(text))) return;
    throw new Error(
      `${place}: projects contains a reference or an empty text. The list of projects is read when a plan is made, ` +
        "before any resource of the plan exists: write the texts themselves.",
    );
  }
  if (isArray(projects)) {
    checkPaths(place, projects);
    return;
  }
  for (const [key, path] of Object.entries(projects)) {
    if (/^[\w.-]+$/.test(key) && isText(path)) continue;
    throw new Error(
      `${place}: projects has the entry ${JSON.stringify(key)}: ${JSON.stringify(path)}. A key consists of letters, digits, ` +
        "dots, dashes and underscores, and its value is the full path of a project. For the projects of a group, write { group: … }.",
    );
  }
}

function checkPaths(place: string, paths: readonly string[]): void {
  const seen = new Set<string>();
  for (const path of paths) {
    if (!isText(path) || !/^[^\s:]+$/.test(path))
      throw new Error(
        `${place}: projects contains ${JSON.stringify(path)}. Write the full path of a project, such as "acme/web".`,
      );
    if (seen.has(path.toLowerCase()))
      throw new Error(`${place}: projects contains ${JSON.stringify(path)} twice. Remove one of them.`);
    seen.add(path.toLowerCase());
  }
}

const isText = (text: unknown): boolean =>
  typeof text === "string" && text !== "" && !Token.isUnresolved(text) && !text.includes("${");

/** The data source from which a plan reads a list of projects. */
export interface ProjectList {
  /** The address of this data source. */
  readonly source: string;
  /**
   * The data source's attribute that contains the list. In each element, the attribute named by `path` contains the full path of
   * a project.
   */
  readonly attribute: "projects";
  readonly path: "full_path";
  /** The topic of the projects that the data source lists; undefined if the data source does not filter by topic. */
  readonly label?: string;
}

/** The projects of a fleet: an HCL expression for a map from keys to full paths, and the data sources in this expression. */
export interface SelectedProjects {
  readonly expression: unknown;
  readonly lists: readonly ProjectList[];
}

/**
 * Returns the expression that selects the projects of a fleet. For a group, the function also declares the data sources that list
 * the group's projects.
 */
export function selectProjects(
  scope: Construct,
  projects: FleetSelection | FleetList,
  provider: TerraformProvider | undefined,
): SelectedProjects {
  if (!isSelection(projects)) return { expression: pathsByKey(projects), lists: [] };
  const { group, includeSubgroups, topics = [], except = [] } = projects;
  const lists = (topics.length === 0 ? [undefined] : topics).map((topic, index): ProjectList => {
    const list = new DataStewardProjects(scope, index === 0 ? "list" : `list-${index + 1}`, {
      group,
      archived: false,
      ...(includeSubgroups !== undefined && { includeSubgroups }),
      ...(topic !== undefined && { topic }),
      ...(provider && { provider }),
    });
    return {
      source: `data.${list.terraformResourceType}.${list.friendlyUniqueId}`,
      attribute: "projects",
      path: "full_path",
      ...(topic !== undefined && { label: topic }),
    };
  });
  const test = (pattern: string) => `length(regexall(${hcl(pattern)}, p.full_path))`;
  // The service also lists projects that other groups share with this group. Projects that are only shared don't belong to the
  // fleet.
  const inside = /^\d+$/.test(group) ? [] : [`${test(`(?i)^${escapedPattern(group)}/`)} > 0`];
  const conditions = [...inside, ...(except.length === 0 ? [] : [`${test(exceptPattern(except))} == 0`])];
  const filter = conditions.length === 0 ? "" : ` if ${conditions.join(" && ")}`;
  const selected = lists.map(
    ({ source }) => `{ for p in ${source}.projects : tostring(p.id) => p.full_path${filter} }`,
  );
  const expression = `\${${selected.length === 1 ? selected[0] : `merge(${selected.join(", ")})`}}`;
  return { expression, lists };
}

/** Returns a regular expression that matches the full paths of the projects that `except` excludes. */
const exceptPattern = (except: readonly string[]): string =>
  `(?i)^(?:${except.map((one) => one.split("*").map(escapedPattern).join(".*")).join("|")})$`;

/** Escapes a text for a regular expression. */
export const escapedPattern = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");

/** Quotes a text as a string of HCL. */
export const hcl = (text: string): string => JSON.stringify(text).replace(/[$%](?=\{)/g, "$&$&");
