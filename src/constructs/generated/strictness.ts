// Generated from src/provider/strictness.ts by `npm run generate`. Edit that file.
/**
 * The result of comparing the access that two values allow. `tighter` means that the second value allows less than the
 * first, and `looser` that the second value allows more. `mixed` means less in some parts and more in others.
 */
export type Strictness = "tighter" | "looser" | "mixed" | "equal";

type Values = Readonly<Record<string, unknown>>;

/**
 * The way to compare the access that two values of an attribute allow. An undeclared attribute (null) allows the most
 * access, unless the comparison defines something else.
 */
export type Comparison =
  /** For access levels and dates: a higher value allows more. */
  | "higher-allows-more"
  /** For values without an order: any difference can allow more access in some parts and less access in other parts. */
  | "any-difference"
  /**
   * A set of paths or names that have access. A set with fewer elements is tighter. Upper and lower case make no
   * difference.
   */
  | "allowed-names"
  /** A set of users, groups or levels that have access. A set with fewer entries is tighter. */
  | "allowed-entries"
  /**
   * A set of rules, each for a user, a group or a level. All of these rules must be met. A set with more rules is
   * tighter.
   */
  | "required-entries"
  /** A list of the possible values of the attribute. The value that allows the most access comes first. */
  | { readonly fromLoosest: readonly (string | number | boolean | null)[] };

/** The comparisons for one resource. Attributes without a comparison do not affect access. */
export interface StrictnessRules<Name extends string = string> {
  /**
   * Whether the object itself gives access, as an invitation does. By default, the object limits access, as a
   * protection does.
   */
  readonly isGrant?: boolean;
  readonly attributes: { readonly [Attribute in Name]?: Comparison };
}

/**
 * Returns a function that compares the access that two values of one object allow. The attributes have the
 * names of the schema. Null means an undeclared object, or an unmanaged attribute. Null is looser than any value,
 * except for an object that itself grants access. Attributes without a rule are not compared. If a type has no
 * rules, every difference is `mixed`.
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

/** Returns the comparison that uses the order of values in a list. The first value of the list allows the most access. */
const ordered =
  (...values: readonly unknown[]): Compare =>
  (before, after) =>
    isSame(before, after)
      ? "equal"
      : values.includes(before) && values.includes(after)
        ? byOrder(values.indexOf(before), values.indexOf(after))
        : "mixed";

/** Compares access levels or dates, as numbers or texts. A higher value allows more, and null allows the most. */
const most: Compare = (before, after) => {
  if (isSame(before, after)) return "equal";
  if (before === null || after === null) return before === null ? "tighter" : "looser";
  return (after as number) < (before as number) ? "tighter" : "looser";
};

/** Compares values without an order. Any difference is `mixed`. */
const other: Compare = (before, after) => (isSame(before, after) ? "equal" : "mixed");

const isSame = (one: unknown, another: unknown): boolean => JSON.stringify(one) === JSON.stringify(another);

/**
 * Returns a function that compares two sets. A larger set allows more, and an unmanaged set allows the most. If an
 * empty set becomes unmanaged, Steward sends no request, so access does not change.
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

/**
 * Returns a function that compares two sets of entries that have access. A set with fewer entries is tighter.
 * `coversEntry` returns whether one entry allows everything that another entry allows.
 */
const allowed = (coversEntry: Cover): Compare => sets((some, others) => isCovered(some, others, coversEntry));

/**
 * Returns a function that compares two sets of rules. Every rule of a set must be met. A set with more rules is
 * tighter.
 */
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

/**
 * Returns whether the first entry allows everything that the second allows. Level 60 means administrators, who can do
 * everything anyway. An entry for a user or a group never covers level 60.
 */
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

/**
 * Returns whether approvals that meet the first rule always meet the second rule too. The first rule must admit only
 * approvers of the second rule, and require at least as many approvals.
 */
const isRuleCover = (one: Entry, another: Entry): boolean =>
  isEntryCover(another, one) && (one.required_approvals ?? 1) >= (another.required_approvals ?? 1);

const isSameText = (one: unknown, another: unknown): boolean => keyOf(one) === keyOf(another);

/**
 * Compares sets of paths or names. The service ignores the case of these texts. A set with fewer texts is tighter.
 */
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
