import { usePlace } from "../support/place";

// Other tests run commands in the test process. These cover a real process.

const place = usePlace("all");

test.each([
  [0, ["validate", "--config", "."], "Success! The configuration is valid.\n", ""],
  [2, ["plan", "--detailed-exitcode", "--config", "."], "Plan: 3 to add, 0 to change, 0 to destroy.\n", ""],
  [1, ["show", "missing.plan"], "", "missing.plan"],
] as const)(
  "the process exits with code %d, with results on stdout and errors on stderr",
  async (code, args, out, err) => {
    const ended = await place.start(args).ended;
    expect(ended.code).toBe(code);
    expect(ended.out.endsWith(out)).toBe(true);
    expect(ended.err).toContain(err);
  },
);
