import { usePlace } from "../support/place";

const place = usePlace("all");

const HERE = ["--config", "."];
const PRODUCTION = "steward_protected_environment.production";
const levels = [{ access_level: 40 }];

/** Tests build on each other: each continues with the object of the previous one. */
describe("import", () => {
  test("starts with a manually created object, which the plan names with the command", async () => {
    const made = { name: "production", deploy_access_levels: levels };
    expect(await place.byHand("POST", "/projects/1/protected_environments", made)).toBe(201);
    expect((await place.run(["plan", ...HERE])).err).toContain(`steward import ${PRODUCTION} 1:production`);
  });

  test("with an invalid or unknown id reports the provider's error and writes nothing", async () => {
    const malformed = await place.run(["import", ...HERE, PRODUCTION, "production"]);
    expect(malformed.code).toBe(1);
    expect(malformed.err).toContain(`with ${PRODUCTION}`);
    expect(malformed.err).toContain('"production" is not of the form');
    const missing = await place.run(["import", PRODUCTION, "1:staging", ...HERE]);
    expect(missing.code).toBe(1);
    expect(missing.err).toContain("1:staging");
    expect(() => place.read("terraform.tfstate")).toThrow("ENOENT");
  });

  test("accepts a path instead of a number, after which the plan is empty", async () => {
    const { code, out, err } = await place.run(["import", PRODUCTION, "acme/shop:production", ...HERE]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(
      `\nImport successful! ${PRODUCTION} was imported with the id 1:production.\n` +
        "`steward plan` shows how it differs from the configuration.\n",
    );
    const plan = await place.run(["plan", ...HERE]);
    expect(plan.out).not.toContain(PRODUCTION);
    expect(plan.out).toContain("Plan: 2 to add, 0 to change, 0 to destroy.");
  });

  test("with --json is an event, and does not change an object that matches its declaration", async () => {
    await place.byHand("PATCH", "/projects/1/job_token_scope", { enabled: true });
    const limit = "steward_job_token_scope.limit";
    const { code, out, err } = await place.run(["import", limit, "1", "--json", ...HERE]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out.trim().split("\n").at(-1)!)).toMatchObject({
      type: "import_complete",
      hook: { resource: { addr: limit }, id_key: "id", id_value: "1" },
    });
    expect((await place.run(["apply", "--auto-approve", ...HERE])).out).toContain("1 added, 0 changed");
    expect((await place.run(["plan", "--detailed-exitcode", ...HERE])).code).toBe(0);
  });

  test("the import of an imported object is refused with a solution", async () => {
    const before = place.read("terraform.tfstate");
    const { code, err } = await place.run(["import", ...HERE, PRODUCTION, "1:production"]);
    expect(code).toBe(1);
    expect(err).toContain("Already in the state");
    expect(err).toContain("steward state rm");
    expect(place.read("terraform.tfstate")).toBe(before);
  });

  test("the import of an object with another key than declared warns that the next plan replaces it", async () => {
    expect((await place.run(["state", "rm", PRODUCTION, ...HERE])).code).toBe(0);
    const staging = { name: "staging", deploy_access_levels: levels };
    expect(await place.byHand("POST", "/projects/1/protected_environments", staging)).toBe(201);
    const { code, err } = await place.run(["import", PRODUCTION, "1:staging", ...HERE]);
    expect(code).toBe(0);
    expect(err).toContain("Warning: Configuration does not match the imported object");
    expect(err).toMatch(/differs in name, which/);
    expect(err).toContain(`steward state rm ${PRODUCTION}`);
    // What is declared is live: it would be refused after the imported one was deleted.
    expect((await place.run(["plan", ...HERE])).err).toContain("Already exists");
    expect(await place.byHand("DELETE", "/projects/1/protected_environments/production")).toBe(204);
    expect((await place.run(["plan", ...HERE])).out).toContain(`${PRODUCTION} must be replaced`);
  });

  test("at an undeclared address is refused", async () => {
    const { code, err } = await place.run(["import", ...HERE, "steward_job_token_scope.other", "1"]);
    expect(code).toBe(1);
    expect(err).toContain("declares no resource instance steward_job_token_scope.other");
  });
});
