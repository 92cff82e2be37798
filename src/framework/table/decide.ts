import { type Neighbour, RELATIONS, type Row } from "./row";

/** The ways in which a plan treats an object. */
export type Verdict =
  | "no-op"
  | "update"
  | "replace"
  | "create"
  /** The object exists: the state takes it over. */
  | "adopt"
  /** The state holds the object at another address, which changes. The row is then decided again as `here`. */
  | "move"
  /** The state drops the object, and the service keeps it. */
  | "forget"
  | "delete"
  /** A later run decides: nothing happens until another declaration is planned or another stack is applied. */
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
  | "absent"
  | "moved"
  | "left out"
  | "partly left out"
  | "ambiguous"
  | "unreadable"
  | "not settled"
  | "declaration failed"
  | "removed block"
  | "import block"
  | "nothing to import"
  | "import existing"
  | "exists already"
  | "left the fleet"
  | "fleet not proven"
  | "fleet not recorded"
  | "destroy refused"
  | Neighbour["relation"];

/** A verdict with its reason. */
export interface Decision {
  readonly verdict: Verdict;
  readonly why: Why;
  /** The neighbours that are the reason. */
  readonly because: readonly Neighbour[];
}

type Relation = Neighbour["relation"];

const NOBODY: readonly Neighbour[] = [];

/** Verdicts for an object that would otherwise be deleted or forgotten. */
const OF_ENDING: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["same object stays", "forget"],
  ["stack has it", "refuse"],
  ["left out has part", "refuse"],
  ["failed has part", "postpone"],
  ["failed may be it", "postpone"],
]);

/** Verdicts for an object that leaves its fleet, whose settings stay. */
const OF_FORGOTTEN: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["all parts stay", "forget"],
]);

/** Verdicts for an object whose parts others have, or may have. */
const OF_DELETED: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["stack has part", "postpone"],
  ["stack may have part", "postpone"],
  ["all parts stay", "forget"],
]);

/** How parts that stay, or an owner that removes the object, change its delete. */
const OF_DELETE: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["some parts stay", "delete"],
  ["owner removes", "delete"],
]);

/** An object that exists as a part of another one, whose owner leaves it. */
const OF_NEW: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["part of a leaving object", "adopt"],
  ["part of what a stack leaves", "adopt"],
  ["part of a held object", "adopt"],
]);

const OF_DECLARED: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["declared twice", "refuse"],
  ["stack has it", "refuse"],
]);

/** An update may release a set that another stack takes over in parts. */
const OF_UPDATE: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([["stack has part", "refuse"]]);

/** The delete of a replacement removes nothing that a declaration without a plan, or another stack, has or may have. */
const OF_REPLACE: ReadonlyMap<Relation, Verdict> = new Map<Relation, Verdict>([
  ["left out has part", "refuse"],
  ["failed has part", "postpone"],
  ["failed may be it", "postpone"],
  ["stack has part", "refuse"],
  ["stack may have part", "refuse"],
]);

const decision = (verdict: Verdict, why: Why, because = NOBODY): Decision => ({ verdict, why, because });

/**
 * Decides what a plan does with an object. All verdicts about ownership are made here, once all columns and neighbours are
 * known.
 */
export function decide(row: Row, neighbours: readonly Neighbour[] = NOBODY): Decision {
  if (row.declared !== "no") return decideDeclared(row, neighbours);
  // A person created this object by hand.
  if (row.held === "no") return decision("no-op", "not declared");
  return decideLeaving(row, neighbours);
}

/** The state holds an object that nothing declares any more. */
function decideLeaving(row: Row, neighbours: readonly Neighbour[]): Decision {
  const { asked, fleet, live } = row;
  if (row.selected === "no") return decision("no-op", "left out");
  if (row.journal === "open") return decision("refuse", "not settled");
  if (asked === "forget") return decision("forget", "removed block");
  if (fleet === "not recorded") return decision("refuse", "fleet not recorded");
  if (live === "unreadable") return decision("refuse", "unreadable");
  if (live === "absent") return decision("no-op", "absent");
  if (fleet === "not proven") return decision("refuse", "fleet not proven");
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

/** A declaration has the object. */
function decideDeclared(row: Row, neighbours: readonly Neighbour[]): Decision {
  if (row.selected === "no") return decision("no-op", "left out");
  if (row.held === "ambiguous") return decision("refuse", "ambiguous");
  if (row.selected === "partly") return decision("refuse", "partly left out");
  if (row.declared === "failed")
    return decision(row.held === "elsewhere" ? "postpone" : "refuse", "declaration failed");
  if (row.journal === "open") return decision("refuse", "not settled");
  const disputed = strongest(neighbours, OF_DECLARED);
  if (disputed !== undefined) return disputed;
  if (row.held === "elsewhere") return decision("move", "moved");
  if (row.live === "unreadable") return decision("refuse", "unreadable");
  return row.held === "here" ? decideHeld(row, neighbours) : decideNew(row, neighbours);
}

/** The state holds the object at its declared address. */
function decideHeld(row: Row, neighbours: readonly Neighbour[]): Decision {
  if (row.live === "absent") return decision("create", "absent");
  if (row.difference === "none") return decision("no-op", "as declared");
  if (row.difference === "update") return strongest(neighbours, OF_UPDATE) ?? decision("update", "differs");
  if (row.destroy === "refused") return decision("refuse", "destroy refused");
  return strongest(neighbours, OF_REPLACE) ?? decision("replace", "must be replaced");
}

/** The state does not hold the declared object. */
function decideNew(row: Row, neighbours: readonly Neighbour[]): Decision {
  if (row.asked === "import")
    return row.live === "present"
      ? decision("adopt", "import block")
      : decision("refuse", "nothing to import");
  if (row.live === "absent") return decision("create", "new");
  const taken = strongest(neighbours, OF_NEW);
  if (taken !== undefined) return taken;
  if (row.live !== "present") return decision("create", "new");
  return row.asked === "import existing"
    ? decision("adopt", "import existing")
    : decision("refuse", "exists already");
}

/** The verdict of the strongest relation that matters, with all neighbours of this relation. */
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
