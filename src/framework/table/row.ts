/**
 * The columns of the table of objects, each with all its possible values. A row has one value in each column. A test checks all
 * possible rows, so these lists must be short.
 */
export const COLUMNS = {
  /**
   * Whether this stack declares the object. `failed`: the stack declares the object, but the declaration or one of its
   * dependencies could not be planned.
   */
  declared: ["no", "yes", "failed"],
  /**
   * Whether the run covers the object. `--target`, `--exclude` and paths leave objects out. `partly`: the run covers one of the
   * two addresses of an object that moves.
   */
  selected: ["yes", "partly", "no"],
  /**
   * The place of the object in the state. `here`: at its current or former declared address. `elsewhere`: at one address that is
   * no longer declared. `several addresses`: at several undeclared addresses, or several declarations name the object. `deposed`:
   * as a second object of an address, after an interrupted replacement.
   */
  held: ["no", "here", "elsewhere", "several addresses", "deposed"],
  /**
   * The result of reading the object from the service. `unreadable`: the read failed, or nothing proves that the object is
   * absent. `not read`: the plan has no reason to read the object, or an option forbids it. A new object is read only if the
   * provider looks for it.
   */
  live: ["present", "absent", "unreadable", "not read"],
  /** The request for this object in the configuration or an option. `forget`: a `removed` block without destroy. */
  asked: ["nothing", "import", "import existing", "forget"],
  /** The change that the declaration makes to the live object. */
  difference: ["none", "update", "replace"],
  /**
   * Whether the object's container left its fleet. `keep` and `reset`: the container left, and the fleet's `onLeave` has this
   * value. `not proven`: the container is missing in the fleet's list, but the service still returns it, or too many containers
   * are missing. `not recorded`: the state does not name the fleet.
   */
  fleet: ["none", "keep", "reset", "not proven", "not recorded"],
  /**
   * Whether the journal contains a change of this object with an unknown outcome. `open`: the journal contains a change with an
   * unknown outcome.
   */
  journal: ["settled", "open"],
  /** Whether the object can be destroyed. `refused`: `prevent_destroy` or the provider refuses the destroy. */
  destroy: ["allowed", "refused"],
} as const;

export type Column = keyof typeof COLUMNS;

/** The facts about one object. An object at several addresses of the state has a row for each address. */
export type Row = { readonly [C in Column]: (typeof COLUMNS)[C][number] };

/** A live object in the state that the stack does not declare. */
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

/** A live object in the state that equals its declaration. */
export const HELD: Row = { ...LEAVING, declared: "yes" };

/** An object that a plan creates. `live` is `not read`, or another value if a provider has looked for the object. */
export const NEW: Row = { ...HELD, held: "no", live: "not read" };

/** A live object that is neither declared nor in the state. */
export const UNMANAGED: Row = { ...LEAVING, held: "no" };

/**
 * The relations of other objects to an object, the strongest relation first. Another object shares a part with this object, or is
 * the same object at another address.
 */
export const RELATIONS = [
  /** A second declaration of this stack declares the object or a part of it. */
  "declared twice",
  /** Another declaration, which stays, has the same object at another address. */
  "same object stays",
  /**
   * Another stack declares the object. For an object that this stack also declares, it is enough that another stack has a part of
   * it or has it in its state.
   */
  "stack has it",
  /**
   * A declaration outside the run's selection declares a part of the object. If such a declaration declares the whole object, the
   * row has `held: elsewhere` and `selected: partly` instead.
   */
  "left out has part",
  /** A declaration that could not be planned declares a part of this object. */
  "failed has part",
  /** A declaration that could not be planned has no object yet, and can declare this object. */
  "failed may be it",
  /** Another stack declares a part of the object, and the state of that stack does not contain the part yet. */
  "stack has part",
  /** Another stack can declare a part of the object, because some values of its declaration are unknown. */
  "stack may have part",
  /** Together, the declarations that stay have all parts of the object. */
  "all parts stay",
  /** The declarations that stay have some parts of the object. */
  "some parts stay",
  /** The object is an entry of a set. Another declaration, which stays, owns the whole set and removes the entry itself. */
  "owner removes",
  /** The object is a part of another object that leaves this stack. */
  "part of a leaving object",
  /**
   * The object is a part of a larger object in the state of another stack. The code of that stack no longer declares the larger
   * object.
   */
  "part of what a stack leaves",
  /** The state of this or another stack contains the object, or a larger object with this part. */
  "part of a held object",
] as const;

/** Another object, with its relation to the object of a row. */
export interface Neighbour {
  readonly relation: (typeof RELATIONS)[number];
  /** The address of the other object. For an object in another stack, the address contains the name of this stack. */
  readonly address: string;
  /** The name of the other object's stack, if it is not the stack of the row. */
  readonly stack?: string;
}
