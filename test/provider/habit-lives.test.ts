import { runs } from "../support/capabilities";
import { describeEvery, SAMPLES } from "./samples";
import { type HabitCase, habitCasesOf } from "./support/habit-cases";
import { HabitLife } from "./support/habit-life";
import { type HabitWorlds, startHabitWorlds } from "./support/habit-worlds";

// Plays the whole lifecycle of each resource under each habit of the live platform. An existing object is refused and
// imported. An object is changed, deleted by hand, created and destroyed, with a second plan after each apply. Four
// rules hold. A change that is reported as done is done. An object that leaves the state is gone. Only changes that a
// plan shows are written. The second plan is empty, or fails with an error that names the cause.

const TYPES = Object.keys(SAMPLES);

/**
 * Habits that concern all resources affect only shared code. In `npm test`, each of these habits meets every second
 * resource, and each resource every second habit. The soak plays all combinations.
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
  test.each(casesOf(type).map((one) => [one.title, one] as const))("%s", async (_, one) => {
    const life = new HabitLife(worlds, one, type);
    await life.play();
    expect(life.findings).toEqual([]);
  });
});
