import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { runs, seed } from "../../support/capabilities";
import { openPlace, type Place } from "../support/place";

jest.setTimeout(runs(60_000, 1_200_000));

let place: Place;
beforeAll(async () => {
  place = await openPlace();
  const { code, err } = await place.run(["plan", "--out", "saved.plan", "--config", "."]);
  if (code !== 0) throw new Error(err);
});
afterAll(() => place.close());

const writes = () => place.service.requests.all.filter(({ method }) => method !== "GET");

/** What a person is told of a damaged file: no crash, and nothing of the program's own. */
const CRASH = /Fault of steward|internal_error|\n\s+at .*:\d+:\d+/;

const flips = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    by: fc.integer({ min: 1, max: 255 }),
  }),
  { minLength: 1, maxLength: 3 },
);
const damaged = (text: string, all: readonly { readonly at: number; readonly by: number }[]) => {
  const bytes = Buffer.from(text, "utf8");
  for (const { at, by } of all) {
    const place = Math.floor(at * bytes.length);
    bytes[place] = bytes[place]! ^ by;
  }
  return bytes;
};

test.each([
  ["saved.plan", "damaged.plan", ["apply", "damaged.plan", "--config", "."]],
  ["main.tf.json", "damaged/main.tf.json", ["plan", "--config", "damaged"]],
])(
  "flipped bytes of %s are told by the command: never a crash, never a write",
  async (name, copy, command) => {
    const sound = place.read(name);
    for (const damage of fc.sample(flips, { numRuns: runs(4, 200), seed })) {
      writeFileSync(place.write(copy, ""), damaged(sound, damage));
      place.service.requests.reset();
      const { code, out, err } = await place.run(command);
      expect({ damage, code }).toEqual({ damage, code: expect.any(Number) });
      expect(`${out}${err}`).not.toMatch(CRASH);
      if (name === "saved.plan")
        expect({ damage, code, err }).toMatchObject({ code: 1, err: expect.stringContaining("Error:") });
      expect(writes()).toEqual([]);
      expect(() => place.read("terraform.tfstate")).toThrow("ENOENT");
    }
  },
);
