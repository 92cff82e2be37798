import type { RecordList } from "../../api";
import { isNotFound } from "../problems";
import { ReferenceNotFound } from "../references";
import type { ReferenceKind, Value, ValueObject } from "../schema";

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
  try {
    return await list.toArray();
  } catch (problem) {
    if (isNotFound(problem)) throw new ReferenceNotFound(kind, String(name), [kind]);
    throw problem;
  }
}
