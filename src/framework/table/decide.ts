import { type Neighbour, RELATIONS, type Row } from "./row";

/** The verdict about an object: how a plan treats it. */
export type Verdict =
  | "no-op"
  | "update"
  | "replace"
  | "create"
  /** The state adopts the existing object. */
  | "adopt"
  /**
   * The state contains the object at another address, and the plan changes this address. `decide` then runs a second time, for
   * the row with `held: here`.
   */
  | "move"
  /** The plan removes the object from the state, and the service keeps the object. */
  | "forget"
  | "delete"
  /** The object is not changed in this run. First, another declaration must be planned, or another stack applied. */
  | "postpone"
  /** The plan does not change the object, and an error contains the reason. */
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
  /** The other objects that cause the verdict. */
  readonly because: readonly Neighbour[];
}

type Relation = Neighbour["relation"];

const NOBODY: readonly Neighbour[] = [];

/** The verdicts for an object that the plan would delete or forget, by the relation of other objects to this object. */
const OF_ENDING: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["same object stays", "forget"],
  ["stack has it", "refuse"],
  ["left out has part", "refuse"],
  ["failed has part", "postpone"],
  ["failed may be it", "postpone"],
]);

/** The additional verdicts, by relation, for an object that keeps its settings after its container left the fleet. */
const OF_FORGOTTEN: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["all parts stay", "forget"],
]);

/** The additional verdicts for an object that the plan would delete, if other objects have, or can have, parts of this object. */
const OF_DELETED: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["stack has part", "postpone"],
  ["stack may have part", "postpone"],
  ["all parts stay", "forget"],
]);

/** The verdicts for a delete, if parts of the object stay or if the owner of the whole set removes the object. */
const OF_DELETE: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["some parts stay", "delete"],
  ["owner removes", "delete"],
]);

/** The verdicts for a declared object outside this stack's state, if the object is a part of another object in a state. */
const OF_NEW: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["part of a leaving object", "adopt"],
  ["part of what a stack leaves", "adopt"],
  ["part of a held object", "adopt"],
]);

const OF_DECLARED: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["declared twice", "refuse"],
  ["stack has it", "refuse"],
]);

/** The verdict for an update that stops managing a set, if another stack declares parts of this set. */
const OF_UPDATE: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([["stack has part", "refuse"]]);

/**
 * The verdicts for a replacement. The delete of a replacement must not remove parts that belong, or can belong, to another stack
 * or to a declaration without a plan.
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
 * Decides what a plan does with an object. `row` has the facts about the object, and `neighbours` its relations to other objects.
 * All decisions about ownership are made here.
 */
export function decide(row: Row, neighbours: readonly Neighbour[] = NOBODY): Decision {
  if (row.declared !== "no") return decideDeclared(row, neighbours);
  // Neither a declaration nor a state contains the object, so someone created it by hand.
  if (row.held === "no") return decision("no-op", "not declared");
  return decideLeaving(row, neighbours);
}

/** Decides what a plan does with an object of the state that the stack does not declare. */
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

/** Decides what a plan does with a declared object. */
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

/** Decides what a plan does with an object that the state contains at its declared address. */
function decideHeld(row: Row, neighbours: readonly Neighbour[]): Decision {
  if (row.live === "absent") return decision("create", "not on the service");
  if (row.difference === "none") return decision("no-op", "as declared");
  if (row.difference === "update") return strongest(neighbours, OF_UPDATE) ?? decision("update", "differs");
  if (row.destroy === "refused") return decision("refuse", "destroy refused");
  return strongest(neighbours, OF_REPLACE) ?? decision("replace", "must be replaced");
}

/** Decides what a plan does with a declared object that the state does not contain. */
function decideNew(row: Row, neighbours: readonly Neighbour[]): Decision {
  if (row.asked === "import")
    return row.live === "present"
      ? decision("adopt", "import block")
      : decision("refuse", "nothing to import");
  // Below this line, the object exists on the service, or no request has looked for it.
  if (row.live === "absent") return decision("create", "not on the service");
  const taken = strongest(neighbours, OF_NEW);
  if (taken !== undefined) return taken;
  if (row.live !== "present") return decision("create", "new");
  return row.asked === "import existing"
    ? decision("adopt", "--import-existing")
    : decision("refuse", "exists already");
}

/**
 * Returns the decision for the strongest relation in `verdicts` that a neighbour has; undefined if there is none. The decision
 * contains all neighbours with this relation.
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
