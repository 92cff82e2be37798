import { writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { runs, seed } from "../../support/capabilities";
import { damaged, damages } from "../../support/damage";
import { HOSTILE, obeyedLines, takenLines } from "../../support/hostile";
import { runInProcess } from "../support/in-process";
import { openPlace, type Place, TOKENS } from "../support/place";

jest.setTimeout(runs(120_000, 3_600_000));

const shop = "/projects/acme%2Fshop";
const FILE = "kept.tfstate";
const OF_STATE = ["drift", "--state", FILE];

interface Instance {
  schema_version: number;
  private?: string;
  index_key?: string;
  attributes: Record<string, unknown>;
}
interface State {
  resources: {
    mode: string;
    module?: string;
    type: string;
    name: string;
    provider: string;
    instances: Instance[];
  }[];
}

let place: Place;
/** The state after an apply, as another engine would store it. */
let applied: string;
beforeEach(async () => {
  place = await openPlace();
  await place.run(["apply", "--auto-approve", "--config", "."]);
  applied = place.read("terraform.tfstate");
  place.write(`elsewhere/${FILE}`, applied);
});
afterEach(() => place.close());

/** Runs a command in a folder that contains only the state. */
const run = (...args: string[]) => place.runIn("elsewhere", args);
const readState = () => place.read(`elsewhere/${FILE}`);

function change(edit: (state: State) => void): void {
  const state = JSON.parse(applied) as State;
  edit(state);
  place.write(`elsewhere/${FILE}`, state);
}
const scopeIn = ({ resources }: State) => resources.find(({ type }) => type === "steward_job_token_scope")!;
const forget = (state: State) => {
  for (const { instances } of state.resources) for (const one of instances) delete one.private;
};
const setScope = (body: object) => place.byHand("PATCH", `${shop}/job_token_scope`, body);
const scopeNow = async () => {
  const answer = await fetch(`${place.service.url}/api/v4${shop}/job_token_scope`, {
    headers: { "private-token": TOKENS.maintainer },
  });
  return (await answer.json()) as { inbound_enabled: boolean; outbound_enabled: boolean };
};

describe("drift of a state of another engine", () => {
  test("exits with 0 without drift, and needs no configuration", async () => {
    const { code, out, err } = await run(...OF_STATE);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("No drift. 3 objects checked");
  });

  test("reports changed and vanished objects as with a configuration, and writes nothing", async () => {
    await setScope({ enabled: false });
    await place.byHand("POST", `${shop}/job_token_scope/allowlist`, { target_project_id: 3 });
    await place.byHand("DELETE", `${shop}/protected_environments/production`);
    const own = await place.run(["drift", "--config", "."]);
    const { code, out, err } = await run(...OF_STATE);
    expect({ code, err }).toEqual({ code: 2, err: "" });
    const withoutConstructs = own.out.split("\n").filter((line) => !line.includes("(construct "));
    expect(out).toBe(withoutConstructs.join("\n"));
    expect(readState()).toBe(applied);
  });

  test("ignores attributes that were not declared, unless the state does not record that", async () => {
    const rules = { approval_rules: [{ access_level: 40, required_approvals: 1 }] };
    expect(await place.byHand("PUT", `${shop}/protected_environments/production`, rules)).toBe(200);
    expect((await run(...OF_STATE)).code).toBe(0);
    change(forget);
    const { code, out } = await run(...OF_STATE);
    expect(code).toBe(2);
    expect(out).toContain("# (approval_rules is not known to be declared)");
  });

  test("reads standard input with -", async () => {
    await setScope({ enabled: false });
    const options = { folder: path.join(place.folder, "elsewhere"), env: place.env, input: applied };
    const { code, out } = await runInProcess(["drift", "--state", "-"], options);
    expect(code).toBe(2);
    expect(out).toContain("Drift: 1 changed, 0 vanished");
  });

  test("reports optional attributes as not known to be declared if the state has no record", async () => {
    change(forget);
    expect((await run(...OF_STATE)).code).toBe(0);
    await setScope({ enabled: false });
    const { code, out } = await run(...OF_STATE, "--report", "r.json", "--report", "r.md");
    expect(code).toBe(2);
    expect(out).toContain("~ inbound_enabled = true -> false");
    expect(out).toContain("# (inbound_enabled is not known to be declared)");
    const { stacks } = JSON.parse(place.read("elsewhere/r.json"));
    const scope = stacks[0].objects.find((one: { status: string }) => one.status === "changed");
    expect(scope.attributes).toEqual([
      {
        name: "inbound_enabled",
        sensitive: false,
        before: true,
        after: false,
        known_to_be_declared: false,
      },
    ]);
    expect(place.read("elsewhere/r.md")).toContain("is not known to be declared");
    const events = (await run(...OF_STATE, "--json")).out.trim().split("\n");
    const drift = events.map((line) => JSON.parse(line)).find(({ type }) => type === "resource_drift");
    expect(JSON.stringify(drift)).toContain('"known_to_be_declared":false');
  });

  test("checks modules and instances, or only targets", async () => {
    change((state) => {
      scopeIn(state).module = "module.shop";
      scopeIn(state).instances[0]!.index_key = "web";
    });
    await setScope({ enabled: false });
    await place.byHand("DELETE", `${shop}/protected_environments/production`);
    const { out } = await run(...OF_STATE);
    expect(out).toContain('# module.shop.steward_job_token_scope.limit["web"] differs');
    expect((await run(...OF_STATE, "--target", "module.shop")).out).toContain("Drift: 1 changed, 0 vanished");
    expect((await run(...OF_STATE, "--exclude", "module.shop")).out).toContain(
      "Drift: 0 changed, 1 vanished",
    );
    for (const option of ["--target", "--exclude"]) {
      const { code, err } = await run(...OF_STATE, option, "module.shp");
      expect(code).toBe(1);
      expect(err).toContain(`${option} module.shp is not in the state`);
    }
  });

  test("counts objects of other providers, and can't check those of a provider alias", async () => {
    change((state) => {
      scopeIn(state).provider = 'provider["registry.steward.example/steward/steward"].audit';
      state.resources.push({
        ...scopeIn(state),
        type: "null_resource",
        provider: 'provider["registry.terraform.io/hashicorp/null"]',
        instances: [{ schema_version: 0, attributes: { id: "1" } }],
      });
    });
    const { code, err, out } = await run(...OF_STATE);
    expect(code).toBe(1);
    expect(err).toContain("Warning: Objects of other providers");
    expect(err).toContain("holds 1 object of other providers");
    expect(err).toContain("Error: Unknown settings of a provider");
    expect(out).toContain("1 object could not be checked");
  });

  test("names the command to check if the state is empty", async () => {
    place.write(`elsewhere/${FILE}`, "");
    const { code, err } = await run(...OF_STATE);
    expect(code).toBe(1);
    expect(err).toContain("Check the command that wrote it");
    expect(err).not.toContain(".backup");
  });

  test("does not suggest `steward state rm` for an unreadable object", async () => {
    const { code, err } = await place.runIn("elsewhere", OF_STATE, { STEWARD_TOKEN: TOKENS.developer });
    expect(code).toBe(1);
    expect(err).toContain("(403)");
    expect(err).not.toContain("state rm");
  });

  test("reports an unreadable object as an error", async () => {
    const env = { STEWARD_TOKEN: "no-token-of-this-service" };
    const { code, out, err } = await place.runIn("elsewhere", OF_STATE, env);
    expect(code).toBe(1);
    expect(`${out}${err}`).not.toContain("No drift");
    expect(`${out}${err}`).not.toContain("no-token-of-this-service");
  });

  test.each([
    [["drift", "--state", "-", "--config", "."], "--state - is checked without a configuration"],
    [[...OF_STATE, "--coverage"], "--coverage needs the configuration"],
    [["drift", "--state", "nowhere.tfstate"], "nowhere.tfstate can't be read"],
  ])("%j is refused", async (args, why) => {
    const { code, err } = await run(...args);
    expect(code).toBe(1);
    expect(err).toContain(why);
  });

  test("uses the configuration if the folder has an app", async () => {
    place.write("elsewhere/cdktf.json", { app: "exit 3", language: "typescript" });
    expect((await run(...OF_STATE)).err).toContain("exit");
  });
});

describe("repair of a state of another engine", () => {
  const REPAIR = [...OF_STATE, "--repair", "--auto-approve"];

  test("restores attributes without writing the state", async () => {
    await setScope({ enabled: false });
    await place.byHand("POST", `${shop}/job_token_scope/allowlist`, { target_project_id: 3 });
    await place.byHand("PUT", `${shop}/protected_environments/production`, {
      deploy_access_levels: [{ access_level: 30 }],
    });
    const { code, out } = await run(...REPAIR, "--report", "r.json");
    expect(code).toBe(0);
    expect(out).toContain("0 added, 3 changed, 0 destroyed");
    expect(readState()).toBe(applied);
    expect((await run(...OF_STATE)).code).toBe(0);
    expect((await place.run(["plan", "--detailed-exitcode", "--config", "."])).code).toBe(0);
  });

  test("skips vanished objects", async () => {
    await setScope({ enabled: false });
    await place.byHand("DELETE", `${shop}/protected_environments/production`);
    place.service.requests.reset();
    const { code, err } = await run(...REPAIR);
    expect(code).toBe(2);
    expect(err).toContain(
      "steward_protected_environment.production is not repaired: it is gone, and the engine that keeps the state has to create it",
    );
    expect((await scopeNow()).inbound_enabled).toBe(true);
    expect(
      place.service.requests.all.filter(({ method }) => method !== "GET").map(({ method }) => method),
    ).toEqual(["PATCH"]);
  });

  test("skips attributes that are not known to be declared", async () => {
    change(forget);
    await setScope({ enabled: false });
    place.service.requests.reset();
    const { code, err } = await run(...REPAIR);
    expect(code).toBe(2);
    expect(err).toContain("is not repaired: inbound_enabled is not known to be declared");
    expect(place.service.requests.all.every(({ method }) => method === "GET")).toBe(true);
  });

  test("requires --auto-approve without a terminal", async () => {
    await setScope({ enabled: false });
    expect((await run(...OF_STATE, "--repair")).err).toContain("Error: Approval required");
    expect((await scopeNow()).inbound_enabled).toBe(false);
  });

  test("reports a refusal of the service for its object and repairs the others", async () => {
    await setScope({ enabled: false });
    await place.byHand("POST", `${shop}/job_token_scope/allowlist`, { target_project_id: 3 });
    const env = { STEWARD_TOKEN: TOKENS.reader };
    const { code, err } = await place.runIn("elsewhere", REPAIR, env);
    expect(code).toBe(1);
    expect(err).toMatch(/scope/);
  });
});

test("hostile names in a state never break a line, and the token never appears", async () => {
  change((state) => {
    const scope = scopeIn(state);
    scope.instances[0]!.index_key = HOSTILE;
    state.resources.push({ ...scope, name: "other", provider: `provider["registry.example/${HOSTILE}"]` });
  });
  await setScope({ enabled: false });
  for (const format of [[], ["--json"]]) {
    const reports = ["r.md", "r.xml", "r.json"].flatMap((file) => ["--report", file]);
    const { out, err } = await place.runIn("elsewhere", [...OF_STATE, ...format, ...reports], {
      STEWARD_LOG: "trace",
    });
    expect(out + err).toContain("PWNED");
    const written = ["r.md", "r.xml", "r.json"].map((file) => place.read(`elsewhere/${file}`));
    for (const text of [out, err, ...written]) {
      expect(takenLines(text)).toEqual([]);
      expect(text).not.toContain(TOKENS.maintainer);
    }
  }
});

test("damaged states end with an error or a result, never with an internal error", async () => {
  await fc.assert(
    fc.asyncProperty(damages, async (damage) => {
      writeFileSync(path.join(place.folder, "elsewhere", FILE), damaged(Buffer.from(applied), damage));
      place.service.requests.reset();
      const { code, out, err } = await run(...OF_STATE);
      expect(err).not.toMatch(/Internal error|Fault of steward|TypeError|RangeError/);
      if (code === 1) expect(err).toMatch(/Error: /);
      expect(obeyedLines(out + err)).toEqual([]);
      expect(place.service.requests.all.every(({ method }) => method === "GET")).toBe(true);
    }),
    { numRuns: runs(50, 2000), seed },
  );
});
