import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { writeConfiguration } from "../../../src/adopt";
import { apply, drift } from "../../../src/engine";
import { createProvider } from "../../../src/provider";
import { startWorld } from "../../provider/support/world";
import { runs, seed } from "../../support/capabilities";
import { TOKENS } from "../groups/people";
import { liveSettings } from "../support/adopted";
import { randomWorlds } from "../support/random-world";

// Whoever adopts an estate sees every later change by hand: no setting is left out because its value was the default.

jest.setTimeout(runs(60_000, 3_600_000));

type Json = Readonly<Record<string, unknown>>;
type Send = (method: string, place: string, body?: Json) => Promise<unknown>;

/** Changes one attribute of a project that the API returns and a resource can declare. */
interface Change {
  readonly name: string;
  /** What the finding names: an attribute, or the type of an object that is new or gone. */
  readonly names: string;
  /** @returns whether there was something to change */
  readonly make: (send: Send, project: string) => Promise<boolean>;
}

const list = async (send: Send, place: string): Promise<readonly Json[]> =>
  (await send("GET", place)) as readonly Json[];
/** The first environment that is there since the adoption. */
const environmentOf = async (send: Send, project: string): Promise<string | undefined> => {
  const all = await list(send, `${project}/protected_environments`);
  const one = all.find(({ name }) => name !== "by-hand");
  return one && `${project}/protected_environments/${encodeURIComponent(String(one["name"]))}`;
};

const CHANGES: readonly Change[] = [
  {
    name: "the limit on job tokens",
    names: "inbound_enabled",
    async make(send, project) {
      const { inbound_enabled } = (await send("GET", `${project}/job_token_scope`)) as Json;
      await send("PATCH", `${project}/job_token_scope`, { enabled: inbound_enabled !== true });
      return true;
    },
  },
  {
    name: "a project on the allowlist",
    names: "target_project",
    async make(send, project) {
      const present = await list(send, `${project}/job_token_scope/allowlist`);
      const { id: own } = (await send("GET", project)) as Json;
      const { id } = (await send("GET", "/projects/g%2Fsub%2F1st")) as Json;
      if (id === own || present.some((one) => one["id"] === id)) return false;
      await send("POST", `${project}/job_token_scope/allowlist`, { target_project_id: id });
      return true;
    },
  },
  {
    name: "a group on the allowlist",
    names: "target_group",
    async make(send, project) {
      const place = `${project}/job_token_scope/groups_allowlist`;
      const [present] = await list(send, place);
      if (present !== undefined) await send("DELETE", `${place}/${present["id"]}`);
      else
        await send("POST", place, {
          target_group_id: ((await send("GET", "/groups/g%2Fteam")) as Json)["id"],
        });
      return true;
    },
  },
  {
    name: "the approvals of an environment",
    names: "approval_rules",
    async make(send, project) {
      const place = await environmentOf(send, project);
      if (place === undefined) return false;
      const { approval_rules: rules } = (await send("GET", place)) as { approval_rules: readonly Json[] };
      const [rule] = rules;
      await send("PUT", place, {
        approval_rules: [rule === undefined ? { access_level: 40 } : { id: rule["id"], _destroy: true }],
      });
      return true;
    },
  },
  {
    name: "who may deploy",
    names: "deploy_access_levels",
    async make(send, project) {
      const place = await environmentOf(send, project);
      if (place === undefined) return false;
      const { deploy_access_levels: levels } = (await send("GET", place)) as {
        deploy_access_levels: readonly Json[];
      };
      const free = [30, 40, 60].find((level) => levels.every((one) => one["access_level"] !== level));
      if (free === undefined) return false;
      await send("PUT", place, { deploy_access_levels: [{ access_level: free }] });
      return true;
    },
  },
  {
    name: "a protected environment that goes",
    names: "steward_protected_environment",
    async make(send, project) {
      const place = await environmentOf(send, project);
      if (place !== undefined) await send("DELETE", place);
      return place !== undefined;
    },
  },
  {
    name: "a protected environment that is new",
    names: "steward_protected_environment",
    async make(send, project) {
      const place = `${project}/protected_environments`;
      await send("POST", place, { name: "by-hand", deploy_access_levels: [{ access_level: 40 }] });
      return true;
    },
  },
  {
    name: "the redirect of Pages to HTTPS",
    names: "force_https",
    async make(send, project) {
      const { force_https } = (await send("GET", `${project}/pages`)) as Json;
      await send("PATCH", `${project}/pages`, { pages_https_only: force_https !== true });
      return true;
    },
  },
  {
    name: "the domain of Pages",
    names: "unique_domain_enabled",
    async make(send, project) {
      const { is_unique_domain_enabled: isUnique } = (await send("GET", `${project}/pages`)) as Json;
      await send("PATCH", `${project}/pages`, { pages_unique_domain_enabled: isUnique !== true });
      return true;
    },
  },
  {
    name: "the level of a container protection rule",
    names: "minimum_access_level_for_delete",
    async make(send, project) {
      const place = `${project}/registry/protection/repository/rules`;
      const [rule] = await list(send, place);
      if (rule === undefined) return false;
      const level = rule["minimum_access_level_for_delete"] === "owner" ? "admin" : "owner";
      await send("PATCH", `${place}/${rule["id"]}`, { minimum_access_level_for_delete: level });
      return true;
    },
  },
  {
    name: "an invitation that goes",
    names: "steward_project_invitation",
    async make(send, project) {
      const [one] = await list(send, `${project}/invitations`);
      if (one === undefined) return false;
      await send("DELETE", `${project}/invitations/${encodeURIComponent(String(one["invite_email"]))}`);
      return true;
    },
  },
  {
    name: "the level of an invitation",
    names: "access_level",
    async make(send, project) {
      const [one] = await list(send, `${project}/invitations`);
      if (one === undefined) return false;
      const place = `${project}/invitations/${encodeURIComponent(String(one["invite_email"]))}`;
      await send("PUT", place, { access_level: one["access_level"] === 20 ? 30 : 20 });
      return true;
    },
  },
];

/** Adopts a group, applies, and makes the changes one after the other: each is a finding that was none before. */
async function changesAreSeen(fixture: FixtureInput, changes: readonly Change[]): Promise<void> {
  const world = await startWorld(fixture);
  const folder = mkdtempSync(path.join(tmpdir(), "steward-by-hand-"));
  try {
    const settings = await liveSettings(world, "g");
    const options = { format: "json", allSettings: false, includeEmails: true } as const;
    for (const file of writeConfiguration(settings, options))
      writeFileSync(path.join(folder, file.path), file.text);
    const source = { configuration: folder };
    const env = { STEWARD_BASE_URL: world.service.url, STEWARD_TOKEN: TOKENS.reader };
    const run = { providers: [createProvider()], folder, env };
    expect((await apply(source, run).result).succeeded).toBe(true);
    const look = async () => findingsOf(await drift(source, { ...run, coverage: true }).result);
    let known = await look();
    expect(known).toEqual([]);
    const { path: project } = fixture.projects!.find(({ archived }) => archived !== true)!;
    const send: Send = async (method, at, body) => {
      const answer = await fetch(`${world.service.url}/api/v4${at}`, {
        method,
        headers: { "PRIVATE-TOKEN": world.service.adminToken, "Content-Type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${await answer.text()}`);
      return answer.status === 204 ? undefined : answer.json();
    };
    for (const { name, names, make } of changes) {
      if (!(await make(send, `/projects/${encodeURIComponent(project)}`))) continue;
      const found = await look();
      const isNew = found.some(
        (one) => one.startsWith(`${project} `) && one.includes(names) && !known.includes(one),
      );
      expect({ name, found, isNew }).toEqual({ name, found, isNew: true });
      known = found;
    }
  } finally {
    rmSync(folder, { recursive: true });
    await world.close();
  }
}

/** Each finding as a text: project, object and attributes with their live values. */
const findingsOf = ({
  stacks,
  unmanaged,
}: Awaited<ReturnType<typeof drift>["result"]>): readonly string[] => [
  ...stacks.flatMap(({ report }) =>
    report!.drifted.map(({ change, attributes }) => {
      const values = attributes.map((name) => [name, change.after?.[name]]);
      return `${change.container?.name} ${change.address} ${JSON.stringify(values)}`;
    }),
  ),
  ...unmanaged.map(({ type, id, place, live }) => `${place?.name} ${type} ${id} ${JSON.stringify(live)}`),
];

it("drift with coverage sees every change by hand in an adopted estate, and names project and attribute", async () => {
  const worlds = randomWorlds.filter(({ projects }) => projects!.some(({ archived }) => archived !== true));
  const changes = fc.shuffledSubarray([...CHANGES], { minLength: CHANGES.length });
  await fc.assert(fc.asyncProperty(worlds, changes, changesAreSeen), {
    numRuns: runs(3, 300),
    seed: seed + 2,
  });
});
