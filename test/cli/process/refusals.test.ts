import { existsSync } from "node:fs";
import path from "node:path";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { TOKENS, usePlace } from "../support/place";
import type { Ended } from "../support/process";
import { useShortPauses } from "../support/short-pauses";

// Each test starts processes; a loaded machine takes its time.
const place = usePlace("all");
useShortPauses();

const HERE = ["--config", "."];
const APPLY = ["apply", "--auto-approve", ...HERE];

/** The framed errors on stderr. */
const errorsOf = ({ err }: Ended): string[] =>
  err.split("╷\n").filter((frame) => frame.includes("│ Error: "));

/** Expects one error with this text, exit code 1, and no written state. */
function refused(ended: Ended, ...parts: string[]): void {
  const errors = errorsOf(ended);
  expect(errors).toHaveLength(1);
  for (const part of parts) expect(errors[0]).toContain(part);
  expect(errors[0]).not.toContain("Internal error");
  expect(ended.code).toBe(1);
  expect(existsSync(path.join(place.folder, "terraform.tfstate"))).toBe(false);
}

test("a locked state is refused, with the option that waits", async () => {
  const unlock = await new LocalBackend(path.join(place.folder, "terraform.tfstate")).lock({
    operation: "test",
  });
  refused(await place.run(APPLY), "State is locked", "--lock-timeout");
  await unlock();
});

test("--lock-timeout waits until another run releases the state", async () => {
  const file = path.join(place.folder, "waited.tfstate");
  const unlock = await new LocalBackend(file).lock({ operation: "test" });
  const run = place.start(["plan", ...HERE, "--state", file, "--lock-timeout", "5m"]);
  await run.wrote("err", "Waiting for the state");
  await unlock();
  expect((await run.ended).code).toBe(0);
});

describe("the token", () => {
  const secret = "secret-of-the-token-file-1";

  test("the token never appears in any output of a failure, even at trace level", async () => {
    const file = place.write("token", `${TOKENS.maintainer}\n`);
    const env = { STEWARD_LOG: "trace" };
    // They run concurrently, so each has its own state.
    const own = (name: string) => [...HERE, "--state", `${name}.tfstate`];
    const runs = await Promise.all([
      place.run(["plan", ...own("one")], env),
      place.run(["plan", "--json", ...own("two")], { ...env, STEWARD_TOKEN: "", STEWARD_TOKEN_FILE: file }),
      place.run(["drift", ...own("three")], { ...env, STEWARD_TOKEN: secret }),
      place.run(["plan", ...own("four")], {
        ...env,
        STEWARD_TOKEN: secret,
        STEWARD_BASE_URL: "http://127.0.0.1:9",
      }),
      // The output of a failing app is forwarded, and may contain its whole environment.
      place.run(["synth", "--app", "env; exit 3"], { ...env, STEWARD_TOKEN: secret }),
    ]);
    for (const { out, err } of runs) {
      expect(out + err).not.toContain(secret);
      expect(out + err).not.toContain(TOKENS.maintainer);
    }
    expect(runs[0]?.err).toMatch(/\[DEBUG\] GET \/projects\/acme%2Fshop 200 after \d+ ms/);
    expect(runs.at(-1)?.err).toContain("STEWARD_TOKEN=(sensitive value)");
  });

  test("the token never appears in a state", async () => {
    expect((await place.run(APPLY)).code).toBe(0);
    expect(place.read("terraform.tfstate")).not.toContain(TOKENS.maintainer);
  });
});
