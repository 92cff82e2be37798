import fc from "fast-check";
import { runs, seed } from "../../support/capabilities";
import { type Keeping, Place, type Reference, undisturbed, wrongIn } from "./cycle";
import type { Mishap } from "./proxy";

const RUNS = runs(1, 20);
const BACKENDS = ["local", "http"] as const;
const LOST = "a tenth of the answers cut after the work: that run is enough, and nothing is there twice";
const ALL = "5xx and 429 at random as well: one more run, and the service holds exactly what is declared";
/** In a sample each backend meets one of the two. */
const KINDS: Readonly<Record<Keeping, readonly string[]>> = process.env["SOAK"]
  ? { local: [LOST, ALL], http: [LOST, ALL] }
  : { local: [ALL], http: [LOST] };

let reference: Reference;
beforeAll(async () => {
  reference = await undisturbed("local");
}, 60_000);

/** What befalls a request by chance, from 0 to 99. */
type Chances = (chance: number, isWrite: boolean) => Mishap | undefined;

const lost: Chances = (chance, isWrite) => (isWrite && chance < 10 ? "cut after the work" : undefined);
const all: Chances = (chance, isWrite) => {
  if (chance >= 10 && chance < 14) return isWrite ? "500 after the work" : "503";
  if (chance >= 14 && chance < 18) return "503";
  return chance >= 18 && chance < 22 ? "429" : lost(chance, isWrite);
};

function mishaps(chances: Chances, of: number): (isWrite: boolean) => Mishap | undefined {
  const numbers = fc.infiniteStream(fc.integer({ min: 0, max: 99 }));
  const [stream] = fc.sample(numbers, { numRuns: 1, seed: seed + of });
  return (isWrite) => chances(stream!.next().value as number, isWrite);
}

describe.each(BACKENDS)("an apply and a destroy, with the %s backend", (keeping: Keeping) => {
  /** Runs both with mishaps, and `more` runs without after each. */
  async function disturbed(chances: Chances, more: number): Promise<void> {
    for (let round = 0; round < RUNS; round++) {
      const place = await Place.open(keeping);
      try {
        for (const command of ["apply", "destroy"] as const) {
          place.proxy.mishap = mishaps(chances, round);
          let last = await place.apply(command);
          place.proxy.mishap = () => undefined;
          for (let run = 0; run < more; run++) last = await place.apply(command);
          const wrong = await wrongIn(place, command, reference);
          const found = { round, command, code: last.code, wrong, err: last.code === 0 ? "" : last.err };
          expect(found).toEqual({ round, command, code: 0, wrong: undefined, err: "" });
        }
      } finally {
        await place.close();
      }
    }
  }

  test.each(KINDS[keeping])(
    "with %s",
    (kind) => (kind === LOST ? disturbed(lost, 0) : disturbed(all, 1)),
    runs(60_000, 1_200_000),
  );
});

test(
  "a disk that fills up in an apply: what was done is known, what could not be noted was not sent",
  async () => {
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

/** In blocks of 512 bytes: less than a state of all objects, and than its journal. */
const SIZES = process.env["SOAK"] ? [2, 4, 8, 16, 24, 32, 48, 64, 80, 96] : [20];
