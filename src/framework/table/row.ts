/**
 * The columns of the table of objects, with all their values: a row has one value of each column. The lists are short and
 * closed, so a test enumerates every row that can exist.
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
   * Where does the state hold the object? `here`: at the address that declares it, or that declared it. `elsewhere`: at one
   * address that no longer declares it. `several addresses`: several such addresses contain it, or several declarations name it. `deposed`: next
   * to an address, after an interrupted replacement.
   */
  held: ["no", "here", "elsewhere", "several addresses", "deposed"],
  /**
   * What does the service return? `unreadable`: an error, or nothing that proves that the object is absent. `not read`: the plan
   * has no reason to read the object, or an option forbids it. A new object is read only if the provider looks for it.
   */
  live: ["present", "absent", "unreadable", "not read"],
  /** What does the configuration or an option ask for? `forget`: a `removed` block without destroy. */
  asked: ["nothing", "import", "import existing", "forget"],
  /** What does the declaration change in the live object? */
  difference: ["none", "update", "replace"],
  /**
   * Has the object's container left its fleet? `keep` and `reset`: yes, and this is the fleet's `onLeave`. `not proven`: the list
   * lacks the container, but the service still returns it, or the list lacks too many. `not recorded`: the state does not name the fleet.
   */
  fleet: ["none", "keep", "reset", "not proven", "not recorded"],
  /** Has an interrupted run changed the object, with an unknown outcome? */
  journal: ["settled", "open"],
  /** Does `prevent_destroy` or the provider refuse to destroy the object? */
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

/** An object that a plan creates. A provider reports only live objects that it found. */
export const NEW: Row = { ...HELD, held: "no", live: "not read" };

/** A live object that nothing declares, and that the state does not hold. */
export const UNMANAGED: Row = { ...LEAVING, held: "no" };

/** The relations of an object to others that have the same object or share a part with it, from the strongest to the weakest. */
export const RELATIONS = [
  /** A second declaration of this stack declares the object or a part of it. */
  "declared twice",
  /** A declaration that stays has the same object at its own address. */
  "same object stays",
  /**
   * Another stack declares the object. For an object that this stack declares: another stack declares the object or a part of
   * it, or its state holds the very same object.
   */
  "stack has it",
  /**
   * A declaration that the run leaves out declares a part of the object. If it declares the whole object, the row itself is
   * declared: `held: elsewhere` and `selected: partly`.
   */
  "left out has part",
  /** A declaration that could not be planned declares a part of the object. */
  "failed has part",
  /** A declaration that could not be planned has no object yet, and may declare this one. */
  "failed may be it",
  /** Another stack declares a part of the object, and its state does not hold that part yet. */
  "stack has part",
  /** Another stack may declare a part of the object: its values are not known yet. */
  "stack may have part",
  /** Declarations that stay have all parts of the object. */
  "all parts stay",
  /** Declarations that stay have some parts of the object. */
  "some parts stay",
  /** A declaration that stays owns the whole set, and removes the object from it. */
  "owner removes",
  /** An object that leaves this stack has the object as its part. */
  "part of a leaving object",
  /** The state of another stack holds an object with this one as its part, and nothing declares that object there any more. */
  "part of what a stack leaves",
  /** The state of this or another stack holds the object, or one with it as its part: declarations and other objects are compared. */
  "part of a held object",
] as const;

/** The relation of another object to the object of a row. */
export interface Neighbour {
  readonly relation: (typeof RELATIONS)[number];
  /** The address of the other object, with its stack if it is another one. */
  readonly address: string;
  /** The name of its stack, if it is another one. */
  readonly stack?: string;
}
