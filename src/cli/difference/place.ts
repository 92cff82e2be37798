import type { AttributePath, PathStep } from "../../diagnostics";
import type { Attribute, Attributes, AttributeType } from "../../engine";

/** Where two values are compared, with what the schema and the plan say about this place. */
export interface Place {
  readonly path: AttributePath;
  /** Undefined where values have no schema, such as outputs. */
  readonly type: AttributeType | undefined;
  /** Whether the schema hides the value. */
  readonly secret: boolean;
  readonly sensitive: readonly AttributePath[];
  readonly replaces: readonly AttributePath[];
}

/** A place without a schema and without secrets. */
export const ANYWHERE: Place = { path: [], type: undefined, secret: false, sensitive: [], replaces: [] };

export const at = (place: Place, step: PathStep, attribute: Attribute | undefined): Place => ({
  ...place,
  path: [...place.path, step],
  type: attribute?.type,
  secret: place.secret || attribute?.text.sensitive === true,
});

export const element = (place: Place, index: number, type: AttributeType | undefined): Place => ({
  ...place,
  path: [...place.path, index],
  type,
});

/** The attributes of objects at this place. */
export const attributesOf = ({ type }: Pick<Place, "type">): Attributes | undefined =>
  type !== undefined && "nested" in type ? type.nested : undefined;

export const forcesReplacement = ({ path, replaces }: Place): boolean =>
  replaces.some((one) => one.length === path.length && startsWith(path, one));

/**
 * Whether any part of the value must be hidden. Elements of a set have no position, so one secret hides the
 * whole set.
 */
export const isHidden = ({ path, type, secret, sensitive }: Place): boolean =>
  secret || sensitive.some((one) => startsWith(path, one) || (type?.kind === "set" && startsWith(one, path)));

const startsWith = (path: AttributePath, start: AttributePath): boolean =>
  start.length <= path.length && start.every((step, index) => step === path[index]);
