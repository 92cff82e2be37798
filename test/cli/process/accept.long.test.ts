import { execFileSync } from "node:child_process";
import path from "node:path";
import fc from "fast-check";
import { linkPackages } from "../../acceptance/support/own-project";
import { useQuickApps } from "../../support/apps/quick-apps";
import { openPlace, type Place, TOKENS } from "../support/place";

jest.setTimeout(600_000);
useQuickApps();

const PROJECTS = ["p0", "p1", "p2", "p3", "p4", "p5", "fleet/a", "fleet/b"];
const FIXTURE = {
  users: [
    { username: "maya", token: TOKENS.maintainer, admin: true },
    { username: "devon", token: TOKENS.developer },
  ],
  groups: [
    {
      path: "acme",
      members: [
        { user: "maya", role: "owner" as const },
        { user: "devon", role: "developer" as const },
      ],
    },
    { path: "acme/fleet" },
  ],
  projects: PROJECTS.map((name) => ({ path: `acme/${name}` })),
};

type Deployer = { readonly level: 30 | 40 } | { readonly user: "devon" | "maya" };

/** A test app. Each app writes and formats the declarations in a different way. */
interface Story {
  readonly limit: boolean;
  readonly environments: readonly (readonly Deployer[])[];
  readonly isMultiline: boolean;
  readonly hasComments: boolean;
  readonly eol: "\n" | "\r\n";
  readonly indent: "  " | "\t" | "    ";
  readonly helperCalls: 1 | 2;
  readonly layer: "none" | "group" | "own";
  readonly changes: readonly (
    | { readonly project: string; readonly limit: boolean }
    | { readonly project: string; readonly deployers: readonly Deployer[] }
  )[];
}

const deployer = fc.constantFrom<Deployer>({ level: 30 }, { level: 40 }, { user: "devon" }, { user: "maya" });
const deployers = fc.uniqueArray(deployer, {
  minLength: 1,
  maxLength: 4,
  selector: (one) => JSON.stringify(one),
});
const story: fc.Arbitrary<Story> = fc.record({
  limit: fc.boolean(),
  environments: fc.array(deployers, { minLength: 3, maxLength: 3 }),
  isMultiline: fc.boolean(),
  hasComments: fc.boolean(),
  eol: fc.constantFrom("\n", "\r\n"),
  indent: fc.constantFrom("  ", "\t", "    "),
  helperCalls: fc.constantFrom(1, 2),
  layer: fc.constantFrom("none", "group", "own"),
  changes: fc.array(
    fc.oneof(
      fc.record({ project: fc.constantFrom(...PROJECTS), limit: fc.boolean() }),
      fc.record({ project: fc.constantFrom("p0", "p1", "fleet/a", "fleet/b"), deployers }),
    ),
    { minLength: 3, maxLength: 8 },
  ),
});

const spelled = (one: Deployer): string =>
  "level" in one
    ? `{ accessLevel: ${one.level === 40 ? "AccessLevel.MAINTAINER" : 30} }`
    : `{ user: "${one.user}" }`;

function appOf({ limit, environments, layer, helperCalls, ...layout }: Story): string {
  const list = (all: readonly Deployer[], at: string) =>
    layout.isMultiline
      ? `[\n${all.map((one) => `${layout.hasComments ? `${at}  // who\n` : ""}${at}  ${spelled(one)},\n`).join("")}${at}]`
      : `[${all.map(spelled).join(", ")}]`;
  const [first, second, third] = environments.map((one, at) => list(one, "  ".repeat(at + 2)));
  const layers = {
    none: "",
    group: `\n  layers: [{ where: "acme/fleet", settings: { inboundEnabled: ${limit} } }],`,
    own: `\n  layers: [\n    { where: "acme/fleet/a", settings: { inboundEnabled: ${!limit} } }, // kept\n  ],`,
  }[layer];
  const text = `import { App, TerraformStack } from "cdktf";
import { AccessLevel, Fleet, JobTokenScope, ProjectSettings, ProtectedEnvironment, StewardProvider } from "cdktf-provider-steward";

const app = new App();
const stack = new TerraformStack(app, "estate");
new StewardProvider(stack, "steward");
const level = AccessLevel.MAINTAINER;
new ProtectedEnvironment(stack, "level", { project: "acme/p5", name: "x", deployAccessLevels: [{ accessLevel: level }] });

const SHARED = ${limit};
new JobTokenScope(stack, "limit", { project: "acme/p0", inboundEnabled: ${limit} }); // kept
new ProtectedEnvironment(stack, "production", {
  project: "acme/p0",
  name: "production",
  deployAccessLevels: ${first},
});
new ProjectSettings(stack, "p1", {
  project: "acme/p1",
  inboundEnabled: ${limit},
  protectedEnvironments: {
    production: { deployAccessLevels: ${second} },
  },
});
for (const name of ["p2"]) new JobTokenScope(stack, \`\${name}-limit\`, { project: \`acme/\${name}\`, inboundEnabled: ${limit} });
const helper = (name: string) =>
  new JobTokenScope(stack, \`\${name}-limit\`, { project: \`acme/\${name}\`, inboundEnabled: ${limit} });
${["p3", "p5"]
  .slice(0, helperCalls)
  .map((name) => `helper("${name}");`)
  .join("\n")}
new JobTokenScope(stack, "shared", { project: "acme/p4", inboundEnabled: SHARED });
new Fleet(stack, "fleet", {
  projects: { group: "acme/fleet" },
  baseline: {
    inboundEnabled: ${limit},
    protectedEnvironments: { production: { deployAccessLevels: ${third} } },
  },${layers}
});
app.synth();
`;
  return text
    .replace(/^(?: {2})+/gm, (pad) => layout.indent.repeat(pad.length / 2))
    .replaceAll("\n", layout.eol);
}

const SCOPE_OF = (name: string) => `${encodeURIComponent(`acme/${name}`)}/job_token_scope`;

async function byHand({ service }: Place, change: Story["changes"][number]): Promise<void> {
  const send = (method: string, route: string, body: object) =>
    fetch(`${service.url}/api/v4/projects/${route}`, {
      method,
      headers: { "private-token": TOKENS.maintainer, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  if ("limit" in change) {
    await send("PATCH", SCOPE_OF(change.project), { enabled: change.limit });
    return;
  }
  const route = `${encodeURIComponent(`acme/${change.project}`)}/protected_environments`;
  const rules = change.deployers.map((one) =>
    "level" in one ? { access_level: one.level } : { user_id: one.user === "maya" ? 1 : 2 },
  );
  const answer = await fetch(`${service.url}/api/v4/projects/${route}/production`, {
    headers: { "private-token": TOKENS.maintainer },
  });
  const { deploy_access_levels: old } = (await answer.json()) as {
    deploy_access_levels: readonly { readonly id: number }[];
  };
  await send("PUT", `${route}/production`, {
    deploy_access_levels: [...old.map(({ id }) => ({ id, _destroy: true })), ...rules],
  });
}

const compiles = (folder: string) =>
  execFileSync(
    process.execPath,
    [
      path.join(__dirname, "../../../node_modules/typescript/bin/tsc"),
      ...[
        "--noEmit",
        "--strict",
        "--module",
        "nodenext",
        "--target",
        "es2022",
        "--skipLibCheck",
        "--types",
        "node",
      ],
      ...["--typeRoots", path.join(__dirname, "../../../node_modules/@types"), "main.ts"],
    ],
    { cwd: folder, encoding: "utf8" },
  );

const events = (out: string) =>
  out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const addressesOf = (all: readonly { readonly hook: { readonly address: string } }[]) =>
  [...new Set(all.map(({ hook }) => hook.address))].sort();

test("for random drift, the code after drift --accept compiles, and plan changes no accepted object", async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const place = await openPlace(FIXTURE);
      try {
        linkPackages(place.folder);
        place.write("cdktf.json", { language: "typescript", app: "node --import tsx main.ts" });
        place.write("main.ts", appOf(told));
        const applied = await place.run(["apply", "--auto-approve", "--import-existing"]);
        expect([applied.code, applied.code === 0 ? "" : applied.err]).toEqual([0, ""]);
        const state = place.read("terraform.estate.tfstate");
        for (const change of told.changes) await byHand(place, change);
        const accept = ["drift", "--accept", "--yes", "--allow-loosening", "--reason", "why not", "--json"];
        const accepted = await place.run(accept);
        expect([accepted.err, [0, 2].includes(accepted.code ?? 1)]).toEqual(["", true]);
        const code = place.read("main.ts");
        expect(compiles(place.folder)).toBe("");
        const left = addressesOf(events(accepted.out).filter(({ type }) => type === "drift_left"));
        const plan = events((await place.run(["plan", "--json"])).out);
        const changed = plan
          .filter(({ type }) => type === "planned_change")
          .map(({ change }) => change.resource.addr);
        expect(changed.sort()).toEqual(left);
        expect(code.split(told.eol).filter((line) => line.includes("// kept"))).toHaveLength(
          1 + Number(told.layer === "own"),
        );
        expect(told.eol === "\r\n" ? /[^\r]\n/.test(code) : code.includes("\r")).toBe(false);
        await place.run(accept);
        expect(place.read("main.ts")).toBe(code);
        expect(place.read("terraform.estate.tfstate")).toBe(state);
      } finally {
        await place.close();
      }
    }),
    {
      numRuns: process.env["SOAK"] === "1" ? 100 : 3,
      seed: Number(process.env["SEED"] ?? 42),
      endOnFailure: true,
    },
  );
});
