import { openPlace, type Place } from "../support/place";

// The other tests of commands run them in their own process. This is what the real one adds.

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

test.each([
  [0, ["validate", "--config", "."], "Success! The configuration is valid.\n", ""],
  [2, ["plan", "--detailed-exitcode", "--config", "."], "Plan: 3 to add, 0 to change, 0 to destroy.\n", ""],
  [1, ["show", "missing.plan"], "", "missing.plan"],
] as const)(
  "the process ends with the exit code %d of its command, with results on stdout and errors on stderr",
  async (code, args, out, err) => {
    const ended = await place.start(args).ended;
    expect(ended.code).toBe(code);
    expect(ended.out.endsWith(out)).toBe(true);
    expect(ended.err).toContain(err);
  },
);
