import { runs } from "../support/capabilities";
import { describeEvery, SAMPLES } from "./samples";
import { type HabitCase, habitCasesOf } from "./support/habit-cases";
import { HabitLife } from "./support/habit-life";
import { type HabitWorlds, startHabitWorlds } from "./support/habit-worlds";

// For each resource, plays the whole life of an object under each habit (deviation from the specification) of the live
// platform. The create of an existing object is refused, and the object is imported. Then the object is changed,
// deleted by hand, created and destroyed, with a second plan after each apply. Four rules hold. If a run reports a
// change as done, the change is done. If an object leaves the state, the service no longer has the object. Only changes
// that a plan shows are written. The second plan is empty, or fails with an error that names the cause.

const TYPES = Object.keys(SAMPLES);

/**
 * Returns the habits to test with a resource. Habits that affect all resources concern only shared code. `npm test`
 * tests each resource with half of these habits, and each habit with half of the resources. The soak tests all
 * combinations.
 */
function casesOf(type: string): readonly HabitCase[] {
  const all = habitCasesOf(type);
  const isGeneral = ({ concerns }: HabitCase) => TYPES.every(concerns);
  const isInTurn = (one: HabitCase) => (TYPES.indexOf(type) + all.filter(isGeneral).indexOf(one)) % 2 === 0;
  return runs(
    all.filter((one) => !isGeneral(one) || isInTurn(one)),
    all,
  );
}

let worlds: HabitWorlds;
beforeAll(async () => {
  worlds = await startHabitWorlds();
});
afterAll(() => worlds.close());

describeEvery((type) => {
  test.each(casesOf(type).map((one) => [one.title, one] as const))(
    "create, change, import and destroy of an object report their true result: %s",
    async (_, one) => {
      const life = new HabitLife(worlds, one, type);
      await life.play();
      expect(life.findings).toEqual([]);
    },
  );
});
