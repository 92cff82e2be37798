/**
 * Why does a plan create, adopt, move, forget, delete, postpone or refuse an object?
 *
 * Find the table of the object. Does this stack declare it, and does the state of this stack contain it?
 * 1: not declared, in the state. 2: declared, in the state at another address. 3: declared, in the state at this address.
 * 4: declared, not in the state. 5: neither, only on the service.
 * Read the table from the top. The first line that fits decides. An empty cell fits every value.
 *
 * The verdicts:
 * - `no-op`: nothing changes on the service. If an undeclared object is absent there, the state drops it.
 * - `update`: the live object changes.
 * - `replace`: the plan deletes the live object and creates another one.
 * - `create`: the plan creates an object.
 * - `adopt`: the object exists already. The state takes it over, and the plan creates nothing. Table 3 then decides about
 *   differences.
 * - `move`: the state gives the object another address. Table 3 then decides about the object there.
 * - `forget`: the state drops the object, and the service keeps it.
 * - `delete`: the plan deletes the live object.
 * - `postpone`: the run warns and leaves the object, until a declaration can be planned that failed (`failed …`), or until
 *   another stack is applied (`stack …`).
 * - `refuse`: the run reports an error for this object and leaves it.
 *
 * The columns:
 * - `declared`: `failed` if the declaration, or one of its dependencies, could not be planned.
 * - `selected`: `no` if `--target`, `--exclude` or a path leaves the object out.
 *   `partly` if the object moves, and the run covers only one of its two addresses.
 * - `held`: does the state contain the object? A declared object is `here` at its declared address, and `elsewhere` at one other
 *   address that no longer declares it. An undeclared object is always `here`, at the address that declared it last.
 *   `ambiguous`: several addresses hold or declare it, and the engine can't know from which one it moved.
 *   `deposed`: the old object of an interrupted replacement. It counts as not declared.
 * - `live`: the response of the service. `unreadable`: an error, or no proof that the object is absent. `not read`: the run did
 *   not request it, because the run leaves it out, or because it is forgotten.
 * - `asked`: `import` by a block, `import existing` by `--import-existing`. `forget`: a `removed` block that keeps the object.
 * - `difference`: the change that the declaration makes.
 * - `fleet`: the project of the object has left the fleet that declared the object. `keep` and `reset` are values of `onLeave`.
 *   `none`: no fleet declared it, or its project is still a member.
 *   `not proven`: the service still returns the project, or too many projects are missing.
 *   `not recorded`: a fleet declared it, and the state does not name this fleet.
 * - `journal`: `open` if an interrupted run changed the object, and the outcome is not known.
 * - `destroy`: `refused` by `prevent_destroy`, or because the project is archived.
 * - `neighbour`: another declaration or state that has the same object or a part of it, such as an entry of a list.
 */
import { decide } from "../../../src/framework/table/decide";
import { type Neighbour, RELATIONS } from "../../../src/framework/table/row";
import { type Combination, combinations, fits, readTable, type Section } from "./read-table";

/**
 * The declaration is gone, or `count` or `for_each` no longer has the address.
 *
 * - `same object stays`: another address of this stack declares the very same object and is in the state. Only this address goes.
 * - `stack has it`: another stack declares the very same object. The error names the command that moves it there.
 * - `left out has part`: a declaration that this run leaves out declares a part of it. Both must be in one run.
 * - `failed has part`: a declaration that could not be planned declares a part of it.
 * - `failed may be it`: a declaration that could not be planned has no object yet, and may declare this one.
 * - `stack has part`: another stack declares a part of it. The state of that stack lacks this part until the stack is applied.
 * - `stack may have part`: another stack has a declaration whose values are unknown until that stack is applied.
 * - `all parts stay`: other declarations of this stack declare every part of it. The line is there twice: a fleet that keeps its
 *   settings deletes nothing, so it does not wait for another stack.
 * - `some parts stay`: other declarations declare some parts, which the delete keeps.
 * - `owner removes`: a declaration has the whole list. The update of the list removes the entry.
 */
const NOT_DECLARED = readTable(
  "1. The state holds it, and no declaration has it",
  { declared: "no", held: "here or deposed" },
  `
  | selected | journal | asked  | fleet        | live       | neighbour                | destroy | verdict  | why                      |
  | -------- | ------- | ------ | ------------ | ---------- | ------------------------ | ------- | -------- | ------------------------ |
  | no       |         |        |              |            |                          |         | no-op    | left out                 |
  |          | open    |        |              |            |                          |         | refuse   | not settled              |
  |          |         | forget |              |            |                          |         | forget   | removed block            |
  |          |         |        | not recorded |            |                          |         | refuse   | fleet not recorded       |
  |          |         |        |              | unreadable |                          |         | refuse   | unreadable               |
  |          |         |        |              | absent     |                          |         | no-op    | absent                   |
  |          |         |        | not proven   |            |                          |         | refuse   | fleet not proven         |
  |          |         |        |              |            | same object stays        |         | forget   | same object stays        |
  |          |         |        |              |            | stack has it             |         | refuse   | stack has it             |
  |          |         |        |              |            | left out has part        |         | refuse   | left out has part        |
  |          |         |        |              |            | failed has part          |         | postpone | failed has part          |
  |          |         |        |              |            | failed may be it         |         | postpone | failed may be it         |
  |          |         |        | keep         |            | all parts stay           |         | forget   | all parts stay           |
  |          |         |        | keep         |            |                          |         | forget   | left the fleet           |
  |          |         |        |              |            | stack has part           |         | postpone | stack has part           |
  |          |         |        |              |            | stack may have part      |         | postpone | stack may have part      |
  |          |         |        |              |            | all parts stay           |         | forget   | all parts stay           |
  |          |         |        |              |            |                          | refused | refuse   | destroy refused          |
  |          |         |        |              |            | some parts stay          |         | delete   | some parts stay          |
  |          |         |        |              |            | owner removes            |         | delete   | owner removes            |
  |          |         |        | reset        |            |                          |         | delete   | left the fleet           |
  |          |         |        |              |            |                          |         | delete   | not declared             |
  `,
);

/**
 * The declaration has another address now. The engine recognizes the object by its identity, or by a `moved` block.
 * If the declaration failed, its error names the new address. The run also warns about the old address, and keeps the object there.
 *
 * Here and in tables 3 and 4:
 * - `declared twice`: another declaration of this stack declares the object or a part of it.
 * - `stack has it`: another stack declares the object or a part of it, or its state contains this very object. It does not matter
 *   whether that stack still declares the object: its state has to drop the object first.
 */
const MOVED = readTable(
  "2. Declared, and the state holds it at another address",
  { declared: "yes or failed", held: "elsewhere or ambiguous" },
  `
  | selected | held      | declared | journal | neighbour      | verdict  | why                |
  | -------- | --------- | -------- | ------- | -------------- | -------- | ------------------ |
  | no       |           |          |         |                | no-op    | left out           |
  |          | ambiguous |          |         |                | refuse   | ambiguous          |
  | partly   |           |          |         |                | refuse   | partly left out    |
  |          |           | failed   |         |                | postpone | declaration failed |
  |          |           |          | open    |                | refuse   | not settled        |
  |          |           |          |         | declared twice | refuse   | declared twice     |
  |          |           |          |         | stack has it   | refuse   | stack has it       |
  |          |           |          |         |                | move     | moved              |
  `,
);

/**
 * Most objects are in this table. If the declaration failed, its error is the error of this object.
 *
 * - `stack has part`: with this update, the declaration no longer has the whole list. Another stack declares a part, and was not
 *   applied since. The update would remove this part, so it is refused.
 * - `failed may be it`: a declaration that could not be planned may be the object that the replacement deletes.
 * - `left out has part`, `failed has part`: the replacement would also delete a part that a declaration without a plan has.
 * - `stack has part`, `stack may have part`: the replacement would delete a part that another stack declares or may declare. It is
 *   refused until that stack is applied, as an update is.
 */
const HELD = readTable(
  "3. Declared, and the state holds it at this address",
  { declared: "yes or failed", held: "here" },
  `
  | selected | declared | journal | neighbour           | live       | difference | destroy | verdict  | why                 |
  | -------- | -------- | ------- | ------------------- | ---------- | ---------- | ------- | -------- | ------------------- |
  | no       |          |         |                     |            |            |         | no-op    | left out            |
  |          | failed   |         |                     |            |            |         | refuse   | declaration failed  |
  |          |          | open    |                     |            |            |         | refuse   | not settled         |
  |          |          |         | declared twice      |            |            |         | refuse   | declared twice      |
  |          |          |         | stack has it        |            |            |         | refuse   | stack has it        |
  |          |          |         |                     | unreadable |            |         | refuse   | unreadable          |
  |          |          |         |                     | absent     |            |         | create   | absent              |
  |          |          |         |                     |            | none       |         | no-op    | as declared         |
  |          |          |         | stack has part      |            | update     |         | refuse   | stack has part      |
  |          |          |         |                     |            | update     |         | update   | differs             |
  |          |          |         |                     |            | replace    | refused | refuse   | destroy refused     |
  |          |          |         | left out has part   |            | replace    |         | refuse   | left out has part   |
  |          |          |         | failed has part     |            | replace    |         | postpone | failed has part     |
  |          |          |         | failed may be it    |            | replace    |         | postpone | failed may be it    |
  |          |          |         | stack has part      |            | replace    |         | refuse   | stack has part      |
  |          |          |         | stack may have part |            | replace    |         | refuse   | stack may have part |
  |          |          |         |                     |            | replace    |         | replace  | must be replaced    |
  `,
);

/**
 * The declaration is new, or an earlier apply did not reach it.
 *
 * - `part of a leaving object`: table 1 deletes or forgets another object, such as a list, which contains it. So it exists already.
 * - `part of what a stack leaves`: the state of another stack contains such an object, and that stack no longer declares it.
 * - `part of a held object`: a state contains it, or such an object, at another address. A second declaration would be an error
 *   (`declared twice`, `stack has it`), so the owner leaves it in this run or the next one.
 */
const NEW = readTable(
  "4. Declared, and the state does not hold it",
  { declared: "yes or failed", held: "no" },
  `
  | selected | declared | journal | neighbour                   | live                | asked           | verdict | why                         |
  | -------- | -------- | ------- | --------------------------- | ------------------- | --------------- | ------- | --------------------------- |
  | no       |          |         |                             |                     |                 | no-op   | left out                    |
  |          | failed   |         |                             |                     |                 | refuse  | declaration failed          |
  |          |          | open    |                             |                     |                 | refuse  | not settled                 |
  |          |          |         | declared twice              |                     |                 | refuse  | declared twice              |
  |          |          |         | stack has it                |                     |                 | refuse  | stack has it                |
  |          |          |         |                             | unreadable          |                 | refuse  | unreadable                  |
  |          |          |         |                             | present             | import          | adopt   | import block                |
  |          |          |         |                             |                     | import          | refuse  | nothing to import           |
  |          |          |         | part of a leaving object    | present or not read |                 | adopt   | part of a leaving object    |
  |          |          |         | part of what a stack leaves | present or not read |                 | adopt   | part of what a stack leaves |
  |          |          |         | part of a held object       | present or not read |                 | adopt   | part of a held object       |
  |          |          |         |                             | present             | import existing | adopt   | import existing             |
  |          |          |         |                             | present             |                 | refuse  | exists already              |
  |          |          |         |                             |                     |                 | create  | new                         |
  `,
);

/** Something else created it. `drift --coverage` lists it, and a plan leaves it unchanged. */
const NOBODYS = readTable(
  "5. It is live only",
  { declared: "no", held: "no" },
  `
  | live    | verdict | why          |
  | ------- | ------- | ------------ |
  | present | no-op   | not declared |
  `,
);

const SECTIONS = [NOT_DECLARED, MOVED, HELD, NEW, NOBODYS];

/** Rows that cannot exist, each with the reason: no table needs a line for them. */
const IMPOSSIBLE = [
  {
    when: { declared: "no", held: "elsewhere or ambiguous" },
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
    when: { held: "no or elsewhere or ambiguous or deposed", difference: "update or replace" },
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

const isPossible = (row: Combination): boolean => !IMPOSSIBLE.some(({ isMet }) => isMet(row));

const neighbour = (relation: Neighbour["relation"]): Neighbour => ({
  relation,
  address: `acme_thing.${relation}`,
});

const neighboursOf = ({ neighbour: relation }: Combination): readonly Neighbour[] =>
  relation === "none" ? [] : [neighbour(relation as Neighbour["relation"])];

const POSSIBLE = [...combinations()].filter(isPossible);

/** The line of a section that decides a row. */
const lineFor = ({ lines }: Section, row: Combination) => lines.find((line) => line.fits(row));

test("each possible row is in exactly one section, and a line of this section decides it", () => {
  const lost = POSSIBLE.filter((row) => {
    const own = SECTIONS.filter((section) => section.fits(row));
    return own.length !== 1 || lineFor(own[0]!, row) === undefined;
  });
  expect(lost.slice(0, 3)).toEqual([]);
  expect(POSSIBLE.length).toBeGreaterThan(1_000);
});

describe.each(SECTIONS)("$title", (section) => {
  const own = POSSIBLE.filter(section.fits);

  test.each(section.lines)("$text: $verdict, $why", (line) => {
    const rows = own.filter((row) => lineFor(section, row) === line);
    expect(rows).not.toEqual([]);
    const others = rows.filter((row) => {
      const { verdict, why, because } = decide(row, neighboursOf(row));
      const isReason = because.length === 1 ? because[0]!.relation === why : because.length === 0;
      return verdict !== line.verdict || why !== line.why || !isReason;
    });
    expect(others.slice(0, 3)).toEqual([]);
  });

  test("if an object has several neighbours, the one in the first line decides", () => {
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

test("no reason why rows are impossible covers only rows of other reasons", () => {
  const needed = new Set<string>();
  for (const row of combinations()) {
    const [first, second] = IMPOSSIBLE.filter(({ isMet }) => isMet(row));
    if (first !== undefined && second === undefined) needed.add(first.because);
  }
  expect(IMPOSSIBLE.map(({ because }) => because).filter((one) => !needed.has(one))).toEqual([]);
});
