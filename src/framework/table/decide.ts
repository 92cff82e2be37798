import { type Neighbour, RELATIONS, type Row } from "./row";

/** The ways in which a plan treats an object. */
export type Verdict =
  | "no-op"
  | "update"
  | "replace"
  | "create"
  /** The state takes over the existing object. */
  | "adopt"
  /**
   * The state holds the object at another address, and the plan changes this address. `decide` then runs
   * again for the row with `held: here`.
   */
  | "move"
  /** The state drops the object, and the service keeps it. */
  | "forget"
  | "delete"
  /**
   * Nothing happens in this run. Before the object can change, another declaration must be planned, or
   * another stack applied.
   */
  | "postpone"
  /** The object is not changed, and an error contains the reason. */
  | "refuse";

/** The reason for a verdict. */
export type Why =
  | "not declared"
  | "as declared"
  | "differs"
  | "must be replaced"
  | "new"
  | "not on the service"
  | "moved"
  | "left out"
  | "one address left out"
  | "several addresses"
  | "unreadable"
  | "open change"
  | "declaration failed"
  | "removed block"
  | "import block"
  | "nothing to import"
  | "--import-existing"
  | "exists already"
  | "left the fleet"
  | "leaving not proven"
  | "fleet not recorded"
  | "destroy refused"
  | Neighbour["relation"];

/** A verdict with its reason. */
export interface Decision {
  readonly verdict: Verdict;
  readonly why: Why;
  /** The other objects that are the reason. */
  readonly because: readonly Neighbour[];
}

type Relation = Neighbour["relation"];

const NOBODY: readonly Neighbour[] = [];

/** The verdicts for an object that the plan would delete or forget, by the relation of other objects to it. */
const OF_ENDING: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["same object stays", "forget"],
  ["stack has it", "refuse"],
  ["left out has part", "refuse"],
  ["failed has part", "postpone"],
  ["failed may be it", "postpone"],
]);

/** The verdicts for an object that leaves its fleet and whose settings stay. */
const OF_FORGOTTEN: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["all parts stay", "forget"],
]);

/**
 * The additional verdicts for an object that the plan would delete, if other objects contain, or may contain,
 * parts of it.
 */
const OF_DELETED: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["stack has part", "postpone"],
  ["stack may have part", "postpone"],
  ["all parts stay", "forget"],
]);

/** The verdicts for a delete if parts of the object stay, or if the owner of the whole set removes the object. */
const OF_DELETE: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["some parts stay", "delete"],
  ["owner removes", "delete"],
]);

/**
 * The verdicts for a declared object that the state does not hold, if the object is a part of another object in a
 * state.
 */
const OF_NEW: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["part of a leaving object", "adopt"],
  ["part of what a stack leaves", "adopt"],
  ["part of a held object", "adopt"],
]);

const OF_DECLARED: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["declared twice", "refuse"],
  ["stack has it", "refuse"],
]);

/** The verdict for an update that stops managing a set, if another stack takes over parts of the set. */
const OF_UPDATE: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([["stack has part", "refuse"]]);

/**
 * The verdicts for a replacement. Its delete must not remove parts that belong, or may belong, to another
 * stack or to a declaration without a plan.
 */
const OF_REPLACE: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["left out has part", "refuse"],
  ["failed has part", "postpone"],
  ["failed may be it", "postpone"],
  ["stack has part", "refuse"],
  ["stack may have part", "refuse"],
]);

const decision = (verdict: Verdict, why: Why, because = NOBODY): Decision => ({ verdict, why, because });

/**
 * Decides what a plan does with an object. This function makes all decisions about ownership, once all
 * columns and neighbours are known.
 */
export function decide(row: Row, neighbours: readonly Neighbour[] = NOBODY): Decision {
  if (row.declared !== "no") return decideDeclared(row, neighbours);
  // No declaration and no state contain the object: a person created it by hand.
  if (row.held === "no") return decision("no-op", "not declared");
  return decideLeaving(row, neighbours);
}

/** Decides about an object of the state that nothing declares any more. */
function decideLeaving(row: Row, neighbours: readonly Neighbour[]): Decision {
  const { asked, fleet, live } = row;
  if (row.selected === "no") return decision("no-op", "left out");
  if (row.journal === "open") return decision("refuse", "open change");
  if (asked === "forget") return decision("forget", "removed block");
  if (fleet === "not recorded") return decision("refuse", "fleet not recorded");
  if (live === "unreadable") return decision("refuse", "unreadable");
  if (live === "absent") return decision("no-op", "not on the service");
  if (fleet === "not proven") return decision("refuse", "leaving not proven");
  const has = strongest(neighbours, OF_ENDING);
  if (has !== undefined) return has;
  if (fleet === "keep") return strongest(neighbours, OF_FORGOTTEN) ?? decision("forget", "left the fleet");
  const kept = strongest(neighbours, OF_DELETED);
  if (kept !== undefined) return kept;
  if (row.destroy === "refused") return decision("refuse", "destroy refused");
  const divided = strongest(neighbours, OF_DELETE);
  if (divided !== undefined) return divided;
  return decision("delete", fleet === "reset" ? "left the fleet" : "not declared");
}

/** Decides about a declared object. */
function decideDeclared(row: Row, neighbours: readonly Neighbour[]): Decision {
  if (row.selected === "no") return decision("no-op", "left out");
  if (row.held === "several addresses") return decision("refuse", "several addresses");
  if (row.selected === "partly") return decision("refuse", "one address left out");
  if (row.declared === "failed")
    return decision(row.held === "elsewhere" ? "postpone" : "refuse", "declaration failed");
  if (row.journal === "open") return decision("refuse", "open change");
  const disputed = strongest(neighbours, OF_DECLARED);
  if (disputed !== undefined) return disputed;
  if (row.held === "elsewhere") return decision("move", "moved");
  if (row.live === "unreadable") return decision("refuse", "unreadable");
  return row.held === "here" ? decideHeld(row, neighbours) : decideNew(row, neighbours);
}

/** Decides about an object that the state holds at its declared address. */
function decideHeld(row: Row, neighbours: readonly Neighbour[]): Decision {
  if (row.live === "absent") return decision("create", "not on the service");
  if (row.difference === "none") return decision("no-op", "as declared");
  if (row.difference === "update") return strongest(neighbours, OF_UPDATE) ?? decision("update", "differs");
  if (row.destroy === "refused") return decision("refuse", "destroy refused");
  return strongest(neighbours, OF_REPLACE) ?? decision("replace", "must be replaced");
}

/** Decides about a declared object that the state does not hold. */
function decideNew(row: Row, neighbours: readonly Neighbour[]): Decision {
  if (row.asked === "import")
    return row.live === "present"
      ? decision("adopt", "import block")
      : decision("refuse", "nothing to import");
  // If the object is not absent, it exists on the service, or no request has looked for it.
  if (row.live === "absent") return decision("create", "not on the service");
  const taken = strongest(neighbours, OF_NEW);
  if (taken !== undefined) return taken;
  if (row.live !== "present") return decision("create", "new");
  return row.asked === "import existing"
    ? decision("adopt", "--import-existing")
    : decision("refuse", "exists already");
}

/**
 * Returns the verdict for the strongest relation that `verdicts` contains, with all neighbours that have this
 * relation.
 */
function strongest(
  neighbours: readonly Neighbour[],
  verdicts: ReadonlyMap<Relation, Verdict>,
): Decision | undefined {
  if (neighbours.length === 0) return undefined;
  const why = RELATIONS.find(
    (one) => verdicts.has(one) && neighbours.some(({ relation }) => relation === one),
  );
  if (why === undefined) return undefined;
  const because = neighbours.filter(({ relation }) => relation === why);
  return decision(verdicts.get(why)!, why, because);
}
