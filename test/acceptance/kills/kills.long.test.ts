import fc from "fast-check";
import { runs, seed } from "../../support/capabilities";
import {
  type Command,
  type Fell,
  type Keeping,
  killOnce,
  Place,
  type Reference,
  undisturbed,
  wrongIn,
} from "./cycle";
import { type Kill, MOMENTS } from "./proxy";

const KILLS = runs(10, 200);
/**
 * The number of jobs that run at the same time, each in a separate place. The places do not slow each other down, because
 * their processes mostly start or wait.
 */
const WIDTH = runs(3, 2);
const BACKENDS = ["local", "http"] as const;

// The tests kill applies and destroys at many moments. Each apply also renames an object, forgets an object, and imports an
// object with a change.

/**
 * Plans kills that are spread over the whole run. As many kills hit an apply as a destroy, and all moments within a request
 * are equally frequent.
 */
function plannedKills(count: number, { lastWrite }: Reference): { command: Command; kill: Kill }[] {
  const places = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), { numRuns: count, seed });
  return places.map((share, index) => {
    const command = index % 2 === 0 ? "apply" : "destroy";
    const moment = MOMENTS[Math.floor(index / 2) % MOMENTS.length]!;
    return { command, kill: { at: 1 + Math.floor(share * (lastWrite[command] - 8)), moment } };
  });
}

interface Job {
  readonly keeping: Keeping;
  readonly kills: readonly { readonly command: Command; readonly kill: Kill }[];
}

/**
 * Returns the jobs of the test. Each job uses one backend. The job kills an apply, and then the destroy of the applied
 * objects.
 */
function jobs(reference: Reference): Job[] {
  const kills = plannedKills(KILLS / 2, reference);
  return Array.from({ length: Math.ceil(kills.length / 2) }, (_, at) =>
    kills.slice(2 * at, 2 * at + 2),
  ).flatMap((pair) => BACKENDS.map((keeping) => ({ keeping, kills: pair })));
}

test(
  `after each of ${KILLS} kills with SIGKILL, one more run leaves exactly the declared objects`,
  async () => {
    const reference = await undisturbed("local", Place.adjusting);
    const fell = new Map(BACKENDS.map((keeping) => [keeping, new Map<Fell, number>()]));
    const wrong: unknown[] = [];
    const left = jobs(reference);
    const work = async () => {
      for (let job = left.shift(); job !== undefined; job = left.shift()) {
        const place = await Place.adjusting(job.keeping);
        const count = fell.get(job.keeping)!;
        try {
          for (const { command, kill } of job.kills) {
            const result = await killOnce(place, command, kill, reference);
            count.set(result.fell, (count.get(result.fell) ?? 0) + 1);
            if (result.wrong !== undefined) wrong.push({ keeping: job.keeping, wrong: result.wrong });
          }
        } finally {
          await place.close();
        }
      }
    };
    await Promise.all(Array.from({ length: WIDTH }, work));
    for (const [keeping, count] of fell) {
      process.stderr.write(
        `kills with the ${keeping} backend: ${[...count].map(([where, times]) => `${times} ${where}`).join(", ")}\n`,
      );
    }
    expect(wrong).toEqual([]);
    for (const [keeping, count] of fell)
      for (const moment of MOMENTS)
        expect({ keeping, moment, hit: count.get(moment) ?? 0 }).not.toEqual({ keeping, moment, hit: 0 });
  },
  runs(300_000, 7_200_000),
);

/**
 * File size limits in blocks of 512 bytes. These limits are smaller than the state of all objects and the journal of this
 * state.
 */
const SIZES = process.env["SOAK"] ? [2, 4, 8, 16, 24, 32, 48, 64, 80, 96] : [20];

test(
  "if the disk becomes full during an apply, the next apply leaves exactly the declared objects",
  async () => {
    const reference = await undisturbed("local");
    for (const largestFile of SIZES) {
      const place = await Place.open("local");
      try {
        const full = await place.run(["apply", "--auto-approve"], undefined, largestFile);
        expect(full.code).toBe(1);
        expect(full.err).toMatch(/No space to save/);
        expect(full.err).not.toMatch(/Internal error|\n\s+at /);
        const { code, err } = await place.apply("apply");
        expect({ largestFile, code, err: code === 0 ? "" : err }).toEqual({ largestFile, code: 0, err: "" });
        expect(await wrongIn(place, "apply", reference)).toBeUndefined();
      } finally {
        await place.close();
      }
    }
  },
  runs(60_000, 600_000),
);
