import type { Declarations } from "../../../src/cli/engines/declarations";
import { DeclaredObjects } from "../../../src/cli/engines/declared-objects";
import { driftReport, type ShownPlan } from "../../../src/cli/engines/drift-report";
import type { ConfiguredProvider, Provider } from "../../../src/framework/protocol/protocol";
import { createProvider } from "../../../src/provider";

const TYPE = "steward_job_token_scope";
const state = { id: "1", project: "acme/shop", inbound_enabled: true };
const live = { ...state, inbound_enabled: false };

/** The plan of a module's object that somebody changed, and that the plan leaves as it is or puts back. */
function shown(planned: object): ShownPlan {
  const one = {
    address: `module.one.${TYPE}.limit`,
    mode: "managed",
    type: TYPE,
    name: "limit",
    provider_name: "registry.steward.example/steward/steward",
  } as const;
  return {
    resource_drift: [{ ...one, change: { actions: ["update"], before: state, after: live } }],
    resource_changes: [
      { ...one, change: { actions: ["update"], before: live, after: { ...live, ...planned } } },
    ],
  };
}

/** As the plan's own requests told: with what is ignored, Terraform asks for what is live. */
async function declared(config: object): Promise<DeclaredObjects> {
  const objects = new DeclaredObjects();
  const answers = { planResource: async () => ({ requiresReplace: [], diagnostics: [] }) };
  const configure = () => ({ provider: answers as unknown as ConfiguredProvider, diagnostics: [] });
  const provider: Provider = { ...createProvider(), configure };
  const { provider: overheard } = objects.overhear(provider).configure({}, {});
  const request = { type: TYPE, prior: { attributes: live }, config: { ...live, ...config } };
  await overheard!.planResource(request);
  return objects;
}

const NOTHING_READ: Declarations = { variables: new Set(), resources: new Map(), backend: "local" };

const drifted = (plan: ShownPlan, objects: DeclaredObjects) =>
  driftReport(plan, objects, NOTHING_READ, []).drifted.map(({ attributes }) => attributes);

test("what a module ignores is no drift: the plan leaves it as it is", async () => {
  expect(drifted(shown({}), await declared({}))).toEqual([]);
});

test("what a module declares and the plan puts back is drift", async () => {
  const config = { inbound_enabled: true };
  expect(drifted(shown(config), await declared(config))).toEqual([["inbound_enabled"]]);
});

test("what Terraform plans and was not applied is told as what the code says by now", () => {
  const one = shown({}).resource_drift![0]!;
  const third = { ...live, project: "acme/other" };
  const plan: ShownPlan = {
    resource_drift: [{ ...one, change: { ...one.change, after: { ...live, project: "acme/moved" } } }],
    resource_changes: [
      { ...one, change: { actions: ["update"], before: { ...live, project: "acme/moved" }, after: third } },
    ],
  };
  const report = driftReport(plan, new DeclaredObjects(), NOTHING_READ, []);
  expect(report.drifted).toMatchObject([{ attributes: ["project"], declared: { project: "acme/other" } }]);
});
