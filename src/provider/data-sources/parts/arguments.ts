import type { Client, RecordList } from "../../../api";
import { DiagnosticError, type DiagnosticPath, error } from "../../../diagnostics";
import { ReferenceNotFound } from "../../../framework";
import { type ReferenceKind, required, type Value, type ValueObject } from "../../../schema";
import type { Collection, ContainerKind, DataScope } from "../../define";
import { isGone, orNothing } from "../../failure-of";

/** The project that is asked about. */
export const projectArgument = required.reference("project", {
  description: "The project, by its numeric id or its full path.",
});

/** The filters that were given, by the API's own names: what was left out filters nothing. */
export const filtersIn = <F>(config: ValueObject, ...names: readonly (string & keyof F)[]): F =>
  Object.fromEntries(
    names.map((name): [string, Value] => [name, config[name] ?? null]).filter(([, value]) => value !== null),
  ) as F;

/**
 * Every record of a list of a project or group.
 *
 * @throws ReferenceNotFound where the project or group can't be found
 */
export async function recordsOf<T>(kind: ReferenceKind, name: Value, list: RecordList<T>): Promise<T[]> {
  return foundIn(kind, name, list.toArray());
}

/** @throws ReferenceNotFound where what is read belongs to nothing that can be found */
export async function foundIn<T>(kind: ReferenceKind, name: Value, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (problem) {
    if (isGone(problem)) throw new ReferenceNotFound(kind, String(name), [kind]);
    throw problem;
  }
}

/**
 * Every record of a collection of a project or group, which is shared with the resources of it.
 *
 * @throws ReferenceNotFound where the project or group can't be found
 */
export async function sharedRecords<K, T>(
  scope: DataScope,
  kind: ContainerKind,
  config: ValueObject,
  collection: Collection<K, T>,
): Promise<T[]> {
  const name = config[kind] ?? null;
  const reading = scope.collection(await scope.idOf(kind, name), collection).readWhole();
  return [...(await foundIn(kind, name, reading)).values()];
}

/**
 * One record of a project. Where there is none, that may be because there is no such project.
 *
 * @throws ReferenceNotFound where the project can't be found, NotThere where only the record can't
 */
export async function recordOf<T>(
  api: Client,
  project: Value,
  reading: Promise<T | undefined>,
  missing: NotThere,
): Promise<T> {
  const record = await orNothing(reading);
  if (record !== undefined) return record;
  const isProject = (await orNothing(api.projects.get(String(project)))) !== undefined;
  throw isProject ? missing : new ReferenceNotFound("project", String(project), ["project"]);
}

/** What a data source asks for is not there; `detail` says what, and how to mend it. */
export class NotThere extends DiagnosticError {
  constructor(detail: string, attribute: DiagnosticPath) {
    super(error({ code: "record_not_found", summary: "Nothing to read", detail, attribute }));
  }
}
