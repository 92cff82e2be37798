import type { AdoptedContainer } from "../model/live-settings";
import { idText } from "./names";

/** The division of an app into stacks: one stack, or one for each subgroup or project. */
export type StackUnit = (typeof STACK_UNITS)[number];

export const STACK_UNITS = ["app", "subgroup", "project"] as const;

/** The minimum number of projects at which each subgroup has its own stack by default. */
const MANY_PROJECTS = 50;

export const defaultStackUnit = (projects: number): StackUnit =>
  projects < MANY_PROJECTS ? "app" : "subgroup";

/** A project or group that a construct belongs to. */
export type Container = Pick<AdoptedContainer, "kind" | "path">;

/** The division of an app into files. Each file has a function that declares the settings of one part. */
export interface Division {
  /** Returns the name of the part to which a container belongs. */
  readonly partOf: (container: Container) => string;
  /** Returns the title of a part, from which the names of its file and function are derived. */
  readonly titleOf: (part: string) => string;
  /** Returns the id of a part's stack. */
  readonly stackIdOf: (part: string) => string;
}

/**
 * Returns a division with one part for each subgroup of the deepest group that contains all projects. Projects directly in that
 * group form one part.
 *
 * @param paths the paths of all projects
 */
export function bySubgroup(paths: readonly string[]): Division {
  const base = commonNamespace(paths);
  const isBelow = (steps: readonly string[]) => base.every((step, at) => steps[at] === step);
  return {
    partOf: ({ kind, path }) => {
      const steps = path.split("/");
      const namespace = kind === "project" ? steps.slice(0, -1) : steps;
      return isBelow(namespace) ? (namespace[base.length] ?? "") : "";
    },
    titleOf: (part) => (part === "" ? "others" : part),
    stackIdOf: (part) => idText([...base, ...(part === "" ? [] : [part])].join("-")) || "settings",
  };
}

/** Returns a division with one part for each project, and one part for the settings of each group without its projects. */
export const byProject = (paths: readonly string[]): Division => {
  const depth = commonNamespace(paths).length;
  const shortPath = (part: string): string => {
    const steps = part.split("/");
    return steps.slice(Math.min(depth, steps.length - 1)).join("-");
  };
  return {
    partOf: ({ path }) => path,
    titleOf: shortPath,
    stackIdOf: (part) => idText(part.replaceAll("/", "-")) || "settings",
  };
};

/** Returns the path of the deepest group that contains all projects, as a list of names from the top. */
function commonNamespace(paths: readonly string[]): readonly string[] {
  const [first = [], ...others] = paths.map((path) => path.split("/").slice(0, -1));
  const differs = first.findIndex((step, at) => others.some((steps) => steps[at] !== step));
  return differs < 0 ? first : first.slice(0, differs);
}
