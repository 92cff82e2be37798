import type { Client } from "../../api";
import { DiagnosticError, type DiagnosticPath, error } from "../../diagnostics";
import { ReferenceNotFound, type Resolution } from "../../framework";
import { type ReferenceKind, required, type Value, type ValueObject } from "../../schema";
import type { Collection, ContainerKind, DataScope } from "../define";
import { isGone, orNothing } from "../failure-of";

/** The argument for the project that a data source reads. */
export const projectArgument = required.reference(
  "project",
  "The project, by its numeric id or its full path.",
);

/** Returns the declared filters, by their names in the API. */
export const filtersIn = <F>(filters: ValueObject): F =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null)) as F;

/** Waits for a read. @throws ReferenceNotFound if the project or group of the read does not exist */
export async function readOrFail<T>(kind: ReferenceKind, name: Value, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (problem) {
    if (isGone(problem)) throw new ReferenceNotFound(kind, String(name), [kind]);
    throw problem;
  }
}

/**
 * Returns every record of a collection of a project or group. The function uses the cached list of the run, which
 * resources also use.
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
 * Returns one record of a project. If the record is missing, the function checks whether the project itself is missing.
 *
 * @throws ReferenceNotFound if the project does not exist, NotThere if only the record does not exist
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

/**
 * The error if the object of a data source does not exist. `detail` names the missing object, and says how to fix
 * the problem.
 */
export class NotThere extends DiagnosticError {
  constructor(detail: string, attribute: DiagnosticPath) {
    super(error({ code: "record_not_found", summary: "Object not found", detail, attribute }));
  }
}
