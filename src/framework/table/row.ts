/**
 * The columns of the table of objects, with all their values. A row has one value in each column. The lists
 * of values are short and closed, so a test enumerates every possible row.
 */
export const COLUMNS = {
  /** Does this stack declare the object? `failed`: yes, but the declaration or one of its dependencies could not be planned. */
  declared: ["no", "yes", "failed"],
  /**
   * Does the run cover the object? `--target`, `--exclude` and paths leave objects out. `partly`: the run covers one of the two
   * addresses of an object that moves.
   */
  selected: ["yes", "partly", "no"],
  /**
   * Where does the state hold the object? `here`: at its current or former declared address. `elsewhere`: at one
   * address that is no longer declared. `several addresses`: at several undeclared addresses, or several
   * declarations name the object. `deposed`: as a second object of an address, after an interrupted replacement.
   */
  held: ["no", "here", "elsewhere", "several addresses", "deposed"],
  /**
   * What does the service return? `unreadable`: the read failed, or nothing proves that the object is absent. `not
   * read`: the plan has no reason to read the object, or an option forbids it. A new object is read only if the
   * provider looks for it.
   */
  live: ["present", "absent", "unreadable", "not read"],
  /** What does the configuration or an option ask for? `forget`: a `removed` block without destroy. */
  asked: ["nothing", "import", "import existing", "forget"],
  /** What does the declaration change in the live object? */
  difference: ["none", "update", "replace"],
  /**
   * Has the object's container left its fleet? `keep` and `reset`: yes, and this is the fleet's `onLeave`. `not
   * proven`: the container is missing in the fleet's list, but the service still returns it, or too many
   * containers are missing. `not recorded`: the state does not name the fleet.
   */
  fleet: ["none", "keep", "reset", "not proven", "not recorded"],
  /** Does the journal contain a change of this object with an unknown outcome? `open`: yes. */
  journal: ["settled", "open"],
  /** Does `prevent_destroy` or the provider refuse to destroy the object, or is the destroy allowed? */
  destroy: ["allowed", "refused"],
} as const;

export type Column = keyof typeof COLUMNS;

/** The facts about one object. An object that the state holds at several addresses has a row for each of them. */
export type Row = { readonly [C in Column]: (typeof COLUMNS)[C][number] };

/** A live object of the state that nothing declares. */
export const LEAVING: Row = {
  declared: "no",
  selected: "yes",
  held: "here",
  live: "present",
  asked: "nothing",
  difference: "none",
  fleet: "none",
  journal: "settled",
  destroy: "allowed",
};

/** A live object that is as declared. */
export const HELD: Row = { ...LEAVING, declared: "yes" };

/** An object that a plan creates. `live` is `not read` unless a provider has found a live object. */
export const NEW: Row = { ...HELD, held: "no", live: "not read" };

/** A live object that nothing declares, and that the state does not hold. */
export const UNMANAGED: Row = { ...LEAVING, held: "no" };

/**
 * The relations between an object and other objects. The other objects share a part with the object, or are the
 * same object at another address. The strongest relation comes first.
 */
export const RELATIONS = [
  /** A second declaration of this stack declares the object or a part of it. */
  "declared twice",
  /** A declaration that stays has the same object at another address. */
  "same object stays",
  /**
   * Another stack declares the object. If this stack declares the object: another stack declares it or a part
   * of it, or the state of another stack holds it.
   */
  "stack has it",
  /**
   * A declaration that the run leaves out declares a part of the object. A row with `held: elsewhere` and
   * `selected: partly` covers the case that such a declaration declares the whole object.
   */
  "left out has part",
  /** A declaration that could not be planned declares a part of the object. */
  "failed has part",
  /** A declaration that could not be planned has no object yet, and may declare this one. */
  "failed may be it",
  /** Another stack declares a part of the object, and its state does not hold that part yet. */
  "stack has part",
  /** Another stack may declare a part of the object, because some of its values are not known yet. */
  "stack may have part",
  /** The declarations that stay contain, taken together, all parts of the object. */
  "all parts stay",
  /** The declarations that stay contain some parts of the object. */
  "some parts stay",
  /** The object is an entry of a set. A declaration that stays owns the whole set, and removes the entry itself. */
  "owner removes",
  /** This object is a part of another object that leaves this stack. */
  "part of a leaving object",
  /**
   * This object is a part of an object in the state of another stack, and that stack no longer declares that other
   * object.
   */
  "part of what a stack leaves",
  /** The state of this or another stack holds the object, or a larger object that contains it. */
  "part of a held object",
] as const;

/** The relation of another object to the object of a row. */
export interface Neighbour {
  readonly relation: (typeof RELATIONS)[number];
  /**
   * The address of the other object. If the object is in another stack, the address contains the name of that
   * stack.
   */
  readonly address: string;
  /** The name of the stack that contains the other object, if this is another stack. */
  readonly stack?: string;
}
