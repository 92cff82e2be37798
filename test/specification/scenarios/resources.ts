import type { ValueObject } from "../../../src/schema";
import { changedInPlace, containerOf, isSent, SAMPLES } from "../../provider/samples";
import { ID, inIds } from "../company";
import type { Bench, Scenario } from "../laboratory";

/** A declaration of a resource, and a second declaration that changes every attribute in place. */
interface Life {
  readonly type: string;
  readonly first: ValueObject;
  readonly changed?: ValueObject;
  /** True if the destroy sends no request. */
  readonly isLeftAlone?: true;
  /** Creates the container of the object. */
  readonly container: (bench: Bench) => Promise<ValueObject>;
}

const projectOf = async ({ newProject }: Bench): Promise<ValueObject> => ({
  project: String(await newProject()),
});

/**
 * Suffixes for the ids of nine other objects. A scenario announces the reads of these objects, so that the provider
 * reads the whole list.
 */
const MANY = Array.from({ length: 9 }, (_unused, index) => String(index + 1));

/**
 * Returns a scenario for each operation of a resource. The operation goes through the wire. Objects that must exist
 * before the operation are created without the wire.
 */
function lifeOf({ type, first, changed, isLeftAlone, container }: Life): readonly Scenario[] {
  const step = (what: string, run: (bench: Bench, config: ValueObject) => Promise<unknown>): Scenario => ({
    name: `resource ${type}: ${what}`,
    run: async (bench) => run(bench, { ...(await container(bench)), ...first }),
  });
  const made = (bench: Bench, config: ValueObject) => bench.hostByHand(type).bring(undefined, config);
  return [
    step("create", async (bench, config) => (await bench.host(type).bring(undefined, config)).attributes),
    step("read", async (bench, config) => {
      const host = bench.host(type);
      return (await host.refresh(await made(bench, config), host.connect()))?.attributes;
    }),
    step("read with many", async (bench, config) => {
      const prior = await made(bench, config);
      const run = bench.connect();
      const id = String(prior.attributes["id"]);
      run.expectReads!(
        ["", ...MANY].map((more) => ({ type, id: id + more })),
        [],
      );
      const { state, diagnostics } = await bench.host(type).read(prior, run);
      if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
      return state?.attributes;
    }),
    ...(changed === undefined
      ? []
      : [
          step("update", async (bench, config) => {
            const prior = await made(bench, config);
            return (await bench.host(type).bring(prior, { ...config, ...changed })).attributes;
          }),
        ]),
    ...(isLeftAlone === true
      ? []
      : [
          step("destroy", async (bench, config) => {
            const prior = await made(bench, config);
            const { state, diagnostics } = await bench.host(type).destroy(prior);
            if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
            return { state, live: (await bench.hostByHand(type).read(prior)).state?.attributes };
          }),
        ]),
  ];
}

const SITE = { project: String(ID.site) };
let groups = 0;
const groupOf = async ({ byHand }: Bench): Promise<ValueObject> => {
  const path = `scratch-group-of-a-resource-${++groups}`;
  const { id } = await byHand<{ id: number }>("POST", "/groups", { path, name: path, parent_id: ID.acme });
  return { group: String(id) };
};

const INVITATION = { access_level: 20, expires_at: "2035-12-31", email: "ada@acme.example" };
const SENT_ONLY = { invite_source: "code", member_role_id: ID.reviewer };

/** Values that differ from the sample, so that every field of the specification is sent and returned. */
const FULLER: Readonly<Record<string, Pick<Life, "first" | "changed">>> = {
  steward_protected_environment: {
    first: {
      name: "production",
      deploy_access_levels: [{ user: String(ID.devon) }, { access_level: 40 }],
      approval_rules: [
        { group: String(ID.approvers), group_inheritance_type: 1, required_approvals: 2 },
        { access_level: 60 },
      ],
    },
    changed: {
      deploy_access_levels: [
        { group: String(ID.approvers), group_inheritance_type: 1 },
        { access_level: 30 },
        { user: String(ID.owner) },
      ],
      approval_rules: [
        { group: String(ID.approvers), required_approvals: 3 },
        { user: String(ID.devon) },
        { access_level: 40 },
      ],
    },
  },
  steward_project_invitation: { first: INVITATION, changed: { access_level: 40, expires_at: "2036-12-31" } },
  steward_group_invitation: { first: INVITATION, changed: { access_level: 40, expires_at: "2036-12-31" } },
};

/** Returns the declarations of a type: its sample, or the fuller declarations of `FULLER`. */
function sampledLife(type: string): Life {
  const { writes, config } = SAMPLES[type]!;
  const kind = containerOf(type);
  const inside = (given: ValueObject) => {
    const { [kind]: _, ...others } = inIds(given);
    return Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null));
  };
  return {
    type,
    first: inside(config),
    ...(isSent(writes.update) && { changed: inside(changedInPlace(type)) }),
    ...(!isSent(writes.destroy) && { isLeftAlone: true as const }),
    container: kind === "project" ? projectOf : groupOf,
    ...FULLER[type],
  };
}

/**
 * The scenarios of Pages settings. These scenarios use projects of the fixture, because only projects of a fixture can
 * have published Pages.
 */
const PAGES_SETTINGS = "steward_pages_settings";
const PAGES: readonly Scenario[] = [
  {
    name: "resource steward_pages_settings: create",
    async run({ host, byHand }) {
      await byHand("PATCH", `/projects/${ID.site}/pages`, {
        pages_unique_domain_enabled: false,
        pages_https_only: true,
        pages_primary_domain: "",
      });
      const config = {
        ...SITE,
        unique_domain_enabled: true,
        force_https: false,
        primary_domain: "site.example.com",
      };
      return (await host("steward_pages_settings").bring(undefined, config)).attributes;
    },
  },
  {
    name: "resource steward_pages_settings: read",
    async run({ host, hostByHand }) {
      const config = {
        ...SITE,
        force_https: true,
        primary_domain: "site.example.com",
        unique_domain_enabled: true,
      };
      const state = await hostByHand("steward_pages_settings").bring(undefined, config);
      return (await host("steward_pages_settings").refresh(state))?.attributes;
    },
  },
  {
    name: "resource steward_pages_settings: destroy",
    async run({ host, hostByHand, byHand, publishedProject }) {
      const project = String(publishedProject());
      const config = { project, force_https: true, unpublish_on_destroy: true };
      const state = await hostByHand("steward_pages_settings").bring(undefined, config);
      const { diagnostics } = await host("steward_pages_settings").destroy(state);
      if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
      return (await byHand<{ deployments: unknown[] }>("GET", `/projects/${project}/pages`)).deployments;
    },
  },
];

/**
 * Returns a scenario for fields of an invitation that the client sends, but that no response contains. The result of
 * the scenario therefore contains the request.
 */
const sentOnly = (type: string, container: (bench: Bench) => Promise<ValueObject>): Scenario => ({
  name: `resource ${type}: create, with what is only sent`,
  async run(bench) {
    const config = { ...(await container(bench)), ...INVITATION, access_level: 30, ...SENT_ONLY };
    const { attributes } = await bench.host(type).bring(undefined, config);
    // The reads are left out: the resource first reads the members.
    const sent = bench.arrived().filter(({ method }) => method !== "GET");
    return { attributes, sent: sent.map(({ body }) => body) };
  },
});

const byUser = (type: string, container: (bench: Bench) => Promise<ValueObject>): Scenario => ({
  name: `resource ${type}: create by user`,
  async run(bench) {
    const config = { ...(await container(bench)), user: String(ID.idle), access_level: 30 };
    return (await bench.host(type).bring(undefined, config)).attributes;
  },
});

export const RESOURCES: readonly Scenario[] = [
  ...Object.keys(SAMPLES)
    .filter((type) => type !== PAGES_SETTINGS)
    .map(sampledLife)
    .flatMap(lifeOf),
  ...PAGES,
  sentOnly("steward_project_invitation", projectOf),
  sentOnly("steward_group_invitation", groupOf),
  byUser("steward_project_invitation", projectOf),
  byUser("steward_group_invitation", groupOf),
];
