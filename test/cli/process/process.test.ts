import path from "node:path";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { usePlace } from "../support/place";

// Most other tests run commands in the test process. The tests in this file start a separate process.

const place = usePlace("all");

test.each([
  [0, ["validate", "--config", "."], "Success! The configuration is valid.\n", ""],
  [
    2,
    ["plan", "--detailed-exitcode", "--no-access", "--config", "."],
    "Plan: 3 to add, 0 to change, 0 to destroy.\n",
    "",
  ],
  [1, ["show", "missing.plan"], "", "missing.plan"],
] as const)(
  "the process exits with code %d, and prints results on stdout and errors on stderr",
  async (code, args, out, err) => {
    const ended = await place.start(args).ended;
    expect(ended.code).toBe(code);
    expect(ended.out.endsWith(out)).toBe(true);
    expect(ended.err).toContain(err);
  },
);

test("with --lock-timeout, plan waits until another run releases the lock of the state", async () => {
  const file = path.join(place.folder, "waited.tfstate");
  const unlock = await new LocalBackend(file).lock({ operation: "test" });
  const run = place.start(["plan", "--config", ".", "--state", file, "--lock-timeout", "5m"]);
  await run.wrote("err", "Waiting for the state");
  await unlock();
  expect((await run.ended).code).toBe(0);
});

test("if Node can't load a TypeScript policy and tsx is missing, plan fails and suggests tsx", async () => {
  place.write("policy.ts", "export default [] as object[];");
  const { code, err } = await place.run(["plan", "--config", ".", "--policy", "policy.ts"]);
  const isNative = (process.features as { typescript?: unknown }).typescript !== undefined;
  if (isNative) expect(code).toBe(0);
  else expect(err.replace(/[\s│╷╵]+/g, " ")).toContain("Install tsx with `npm install --save-dev tsx`");
});
