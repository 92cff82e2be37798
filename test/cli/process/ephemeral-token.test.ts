import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { CONFIGURATION, TOKENS, usePlace } from "../support/place";

const place = usePlace("all");
beforeAll(async () => {
  place.write("main.tf.json", {
    ...CONFIGURATION,
    variable: { token: { ephemeral: true } },
    provider: { steward: [{ token: "${var.token}" }] },
  });
});

const token = { TF_VAR_token: TOKENS.maintainer, STEWARD_TOKEN: "" };

/** Tests build on each other. */
describe("the provider's token from an ephemeral variable", () => {
  test("plans, and is in no output, report, plan file or state", async () => {
    const args = ["plan", "--config", ".", "--out", "p.plan", "--report", "r.json", "--json"];
    const { code, out, err } = await place.run(args, token);
    expect([code, err]).toEqual([0, ""]);
    const shown = await place.run(["show", "--json", "p.plan"], token);
    expect(JSON.parse(shown.out)).toMatchObject({ configuration: expect.anything() });
    expect(`${out}${shown.out}`).not.toContain(TOKENS.maintainer);
  });

  test("has to be given again to apply a saved plan", async () => {
    const missing = await place.run(["apply", "p.plan", "--config", "."], {
      STEWARD_TOKEN: TOKENS.maintainer,
    });
    expect(missing.code).toBe(1);
    expect(missing.err).toContain('The ephemeral variable "token" had a value when the plan was made');
    expect((await place.run(["apply", "p.plan", "--config", "."], token)).code).toBe(0);
  });

  test("is in none of the written files", () => {
    for (const file of readdirSync(place.folder))
      expect(readFileSync(path.join(place.folder, file), "utf8")).not.toContain(TOKENS.maintainer);
  });

  test("serves drift and destroy as well", async () => {
    expect((await place.run(["drift", "--config", "."], token)).code).toBe(0);
    expect((await place.run(["destroy", "--config", ".", "--auto-approve"], token)).code).toBe(0);
  });
});
