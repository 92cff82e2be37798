import { parseJson } from "../../json";
import type { Reference, ReferenceKind } from "../../schema";

/** An entry of a set. The kind and id of the named object identify the entry. */
export interface NamedEntry extends Reference {
  readonly kind: ReferenceKind;
}

/** The content of the private bytes of a state. */
export interface Remembered {
  /** The ids of the paths in the object's attributes, by kind and path. */
  readonly references: ReadonlyMap<string, number>;
  /** The id of the object that the plan changes; undefined in the private bytes of other states. */
  readonly object: string | undefined;
  /** The identity of the object that the plan creates; undefined in the private bytes of other states. */
  readonly creates: string | undefined;
  /** The keys of the live elements that the plan of a create showed, by attribute. The create removes only these elements. */
  readonly shown: Readonly<Record<string, readonly string[]>> | undefined;
  /** The entries that an apply should have removed, but could not. */
  readonly notRemoved: readonly NamedEntry[];
  /**
   * The names of the optional attributes that the configuration set at the last apply; undefined if the apply did not record
   * them.
   */
  readonly declared: readonly string[] | undefined;
}

/** Returns private bytes (base64) in which the content of `change` replaces the earlier content. */
export const withRemembered = (
  remembered: string | undefined,
  change: Partial<Remembered>,
): string | undefined => encode({ ...rememberedIn(remembered), ...change });

/** Returns the content as private bytes (base64); undefined if the content is empty. */
export function encode({
  references,
  object,
  creates,
  shown,
  notRemoved,
  declared,
}: Remembered): string | undefined {
  const isSilent = references.size === 0 && notRemoved.length === 0 && shown === undefined;
  if (isSilent && (object ?? creates ?? declared) === undefined) return undefined;
  const bytes = JSON.stringify({
    references: Object.fromEntries([...references].sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(object !== undefined && { object }),
    ...(creates !== undefined && { creates }),
    ...(shown !== undefined && { shown }),
    ...(notRemoved.length > 0 && { notRemoved }),
    ...(declared !== undefined && { declared }),
  });
  return Buffer.from(bytes).toString("base64");
}

/**
 * The decoded private bytes, by their base64 text. All objects of one container have equal references, and a run decodes these
 * references several times.
 */
const decoded = new Map<string, Remembered>();
const MOST_DECODED = 25_000;

/** Returns the content of private bytes (base64). */
export function rememberedIn(remembered = ""): Remembered {
  const known = decoded.get(remembered);
  if (known !== undefined) return known;
  if (decoded.size >= MOST_DECODED) decoded.clear();
  const { references, object, creates, shown, notRemoved, declared } = parse(remembered);
  const given = Object(references) as Readonly<Record<string, number>>;
  const ids = new Map<string, number>();
  for (const name in given) if (Number.isSafeInteger(given[name])) ids.set(name, given[name]!);
  const result = {
    references: ids,
    object: typeof object === "string" ? object : undefined,
    creates: typeof creates === "string" ? creates : undefined,
    shown: isKeysByName(shown) ? shown : undefined,
    notRemoved: Array.isArray(notRemoved) ? notRemoved.filter(isNamedEntry) : [],
    declared: Array.isArray(declared) ? declared.filter((name) => typeof name === "string") : undefined,
  };
  decoded.set(remembered, result);
  return result;
}

/**
 * Parses private bytes (base64). Returns an empty object for bytes of another provider or an older version. The references are
 * then looked up again.
 */
function parse(remembered: string): { readonly [K in keyof Remembered]?: unknown } {
  try {
    return Object(parseJson(textIn(remembered))) as object;
  } catch {
    return {};
  }
}

function textIn(base64: string): string {
  const text = atob(base64);
  // Most paths are ASCII, for which `atob` is enough. A buffer would take five times as long.
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(base64, "base64").toString("utf8");
}

const isNamedEntry = (one: unknown): one is NamedEntry => {
  const { kind, id } = Object(one) as Partial<NamedEntry>;
  return typeof kind === "string" && Number.isSafeInteger(id);
};

const isKeysByName = (all: unknown): all is Readonly<Record<string, readonly string[]>> =>
  typeof all === "object" && all !== null && Object.values(all).every((keys) => Array.isArray(keys));
