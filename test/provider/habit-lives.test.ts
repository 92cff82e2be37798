import { describeEvery } from "./samples";
import { habitCasesOf } from "./support/habit-cases";
import { HabitLife } from "./support/habit-life";
import { type HabitWorlds, startHabitWorlds } from "./support/habit-worlds";

// The whole life of an object of each resource under each habit of the live platform. An existing object is refused and imported,
// an object is changed, deleted by hand, created and destroyed, with a second plan after each apply. Four rules hold.
// A change that is reported as done is done. An object that leaves the state is gone. Only changes that a plan shows are written.
// The second plan is empty, or fails with an error that names the cause.

let worlds: HabitWorlds;
beforeAll(async () => {
  worlds = await startHabitWorlds();
});
afterAll(() => worlds.close());

describeEvery((type) => {
  test.each(habitCasesOf(type).map((one) => [one.title, one] as const))("%s", async (_, one) => {
    const life = new HabitLife(worlds, one, type);
    await life.play();
    expect(life.findings).toEqual([]);
  });
});
