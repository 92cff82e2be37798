import * as z from "zod/mini";
import { type ApiError, StatusError } from "../errors";
import type { PathArguments } from "./encoding";
import type { Operation } from "./operation";

/** Resolves a moved project: a read by an old path is redirected. */
export const RESOLVE_PROJECT = {
  name: "projects.get",
  summary: "Finds a project that moved.",
  section: "Look-ups",
  method: "GET",
  path: "/projects/:project",
  answer: z.object({ id: z.int(), path_with_namespace: z.string() }),
} as const satisfies Operation;

/** A path argument that names a project by its full path. */
export interface ProjectArgument {
  readonly key: string;
  readonly path: string;
}

/**
 * The path of a project that may have moved: a write to an old path is refused with 405 and not executed.
 * Undefined if the project is given by id, or if an earlier attempt may have been executed.
 */
export function mayHaveMoved(
  template: string,
  given: Readonly<Record<string, string | number>>,
  problem: unknown,
): ProjectArgument | undefined {
  const isRefused = problem instanceof StatusError && problem.status === 405 && !problem.mayHaveBeenDone;
  if (!isRefused || (problem as ApiError).method === "GET") return undefined;
  const [, key = ""] = /^\/projects\/:([a-z_]+)(?:\/|$)/i.exec(template) ?? [];
  const path = given[key];
  return typeof path === "string" && !/^\d+$/.test(path) ? { key, path } : undefined;
}

/** The same arguments with the project's id, if its path changed. */
export const byId = <Template extends string>(
  given: PathArguments<Template>,
  { key, path }: ProjectArgument,
  now: z.output<NonNullable<(typeof RESOLVE_PROJECT)["answer"]>>,
): PathArguments<Template> | undefined =>
  now.path_with_namespace.toLowerCase() === path.toLowerCase() ? undefined : { ...given, [key]: now.id };
