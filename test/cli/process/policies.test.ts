import { existsSync } from "node:fs";
import path from "node:path";
import { type Service, startService } from "../../../src/service";
import { HOSTILE, takenLines } from "../../support/hostile";
import { App } from "../support/app";
import { beginInProcess } from "../support/in-process";

const TOKEN = "maintainer-token-1";

/** No invitation above Developer. `level` makes it advisory. */
const RULES = (level = "mandatory") => `module.exports = [{
  name: "no level above Developer", why: "Others are appointed.", level: "${level}",
  types: ["steward_project_invitation"],
  checkChange: (change, plan) => change.after !== null && change.after.access_level > 30
    ? [{ attribute: "access_level", what: "The level is " + change.after.access_level + ".", mend: "Set 30 or less." }]
    : [],
}];`;

let service: Service;
let app: App;
beforeEach(async () => {
  const fixture = {
    users: [{ username: "maya", token: TOKEN, admin: true }],
    groups: [{ path: "acme", members: [{ user: "maya", role: "owner" as const }] }],
    projects: [{ path: "acme/shop" }, { path: "acme/docs" }],
  };
  service = await startService({ fixture, recordRequests: true });
  app = new App({ base_url: service.url, token: TOKEN });
  app.write("cdktf.json", {
    language: "typescript",
    app: 'cp -R synthesized/. "$CDKTF_OUTDIR"',
    policy: "policy.js",
  });
  app.write("policy.js", RULES());
});
afterEach(async () => {
  app.remove();
  await service.close();
});

const invited = (email: string, level: number, project = "acme/shop") => ({
  [email.split("@")[0]!]: {
    "//": { metadata: { path: `team/${email.split("@")[0]}` } },
    project,
    email,
    access_level: level,
  },
});
const invitations = (...all: readonly object[]) => ({
  resource: { steward_project_invitation: Object.assign({}, ...all) },
});
const ADA_OWNS = invitations(invited("ada@example.com", 50), invited("ben@example.com", 30));
const VIOLATION =
  'Policy "no level above Developer", stack web, project acme/shop: The level is 50. Others are appointed. Set 30 or less.';

/** The requests that changed something. */
const writes = () => service.requests.all.filter(({ method }) => method !== "GET");
const flat = (text: string) => text.replace(/[\s│╷╵]+/g, " ");
const events = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the rules that cdktf.json names", () => {
  test("run on a plan without an option, in output, events and all reports", async () => {
    app.declare({ web: ADA_OWNS });
    const { code, out, err } = await app.run(
      "plan",
      "--report",
      "r.json",
      "--report",
      "r.md",
      "--report",
      "r.xml",
      "--report",
      "r.html",
    );
    expect(code).toBe(1);
    expect(out).toContain("2 to add");
    expect(flat(err)).toContain(
      `Error: Policy violated with steward_project_invitation.ada, construct team/ada, attribute access_level: ${VIOLATION}`,
    );
    expect(err.match(/Error:/g)).toHaveLength(1);
    const { result, stacks } = JSON.parse(app.read("r.json"));
    expect(result).toBe("failed");
    expect(stacks[0].objects.map(({ address, status }: Record<string, string>) => [address, status])).toEqual(
      [
        ["steward_project_invitation.ada", "failed"],
        ["steward_project_invitation.ben", "planned"],
      ],
    );
    expect(stacks[0].objects[0].diagnostics).toEqual([
      {
        severity: "error",
        code: "policy_violated",
        summary: "Policy violated",
        detail: VIOLATION,
        attribute: "access_level",
        address: "steward_project_invitation.ada",
        construct: "team/ada",
        rule: "no level above Developer",
      },
    ]);
    expect(app.read("r.md")).toContain(VIOLATION);
    expect(app.read("r.md").split("\n")[1]).toBe(
      "## Steward plan: 2 to create, 0 to update, 0 to delete (violates a policy: see the errors)",
    );
    expect(app.read("r.html")).toContain("✕ violates a policy");
    expect(app.read("r.html")).toContain("The level is 50. Others are appointed. Set 30 or less.");
    expect(app.read("r.xml")).toContain('<error message="Policy violated" type="error">');

    const json = events((await app.run("plan", "--json")).out);
    expect(json.find(({ type }) => type === "diagnostic")).toMatchObject({
      "@level": "error",
      diagnostic: { code: "policy_violated", rule: "no level above Developer", detail: VIOLATION },
      stack: "web",
    });
    expect(writes()).toEqual([]);
  });

  test.each([[["--auto-approve"]], [["--auto-approve", "--json"]]])(
    "refuse an apply with %s before a request changes anything",
    async (options) => {
      app.declare({ web: ADA_OWNS });
      const { code, out, err } = await app.run("apply", ...options);
      expect(code).toBe(1);
      expect(out + err).toContain("Nothing of this plan was sent, because a policy refuses it.");
      expect(writes()).toEqual([]);
      expect(existsSync(app.stateFile("web"))).toBe(false);
    },
  );

  test("refuse an apply before it asks", async () => {
    app.declare({ web: ADA_OWNS });
    const ask = jest.fn(async () => "yes");
    const { code } = await beginInProcess(["apply"], { folder: app.folder, ask }).ended;
    expect([code, ask.mock.calls, writes()]).toEqual([1, [], []]);
  });

  test("only warn if they are advisory", async () => {
    app.write("policy.js", RULES("advisory"));
    app.declare({ web: ADA_OWNS });
    const { code, err } = await app.run("apply", "--auto-approve", "--report", "r.json");
    expect(flat(err)).toContain("Warning: Policy violated");
    expect(code).toBe(0);
    expect(await app.addresses("web")).toHaveLength(2);
    expect(JSON.parse(app.read("r.json"))).toMatchObject({
      result: "found",
      stacks: [{ objects: [{ status: "done", diagnostics: [{ severity: "warning" }] }, { status: "done" }] }],
    });
    app.declare({ web: invitations(invited("ada@example.com", 40), invited("ben@example.com", 30)) });
    expect((await app.run("plan", "--detailed-exitcode")).code).toBe(2);
  });

  test("name the stack, and keep the other stacks from nothing", async () => {
    app.declare({ docs: invitations(invited("eve@example.com", 30, "acme/docs")), web: ADA_OWNS });
    const { code, err } = await app.run("apply", "--auto-approve");
    expect(code).toBe(1);
    expect(flat(err)).toContain(VIOLATION);
    expect(await app.addresses("docs")).toEqual(["steward_project_invitation.eve"]);
    expect(writes()).toHaveLength(1);
  });

  test("are not run where no app runs, which is an error", async () => {
    app.declare({ web: ADA_OWNS });
    await app.run("synth");
    app.write("plan.json", { format_version: "1.2", planned_values: {} });
    for (const [option, ...words] of [
      ["--config", "plan", "--config", "cdktf.out/stacks/web"],
      ["--plan-json", "report", "--plan-json", "plan.json"],
    ] as const) {
      const { code, err } = await app.run(...words);
      expect(code).toBe(1);
      expect(flat(err)).toContain(
        `Error: Rules are not checked cdktf.json names the policy "policy.js", and with ${option} no program runs that a file names. ` +
          "Nothing was planned. Give --policy policy.js.",
      );
    }
    const given = await app.run("plan", "--config", "cdktf.out/stacks/web", "--policy", "policy.js");
    expect(flat(given.err)).toContain("Error: Policy violated");
    expect((await app.run("report", "--plan-json", "plan.json", "--policy", "policy.js")).code).toBe(0);
  });

  test("have to be names of modules", async () => {
    app.declare({ web: ADA_OWNS });
    app.write("cdktf.json", { app: 'cp -R synthesized/. "$CDKTF_OUTDIR"', policy: [1] });
    const { code, err } = await app.run("plan");
    expect(code).toBe(1);
    expect(flat(err)).toContain('"policy" is neither the name of a module nor a list of names');
  });
});

describe("rules for changes that only the app declares", () => {
  test("are an error, because nothing would check them", async () => {
    app.write("cdktf.json", { app: 'cp -R synthesized/. "$CDKTF_OUTDIR"' });
    app.declare({ web: { ...ADA_OWNS, "//": { change_rules: ["no level above Developer"] } } });
    const { code, err } = await app.run("apply", "--auto-approve");
    expect(code).toBe(1);
    expect(flat(err)).toContain(
      'The app declares rules for changes that no policy module exports: "no level above Developer". Nothing was planned.',
    );
    expect(writes()).toEqual([]);
    const given = await app.run("plan", "--policy", "policy.js");
    expect(flat(given.err)).toContain("Error: Policy violated");
    expect((await app.run("drift")).code).toBe(0);
  });
});

describe("a saved plan", () => {
  test("is not written if it violates a mandatory rule", async () => {
    app.declare({ web: ADA_OWNS });
    const { code, err } = await app.run("plan", "--out", "p");
    expect(code).toBe(1);
    expect(err).toContain("Error: Plan was not saved");
    expect(() => app.read("p")).toThrow("ENOENT");
  });

  test("is refused by the rules of the apply before the first stack is applied", async () => {
    app.write("policy.js", RULES("advisory"));
    app.declare({ docs: invitations(invited("eve@example.com", 30, "acme/docs")), web: ADA_OWNS });
    expect((await app.run("plan", "--out", "p")).code).toBe(0);
    // A module is loaded once in a process.
    app.write("strict.js", RULES());
    const { code, err } = await app.run("apply", "p", "--policy", "strict.js", "--report", "r.json");
    expect(code).toBe(1);
    expect(flat(err)).toContain(`Error: Policy violated`);
    expect(flat(err)).toContain(VIOLATION);
    expect(writes()).toEqual([]);
    const { result, stacks } = JSON.parse(app.read("r.json"));
    expect(result).toBe("failed");
    expect(JSON.stringify(stacks)).toContain(JSON.stringify(VIOLATION));
    const advisory = await app.run("apply", "p");
    expect(advisory.code).toBe(0);
    expect(flat(advisory.err)).toContain("Warning: Policy violated");
    expect(writes()).toHaveLength(3);
  });
});

test("a destroy is checked like an apply, with its mode", async () => {
  app.declare({ web: invitations(invited("ben@example.com", 30)) });
  expect((await app.run("apply", "--auto-approve")).code).toBe(0);
  app.write(
    "kept.js",
    `module.exports = [{ name: "kept", why: "Audits.", checkChange: ({ actions }, { mode }) =>
      actions.includes("delete") ? [{ what: "It is deleted in mode " + mode + ".", mend: "Keep it." }] : [] }];`,
  );
  const { code, err } = await app.run("destroy", "--auto-approve", "--policy", "kept.js");
  expect(code).toBe(1);
  expect(flat(err)).toContain("It is deleted in mode destroy.");
  expect(await app.addresses("web")).toEqual(["steward_project_invitation.ben"]);
});

test("equal violations from five objects on are one, with the objects", async () => {
  const all = Array.from({ length: 6 }, (_, at) =>
    invited(`p${at}@example.com`, 40, at < 3 ? "acme/shop" : "acme/docs"),
  );
  app.declare({ web: invitations(...all) });
  const { err } = await app.run("plan", "--report", "r.json");
  expect(err.match(/Error:/g)).toHaveLength(1);
  expect(flat(err)).toContain('Policy "no level above Developer", stack web: The level is 40.');
  expect(flat(err)).toContain(
    `This affects 6 objects: ${all.map((one) => `steward_project_invitation.${Object.keys(one)[0]}`).join(", ")}.`,
  );
  expect(
    JSON.parse(app.read("r.json")).stacks[0].objects.map(
      ({ diagnostics }: never) => (diagnostics as []).length,
    ),
  ).toEqual([1, 1, 1, 1, 1, 1]);
});

test("a rule that fails is an error even if it is advisory, and the other rules are checked", async () => {
  app.declare({ web: ADA_OWNS });
  app.write(
    "broken.js",
    `module.exports = [
      { name: "broken", why: "Because.", level: "advisory",
        checkChange: (change) => change.after.accessLevel > 40 ? [] : [] },
      { name: "other", why: "Because.", level: "advisory", checkChange: () => [{ what: "Seen.", mend: "" }] },
    ];`,
  );
  app.write("none.js", "module.exports = []");
  app.write("cdktf.json", { app: 'cp -R synthesized/. "$CDKTF_OUTDIR"', policy: ["none.js", "broken.js"] });
  const { code, err } = await app.run("plan");
  expect(code).toBe(1);
  expect(flat(err)).toContain(
    'Error: Policy can\'t be used The rule "broken" failed in the stack web: ' +
      "steward_project_invitation.ada has no attribute accessLevel; did you mean access_level? (line 3). ",
  );
  expect(flat(err)).toContain('Policy "other"');
});

test("hostile text of a rule never starts a line", async () => {
  app.declare({ web: ADA_OWNS });
  const text = JSON.stringify(HOSTILE);
  app.write(
    "hostile.js",
    `const text = ${text}; module.exports = [{ name: text, why: text, checkChange: () => [{ what: text, mend: text, attribute: text, address: text }] }];`,
  );
  const { out, err } = await app.run(
    ...["plan", "--policy", "hostile.js", "--report", "r.json", "--report", "r.md", "--report", "r.xml"],
  );
  const json = (await app.run("plan", "--policy", "hostile.js", "--json")).out;
  for (const written of [out, err, json, ...["r.json", "r.md", "r.xml"].map(app.read)]) {
    expect(takenLines(written)).toEqual([]);
  }
});

test("rules are not handed the token", async () => {
  app.declare({ web: ADA_OWNS });
  app.write(
    "token.js",
    `module.exports = [{ name: "a", why: "b", checkChange(change, plan) {
      const seen = [];
      const look = (value, depth) => {
        if (depth > 8 || typeof value === "function") return;
        if (typeof value !== "object" || value === null) return void seen.push(String(value));
        for (const key of Reflect.ownKeys(value)) { try { look(value[key], depth + 1) } catch {} }
      };
      look(change, 0); look(plan, 0);
      return seen.some((text) => text.includes(${JSON.stringify(TOKEN.slice(0, 8))} + ${JSON.stringify(TOKEN.slice(8))}))
        ? [{ what: "The token is there.", mend: "" }] : [];
    } }];`,
  );
  app.write("policy.js", "module.exports = []");
  const { code, err } = await app.run("plan", "--policy", "token.js");
  expect([code, err]).toEqual([0, expect.not.stringContaining("Policy")]);
});

test("a module in TypeScript is named where nothing can load it", async () => {
  app.declare({ web: ADA_OWNS });
  app.write("policy.ts", "export default [] as object[];");
  const { code, err } = await app.run("plan", "--policy", path.join(app.folder, "policy.ts"));
  const isNative = (process.features as { typescript?: unknown }).typescript !== undefined;
  if (isNative) expect(code).toBe(0);
  else expect(flat(err)).toContain("Install it with `npm install --save-dev tsx`");
});
