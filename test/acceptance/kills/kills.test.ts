import fc from "fast-check";
import { runs, seed } from "../../support/capabilities";
import { type Command, type Fell, type Keeping, killOnce, Place, type Reference, undisturbed } from "./cycle";
import { type Kill, MOMENTS } from "./proxy";

const KILLS = runs(10, 200);
/** How many places are worked on at once: most of the time a process starts or waits. */
const WIDTH = 2;

/** Each kind of kill comes as often as the others, at moments spread over the whole run. */
function plannedKills(count: number, { lastWrite }: Reference): { command: Command; kill: Kill }[] {
  const places = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), { numRuns: count, seed });
  return places.map((share, index) => {
    const command = index % 2 === 0 ? "apply" : "destroy";
    const moment = MOMENTS[Math.floor(index / 2) % MOMENTS.length]!;
    return { command, kill: { at: 1 + Math.floor(share * (lastWrite[command] - 8)), moment } };
  });
}

describe.each(["local", "http"] as const)("killed with SIGKILL, with the %s backend", (keeping: Keeping) => {
  test(
    `${KILLS / 2} times: one more run, and the service holds exactly what is declared`,
    async () => {
      const reference = await undisturbed(keeping);
      const kills = plannedKills(KILLS / 2, reference);
      const fell = new Map<Fell, number>();
      const wrong: unknown[] = [];
      // An apply and the destroy of what it made go together.
      const pairs = Array.from({ length: Math.ceil(kills.length / 2) }, (_, at) =>
        kills.slice(2 * at, 2 * at + 2),
      );
      const work = async () => {
        for (let pair = pairs.shift(); pair !== undefined; pair = pairs.shift()) {
          const place = await Place.open(keeping);
          try {
            for (const { command, kill } of pair) {
              const result = await killOnce(place, command, kill, reference);
              fell.set(result.fell, (fell.get(result.fell) ?? 0) + 1);
              if (result.wrong !== undefined) wrong.push(result.wrong);
            }
          } finally {
            await place.close();
          }
        }
      };
      await Promise.all(Array.from({ length: WIDTH }, work));
      process.stderr.write(
        `kills with the ${keeping} backend: ${[...fell].map(([where, count]) => `${count} ${where}`).join(", ")}\n`,
      );
      expect(wrong).toEqual([]);
      for (const moment of MOMENTS)
        expect({ moment, hit: fell.get(moment) ?? 0 }).not.toEqual({ moment, hit: 0 });
    },
    runs(120_000, 3_600_000),
  );
});
