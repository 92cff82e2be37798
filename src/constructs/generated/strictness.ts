// Generated from src/provider/strictness.ts by `npm run generate`. Edit that file.
/** How the access that two values allow compares: the second is tighter than the first, looser, both in parts, or neither. */
export type Strictness = "tighter" | "looser" | "mixed" | "equal";

type Values = Readonly<Record<string, unknown>>;

/**
 * Describes how an attribute limits access. An undeclared attribute (null) allows most, unless the comparison
 * overrides that.
 */
export type Comparison =
  /** Access levels, dates: the higher, the more it allows. */
  | "higher-allows-more"
  /** Any difference may allow both more and less. */
  | "any-difference"
  /** A set of paths or names that have access, compared without case: the fewer, the tighter. */
  | "allowed-names"
  /** A set of entries by user, group or level that have access: the fewer, the tighter. */
  | "allowed-entries"
  /** A set of rules by user, group or level that must be met: the more, the tighter. */
  | "required-entries"
  /** These values, from the one that allows most. */
  | { readonly fromLoosest: readonly (string | number | boolean | null)[] };

/** The comparisons for one resource. Attributes without a comparison do not affect access. */
export interface StrictnessRules<Name extends string = string> {
  /** Whether the object itself gives access, as an invitation does. Default: it limits access, as a protection does. */
  readonly isGrant?: boolean;
  readonly attributes: { readonly [Attribute in Name]?: Comparison };
}

/**
 * Returns a function that compares the declared values of one object, under the names of the schema. A null object
 * is undeclared, and a null attribute is unmanaged. Both are looser, except where the object itself grants access.
 * Attributes without a rule are not compared. Without rules for the type, every difference is `mixed`.
 *
 * @param rules by type, such as `steward_protected_environment`
 */
export const strictnessBy =
  (rules: Readonly<Record<string, StrictnessRules>>) =>
  (type: string, before: Values | null, after: Values | null): Strictness => {
    const own = rules[type];
    if (own === undefined) return other(before, after);
    if (before === null || after === null) {
      if (before === after) return "equal";
      return (before === null) === (own.isGrant === true) ? "looser" : "tighter";
    }
    return combined(
      Object.entries(own.attributes).map(([name, comparison]) =>
        comparing(comparison!)(before[name] ?? null, after[name] ?? null),
      ),
    );
  };

type Compare = (before: unknown, after: unknown) => Strictness;

const combined = (parts: readonly Strictness[]): Strictness => {
  const [some, ...others] = new Set(parts.filter((one) => one !== "equal"));
  return some === undefined ? "equal" : others.length > 0 ? "mixed" : some;
};

const byOrder = (before: number, after: number): Strictness =>
  before === after ? "equal" : after > before ? "tighter" : "looser";

/** Values by how much they allow: the first allows most. */
const ordered =
  (...values: readonly unknown[]): Compare =>
  (before, after) =>
    isSame(before, after)
      ? "equal"
      : values.includes(before) && values.includes(after)
        ? byOrder(values.indexOf(before), values.indexOf(after))
        : "mixed";

/** The absent value allows most, and so do higher ones, as numbers or as text: access levels, dates. */
const most: Compare = (before, after) => {
  if (isSame(before, after)) return "equal";
  if (before === null || after === null) return before === null ? "tighter" : "looser";
  return (after as number) < (before as number) ? "tighter" : "looser";
};

/** Any difference may be both. */
const other: Compare = (before, after) => (isSame(before, after) ? "equal" : "mixed");

const isSame = (one: unknown, another: unknown): boolean => JSON.stringify(one) === JSON.stringify(another);

/**
 * Compares sets. The largest set allows most, and an unmanaged set allows more than any other. If an empty set
 * becomes unmanaged, no request is sent, and nothing is loosened.
 */
const sets =
  (isWithin: (some: readonly unknown[], others: readonly unknown[]) => boolean): Compare =>
  (before, after) => {
    if (Array.isArray(before) && Array.isArray(after)) {
      const [isTighter, isLooser] = [isWithin(after, before), isWithin(before, after)];
      if (isTighter && isLooser) return "equal";
      return isTighter ? "tighter" : isLooser ? "looser" : "mixed";
    }
    if (before === after || (isEmptyList(before) && after === null)) return "equal";
    if (Array.isArray(before) === Array.isArray(after)) return "mixed";
    return before === null ? "tighter" : "looser";
  };

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Sets of what is allowed: fewer elements are tighter. An element covers another if it allows all that the other does. */
const allowed = (coversEntry: Cover): Compare => sets((some, others) => isCovered(some, others, coversEntry));

/** Sets of what is required: more elements are tighter. */
const required = (coversEntry: Cover): Compare =>
  sets((some, others) => isCovered(others, some, coversEntry));

const isCovered = (elements: readonly unknown[], by: readonly unknown[], coversEntry: Cover): boolean =>
  elements.every((element) => by.some((one) => coversEntry(one as Entry, element as Entry)));

type Cover = (one: Entry, another: Entry) => boolean;

interface Entry {
  readonly user?: string | null;
  readonly group?: string | null;
  readonly access_level?: number | null;
  readonly group_inheritance_type?: number | null;
  readonly required_approvals?: number | null;
}

/** Level 60 means administrators, who may do everything: an entry for others never covers them, but they may anyway. */
const isEntryCover = (one: Entry, another: Entry): boolean => {
  if (one.access_level != null)
    return another.access_level != null && one.access_level <= another.access_level;
  if (one.group != null)
    return (
      isSameText(one.group, another.group) &&
      (one.group_inheritance_type ?? 0) >= (another.group_inheritance_type ?? 0)
    );
  return one.user != null && isSameText(one.user, another.user);
};

/** A rule fulfils another if it asks no wider circle for no fewer approvals. */
const isRuleCover = (one: Entry, another: Entry): boolean =>
  isEntryCover(another, one) && (one.required_approvals ?? 1) >= (another.required_approvals ?? 1);

const isSameText = (one: unknown, another: unknown): boolean => keyOf(one) === keyOf(another);

/** Sets of texts such as paths, which the service compares without case: fewer are tighter. */
const allowedTexts: Compare = sets((some, others) => {
  const keys = new Set(others.map(keyOf));
  return some.every((text) => keys.has(keyOf(text)));
});

const keyOf = (text: unknown): string => String(text).toLowerCase();

const NAMED: Readonly<Record<Extract<Comparison, string>, Compare>> = {
  "higher-allows-more": most,
  "any-difference": other,
  "allowed-names": allowedTexts,
  "allowed-entries": allowed(isEntryCover),
  "required-entries": required(isRuleCover),
};

const comparing = (comparison: Comparison): Compare =>
  typeof comparison === "string" ? NAMED[comparison] : ordered(...comparison.fromLoosest);
