import {
  type ChangeContainer,
  containerByAttributes,
  type ResourceChange,
  shownId,
  type UnmanagedObject,
} from "../../engine";

type Object = Pick<
  ResourceChange,
  "attributes" | "beforeSensitive" | "afterSensitive" | "container" | "position"
> &
  Partial<Pick<ResourceChange, "before" | "after">>;

/** The container of an object: as the run knows it, or as the attributes say. */
export const containerOf = (change: Object): ChangeContainer | undefined =>
  change.container ?? containerByAttributes({ before: null, after: null, ...change });

/** Where an object is, on the service and in the app, as reports and events have it. Unknown parts are left out. */
export interface ObjectPlace {
  /** The full path, or the numeric id while the path is not known. */
  readonly project?: string;
  readonly group?: string;
  /** The web page of the project or group. */
  readonly url?: string;
  readonly id?: string;
  readonly file?: string;
  readonly line?: number;
}

export function placeOf(change: Object): ObjectPlace {
  const { kind, name, url } = containerOf(change) ?? {};
  const id =
    shownId(change.before ?? null, change.beforeSensitive) ??
    shownId(change.after ?? null, change.afterSensitive);
  return {
    ...(kind === "project" && { project: name! }),
    ...(kind === "group" && { group: name! }),
    ...(url !== undefined && { url }),
    ...(id !== undefined && { id }),
    ...filePosition(change.position),
  };
}

export const placeOfUndeclared = ({ live, attributes, place }: UnmanagedObject): ObjectPlace =>
  placeOf({
    ...{ attributes, before: null, after: live, beforeSensitive: [], afterSensitive: [] },
    ...(place && { container: place }),
  });

/** A position such as `main.ts:26` as data. */
function filePosition(position: string | undefined): Pick<ObjectPlace, "file" | "line"> {
  const [, file, line] = /^(.+):(\d+)$/s.exec(position ?? "") ?? [];
  return file === undefined ? {} : { file, line: Number(line) };
}
