import type { Client } from "../../api";
import { DiagnosticError, type DiagnosticPath, error } from "../../diagnostics";
import { ReferenceNotFound, type Resolution } from "../../framework";
import { type ReferenceKind, required, type Value, type ValueObject } from "../../schema";
import type { Collection, ContainerKind, DataScope } from "../define";
import { isGone, orNothing } from "../failure-of";

/** The project to read. */
export const projectArgument = required.reference(
  "project",
  "The project, by its numeric id or its full path.",
);

/** The declared filters, by their names in the API. */
export const filtersIn = <F>(filters: ValueObject): F =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null)) as F;

/** @throws ReferenceNotFound if the project or group that is read from does not exist */
export async function readOrFail<T>(kind: ReferenceKind, name: Value, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (problem) {
    if (isGone(problem)) throw new ReferenceNotFound(kind, String(name), [kind]);
    throw problem;
  }
}

/**
 * Every record of a collection of a project or group, from the cache that resources of the same run use.
 *
 * @throws ReferenceNotFound if the project or group does not exist
 */
export async function sharedRecords<K, T>(
  scope: DataScope,
  kind: ContainerKind,
  config: ValueObject,
  collection: Collection<K, T>,
): Promise<T[]> {
  const name = config[kind] ?? null;
  const reading = scope.collection(await scope.idOf(kind, name), collection).readWhole();
  return [...(await readOrFail(kind, name, reading)).values()];
}

/**
 * One record of a project. If it is missing, the project itself may be missing.
 *
 * @throws ReferenceNotFound if the project does not exist, NotThere if only the record does not
 */
export async function recordOf<T>(
  api: Client,
  project: Value,
  reading: Resolution<T | undefined>,
  missing: NotThere,
): Promise<T> {
  const record = await orNothing(reading);
  if (record !== undefined) return record;
  const isProject = (await orNothing(api.projects.get(String(project)))) !== undefined;
  throw isProject ? missing : new ReferenceNotFound("project", String(project), ["project"]);
}

/** The object that a data source reads does not exist; `detail` says what is missing and how to fix it. */
export class NotThere extends DiagnosticError {
  constructor(detail: string, attribute: DiagnosticPath) {
    super(error({ code: "record_not_found", summary: "Object not found", detail, attribute }));
  }
}
