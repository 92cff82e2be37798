import { existsSync } from "node:fs";
import path from "node:path";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { CONFIGURATION, TOKENS, usePlace } from "../support/place";
import type { Ended } from "../support/process";

// Each test starts processes; a loaded machine takes its time.
const place = usePlace("all");

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

/** A separate configuration with one changed setting. */
function variant(name: string, change: (configuration: typeof CONFIGURATION) => void): string[] {
  const configuration = structuredClone(CONFIGURATION);
  change(configuration);
  place.write(`${name}/main.tf.json`, configuration);
  return ["--config", name, "--state", "terraform.tfstate"];
}

describe("invalid input is one clear error without changes", () => {
  test("for a missing token", async () =>
    refused(await place.run(APPLY, { STEWARD_TOKEN: "" }), "STEWARD_TOKEN", "STEWARD_TOKEN_FILE"));

  test("for a missing base URL", async () =>
    refused(await place.run(APPLY, { STEWARD_BASE_URL: "" }), "STEWARD_BASE_URL"));

  test("for an unreachable service", async () =>
    refused(await place.run(APPLY, { STEWARD_BASE_URL: "http://127.0.0.1:9" }), "no connection was made"));

  test("for an unknown token (401)", async () =>
    refused(
      await place.run(APPLY, { STEWARD_TOKEN: "some-other-token" }),
      "401",
      "data.steward_project.shop",
    ));

  test("for a user without permission (403)", async () => {
    const only = ["--target", "steward_job_token_scope.limit"];
    const ended = await place.run(["plan", ...HERE, ...only], { STEWARD_TOKEN: TOKENS.developer });
    // A create sends no read first, so the refusal comes at the apply.
    expect(ended.code).toBe(0);
    const applied = await place.run([...APPLY, ...only, "--state", "refused.tfstate"], {
      STEWARD_TOKEN: TOKENS.reader,
    });
    expect(errorsOf(applied)).toHaveLength(1);
    expect(errorsOf(applied)[0]).toContain("403");
    expect(errorsOf(applied)[0]).toContain("construct shop/limit");
    expect(applied.code).toBe(1);
  });

  test("for a missing project (404)", async () => {
    const args = variant("missing", ({ data }) => {
      data.steward_project.shop.project = "acme/nowhere";
    });
    refused(
      await place.run(["apply", "--auto-approve", ...args]),
      "acme/nowhere",
      "data.steward_project.shop",
    );
  });

  test("for an unknown attribute, with a suggestion", async () => {
    const args = variant("unknown", ({ resource }) =>
      Object.assign(resource.steward_job_token_scope.limit, { inbound_enable: true }),
    );
    refused(
      await place.run(["apply", "--auto-approve", ...args]),
      'Did you mean "inbound_enabled"?',
      "with steward_job_token_scope.limit",
      "construct shop/limit",
      "attribute inbound_enable",
    );
  });

  test("for a value of the wrong type", async () => {
    const args = variant("type", ({ resource }) =>
      Object.assign(resource.steward_protected_environment.production, {
        deploy_access_levels: [{ access_level: "many" }],
      }),
    );
    refused(
      await place.run(["apply", "--auto-approve", ...args]),
      "Wrong type",
      'attribute deploy_access_levels[access_level "many"].access_level',
    );
  });

  test("for a value of the wrong type in an element with a secret, which stays hidden", async () => {
    const args = variant("secret", (configuration) => {
      Object.assign(configuration, { variable: { level: { sensitive: true, default: "s3cret" } } });
      Object.assign(configuration.resource.steward_protected_environment.production, {
        deploy_access_levels: [{ access_level: "${var.level}" }],
      });
    });
    const ended = await place.run(["plan", ...args]);
    refused(ended, "Wrong type", "attribute deploy_access_levels[(sensitive value)].access_level");
    expect(ended.err).not.toContain("s3cret");
  });

  test("for a value of an undeclared variable", async () =>
    refused(await place.run([...APPLY, "--var", "size=3"]), '"size"'));

  test("for a state that is not JSON", async () => {
    place.write("broken.tfstate", '{"version": 4,');
    refused(await place.run([...APPLY, "--state", "broken.tfstate"]), "broken.tfstate", "it ends too early");
    expect(place.read("broken.tfstate")).toBe('{"version": 4,');
  });

  test("for a state of a newer version", async () => {
    place.write("newer.tfstate", { version: 99, serial: 1, lineage: "x", outputs: {}, resources: [] });
    refused(await place.run([...APPLY, "--state", "newer.tfstate"]), "99");
  });

  test("for a locked state", async () => {
    const unlock = await new LocalBackend(path.join(place.folder, "terraform.tfstate")).lock({
      operation: "test",
    });
    refused(await place.run(APPLY), "State is locked", "--lock-timeout");
    await unlock();
  });

  test("and the service receives no write", async () => {
    expect((await place.run(["plan", ...HERE])).out).toContain("Plan: 3 to add, 0 to change, 0 to destroy.");
  });
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

  test("never appears in any output of a failure, even at trace level", async () => {
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

  test("never appears in a state", async () => {
    expect((await place.run(APPLY)).code).toBe(0);
    expect(place.read("terraform.tfstate")).not.toContain(TOKENS.maintainer);
  });
});
