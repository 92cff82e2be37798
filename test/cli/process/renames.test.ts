import { readFileSync } from "node:fs";
import path from "node:path";
import { CONFIGURATION, usePlace } from "../support/place";

const HERE = ["--config", "."];
const OLD = "steward_protected_environment.production";
const NEW = "steward_protected_environment.live";
const SENTENCE = `${OLD} has moved to ${NEW} (the same object, id 1:production)`;

const place = usePlace("each");

const writes = () => place.service.requests.all.filter(({ method }) => method !== "GET");
const events = (out: string) =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown> & { type: string });

/** Applies the configuration and renames the environment's resource. */
async function rename(): Promise<void> {
  expect((await place.run(["apply", "--auto-approve", ...HERE])).code).toBe(0);
  place.service.requests.reset();
  const { production: live } = CONFIGURATION.resource.steward_protected_environment;
  place.write("main.tf.json", {
    ...CONFIGURATION,
    resource: { ...CONFIGURATION.resource, steward_protected_environment: { live } },
    output: { environment: { value: `\${${NEW}.id}` } },
  });
}

describe("a rename", () => {
  test("is shown as a move in plan, events and reports, and exits with 2 under --detailed-exitcode", async () => {
    await rename();
    const planned = await place.run([
      "plan",
      "--detailed-exitcode",
      "--report",
      "plan.json",
      "--report",
      "plan.md",
      ...HERE,
    ]);
    expect(planned.code).toBe(2);
    expect(planned.out).toContain(`  # ${SENTENCE}\n`);
    expect(planned.out).toContain("Plan: 1 to move, 0 to add, 0 to change, 0 to destroy.");
    const reported = events((await place.run(["plan", "--json", ...HERE])).out);
    expect(reported.filter(({ type }) => type === "planned_change")).toMatchObject([
      {
        "@message": `${NEW}: Plan to move`,
        change: {
          action: "move",
          resource: { addr: NEW },
          previous_resource: { addr: OLD },
        },
      },
    ]);
    expect(reported.at(-1)).toMatchObject({
      type: "change_summary",
      changes: { add: 0, remove: 0, move: 1 },
    });
    const report = (file: string) => readFileSync(path.join(place.folder, file), "utf8");
    expect(report("plan.json")).toContain(`"previous_address": "${OLD}"`);
    expect(report("plan.md")).toContain("1 to move, 0 to create");
  });

  test("is saved, shown and applied as a move without requests that write", async () => {
    await rename();
    await place.run(["plan", "--out", "moved.steward", ...HERE]);
    expect((await place.run(["show", "moved.steward"])).out).toContain(SENTENCE);
    const shown = JSON.parse((await place.run(["show", "--json", "moved.steward"])).out) as {
      resource_changes: { address: string; previous_address?: string; change: { actions: string[] } }[];
    };
    expect(shown.resource_changes.filter((one) => one.previous_address !== undefined)).toMatchObject([
      {
        address: NEW,
        previous_address: OLD,
        change: { actions: ["no-op"] },
      },
    ]);
    const applied = await place.run(["apply", "moved.steward"]);
    expect(applied.out).toContain("Apply complete! Resources: 1 moved, 0 added, 0 changed, 0 destroyed.");
    expect(writes()).toEqual([]);
    expect((await place.run(["plan", "--detailed-exitcode", ...HERE])).code).toBe(0);
  });
});
