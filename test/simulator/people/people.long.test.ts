import { buildPeople, type Failure, playPeople } from "./program";

/** The first seed. `npm test` does not play this seed or later ones. */
const FROM = 1_000_001;
const STORIES = process.env["SOAK"] ? 10_000 : 40;
/** The number of stories that one process plays. */
const ROUND = 500;

test("random steps of people and CI jobs that npm test does not play break no rule", async () => {
  const program = await buildPeople("people-long");
  const failures: Failure[] = [];
  let stories = 0;
  for (let next = 0; next < STORIES; next += ROUND) {
    const seeds = `${FROM + next}+${Math.min(ROUND, STORIES - next)}`;
    const played = await playPeople(program, ["--seeds", seeds]);
    failures.push(...played.failures);
    stories += played.stories;
  }
  expect(failures).toEqual([]);
  expect(stories).toBe(STORIES);
}, 3_600_000);
