/**
 * Why does a plan create, adopt, move, forget, delete, postpone or refuse an object?
 *
 * Choose a table: does this stack declare the object, and does the state of this stack contain it? Read the table from
 * the top. The first line with true conditions decides. `otherwise` is always true. A part is, for example, an entry of
 * a list.
 *
 * - `no-op` changes nothing on the service. `update` changes the live object.
 * - `create` adds an object. `delete` removes an object. `replace` does both.
 * - `adopt` puts an existing object into the state, and `move` changes its address in the state. Then table 3 decides.
 * - `forget` removes the object from the state, and the service keeps it.
 * - `postpone` warns and keeps the object for a later run. `refuse` reports an error and keeps the object.
 *
 * A delete of an undeclared object can wait. If another stack has a part of the object, the delete is postponed. A
 * declared change can't wait without an error. If another stack has a part of the object, the change is refused. A
 * failed declaration has its own error, so other objects are only postponed because of it. A run that leaves out a
 * declaration would remove the declared part, so the change is refused. `not read`: no read has shown whether the
 * service has the object.
 */
import { decide } from "../../../src/framework/table/decide";
import { type Neighbour, RELATIONS } from "../../../src/framework/table/row";
import { type Combination, fits, readTable, type Section, VALUES } from "./read-table";

/** Table 1. The object has this address in the state, or it is the old object of an interrupted replacement. */
const NOT_DECLARED = readTable(
  "1. Not declared, and in the state",
  { declared: "no", held: "here or deposed" },
  `
  | when                                  | verdict  | why                 | in words                                                                                   |
  | ------------------------------------- | -------- | ------------------- | ------------------------------------------------------------------------------------------ |
  | left out                              | no-op    | left out            | --target, --exclude or a path leaves the object out.                                       |
  | open change                           | refuse   | open change         | An interrupted run changed the object, and the outcome is unknown.                         |
  | removed block                         | forget   | removed block       | A removed block keeps the object on the service.                                           |
  | fleet not recorded                    | refuse   | fleet not recorded  | A fleet declared the object, and the state does not name this fleet.                       |
  | unreadable                            | refuse   | unreadable          | The service returns an error, or no proof that the object is absent.                       |
  | not on the service                    | no-op    | not on the service  | The object is gone, and the state drops it.                                                |
  | leaving not proven                    | refuse   | leaving not proven  | The service still returns the project, or too many projects are missing.                   |
  | same object stays                     | forget   | same object stays   | Another address declares the same object. Only this address leaves the state.              |
  | stack has it                          | refuse   | stack has it        | Another stack declares the same object. The error names the command for a move.            |
  | left out has part                     | refuse   | left out has part   | The run leaves out a declaration of a part, and would delete this part.                    |
  | failed has part                       | postpone | failed has part     | A failed declaration declares a part of the object.                                        |
  | failed may be it                      | postpone | failed may be it    | A failed declaration has no object yet, and may declare this one.                          |
  | left the fleet (keep), all parts stay | forget   | all parts stay      | As in the next line. The plan also names the declarations that have every part.            |
  | left the fleet (keep)                 | forget   | left the fleet      | The project left its fleet, and onLeave keeps the settings.                                |
  | stack has part                        | postpone | stack has part      | Another stack declares a part, and must be applied first. Until then, the object stays.    |
  | stack may have part                   | postpone | stack may have part | Another stack may declare a part: the values are not known yet.                            |
  | all parts stay                        | forget   | all parts stay      | Other declarations declare every part of the object.                                       |
  | destroy refused                       | refuse   | destroy refused     | prevent_destroy or an archived project prevents the delete.                                |
  | some parts stay                       | delete   | some parts stay     | Other declarations declare some parts, and the delete keeps these.                         |
  | owner removes                         | delete   | owner removes       | Another declaration has the whole list. Its update removes the object in the same request. |
  | left the fleet (reset)                | delete   | left the fleet      | The project left its fleet, and onLeave resets the settings.                               |
  | otherwise                             | delete   | not declared        | The declaration is gone, or count or for_each lacks the address.                           |
  `,
);

/**
 * Table 2. The state has another address for the object. The plan recognizes the object by its identity on the service, or by
 * a `moved` block.
 */
const MOVED = readTable(
  "2. Declared, and in the state at another address",
  { declared: "yes or failed", held: "elsewhere or several addresses" },
  `
  | when                 | verdict  | why                  | in words                                                                             |
  | -------------------- | -------- | -------------------- | ------------------------------------------------------------------------------------ |
  | left out             | no-op    | left out             | --target, --exclude or a path leaves the object out.                                 |
  | several addresses    | refuse   | several addresses    | Several addresses contain or declare the object. A moved block must name one.        |
  | one address left out | refuse   | one address left out | The run leaves out one of the two addresses that have the whole object.              |
  | declaration failed   | postpone | declaration failed   | The new declaration has an error, so the object stays at its old address.            |
  | open change          | refuse   | open change          | An interrupted run changed the object, and the outcome is unknown.                   |
  | declared twice       | refuse   | declared twice       | Another declaration declares the object or a part of it.                             |
  | stack has it         | refuse   | stack has it         | Another stack declares the object or a part of it, or its state contains the object. |
  | otherwise            | move     | moved                | The state gives the object the new address. Then table 3 decides.                    |
  `,
);

const HELD = readTable(
  "3. Declared, and in the state at this address",
  { declared: "yes or failed", held: "here" },
  `
  | when                                  | verdict  | why                 | in words                                                                             |
  | ------------------------------------- | -------- | ------------------- | ------------------------------------------------------------------------------------ |
  | left out                              | no-op    | left out            | --target, --exclude or a path leaves the object out.                                 |
  | declaration failed                    | refuse   | declaration failed  | The declaration or one of its dependencies has an error.                             |
  | open change                           | refuse   | open change         | An interrupted run changed the object, and the outcome is unknown.                   |
  | declared twice                        | refuse   | declared twice      | Another declaration declares the object or a part of it.                             |
  | stack has it                          | refuse   | stack has it        | Another stack declares the object or a part of it, or its state contains the object. |
  | unreadable                            | refuse   | unreadable          | The service returns an error, or no proof that the object is absent.                 |
  | not on the service                    | create   | not on the service  | The object was deleted outside of Steward.                                           |
  | as declared                           | no-op    | as declared         | The live object is as declared.                                                      |
  | differs, stack has part               | refuse   | stack has part      | The update removes a part that another stack takes over, and must be applied first.  |
  | differs                               | update   | differs             | The live object differs from the declaration.                                        |
  | must be replaced, destroy refused     | refuse   | destroy refused     | prevent_destroy or an archived project prevents the delete of the old object.        |
  | must be replaced, left out has part   | refuse   | left out has part   | The run leaves out a declaration of a part of the old object.                        |
  | must be replaced, failed has part     | postpone | failed has part     | A failed declaration declares a part of the old object.                              |
  | must be replaced, failed may be it    | postpone | failed may be it    | A failed declaration has no object yet, and may declare the old one.                 |
  | must be replaced, stack has part      | refuse   | stack has part      | Another stack takes over a part of the old object, and must be applied first.        |
  | must be replaced, stack may have part | refuse   | stack may have part | Another stack may declare a part of the old object, and must be applied first.       |
  | must be replaced                      | replace  | must be replaced    | The declared change needs a new object.                                              |
  `,
);

/** Table 4. The declaration is new, or no apply has created its object yet. */
const NEW = readTable(
  "4. Declared, and not in the state",
  { declared: "yes or failed", held: "no" },
  `
  | when                              | verdict | why                         | in words                                                                             |
  | --------------------------------- | ------- | --------------------------- | ------------------------------------------------------------------------------------ |
  | left out                          | no-op   | left out                    | --target, --exclude or a path leaves the object out.                                 |
  | declaration failed                | refuse  | declaration failed          | The declaration or one of its dependencies has an error.                             |
  | open change                       | refuse  | open change                 | An interrupted run changed the object, and the outcome is unknown.                   |
  | declared twice                    | refuse  | declared twice              | Another declaration declares the object or a part of it.                             |
  | stack has it                      | refuse  | stack has it                | Another stack declares the object or a part of it, or its state contains the object. |
  | unreadable                        | refuse  | unreadable                  | The service returns an error, or no proof that the object is absent.                 |
  | import block, on the service      | adopt   | import block                | An import block names the object.                                                    |
  | import block                      | refuse  | nothing to import           | The service does not have the object of the import block.                            |
  | not on the service                | create  | not on the service          | The service does not have the object.                                                |
  | part of a leaving object          | adopt   | part of a leaving object    | Another object contains it, such as a list. Table 1 deletes or forgets the list.     |
  | part of what a stack leaves       | adopt   | part of what a stack leaves | The state of another stack contains it, and that stack no longer declares it.        |
  | part of a held object             | adopt   | part of a held object       | An object at another address contains it, and gives it up in this run or the next.   |
  | --import-existing, on the service | adopt   | --import-existing           | The option --import-existing adopts existing objects.                                |
  | on the service                    | refuse  | exists already              | The service has the object, and no state contains it.                                |
  | otherwise                         | create  | new                         | The plan found no such object, or did not look for it.                               |
  `,
);

const UNMANAGED = readTable(
  "5. Not declared, and not in the state",
  { declared: "no", held: "no" },
  `
  | when           | verdict | why          | in words                                                           |
  | -------------- | ------- | ------------ | ------------------------------------------------------------------ |
  | on the service | no-op   | not declared | A person or another program created it. drift --coverage lists it. |
  `,
);

// The rest of this file checks that the tables are complete and agree with `decide`.

const SECTIONS = [NOT_DECLARED, MOVED, HELD, NEW, UNMANAGED];

/** The combinations that can't exist, each with the reason. No table needs a line for these combinations. */
const IMPOSSIBLE = [
  {
    when: { declared: "no", held: "elsewhere or several addresses" },
    because: "an undeclared object has no declared address that could differ",
  },
  {
    when: { declared: "yes or failed", held: "deposed" },
    because: "a deposed object has a row of its own, and no declaration",
  },
  {
    when: { declared: "no", held: "no", live: "absent or unreadable or not read" },
    because: "what is neither declared, held nor live has no row",
  },
  {
    when: { selected: "partly", held: "no or here or deposed" },
    because: "only an object that moves has two addresses",
  },
  {
    when: { selected: "no", live: "present or absent or unreadable" },
    because: "what the run leaves out is not read",
  },
  {
    when: {
      selected: "yes",
      journal: "settled",
      asked: "nothing or import or import existing",
      held: "here or deposed",
      live: "not read",
    },
    because: "every object of the state is read, except forgotten ones and those of interrupted changes",
  },
  {
    when: { declared: "no or failed", difference: "update or replace" },
    because: "only a declaration that could be planned is compared",
  },
  {
    when: { held: "no or elsewhere or several addresses or deposed", difference: "update or replace" },
    because: "an object is compared once the state holds it at the declared address",
  },
  {
    when: { live: "absent or unreadable or not read", difference: "update or replace" },
    because: "only a live object is compared",
  },
  {
    when: { declared: "yes or failed", fleet: "keep or reset or not proven or not recorded" },
    because: "a fleet declares the settings of its members, so only undeclared objects can have left one",
  },
  {
    when: { held: "no or deposed", fleet: "keep or reset or not proven or not recorded" },
    because: "the state holds the settings of a member at an address, never only as deposed",
  },
  {
    when: { declared: "yes or failed", asked: "forget" },
    because: "a removed block for a declared resource is an error of the configuration",
  },
  {
    when: { declared: "no", asked: "import or import existing" },
    because: "an import needs a declaration",
  },
  {
    when: { held: "no", asked: "forget" },
    because: "a removed block is about the state",
  },
  {
    when: {
      declared: "no",
      neighbour:
        "declared twice or part of a leaving object or part of what a stack leaves or part of a held object",
    },
    because: "these relations belong to declared objects",
  },
  {
    when: { held: "no", declared: "no", neighbour: RELATIONS.join(" or ") },
    because: "without a declaration and without a state, nothing asks whom an object belongs to",
  },
  {
    when: {
      declared: "yes or failed",
      neighbour: "same object stays or all parts stay or some parts stay or owner removes",
    },
    because:
      "these relations belong to leaving objects; two declarations of one object or part are `declared twice`",
  },
  {
    when: {
      declared: "yes or failed",
      difference: "none or update",
      neighbour: "left out has part or failed has part or stack may have part",
    },
    because: "of declared objects, only those that are replaced are deleted",
  },
].map(({ when, because }) => ({ isMet: fits(when), because }));

/** Yields all combinations of the columns' values, with at most one neighbour. */
function* combinations(): Generator<Combination> {
  const columns = Object.entries(VALUES);
  const places = columns.map(() => 0);
  for (;;) {
    const row: Record<string, string> = {};
    for (let at = 0; at < columns.length; at += 1) row[columns[at]![0]] = columns[at]![1][places[at]!]!;
    yield row as unknown as Combination;
    let at = columns.length - 1;
    for (; at >= 0; at -= 1) {
      places[at]! += 1;
      if (places[at]! < columns[at]![1].length) break;
      places[at] = 0;
    }
    if (at < 0) return;
  }
}

const isPossible = (row: Combination): boolean => !IMPOSSIBLE.some(({ isMet }) => isMet(row));

const neighbour = (relation: Neighbour["relation"]): Neighbour => ({
  relation,
  address: `acme_thing.${relation}`,
});

const neighboursOf = ({ neighbour: relation }: Combination): readonly Neighbour[] =>
  relation === "none" ? [] : [neighbour(relation as Neighbour["relation"])];

const POSSIBLE = [...combinations()].filter(isPossible);

/** Returns the line of a section that decides a row: the first line that fits. */
const lineFor = ({ lines }: Section, row: Combination) => lines.find((line) => line.fits(row));

test("each possible combination of facts fits exactly one section of the decision table", () => {
  const lost = POSSIBLE.filter((row) => {
    const own = SECTIONS.filter((section) => section.fits(row));
    return own.length !== 1 || lineFor(own[0]!, row) === undefined;
  });
  expect(lost.slice(0, 3)).toEqual([]);
  expect(POSSIBLE.length).toBeGreaterThan(1_000);
});

describe.each(SECTIONS)("$title", (section) => {
  const own = POSSIBLE.filter(section.fits);

  test.each(section.lines)("$text: $verdict, because $why", (line) => {
    const rows = own.filter((row) => lineFor(section, row) === line);
    expect(rows).not.toEqual([]);
    const others = rows.filter((row) => {
      const { verdict, why, because } = decide(row, neighboursOf(row));
      const isReason = because.length === 1 ? because[0]!.relation === why : because.length === 0;
      return verdict !== line.verdict || why !== line.why || !isReason;
    });
    expect(others.slice(0, 3)).toEqual([]);
  });

  test("if an object is related to two other objects, the first line that matches either relation decides", () => {
    const alone = own.filter(({ neighbour: relation }) => relation === "none");
    const wrong: unknown[] = [];
    for (const row of alone)
      for (const one of RELATIONS)
        for (const other of RELATIONS) {
          const both = [one, other].map((relation) => ({ ...row, neighbour: relation }));
          if (one === other || !both.every(isPossible)) continue;
          const line = section.lines.find((candidate) => both.some(candidate.fits))!;
          const { verdict, why } = decide(row, [neighbour(one), neighbour(other)]);
          if (verdict !== line.verdict || why !== line.why) wrong.push({ row, one, other, verdict, why });
        }
    expect(wrong.slice(0, 3)).toEqual([]);
  });
});

test("each rule for impossible combinations of facts excludes a combination that no other rule excludes", () => {
  const needed = new Set<string>();
  for (const row of combinations()) {
    const [first, second] = IMPOSSIBLE.filter(({ isMet }) => isMet(row));
    if (first !== undefined && second === undefined) needed.add(first.because);
  }
  expect(IMPOSSIBLE.map(({ because }) => because).filter((one) => !needed.has(one))).toEqual([]);
});
