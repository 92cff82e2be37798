import * as z from "zod/mini";
import { type ApiError, StatusError } from "../errors";
import type { PathArguments } from "./encoding";
import { operation } from "./operation";

/** Tells where a project is now: a read by an old path is redirected. */
export const WHERE_NOW = operation({
  name: "projects.get",
  summary: "Finds a project that moved.",
  section: "Look-ups",
  method: "GET",
  path: "/projects/:project",
  answer: z.object({ id: z.int(), path_with_namespace: z.string() }),
});

/** The argument of a path template that names a project, and the full path that a call gave for it. */
export interface ProjectPath {
  readonly key: string;
  readonly path: string;
}

/**
 * The path whose project may have moved, where a write was refused with 405: nothing was done then. Nothing where the
 * project was named by its id, or an earlier try of the write may have been done.
 */
export function mayHaveMoved(
  template: string,
  given: Readonly<Record<string, string | number>>,
  problem: unknown,
): ProjectPath | undefined {
  const isRefused = problem instanceof StatusError && problem.status === 405 && !problem.mayHaveBeenDone;
  if (!isRefused || (problem as ApiError).method === "GET") return undefined;
  const [, key = ""] = /^\/projects\/:([a-z_]+)(?:\/|$)/i.exec(template) ?? [];
  const path = given[key];
  return typeof path === "string" && !/^\d+$/.test(path) ? { key, path } : undefined;
}

/** The same arguments with the project's id, where it has another path now. */
export const byId = <Template extends string>(
  given: PathArguments<Template>,
  { key, path }: ProjectPath,
  now: z.output<NonNullable<(typeof WHERE_NOW)["answer"]>>,
): PathArguments<Template> | undefined =>
  now.path_with_namespace.toLowerCase() === path.toLowerCase() ? undefined : { ...given, [key]: now.id };
